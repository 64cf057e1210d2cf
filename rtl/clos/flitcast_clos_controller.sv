// SPDX-License-Identifier: Apache-2.0
// The controller of a Clos network, in one of its designs:
//
//   0  clos_controller_seq_counter    M R + 1 clocks for a pass, fewer with Pruning
//   1  clos_controller_seq_adder      ceil(M / RowsPerClock) + 1
//   2  clos_controller_par_counter    R + 1
//   3  clos_controller_par_adder      1
//   4  clos_controller_par_thermo     1
//
// Contract  In clos_beat_control.sv, the same for all.
// Misuse    Another Design does not elaborate.
module flitcast_clos_controller #(
  parameter int Design = 4,
  parameter int M = 4,
  parameter int R = 4,
  parameter int PassLimit = 2,
  parameter bit StopWithoutProgress = 1'b1,
  parameter bit Pruning = 1'b0,                  // Of seq_counter.
  parameter int RowsPerClock = 1,                // Of seq_adder, from 1 to M.
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

  if (Design == 0) begin : gen_seq_counter
    flitcast_clos_controller_seq_counter #(
      .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress),
      .Pruning(Pruning)
    ) u_design (.*);
  end else if (Design == 1) begin : gen_seq_adder
    flitcast_clos_controller_seq_adder #(
      .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress),
      .RowsPerClock(RowsPerClock)
    ) u_design (.*);
  end else if (Design == 2) begin : gen_par_counter
    flitcast_clos_controller_par_counter #(
      .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
    ) u_design (.*);
  end else if (Design == 3) begin : gen_par_adder
    flitcast_clos_controller_par_adder #(
      .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
    ) u_design (.*);
  end else if (Design == 4) begin : gen_par_thermo
    flitcast_clos_controller_par_thermo #(
      .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
    ) u_design (.*);
  end else begin : gen_refused
    design_must_be_0_to_4 u_refused ();
  end

endmodule
