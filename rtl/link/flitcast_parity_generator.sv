// SPDX-License-Identifier: Apache-2.0
// Adds a parity bit to the flits of a channel, at its sender.
//
// Parity    Even: VC, flit and the bit together have an even number of ones. It is the highest bit
//           of flit_o.
// Timing    No clock: flit_o follows the inputs.
module flitcast_parity_generator #(
  parameter int VcWidth = 1,         // Bits, from 1 up.
  parameter int Width   = 34         // Bits of a flit without parity, from 1 up.
) (
  input  logic [VcWidth-1:0] vc_i,
  input  logic [Width-1:0]   flit_i,
  output logic [Width:0]     flit_o
);

  if (VcWidth < 1 || Width < 1) begin : gen_refused
    vc_width_and_width_must_be_at_least_1 u_refused ();
  end

  assign flit_o = {^{vc_i, flit_i}, flit_i};

endmodule
