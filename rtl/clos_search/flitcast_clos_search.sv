// SPDX-License-Identifier: Apache-2.0
// The search of a Clos controller for the middle switch of a pass, k, in one of its designs: search
// units that differ in clocks and gates, and agree on k. Clocks of a pass, its UPDATE included:
//
//   seq_counter    M R + 1, fewer with Pruning
//   seq_adder      ceil(M / RowsPerClock) + 1
//   par_counter    R + 1
//   par_adder      1
//   par_thermo     1
//
// Registry  This file is where a design gets its number. Tests, proofs and scripts find number and
//           name in the lines below that compare Design; see "Add a design" in rtl/README.md.
// Search    It starts anew at an edge with begin_i, of the first pass of a request with load_i,
//           too. While done_o is high choice_o is good; both stay so until the next such edge.
// Choice    From the highest bit: none, all_served, stuck, k, M_k.
//             none         no middle switch is available, and the others mean nothing;
//             all_served   M_k & U is empty;
//             stuck        M_k & U is U; not looked at without StopWithoutProgress.
//           The last two follow from M_k, but the search knows them without it, from its counts:
//           read last, M_k is not in the way of what happens next.
// Ports     A search unit has those of these that it needs.
// Model     clos::MinimumSearch in C++, equal in every clock.
module flitcast_clos_search #(
  parameter int Design = 4,
  parameter int M = 4,                                      // Middle switches, from 1 up.
  parameter int R = 4,                                      // Output switches, from 1 up.
  parameter bit StopWithoutProgress = 1'b1,
  parameter bit Pruning = 1'b0,                             // For seq_counter.
  parameter int RowsPerClock = 1,                           // For seq_adder, from 1 to M.
  parameter int ChoiceW = 3 + (M > 1 ? $clog2(M) : 1) + R   // Derived.
) (
  input  logic               clk_i,
  input  logic               begin_i,
  input  logic               load_i,
  input  logic [R-1:0]       req_set_i,   // U from the edge with load_i on.
  input  logic [R-1:0]       unserved_i,  // U, in the clocks of a pass.
  input  logic [M-1:0]       avail_i,     // Available middle switches.
  input  logic [M*R-1:0]     store_i,     // M_j is store_i[j*R +: R].
  output logic               done_o,
  output logic [ChoiceW-1:0] choice_o
);

  logic unused_inputs;  // By some designs.
  assign unused_inputs = ^{clk_i, begin_i, load_i, req_set_i};

  if (Design == 0) begin : gen_seq_counter
    flitcast_clos_seq_counter #(.M(M), .R(R), .Pruning(Pruning)) u_unit (.*);
  end else if (Design == 1) begin : gen_seq_adder
    flitcast_clos_seq_adder #(.M(M), .R(R), .RowsPerClock(RowsPerClock)) u_unit (.*);
  end else if (Design == 2) begin : gen_par_counter
    flitcast_clos_par_counter #(.M(M), .R(R)) u_unit (.*);
  end else if (Design == 3) begin : gen_par_adder
    flitcast_clos_par_adder #(.M(M), .R(R)) u_unit (.*);
  end else if (Design == 4) begin : gen_par_thermo
    flitcast_clos_par_thermo #(.M(M), .R(R), .StopWithoutProgress(StopWithoutProgress)) u_unit (.*);
  end else begin : gen_refused
    no_such_design u_refused ();
  end

endmodule
