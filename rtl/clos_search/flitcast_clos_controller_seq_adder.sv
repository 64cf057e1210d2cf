// SPDX-License-Identifier: Apache-2.0
// Clos controller "Seq./Adder": RowsPerClock trees of adders count as many destination sets per
// clock, and the comparators see the counts in the same clock.
//
//   m = 3, one row      scan           | UPDATE
//   edge       1        2    3    4    | 5        6
//   looks at   LOAD     M_0  M_1  M_2  |          next pass
//   after it   U        best best best | beat, U
//
// Timing    Clocks of a pass: ceil(M / RowsPerClock) + 1. The lecture has one row per clock.
// Contract  In clos_beat_control.sv.
// Source    CS838 lecture notes (1999), "designs of the controller".
module flitcast_clos_controller_seq_adder #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int PassLimit = 2,
  parameter bit StopWithoutProgress = 1'b1,
  parameter int RowsPerClock = 1,                // From 1 to M.
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

  if (RowsPerClock < 1 || RowsPerClock > M) begin : gen_refused
    rows_per_clock_must_be_from_1_to_m u_refused ();
  end

  localparam int CountW = $clog2(R + 1);
  localparam int KeyW = 1 + CountW;  // Not available is above every count.
  localparam int Steps = (M + RowsPerClock - 1) / RowsPerClock;
  localparam int StepW = Steps > 1 ? $clog2(Steps) : 1;
  localparam int LaneW = RowsPerClock > 1 ? $clog2(RowsPerClock) : 1;
  localparam int Rows = Steps * RowsPerClock;  // With those beyond M, which are not available.

  logic [R-1:0]       unserved, row;
  logic [M-1:0]       avail;
  logic [Rows*R-1:0]  sets;
  logic [Rows-1:0]    is_candidate;
  logic [MiddleW-1:0] middle;
  logic               begin_pass, is_less, all_served;

  logic             done_q;  // The scan is over.
  logic [StepW-1:0] step_q, ahead_q, best_q, step_read;
  logic [LaneW-1:0] best_lane_q;
  logic [KeyW-1:0]  least_q;
  logic             stuck_q;  // No available set so far lacks a wanted output, so k does not.

  logic [RowsPerClock*R-1:0]     lane_rows;
  logic [RowsPerClock*KeyW-1:0]  keys;
  logic [RowsPerClock*LaneW-1:0] lanes;
  logic [RowsPerClock-1:0]       lacks;  // An available set lacks a wanted output.
  logic [KeyW-1:0]               least;
  logic [LaneW-1:0]              lane;

  // In a step each lane counts a row, that of middle switch step * RowsPerClock + lane, and reads
  // the next one. In UPDATE the best step is read again.
  assign sets         = (Rows*R)'(store_i);
  assign is_candidate = Rows'(avail);
  assign step_read    = done_q ? best_q : ahead_q;
  for (genvar l = 0; l < RowsPerClock; l++) begin : gen_lanes
    logic [Steps*R-1:0] lane_sets;
    logic [Steps-1:0]   lane_avail;
    logic [R-1:0]       set;
    logic [CountW-1:0]  count;
    logic               is_avail, unused_avail;
    if (RowsPerClock == 1) begin : gen_all  // As they are: nothing to copy for a simulator.
      assign lane_sets  = sets;
      assign lane_avail = is_candidate;
    end else begin : gen_some
      for (genvar s = 0; s < Steps; s++) begin : gen_steps
        localparam int J = s * RowsPerClock + l;
        assign lane_sets[s*R+:R] = sets[J*R+:R];
        assign lane_avail[s]     = is_candidate[J];
      end
    end
    flitcast_clos_read_ahead #(.Num(Steps), .Width(R)) u_read (
      .clk_i, .begin_i(begin_pass), .next_i(1'b1), .words_i(lane_sets), .index_i(step_read),
      .read_o(lane_rows[l*R+:R]), .word_o(set)
    );
    flitcast_clos_read_ahead #(.Num(Steps), .Width(1)) u_read_avail (
      .clk_i, .begin_i(begin_pass), .next_i(1'b1), .words_i(lane_avail), .index_i(step_read),
      .read_o(unused_avail), .word_o(is_avail)
    );
    flitcast_clos_popcount #(.Num(R)) u_count (.bits_i(set & unserved), .count_o(count));
    assign keys[l*KeyW+:KeyW]    = {!is_avail, count};
    assign lanes[l*LaneW+:LaneW] = LaneW'(l);
    assign lacks[l]              = is_avail && (unserved & ~set) != '0;
  end

  flitcast_clos_minimum_tree #(.Num(RowsPerClock), .KeyW(KeyW), .Width(LaneW)) u_minimum (
    .keys_i(keys), .words_i(lanes), .key_o(least), .word_o(lane)
  );
  flitcast_clos_less #(.Width(KeyW)) u_less (.a_i(least), .b_i(least_q), .less_o(is_less));
  flitcast_clos_read_port #(.Num(RowsPerClock), .Width(R)) u_row (
    .words_i(lane_rows), .index_i(best_lane_q), .word_o(row)
  );
  assign all_served = least_q[CountW-1:0] == '0;
  assign middle     = MiddleW'(best_q) * MiddleW'(RowsPerClock) + MiddleW'(best_lane_q);

  always_ff @(posedge clk_i) begin
    if (begin_pass) begin
      done_q  <= 1'b0;
      step_q  <= '0;
      ahead_q <= StepW'(1);
      least_q <= '1;
      stuck_q <= 1'b1;
    end else if (!done_q) begin
      done_q  <= step_q == StepW'(Steps - 1);
      step_q  <= ahead_q;
      ahead_q <= ahead_q + StepW'(1);
      stuck_q <= stuck_q && lacks == '0;
      if (is_less) begin
        least_q     <= least;
        best_q      <= step_q;
        best_lane_q <= lane;
      end
    end
  end

  flitcast_clos_beat_control #(
    .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
  ) u_control (
    .clk_i, .rst_ni,
    .req_valid_i, .req_set_i, .req_avail_i, .req_ready_o,
    .search_begin_o(begin_pass), .unserved_o(unserved), .avail_o(avail),
    .search_done_i(done_q), .none_i(least_q[KeyW-1]), .middle_i(middle), .row_i(row),
    .all_served_i(all_served), .stuck_i(stuck_q),
    .beat_valid_o, .beat_middle_o, .beat_set_o, .beat_last_o, .beat_fail_o, .beat_ready_i
  );

endmodule
