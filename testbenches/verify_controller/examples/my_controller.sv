// SPDX-License-Identifier: Apache-2.0
// A controller as a newcomer might write it, with one mistake for scripts/verify-controller to find.
//
// It looks at all middle switches in the clock of UPDATE, as clos_par_adder.sv does, and
// leaves everything but the choice of one to clos_beat_control.sv.
module my_controller #(
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

  logic [R-1:0]       unserved, row;
  logic [M-1:0]       avail;
  logic               none, all_served, stuck, unused_begin;
  logic [MiddleW-1:0] best;
  logic [CountW-1:0]  count, least;

  always_comb begin
    none  = 1'b1;
    best  = '0;
    least = '0;
    count = '0;
    for (int j = 0; j < M; j++) begin
      count = '0;
      for (int i = 0; i < R; i++) begin
        if (store_i[j*R+i] && unserved[i]) count = count + CountW'(1);
      end
      if (avail[j] && (none || count <= least)) begin
        none  = 1'b0;
        best  = MiddleW'(j);
        least = count;
      end
    end
  end

  assign row        = store_i[best*R+:R];
  assign all_served = (unserved & row) == '0;
  assign stuck      = (unserved & ~row) == '0;

  flitcast_clos_beat_control #(
    .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
  ) u_control (
    .clk_i, .rst_ni,
    .req_valid_i, .req_set_i, .req_avail_i, .req_ready_o,
    .search_begin_o(unused_begin), .unserved_o(unserved), .avail_o(avail),
    .search_done_i(1'b1), .choice_i({none, all_served, stuck, best, row}),
    .beat_valid_o, .beat_middle_o, .beat_set_o, .beat_last_o, .beat_fail_o, .beat_ready_i
  );

endmodule
