// SPDX-License-Identifier: Apache-2.0
// Search unit "Parall./Thermo": Parall./Adder with counts in unary. A network of comparators
// of bits sorts what is left of every set to a thermometer code, bit v high if the count is above
// v; the AND of all codes is the least one. No adder, and no tree that compares numbers: depth
// O(log^2 r + log m), with a small constant.
//
//   edge       1        2        3
//   looks at   LOAD     UPDATE   UPDATE
//   after it   U        beat, U  beat, U
//
// Timing    Clocks of a pass: 1. req_set_i goes through a sorter before a register, for R = 2^t of
//           t (t + 1) / 2 comparators in a row: it must come that much earlier in a clock than in
//           the other designs, which register it as it is.
// Ports     As those of clos_search.sv.
module flitcast_clos_par_thermo #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int ChoiceW = 3 + (M > 1 ? $clog2(M) : 1) + R, // Derived.
  parameter bit StopWithoutProgress = 1'b1
) (
  input  logic               clk_i,
  input  logic               begin_i,
  input  logic               load_i,
  input  logic [R-1:0]       req_set_i,
  input  logic [R-1:0]       unserved_i,
  input  logic [M-1:0]       avail_i,
  input  logic [M*R-1:0]     store_i,
  output logic               done_o,
  output logic [ChoiceW-1:0] choice_o
);

  localparam int MiddleW = M > 1 ? $clog2(M) : 1;
  localparam int RowW = MiddleW + R;

  logic [R-1:0]       wanted, size_q;  // The codes of |I| and of |U|.
  logic [M-1:0]       has_least;
  logic [M*RowW-1:0]  rows;   // Each with its index before it.
  logic [M*(R+1)-1:0] above;  // Bit v of a code: the count is above v.
  logic [R:0]         met;    // Some count is not above v.
  logic [RowW-1:0]    first;  // k and M_k.
  logic               stuck, unused_found;

  for (genvar j = 0; j < M; j++) begin : gen_middles
    // Not available is above every count.
    logic [R-1:0] left;
    assign left = (store_i[j*R+:R] & unserved_i) | {R{!avail_i[j]}};
    flitcast_clos_sorter #(.Num(R)) u_count (.bits_i(left), .sorted_o(above[j*(R+1)+:R]));
    assign above[j*(R+1)+R] = !avail_i[j];
    // A set that is not available has it only if all available ones are stuck.
    assign has_least[j] = (above[j*(R+1)+:R] & met[R-1:0]) == '0 &&
                          (StopWithoutProgress || avail_i[j]);
    assign rows[j*RowW+:RowW] = {MiddleW'(j), store_i[j*R+:R]};
  end

  flitcast_clos_or_tree #(.Num(M), .Width(R + 1)) u_met (.words_i(~above), .or_o(met));
  flitcast_clos_first_tree #(.Num(M), .Width(RowW)) u_first (
    .wanted_i(has_least), .words_i(rows), .any_o(unused_found), .word_o(first)
  );

  // The least count becomes |U|. To sort U in UPDATE instead costs more gates at r = 16.
  flitcast_clos_sorter #(.Num(R)) u_wanted (.bits_i(req_set_i), .sorted_o(wanted));
  always_ff @(posedge clk_i) begin
    if (begin_i) size_q <= load_i ? wanted : ~met[R-1:0];
  end
  assign stuck = (size_q & met[R-1:0]) == '0;

  assign done_o   = 1'b1;
  assign choice_o = {!met[R], met[0], stuck, first};

endmodule
