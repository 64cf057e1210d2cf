// SPDX-License-Identifier: Apache-2.0
// Checks the parity of the flits of a channel, at its receiver, and takes the bit off.
//
// Parity    As parity_generator.sv: an odd number of wrong bits in VC, flit and parity is an error,
//           an even number is not seen. A flit with an error goes on like others: without it
//           the credits and the packet would be incomplete.
// Timing    flit_o follows flit_i. error_o is high for one cycle, the one after the edge at which a
//           flit with an error is sampled; failed_o from then on until clear_i.
// Reset     Synchronous; no error.
// Clear     failed_o is low after an edge with clear_i, unless a flit has an error at this edge.
module flitcast_parity_checker #(
  parameter int VcWidth = 1,          // Bits, from 1 up.
  parameter int Width   = 34          // Bits of a flit without parity, from 1 up.
) (
  input  logic               clk_i,
  input  logic               rst_ni,  // Synchronous, active low.
  input  logic               valid_i,
  input  logic [VcWidth-1:0] vc_i,
  input  logic [Width:0]     flit_i,
  output logic [Width-1:0]   flit_o,
  input  logic               clear_i,
  output logic               error_o,
  output logic               failed_o
);

  if (VcWidth < 1 || Width < 1) begin : gen_refused
    vc_width_and_width_must_be_at_least_1 u_refused ();
  end

  logic odd, error_q, failed_q;

  assign odd      = valid_i && (^{vc_i, flit_i});
  assign flit_o   = flit_i[Width-1:0];
  assign error_o  = error_q;
  assign failed_o = failed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      error_q  <= 1'b0;
      failed_q <= 1'b0;
    end else begin
      error_q  <= odd;
      failed_q <= odd || (failed_q && !clear_i);
    end
  end

endmodule
