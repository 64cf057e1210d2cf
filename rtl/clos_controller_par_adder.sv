// SPDX-License-Identifier: Apache-2.0
// Clos controller "Parall./Adder": one tree of adders per middle switch and a tree of comparators
// behind them, all in the UPDATE clock. There is no scan.
//
//   edge       1        2        3
//   looks at   LOAD     UPDATE   UPDATE
//   after it   U        beat, U  beat, U
//
// Timing    Clocks of a pass: 1.
// Contract  In clos_beat_control.sv.
// Source    CS838 lecture notes (1999), "designs of the controller".
module clos_controller_par_adder #(
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
  localparam int KeyW = 1 + CountW;  // Not available is above every count.
  localparam int RowW = MiddleW + R;

  logic [R-1:0]        unserved, row;
  logic [M-1:0]        avail;
  logic [M*CountW-1:0] counts;
  logic [M*KeyW-1:0]   keys;
  logic [KeyW-1:0]     least;
  logic [M*RowW-1:0]   rows;  // Each with its index before it.
  logic [MiddleW-1:0]  middle;
  logic                unused_begin;

  for (genvar j = 0; j < M; j++) begin : gen_adders
    clos_popcount #(.Num(R)) u_count (
      .bits_i(store_i[j*R+:R] & unserved), .count_o(counts[j*CountW+:CountW])
    );
  end

  for (genvar j = 0; j < M; j++) begin : gen_candidates
    assign keys[j*KeyW+:KeyW] = {!avail[j], counts[j*CountW+:CountW]};
    assign rows[j*RowW+:RowW] = {MiddleW'(j), store_i[j*R+:R]};
  end
  clos_minimum_tree #(.Num(M), .KeyW(KeyW), .Width(RowW)) u_minimum (
    .keys_i(keys), .words_i(rows), .key_o(least), .word_o({middle, row})
  );

  clos_beat_control #(
    .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
  ) u_control (
    .clk_i, .rst_ni,
    .req_valid_i, .req_set_i, .req_avail_i, .req_ready_o,
    .search_begin_o(unused_begin), .unserved_o(unserved), .avail_o(avail),
    .search_done_i(1'b1), .none_i(least[KeyW-1]), .middle_i(middle), .row_i(row),
    .beat_valid_o, .beat_middle_o, .beat_set_o, .beat_last_o, .beat_fail_o, .beat_ready_i
  );

endmodule
