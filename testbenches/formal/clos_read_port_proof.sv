// SPDX-License-Identifier: Apache-2.0
// Claim: clos_read_port answers alike in Verilator, where it reads by an index, and in other tools.
// scripts/formal makes clos_read_port_simulated of its source: the same, with Verilator's branch.
module clos_read_port_proof #(
  parameter int Num = 7,
  parameter int Width = 5
) (
  input logic                                   clk_i,
  input logic                                   rst_ni,

  input logic [Num*Width-1:0]                   words_i,
  input logic [(Num > 1 ? $clog2(Num) : 1)-1:0] index_i  // Any, of no word too.
);

  logic [Width-1:0] synthesized, simulated;
  logic             unused_clock;

  assign unused_clock = clk_i;

  clos_read_port #(.Num(Num), .Width(Width)) u_synthesized (
    .words_i, .index_i, .word_o(synthesized)
  );
  clos_read_port_simulated #(.Num(Num), .Width(Width)) u_simulated (
    .words_i, .index_i, .word_o(simulated)
  );

  always_comb if (rst_ni) assert (simulated == synthesized);

endmodule
