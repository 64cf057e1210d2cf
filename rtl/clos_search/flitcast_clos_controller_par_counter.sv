// SPDX-License-Identifier: Apache-2.0
// Clos controller "Parall./Counter": one counter per middle switch; all of them look at the same
// bit of their sets, bit 0 first. The least count is found in the UPDATE clock.
//
//   r = 3               scan                 | UPDATE
//   edge       1        2      3      4      | 5        6
//   looks at   LOAD     M_*.0  M_*.1  M_*.2  | counts   next pass
//   after it   U        counts counts counts | beat, U
//
// Timing    Clocks of a pass: R + 1.
// Contract  In clos_beat_control.sv.
// Source    CS838 lecture notes (1999), "designs of the controller".
module flitcast_clos_controller_par_counter #(
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
  localparam int BitW = R > 1 ? $clog2(R) : 1;

  logic [R-1:0]       unserved, mask, row;
  logic [M-1:0]       avail;
  logic [MiddleW-1:0] middle;
  logic               begin_pass, none, all_served, stuck;

  logic                done_q;  // The scan is over.
  logic [BitW-1:0]     bit_q;
  logic [M*CountW-1:0] counts_q;

  // The column that is looked at, if the request wants it.
  assign mask = unserved & (R'(1) << bit_q);

  always_ff @(posedge clk_i) begin
    if (begin_pass) begin
      done_q <= 1'b0;
      bit_q  <= '0;
    end else if (!done_q) begin
      done_q <= bit_q == BitW'(R - 1);
      bit_q  <= bit_q + BitW'(1);
    end
  end

  for (genvar j = 0; j < M; j++) begin : gen_counters
    logic is_left;
    flitcast_clos_row_select #(.M(R), .R(1)) u_bit (
      .store_i(store_i[j*R+:R]), .select_i(mask), .row_o(is_left)
    );

    always_ff @(posedge clk_i) begin
      if (begin_pass) begin
        counts_q[j*CountW+:CountW] <= '0;
      end else if (!done_q && is_left) begin
        counts_q[j*CountW+:CountW] <= counts_q[j*CountW+:CountW] + CountW'(1);
      end
    end
  end

  flitcast_clos_least_count #(.M(M), .R(R)) u_least (
    .unserved_i(unserved), .counts_i(counts_q), .avail_i(avail), .store_i,
    .none_o(none), .middle_o(middle), .row_o(row), .all_served_o(all_served), .stuck_o(stuck)
  );

  flitcast_clos_beat_control #(
    .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
  ) u_control (
    .clk_i, .rst_ni,
    .req_valid_i, .req_set_i, .req_avail_i, .req_ready_o,
    .search_begin_o(begin_pass), .unserved_o(unserved), .avail_o(avail),
    .search_done_i(done_q), .none_i(none), .middle_i(middle), .row_i(row),
    .all_served_i(all_served), .stuck_i(stuck),
    .beat_valid_o, .beat_middle_o, .beat_set_o, .beat_last_o, .beat_fail_o, .beat_ready_i
  );

endmodule
