// SPDX-License-Identifier: Apache-2.0
// The least of Num keys and the word that goes with it, by a tree of comparators and multiplexers:
// depth ceil(log2(Num)) of them. Of equal keys the first one wins.
module flitcast_clos_minimum_tree #(
  parameter int Num = 4,   // From 1 up.
  parameter int KeyW = 3,  // From 1 up.
  parameter int Width = 4  // From 1 up.
) (
  input  logic [Num*KeyW-1:0]  keys_i,
  input  logic [Num*Width-1:0] words_i,
  output logic [KeyW-1:0]      key_o,
  output logic [Width-1:0]     word_o
);

  if (Num < 1 || KeyW < 1 || Width < 1) begin : gen_refused
    num_key_w_and_width_must_be_at_least_1 u_refused ();
  end else if (Num == 1) begin : gen_leaf
    assign key_o  = keys_i;
    assign word_o = words_i;
  end else begin : gen_node
    localparam int Low = Num / 2;
    logic             take_high;
    logic [KeyW-1:0]  low_key, high_key;
    logic [Width-1:0] low_word, high_word;

    flitcast_clos_minimum_tree #(.Num(Low), .KeyW(KeyW), .Width(Width)) u_low (
      .keys_i(keys_i[Low*KeyW-1:0]), .words_i(words_i[Low*Width-1:0]),
      .key_o(low_key), .word_o(low_word)
    );
    flitcast_clos_minimum_tree #(.Num(Num - Low), .KeyW(KeyW), .Width(Width)) u_high (
      .keys_i(keys_i[Num*KeyW-1:Low*KeyW]), .words_i(words_i[Num*Width-1:Low*Width]),
      .key_o(high_key), .word_o(high_word)
    );

    assign take_high = high_key < low_key;
    assign key_o     = take_high ? high_key : low_key;
    assign word_o    = take_high ? high_word : low_word;
  end

endmodule
