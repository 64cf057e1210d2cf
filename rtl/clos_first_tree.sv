// SPDX-License-Identifier: Apache-2.0
// The smallest index that is wanted, and the word that goes with it, by a tree of multiplexers: a
// node takes its lower half's if anything is wanted there. Depth ceil(log2(Num)).
module clos_first_tree #(
  parameter int Num = 4,                            // From 1 up.
  parameter int Width = 4,                          // From 1 up.
  parameter int IndexW = Num > 1 ? $clog2(Num) : 1  // Derived.
) (
  input  logic [Num-1:0]       wanted_i,
  input  logic [Num*Width-1:0] words_i,
  output logic                 any_o,
  output logic [IndexW-1:0]    index_o,  // Index and word mean nothing if nothing is wanted.
  output logic [Width-1:0]     word_o
);

  if (Num < 1 || Width < 1) begin : gen_refused
    num_and_width_must_be_at_least_1 u_refused ();
  end else if (Num == 1) begin : gen_leaf
    assign any_o   = wanted_i;
    assign index_o = '0;
    assign word_o  = words_i;
  end else begin : gen_node
    // A power of two: the index of the upper half needs no adder.
    localparam int Low = 1 << (IndexW - 1);
    localparam int High = Num - Low;
    localparam int LowW = Low > 1 ? $clog2(Low) : 1;
    localparam int HighW = High > 1 ? $clog2(High) : 1;

    logic             low_any, high_any;
    logic [LowW-1:0]  low_index;
    logic [HighW-1:0] high_index;
    logic [Width-1:0] low_word, high_word;

    clos_first_tree #(.Num(Low), .Width(Width)) u_low (
      .wanted_i(wanted_i[Low-1:0]), .words_i(words_i[Low*Width-1:0]),
      .any_o(low_any), .index_o(low_index), .word_o(low_word)
    );
    clos_first_tree #(.Num(High), .Width(Width)) u_high (
      .wanted_i(wanted_i[Num-1:Low]), .words_i(words_i[Num*Width-1:Low*Width]),
      .any_o(high_any), .index_o(high_index), .word_o(high_word)
    );

    assign any_o   = low_any || high_any;
    assign index_o = low_any ? IndexW'(low_index) : IndexW'(Low) | IndexW'(high_index);
    assign word_o  = low_any ? low_word : high_word;
  end

endmodule
