// SPDX-License-Identifier: Apache-2.0
// Clos controller "Parall./Thermo": Parall./Adder with another minimum. Every count becomes a
// thermometer code, bit v high if the count is not above v; the OR of the codes of all available
// middle switches begins at the least count. No level of a tree compares: depth O(log r + log m).
//
//   edge       1        2        3
//   looks at   LOAD     UPDATE   UPDATE
//   after it   U        beat, U  beat, U
//
// Timing    Clocks of a pass: 1.
// Contract  In clos_beat_control.sv.
module clos_controller_par_thermo #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int PassLimit = 2,
  parameter bit StopWithoutProgress = 1'b1,
  parameter int MiddleW = M > 1 ? $clog2(M) : 1  // Derived.
) (
  input  logic               clk_i,
  input  logic               rst_ni,

  input  logic               req_valid_i,
  input  logic [R-1:0]       req_set_i,
  input  logic [M-1:0]       req_avail_i,
  output logic               req_ready_o,

  input  logic [M*R-1:0]     store_i,

  output logic               beat_valid_o,
  output logic [MiddleW-1:0] beat_middle_o,
  output logic [R-1:0]       beat_set_o,
  output logic               beat_last_o,
  output logic               beat_fail_o,
  input  logic               beat_ready_i
);

  localparam int CountW = $clog2(R + 1);

  logic [R-1:0]         unserved, row;
  logic [M-1:0]         avail, has_least, select;
  logic [M*(R+1)-1:0]   codes;
  logic [R:0]           any, least;  // OR of the codes; one-hot, the least count.
  logic [M*MiddleW-1:0] indices;
  logic [MiddleW-1:0]   middle;
  logic                 unused_begin;

  for (genvar j = 0; j < M; j++) begin : gen_middles
    logic [CountW-1:0] count;
    clos_popcount #(.Num(R)) u_count (.bits_i(store_i[j*R+:R] & unserved), .count_o(count));
    for (genvar v = 0; v < R; v++) begin : gen_code
      assign codes[j*(R+1)+v] = avail[j] && count <= CountW'(v);
    end
    assign codes[j*(R+1)+R] = avail[j];
    // No available count is below the least one: to be not above it is to be equal.
    assign has_least[j] = (codes[j*(R+1)+:R+1] & least) != '0;
    assign indices[j*MiddleW+:MiddleW] = MiddleW'(j) & {MiddleW{select[j]}};
  end

  clos_or_tree #(.Num(M), .Width(R + 1)) u_any (.words_i(codes), .or_o(any));
  assign least  = any & ~(any << 1);
  assign select = has_least & -has_least;  // The smallest middle switch.

  clos_or_tree #(.Num(M), .Width(MiddleW)) u_middle (.words_i(indices), .or_o(middle));
  clos_row_select #(.M(M), .R(R)) u_row (.store_i, .select_i(select), .row_o(row));

  clos_beat_control #(
    .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
  ) u_control (
    .clk_i, .rst_ni,
    .req_valid_i, .req_set_i, .req_avail_i, .req_ready_o,
    .search_begin_o(unused_begin), .unserved_o(unserved), .avail_o(avail),
    .search_done_i(1'b1), .none_i(!any[R]), .middle_i(middle), .row_i(row),
    .beat_valid_o, .beat_middle_o, .beat_set_o, .beat_last_o, .beat_fail_o, .beat_ready_i
  );

endmodule
