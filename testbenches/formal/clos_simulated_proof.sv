// SPDX-License-Identifier: Apache-2.0
// Claim: blocks that have a branch of their own for Verilator do the same there as in other tools.
// scripts/formal makes clos_..._simulated of their sources: the same, with Verilator's branch.
module clos_simulated_proof #(
  parameter int Num = 7,
  parameter int Width = 5
) (
  input logic                                   clk_i,
  input logic                                   rst_ni,

  input logic [Num*Width-1:0]                   words_i,
  input logic [(Num > 1 ? $clog2(Num) : 1)-1:0] index_i,  // Any, of no word too.
  input logic [Width-1:0]                       word_i
);

  localparam int CountW = $clog2(Width + 1);

  logic [Width-1:0]  synthesized_word, simulated_word;
  logic [CountW-1:0] synthesized_count, simulated_count;
  logic              synthesized_less, simulated_less, unused_clock;

  assign unused_clock = clk_i;

  flitcast_clos_read_port #(.Num(Num), .Width(Width)) u_synthesized_word (
    .words_i, .index_i, .word_o(synthesized_word)
  );
  flitcast_clos_read_port_simulated #(.Num(Num), .Width(Width)) u_simulated_word (
    .words_i, .index_i, .word_o(simulated_word)
  );

  flitcast_clos_popcount #(.Num(Width)) u_synthesized_count (
    .bits_i(word_i), .count_o(synthesized_count)
  );
  flitcast_clos_popcount_simulated #(.Num(Width)) u_simulated_count (
    .bits_i(word_i), .count_o(simulated_count)
  );

  flitcast_clos_less #(.Width(Width)) u_synthesized_less (
    .a_i(words_i[Width-1:0]), .b_i(word_i), .less_o(synthesized_less)
  );
  flitcast_clos_less_simulated #(.Width(Width)) u_simulated_less (
    .a_i(words_i[Width-1:0]), .b_i(word_i), .less_o(simulated_less)
  );

  always_comb if (rst_ni) begin
    assert (simulated_word == synthesized_word);
    assert (simulated_count == synthesized_count);
    assert (simulated_less == synthesized_less);
  end

endmodule
