// SPDX-License-Identifier: Apache-2.0
// The testbench instantiates the designs of the Clos controller in parallel, followed by two with
// an option: seq_adder with RowsPerClock, and seq_counter with Pruning. Controller d has bit d of
// each handshake and field d of each word. All controllers share the request and the store.
module clos_controllers_tb #(
  parameter int Designs = 5,  // Number of designs in clos_search.sv.
  parameter int M = 4,
  parameter int R = 4,
  parameter int PassLimit = 2,
  parameter bit StopWithoutProgress = 1'b1,
  parameter int RowsPerClock = 1,  // Rows per clock of controller number Designs.
  parameter int Num = Designs + 2,               // Derived.
  parameter int MiddleW = M > 1 ? $clog2(M) : 1  // Derived.
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,

  input  logic [Num-1:0]         req_valid_i,
  input  logic [R-1:0]           req_set_i,
  input  logic [M-1:0]           req_avail_i,
  output logic [Num-1:0]         req_ready_o,

  input  logic [M*R-1:0]         store_i,

  output logic [Num-1:0]         beat_valid_o,
  output logic [Num*MiddleW-1:0] beat_middle_o,
  output logic [Num*R-1:0]       beat_set_o,
  output logic [Num-1:0]         beat_last_o,
  output logic [Num-1:0]         beat_fail_o,
  input  logic [Num-1:0]         beat_ready_i
);

  localparam int SeqCounter = 0;
  localparam int SeqAdder = 1;

  for (genvar d = 0; d < Num; d++) begin : gen_controller
    flitcast_clos_controller #(
      .Design(d < Designs ? d : d == Designs ? SeqAdder : SeqCounter),
      .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress),
      .RowsPerClock(d == Designs ? RowsPerClock : 1), .Pruning(d == Designs + 1)
    ) u_controller (
      .clk_i, .rst_ni, .req_valid_i(req_valid_i[d]), .req_set_i, .req_avail_i,
      .req_ready_o(req_ready_o[d]), .store_i, .beat_valid_o(beat_valid_o[d]),
      .beat_middle_o(beat_middle_o[d*MiddleW+:MiddleW]), .beat_set_o(beat_set_o[d*R+:R]),
      .beat_last_o(beat_last_o[d]), .beat_fail_o(beat_fail_o[d]), .beat_ready_i(beat_ready_i[d])
    );
  end

endmodule
