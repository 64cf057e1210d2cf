// SPDX-License-Identifier: Apache-2.0
// Two flip-flops in a row: brings signals of another clock to clk_i.
//
// Use       Each bit of in_i comes from a register of another clock. Bits that change together may
//           be seen in different cycles, so that a number has to be a Gray code, in which one bit
//           changes at a time.
// Timing    A bit is on out_o after the second edge from its change on, or after the third if it
//           changes so close to an edge that the first flip-flop misses it or is metastable.
// Reset     Synchronous; all bits are zero after it.
// Cells     A module of its own, to be replaced by the synchronizer cell of a library. ASYNC_REG
//           keeps the two flip-flops of a bit together in an FPGA.
// Simulated Without metastability; testbenches/rtl/metastable has a model of it, to compile in place
//           of this file.
module flitcast_synchronizer #(
  parameter int Width = 1           // From 1 up.
) (
  input  logic             clk_i,
  input  logic             rst_ni,  // Synchronous, active low.
  input  logic [Width-1:0] in_i,    // Changes at edges of another clock.
  output logic [Width-1:0] out_o
);

  if (Width < 1) begin : gen_refused
    width_must_be_at_least_1 u_refused ();
  end

  (* ASYNC_REG = "TRUE" *) logic [Width-1:0] first_q, second_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q  <= '0;
      second_q <= '0;
    end else begin
      first_q  <= in_i;
      second_q <= first_q;
    end
  end

  assign out_o = second_q;

endmodule
