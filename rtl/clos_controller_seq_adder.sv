// SPDX-License-Identifier: Apache-2.0
// Clos controller "Seq./Adder": one tree of adders counts a whole destination set per clock, and
// the comparator sees the count in the same clock.
//
//   m = 3               scan           | UPDATE
//   edge       1        2    3    4    | 5        6
//   looks at   LOAD     M_0  M_1  M_2  |          next pass
//   after it   U        best best best | beat, U
//
// Timing    Clocks of a pass: M + 1.
// Contract  In clos_beat_control.sv.
// Source    CS838 lecture notes (1999), "designs of the controller".
module clos_controller_seq_adder #(
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

  logic [R-1:0] unserved, row;
  logic [M-1:0] avail, select;
  logic         begin_pass, is_better;

  logic               done_q, none_q;  // The scan is over; no available set was met.
  logic [MiddleW-1:0] j_q, best_q;
  logic [CountW-1:0]  count, least_q;

  // The store has one read port: for the set to count, and in UPDATE for that of k.
  assign select = M'(1) << (done_q ? best_q : j_q);
  clos_row_select #(.M(M), .R(R)) u_row (.store_i, .select_i(select), .row_o(row));
  clos_popcount #(.Num(R)) u_count (.bits_i(row & unserved), .count_o(count));

  assign is_better = (avail & select) != '0 && (none_q || count < least_q);

  always_ff @(posedge clk_i) begin
    if (begin_pass) begin
      done_q <= 1'b0;
      none_q <= 1'b1;
      j_q    <= '0;
    end else if (!done_q) begin
      done_q <= j_q == MiddleW'(M - 1);
      j_q    <= j_q + MiddleW'(1);
      if (is_better) begin
        none_q  <= 1'b0;
        least_q <= count;
        best_q  <= j_q;
      end
    end
  end

  clos_beat_control #(
    .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
  ) u_control (
    .clk_i, .rst_ni,
    .req_valid_i, .req_set_i, .req_avail_i, .req_ready_o,
    .search_begin_o(begin_pass), .unserved_o(unserved), .avail_o(avail),
    .search_done_i(done_q), .none_i(none_q), .middle_i(best_q), .row_i(row),
    .beat_valid_o, .beat_middle_o, .beat_set_o, .beat_last_o, .beat_fail_o, .beat_ready_i
  );

endmodule
