// SPDX-License-Identifier: Apache-2.0
// The choice of the parallel designs whose counts are in binary: of all available middle switches
// the one with the least count, by a tree of comparators, and what that count tells. Of equal ones
// the first. Combinational.
module clos_least_count #(
  parameter int M = 4,                            // Middle switches, from 1 up.
  parameter int R = 4,                            // Output switches, from 1 up.
  parameter int MiddleW = M > 1 ? $clog2(M) : 1,  // Derived.
  parameter int CountW = $clog2(R + 1)            // Derived.
) (
  input  logic [R-1:0]        unserved_i,  // U.
  input  logic [M*CountW-1:0] counts_i,    // |M_j & U|.
  input  logic [M-1:0]        avail_i,
  input  logic [M*R-1:0]      store_i,

  // As clos_beat_control.sv asks for.
  output logic                none_o,
  output logic [MiddleW-1:0]  middle_o,
  output logic [R-1:0]        row_o,
  output logic                all_served_o,
  output logic                stuck_o
);

  if (M < 1 || R < 1) begin : gen_refused
    m_and_r_must_be_at_least_1 u_refused ();
  end

  localparam int KeyW = 1 + CountW;  // Not available is above every count.
  localparam int RowW = MiddleW + R;

  logic [M*KeyW-1:0] keys;
  logic [M*RowW-1:0] rows;  // Each with its index before it.
  logic [CountW-1:0] least, wanted;  // wanted: |U|.

  for (genvar j = 0; j < M; j++) begin : gen_candidates
    assign keys[j*KeyW+:KeyW] = {!avail_i[j], counts_i[j*CountW+:CountW]};
    assign rows[j*RowW+:RowW] = {MiddleW'(j), store_i[j*R+:R]};
  end
  clos_minimum_tree #(.Num(M), .KeyW(KeyW), .Width(RowW)) u_minimum (
    .keys_i(keys), .words_i(rows), .key_o({none_o, least}), .word_o({middle_o, row_o})
  );

  clos_popcount #(.Num(R)) u_wanted (.bits_i(unserved_i), .count_o(wanted));

  assign all_served_o = least == '0;
  assign stuck_o      = least == wanted;

endmodule
