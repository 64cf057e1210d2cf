// SPDX-License-Identifier: Apache-2.0
// Reads the destination set of one middle switch from the store: AND gates and a tree of ORs.
module flitcast_clos_row_select #(
  parameter int M = 4,
  parameter int R = 4
) (
  input  logic [M*R-1:0] store_i,
  input  logic [M-1:0]   select_i,  // One-hot; none: row_o is 0.
  output logic [R-1:0]   row_o
);

  if (M < 1 || R < 1) begin : gen_refused
    m_and_r_must_be_at_least_1 u_refused ();
  end

  logic [M*R-1:0] masked;

  for (genvar j = 0; j < M; j++) begin : gen_rows
    assign masked[j*R+:R] = store_i[j*R+:R] & {R{select_i[j]}};
  end
  flitcast_clos_or_tree #(.Num(M), .Width(R)) u_or (.words_i(masked), .or_o(row_o));

endmodule
