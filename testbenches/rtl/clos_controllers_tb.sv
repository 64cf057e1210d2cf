// SPDX-License-Identifier: Apache-2.0
// The designs of the Clos controller side by side: design d has bit d of each handshake, and field
// d of each word. Request and store are common to all.
module clos_controllers_tb #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int PassLimit = 2,
  parameter bit StopWithoutProgress = 1'b1,
  parameter int RowsPerClock = 1,                // Of design 5.
  parameter int MiddleW = M > 1 ? $clog2(M) : 1  // Derived.
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,

  input  logic [6:0]           req_valid_i,
  input  logic [R-1:0]         req_set_i,
  input  logic [M-1:0]         req_avail_i,
  output logic [6:0]           req_ready_o,

  input  logic [M*R-1:0]       store_i,

  output logic [6:0]           beat_valid_o,
  output logic [7*MiddleW-1:0] beat_middle_o,
  output logic [7*R-1:0]       beat_set_o,
  output logic [6:0]           beat_last_o,
  output logic [6:0]           beat_fail_o,
  input  logic [6:0]           beat_ready_i
);

`define FLITCAST_DESIGN(Index, Name, Instance, Options) \
  Name #( \
    .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress) Options \
  ) Instance ( \
    .clk_i, .rst_ni, .req_valid_i(req_valid_i[Index]), .req_set_i, .req_avail_i, \
    .req_ready_o(req_ready_o[Index]), .store_i, .beat_valid_o(beat_valid_o[Index]), \
    .beat_middle_o(beat_middle_o[Index*MiddleW+:MiddleW]), .beat_set_o(beat_set_o[Index*R+:R]), \
    .beat_last_o(beat_last_o[Index]), .beat_fail_o(beat_fail_o[Index]), \
    .beat_ready_i(beat_ready_i[Index]) \
  );
`define FLITCAST_COMMA ,

  `FLITCAST_DESIGN(0, flitcast_clos_controller_seq_counter, u_seq_counter, )
  `FLITCAST_DESIGN(1, flitcast_clos_controller_seq_adder, u_seq_adder, )
  `FLITCAST_DESIGN(2, flitcast_clos_controller_par_counter, u_par_counter, )
  `FLITCAST_DESIGN(3, flitcast_clos_controller_par_adder, u_par_adder, )
  `FLITCAST_DESIGN(4, flitcast_clos_controller_par_thermo, u_par_thermo, )
  `FLITCAST_DESIGN(5, flitcast_clos_controller_seq_adder, u_seq_adder_rows,
                   `FLITCAST_COMMA .RowsPerClock(RowsPerClock))
  `FLITCAST_DESIGN(6, flitcast_clos_controller_seq_counter, u_seq_counter_pruned,
                   `FLITCAST_COMMA .Pruning(1'b1))

endmodule
