// SPDX-License-Identifier: Apache-2.0
// The first word that is wanted, by a tree of multiplexers: a node takes its lower half's if
// anything is wanted there. Depth ceil(log2(Num)); a word may come much earlier than its wish.
module flitcast_clos_first_tree #(
  parameter int Num = 4,   // From 1 up.
  parameter int Width = 4  // From 1 up.
) (
  input  logic [Num-1:0]       wanted_i,
  input  logic [Num*Width-1:0] words_i,
  output logic                 any_o,
  output logic [Width-1:0]     word_o    // Means nothing if nothing is wanted.
);

  if (Num < 1 || Width < 1) begin : gen_refused
    num_and_width_must_be_at_least_1 u_refused ();
  end else if (Num == 1) begin : gen_leaf
    assign any_o  = wanted_i;
    assign word_o = words_i;
  end else begin : gen_node
    localparam int Low = Num / 2;
    logic             low_any, high_any;
    logic [Width-1:0] low_word, high_word;

    flitcast_clos_first_tree #(.Num(Low), .Width(Width)) u_low (
      .wanted_i(wanted_i[Low-1:0]), .words_i(words_i[Low*Width-1:0]),
      .any_o(low_any), .word_o(low_word)
    );
    flitcast_clos_first_tree #(.Num(Num - Low), .Width(Width)) u_high (
      .wanted_i(wanted_i[Num-1:Low]), .words_i(words_i[Num*Width-1:Low*Width]),
      .any_o(high_any), .word_o(high_word)
    );

    assign any_o  = low_any || high_any;
    assign word_o = low_any ? low_word : high_word;
  end

endmodule
