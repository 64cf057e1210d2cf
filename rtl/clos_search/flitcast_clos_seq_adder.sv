// SPDX-License-Identifier: Apache-2.0
// Search unit "Seq./Adder": RowsPerClock trees of adders count as many destination sets per
// clock, and the comparators see the counts in the same clock.
//
//   m = 3, one row      scan           | UPDATE
//   edge       1        2    3    4    | 5        6
//   looks at   LOAD     M_0  M_1  M_2  |          next pass
//   after it   U        best best best | beat, U
//
// Timing    Clocks of a pass: ceil(M / RowsPerClock) + 1. The lecture has one row per clock.
// Ports     As those of clos_search.sv.
// Source    CS838 lecture notes (1999), "designs of the controller".
module flitcast_clos_seq_adder #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int ChoiceW = 3 + (M > 1 ? $clog2(M) : 1) + R, // Derived.
  parameter int RowsPerClock = 1                           // From 1 to M.
) (
  input  logic               clk_i,
  input  logic               begin_i,
  input  logic [R-1:0]       unserved_i,
  input  logic [M-1:0]       avail_i,
  input  logic [M*R-1:0]     store_i,
  output logic               done_o,
  output logic [ChoiceW-1:0] choice_o
);

  if (RowsPerClock < 1 || RowsPerClock > M) begin : gen_refused
    rows_per_clock_must_be_from_1_to_m u_refused ();
  end

  localparam int MiddleW = M > 1 ? $clog2(M) : 1;
  localparam int CountW = $clog2(R + 1);
  localparam int KeyW = 1 + CountW;  // Not available is above every count.
  localparam int Steps = (M + RowsPerClock - 1) / RowsPerClock;
  localparam int StepW = Steps > 1 ? $clog2(Steps) : 1;
  localparam int LaneW = RowsPerClock > 1 ? $clog2(RowsPerClock) : 1;
  localparam int Rows = Steps * RowsPerClock;  // Includes rows beyond M, never available.

  logic [R-1:0]       row;
  logic [Rows*R-1:0]  sets;
  logic [Rows-1:0]    is_candidate;
  logic [MiddleW-1:0] middle;
  logic               is_less, all_served;

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
  assign is_candidate = Rows'(avail_i);
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
      .clk_i, .begin_i, .next_i(1'b1), .words_i(lane_sets), .index_i(step_read),
      .read_o(lane_rows[l*R+:R]), .word_o(set)
    );
    flitcast_clos_read_ahead #(.Num(Steps), .Width(1)) u_read_avail (
      .clk_i, .begin_i, .next_i(1'b1), .words_i(lane_avail), .index_i(step_read),
      .read_o(unused_avail), .word_o(is_avail)
    );
    flitcast_clos_popcount #(.Num(R)) u_count (.bits_i(set & unserved_i), .count_o(count));
    assign keys[l*KeyW+:KeyW]    = {!is_avail, count};
    assign lanes[l*LaneW+:LaneW] = LaneW'(l);
    assign lacks[l]              = is_avail && (unserved_i & ~set) != '0;
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
  assign done_o     = done_q;
  assign choice_o   = {least_q[KeyW-1], all_served, stuck_q, middle, row};

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
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

endmodule
