// SPDX-License-Identifier: Apache-2.0
// Reads one of Num words by its index; zero if there is none of that index.
module clos_read_port #(
  parameter int Num = 4,                            // From 1 up.
  parameter int Width = 4,                          // From 1 up.
  parameter int IndexW = Num > 1 ? $clog2(Num) : 1  // Derived.
) (
  input  logic [Num*Width-1:0] words_i,
  input  logic [IndexW-1:0]    index_i,
  output logic [Width-1:0]     word_o
);

  clos_row_select #(.M(Num), .R(Width)) u_select (
    .store_i(words_i), .select_i(Num'(1) << index_i), .row_o(word_o)
  );

endmodule
