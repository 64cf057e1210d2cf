// SPDX-License-Identifier: Apache-2.0
// The synchronizer of proofs with several clocks, in place of rtl/link/flitcast_synchronizer.sv: a
// bit that has changed in the step before the edge is seen or is not, which is free in each bit.
module flitcast_synchronizer #(
  parameter int Width = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] in_i,
  output logic [Width-1:0] out_o
);

  (* anyseq *) logic [Width-1:0] missed;
  logic [Width-1:0] before_q, first_q, second_q;

  // At the other edge, so in every step: scripts/formal.
  always_ff @(negedge clk_i) before_q <= in_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      first_q  <= '0;
      second_q <= '0;
    end else begin
      first_q  <= in_i ^ (missed & (in_i ^ before_q));
      second_q <= first_q;
    end
  end

  assign out_o = second_q;

endmodule
