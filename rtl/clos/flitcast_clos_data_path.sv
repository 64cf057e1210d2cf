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

  logic [R1*M-1:0]       a_valid;
  logic [R1*M*Width-1:0] a_flit;
  logic [M*R2-1:0]       b_valid;
  logic [M*R2*Width-1:0] b_flit;

  flitcast_clos_stage #(
    .Num(R1), .NumIn(N1), .NumOut(M), .Width(Width), .Crossed(1'b0)
  ) u_input_switches (
    .clk_i, .rst_ni, .in_valid_i, .in_flit_i, .out_valid_o(a_valid), .out_flit_o(a_flit),
    .config_valid_i(a_config_valid_i), .config_driver_i(a_config_driver_i), .driver_o(a_driver_o)
  );

  flitcast_clos_stage #(.Num(M), .NumIn(R1), .NumOut(R2), .Width(Width)) u_middle_switches (
    .clk_i, .rst_ni, .in_valid_i(a_valid), .in_flit_i(a_flit), .out_valid_o(b_valid),
    .out_flit_o(b_flit),
    .config_valid_i(b_config_valid_i), .config_driver_i(b_config_driver_i), .driver_o(b_driver_o)
  );

  flitcast_clos_stage #(.Num(R2), .NumIn(M), .NumOut(N2), .Width(Width)) u_output_switches (
    .clk_i, .rst_ni, .in_valid_i(b_valid), .in_flit_i(b_flit), .out_valid_o, .out_flit_o,
    .config_valid_i(out_config_valid_i), .config_driver_i(out_config_driver_i),
    .driver_o(out_driver_o)
  );

endmodule
