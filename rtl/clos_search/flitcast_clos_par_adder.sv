// SPDX-License-Identifier: Apache-2.0
// Search unit "Parall./Adder": one tree of adders per middle switch, and from their counts the
// least one, all in the UPDATE clock. There is no scan.
//
//   edge       1        2        3
//   looks at   LOAD     UPDATE   UPDATE
//   after it   U        beat, U  beat, U
//
// Timing    Clocks of a pass: 1.
// Ports     As those of clos_search.sv.
// Source    CS838 lecture notes (1999), "designs of the controller".
module flitcast_clos_par_adder #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int ChoiceW = 3 + (M > 1 ? $clog2(M) : 1) + R  // Derived.
) (
  input  logic [R-1:0]       unserved_i,
  input  logic [M-1:0]       avail_i,
  input  logic [M*R-1:0]     store_i,
  output logic               done_o,
  output logic [ChoiceW-1:0] choice_o
);

  localparam int CountW = $clog2(R + 1);

  logic [M*CountW-1:0] counts;

  for (genvar j = 0; j < M; j++) begin : gen_adders
    flitcast_clos_popcount #(.Num(R)) u_count (
      .bits_i(store_i[j*R+:R] & unserved_i), .count_o(counts[j*CountW+:CountW])
    );
  end

  flitcast_clos_least_count #(.M(M), .R(R)) u_least (
    .unserved_i, .counts_i(counts), .avail_i, .store_i, .choice_o
  );

  assign done_o = 1'b1;

endmodule
