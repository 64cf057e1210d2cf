// SPDX-License-Identifier: Apache-2.0
// The crossbars and links of the three-stage Clos network v(M, N1, R1, N2, R2).
//
//   in_* --> R1 input switches --A(i,j)-> M middle switches --B(j,k)-> R2 output switches --> out_*
//               N1 x M                        R1 x R2                        M x N2
//
// Places    Input p of input switch i: i*N1 + p. Link A(i, j): i*M + j. Link B(j, k): j*R2 + k.
//           Output o of output switch k: k*N2 + o.
// Drivers   Links and outputs of the network are outputs of crossbars and have their drivers there:
//           A(i, j) an input p of input switch i, B(j, k) an input switch i, an output of output
//           switch k a middle switch j. The number beyond the last of these makes it idle. Written
//           with *_config_* and shown by *_driver_o, see multicast_crossbar.sv.
// Timing    A flit on the wires of an input in a clock is three clocks later on those of all its
//           outputs; each input takes one in every clock. A driver that is written at an edge holds
//           for flits that its crossbar samples at later edges.
// Reset     Synchronous; makes everything idle.
// Misuse    That of multicast_crossbar.sv: a second driver, a flit where nothing hears it.
// Model     CrossbarStages with stage_cycles = 1: models/network/circuit/crossbar_stages.h.
module flitcast_clos_data_path #(
  parameter int M     = 4,  // Middle switches; this and all others from 1 up.
  parameter int N1    = 2,  // Inputs of an input switch.
  parameter int R1    = 2,  // Input switches.
  parameter int N2    = 2,  // Outputs of an output switch.
  parameter int R2    = 2,  // Output switches.
  parameter int Width = 32  // Bits of a flit.
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,  // Synchronous, active low.

  input  logic [R1*N1-1:0]               in_valid_i,
  input  logic [R1*N1*Width-1:0]         in_flit_i,
  output logic [R2*N2-1:0]               out_valid_o,
  output logic [R2*N2*Width-1:0]         out_flit_o,

  input  logic [R1*M-1:0]                a_config_valid_i,
  input  logic [R1*M*$clog2(N1+1)-1:0]   a_config_driver_i,
  output logic [R1*M*$clog2(N1+1)-1:0]   a_driver_o,
  input  logic [M*R2-1:0]                b_config_valid_i,
  input  logic [M*R2*$clog2(R1+1)-1:0]   b_config_driver_i,
  output logic [M*R2*$clog2(R1+1)-1:0]   b_driver_o,
  input  logic [R2*N2-1:0]               out_config_valid_i,
  input  logic [R2*N2*$clog2(M+1)-1:0]   out_config_driver_i,
  output logic [R2*N2*$clog2(M+1)-1:0]   out_driver_o
);

  if (M < 1 || N1 < 1 || R1 < 1 || N2 < 1 || R2 < 1 || Width < 1) begin : gen_refused
    m_n1_r1_n2_r2_and_width_must_be_at_least_1 u_refused ();
  end

  localparam int PortW   = $clog2(N1 + 1);
  localparam int SwitchW = $clog2(R1 + 1);
  localparam int MiddleW = $clog2(M + 1);

  logic [R1*M-1:0]       a_valid;
  logic [R1*M*Width-1:0] a_flit;
  logic [M*R2-1:0]       b_valid;
  logic [M*R2*Width-1:0] b_flit;

  for (genvar i = 0; i < R1; i++) begin : gen_input_switch
    flitcast_multicast_crossbar #(.NumIn(N1), .NumOut(M), .Width(Width)) u_switch (
      .clk_i, .rst_ni,
      .in_valid_i(in_valid_i[i*N1+:N1]), .in_flit_i(in_flit_i[i*N1*Width+:N1*Width]),
      .config_valid_i(a_config_valid_i[i*M+:M]),
      .config_driver_i(a_config_driver_i[i*M*PortW+:M*PortW]),
      .driver_o(a_driver_o[i*M*PortW+:M*PortW]),
      .out_valid_o(a_valid[i*M+:M]), .out_flit_o(a_flit[i*M*Width+:M*Width])
    );
  end

  for (genvar j = 0; j < M; j++) begin : gen_middle_switch
    logic [R1-1:0]       in_valid;
    logic [R1*Width-1:0] in_flit;

    for (genvar i = 0; i < R1; i++) begin : gen_link_a
      assign in_valid[i]             = a_valid[i*M+j];
      assign in_flit[i*Width+:Width] = a_flit[(i*M+j)*Width+:Width];
    end

    flitcast_multicast_crossbar #(.NumIn(R1), .NumOut(R2), .Width(Width)) u_switch (
      .clk_i, .rst_ni,
      .in_valid_i(in_valid), .in_flit_i(in_flit),
      .config_valid_i(b_config_valid_i[j*R2+:R2]),
      .config_driver_i(b_config_driver_i[j*R2*SwitchW+:R2*SwitchW]),
      .driver_o(b_driver_o[j*R2*SwitchW+:R2*SwitchW]),
      .out_valid_o(b_valid[j*R2+:R2]), .out_flit_o(b_flit[j*R2*Width+:R2*Width])
    );
  end

  for (genvar k = 0; k < R2; k++) begin : gen_output_switch
    logic [M-1:0]       in_valid;
    logic [M*Width-1:0] in_flit;

    for (genvar j = 0; j < M; j++) begin : gen_link_b
      assign in_valid[j]             = b_valid[j*R2+k];
      assign in_flit[j*Width+:Width] = b_flit[(j*R2+k)*Width+:Width];
    end

    flitcast_multicast_crossbar #(.NumIn(M), .NumOut(N2), .Width(Width)) u_switch (
      .clk_i, .rst_ni,
      .in_valid_i(in_valid), .in_flit_i(in_flit),
      .config_valid_i(out_config_valid_i[k*N2+:N2]),
      .config_driver_i(out_config_driver_i[k*N2*MiddleW+:N2*MiddleW]),
      .driver_o(out_driver_o[k*N2*MiddleW+:N2*MiddleW]),
      .out_valid_o(out_valid_o[k*N2+:N2]), .out_flit_o(out_flit_o[k*N2*Width+:N2*Width])
    );
  end

endmodule
