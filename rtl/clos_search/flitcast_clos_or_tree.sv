// SPDX-License-Identifier: Apache-2.0
// The OR of Num words, as a balanced tree: depth ceil(log2(Num)).
module flitcast_clos_or_tree #(
  parameter int Num = 4,    // From 1 up.
  parameter int Width = 4
) (
  input  logic [Num*Width-1:0] words_i,
  output logic [Width-1:0]     or_o
);

  if (Num < 1 || Width < 1) begin : gen_refused
    num_and_width_must_be_at_least_1 u_refused ();
  end else if (Num == 1) begin : gen_leaf
    assign or_o = words_i;
  end else begin : gen_node
    localparam int Low = Num / 2;
    logic [Width-1:0] low, high;

    flitcast_clos_or_tree #(.Num(Low), .Width(Width)) u_low (
      .words_i(words_i[Low*Width-1:0]), .or_o(low)
    );
    flitcast_clos_or_tree #(.Num(Num - Low), .Width(Width)) u_high (
      .words_i(words_i[Num*Width-1:Low*Width]), .or_o(high)
    );
    assign or_o = low | high;
  end

endmodule
