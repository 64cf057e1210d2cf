// SPDX-License-Identifier: Apache-2.0
// Goes through Num words from the first one on, and reads each before its turn: so to read and to
// use a word are clocks of their own.
//
// Timing    begin_i: word 0 has its turn from the next clock on. word_o is the word whose turn it
//           is. next_i: this is its last clock; index_i is then the index of the word after it. In
//           other clocks any word can be read, by index_i to read_o.
//           Word 0 is not read ahead. Words may change at the edge with begin_i, not after it.
module flitcast_clos_read_ahead #(
  parameter int Num = 4,                            // From 1 up.
  parameter int Width = 4,                          // From 1 up.
  parameter int IndexW = Num > 1 ? $clog2(Num) : 1  // Derived.
) (
  input  logic                 clk_i,
  input  logic                 begin_i,
  input  logic                 next_i,
  input  logic [Num*Width-1:0] words_i,
  input  logic [IndexW-1:0]    index_i,
  output logic [Width-1:0]     read_o,
  output logic [Width-1:0]     word_o
);

  logic             first_q;  // The first clock of word 0.
  logic [Width-1:0] word_q;   // Zero in that clock.

  flitcast_clos_read_port #(.Num(Num), .Width(Width)) u_port (.words_i, .index_i, .word_o(read_o));
  assign word_o = word_q | (words_i[Width-1:0] & {Width{first_q}});

  always_ff @(posedge clk_i) begin
    first_q <= begin_i;
    word_q  <= begin_i ? '0 : next_i ? read_o : word_o;
  end

endmodule
