// SPDX-License-Identifier: Apache-2.0
// One pass of the routing in a Clos network as the lecture words it, to compare designs with: of
// the available middle switches, the first of those that leave least of set_i unserved.
//
// Timing    None; combinational.
module clos_pass #(
  parameter int M = 4,                           // Middle switches, from 1 up.
  parameter int R = 4,                           // Output switches, from 1 up.
  parameter int MiddleW = M > 1 ? $clog2(M) : 1  // Derived.
) (
  input  logic [R-1:0]       set_i,
  input  logic [M-1:0]       avail_i,
  input  logic [M*R-1:0]     store_i,   // M_j is store_i[j*R +: R].
  output logic               none_o,    // No middle switch is available.
  output logic [MiddleW-1:0] middle_o,
  output logic [R-1:0]       left_o     // The unserved rest.
);

  always_comb begin
    none_o   = 1'b1;
    middle_o = '0;
    left_o   = '0;
    for (int j = 0; j < M; j++) begin
      if (avail_i[j] &&
          (none_o || $countones(store_i[j*R+:R] & set_i) < $countones(left_o))) begin
        none_o   = 1'b0;
        middle_o = MiddleW'(j);
        left_o   = store_i[j*R+:R] & set_i;
      end
    end
  end

endmodule
