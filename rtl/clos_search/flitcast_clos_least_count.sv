// SPDX-License-Identifier: Apache-2.0
// The choice of the parallel designs whose counts are in binary: of all available middle switches
// the one with the least count, and what that count tells. Of equal ones the first. Combinational,
// O(log m) deep for each bit of a count.
//
// Measured  In Parall./Adder at r = 8 by scripts/synth: 4011 NAND2 and 6.57 ns for the controller,
//           less of both than with clos_minimum_tree.
module flitcast_clos_least_count #(
  parameter int M = 4,                                      // Middle switches, from 1 up.
  parameter int R = 4,                                      // Output switches, from 1 up.
  parameter int CountW = $clog2(R + 1),                     // Derived.
  parameter int ChoiceW = 3 + (M > 1 ? $clog2(M) : 1) + R   // Derived.
) (
  input  logic [R-1:0]        unserved_i,  // U.
  input  logic [M*CountW-1:0] counts_i,    // |M_j & U|.
  input  logic [M-1:0]        avail_i,
  input  logic [M*R-1:0]      store_i,
  output logic [ChoiceW-1:0]  choice_o     // As in clos_search.sv.
);

  if (M < 1 || R < 1) begin : gen_refused
    m_and_r_must_be_at_least_1 u_refused ();
  end

  localparam int MiddleW = M > 1 ? $clog2(M) : 1;
  localparam int RowW = MiddleW + R;

  logic [M-1:0]      candidates, ones;
  logic [M*RowW-1:0] rows;           // Each with its index before it.
  logic [CountW-1:0] least, wanted;  // wanted: |U|.
  logic [RowW-1:0]   first;          // k and M_k.
  logic              unused_any;

  // From the top bit down: where some candidate has a 0, those with a 1 drop out.
  always_comb begin
    candidates = avail_i;
    least      = '0;
    ones       = '0;
    for (int b = CountW - 1; b >= 0; b--) begin
      for (int j = 0; j < M; j++) ones[j] = counts_i[j*CountW+b];
      least[b]   = (candidates & ~ones) == '0;
      candidates = candidates & ~(ones & {M{!least[b]}});
    end
  end

  for (genvar j = 0; j < M; j++) begin : gen_rows
    assign rows[j*RowW+:RowW] = {MiddleW'(j), store_i[j*R+:R]};
  end
  flitcast_clos_first_tree #(.Num(M), .Width(RowW)) u_first (
    .wanted_i(candidates), .words_i(rows), .any_o(unused_any), .word_o(first)
  );

  flitcast_clos_popcount #(.Num(R)) u_wanted (.bits_i(unserved_i), .count_o(wanted));

  assign choice_o = {avail_i == '0, least == '0, least == wanted, first};

endmodule
