// SPDX-License-Identifier: Apache-2.0
// A source and a sink of two message classes, joined by wires.
module stream_link #(
  parameter int NumVcs     = 4,
  parameter int NumClasses = 2,
  parameter int Depth      = 3,
  parameter int DataWidth  = 32,
  parameter int MaxFlits   = 5
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic [NumClasses-1:0]           s_tvalid_i,
  output logic [NumClasses-1:0]           s_tready_o,
  input  logic [NumClasses*DataWidth-1:0] s_tdata_i,
  input  logic [NumClasses-1:0]           s_tlast_i,
  input  logic [NumClasses-1:0]           s_tdest_i,
  output logic [NumClasses-1:0]           m_tvalid_o,
  input  logic [NumClasses-1:0]           m_tready_i,
  output logic [NumClasses*DataWidth-1:0] m_tdata_o,
  output logic [NumClasses-1:0]           m_tlast_o
);

  localparam int RemainingWidth = $clog2(MaxFlits);
  localparam int Width          = 1 + RemainingWidth + 1 + DataWidth;
  localparam int VcWidth        = $clog2(NumVcs);

  logic               valid, credit_valid;
  logic [VcWidth-1:0] vc, credit_vc;
  logic [Width-1:0]   flit;

  flitcast_node_source #(
    .NumVcs(NumVcs), .NumClasses(NumClasses), .Depth(Depth), .DataWidth(DataWidth), .DestWidth(1),
    .RemainingWidth(RemainingWidth), .MaxFlits(MaxFlits)
  ) u_source (
    .clk_i, .rst_ni, .s_tvalid_i, .s_tready_o, .s_tdata_i, .s_tlast_i, .s_tdest_i,
    .out_valid_o(valid), .out_vc_o(vc), .out_flit_o(flit),
    .out_credit_valid_i(credit_valid), .out_credit_vc_i(credit_vc)
  );

  flitcast_node_sink #(
    .NumVcs(NumVcs), .NumClasses(NumClasses), .Depth(Depth), .DataWidth(DataWidth), .DestWidth(1),
    .RemainingWidth(RemainingWidth)
  ) u_sink (
    .clk_i, .rst_ni, .in_valid_i(valid), .in_vc_i(vc), .in_flit_i(flit),
    .in_credit_valid_o(credit_valid), .in_credit_vc_o(credit_vc),
    .m_tvalid_o, .m_tready_i, .m_tdata_o, .m_tlast_o
  );

endmodule
