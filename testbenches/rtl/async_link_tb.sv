// SPDX-License-Identifier: Apache-2.0
// An async_link with parity: the generator at its sender, the checker at its receiver.
module async_link_tb #(
  parameter int NumVcs   = 2,
  parameter int Credits  = 4,
  parameter int Width    = 32,
  localparam int VcWidth = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  logic               in_clk_i,
  input  logic               in_rst_ni,
  input  logic               in_valid_i,
  input  logic [VcWidth-1:0] in_vc_i,
  input  logic [Width-1:0]   in_flit_i,
  output logic               in_credit_valid_o,
  output logic [VcWidth-1:0] in_credit_vc_o,
  input  logic               out_clk_i,
  input  logic               out_rst_ni,
  output logic               out_valid_o,
  output logic [VcWidth-1:0] out_vc_o,
  output logic [Width-1:0]   out_flit_o,
  input  logic               out_credit_valid_i,
  input  logic [VcWidth-1:0] out_credit_vc_i,
  input  logic               wrong_i,            // Changes a bit of the flit on its way.
  input  logic               clear_i,
  output logic               error_o,
  output logic               failed_o
);

  logic [Width:0] sent, came;

  flitcast_parity_generator #(.VcWidth(VcWidth), .Width(Width)) u_generator (
    .vc_i(in_vc_i), .flit_i(in_flit_i), .flit_o(sent)
  );
  flitcast_async_link #(.NumVcs(NumVcs), .Credits(Credits), .Width(Width + 1)) u_link (
    .in_clk_i, .in_rst_ni, .in_valid_i, .in_vc_i, .in_flit_i(sent), .in_credit_valid_o,
    .in_credit_vc_o, .out_clk_i, .out_rst_ni, .out_valid_o, .out_vc_o, .out_flit_o(came),
    .out_credit_valid_i, .out_credit_vc_i
  );
  flitcast_parity_checker #(.VcWidth(VcWidth), .Width(Width)) u_checker (
    .clk_i(out_clk_i), .rst_ni(out_rst_ni), .valid_i(out_valid_o), .vc_i(out_vc_o),
    .flit_i(came ^ (Width + 1)'(wrong_i)), .flit_o(out_flit_o), .clear_i, .error_o, .failed_o
  );

endmodule
