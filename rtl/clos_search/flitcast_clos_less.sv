// SPDX-License-Identifier: Apache-2.0
// Compares a_i < b_i from bit 0 up, the order in which the bits of a count arrive.
// Combinational. Cost: a majority of three for each bit, one after another, as a carry.
module flitcast_clos_less #(
  parameter int Width = 4  // From 1 up.
) (
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic             less_o
);

  if (Width < 1) begin : gen_refused
    width_must_be_at_least_1 u_refused ();
  end

`ifdef VERILATOR
  // The same in one comparison, where the loop would be simulated bit by bit. Proved equal in
  // testbenches/formal/clos_simulated_proof.sv.
  assign less_o = a_i < b_i;
`else
  always_comb begin
    less_o = 1'b0;
    for (int n = 0; n < Width; n++) begin
      less_o = (!a_i[n] && b_i[n]) || (less_o && (!a_i[n] || b_i[n]));
    end
  end
`endif

endmodule
