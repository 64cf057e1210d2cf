// SPDX-License-Identifier: Apache-2.0
// Example of a design of your own: a square mesh whose nodes have an AXI4-Stream each way.
//
// tdest is a destination of flitcast_mesh.sv: the number of a node where Size is a power of two.
module stream_mesh #(
  parameter int Size       = 4,
  parameter int NumVcs     = 2,
  parameter int Depth      = 4,
  parameter int DataWidth  = 32,
  parameter int MaxFlits   = 16,
  parameter int LinkCycles = 0,   // Registers in every channel and in its credit wires; 1: as in
                                  // a network of models.
  // The others follow from those above and are not to be set.
  parameter int Nodes      = Size * Size,
  parameter int DestWidth  = 2 * $clog2(Size)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic [Nodes-1:0]           s_tvalid_i,
  output logic [Nodes-1:0]           s_tready_o,
  input  logic [Nodes*DataWidth-1:0] s_tdata_i,
  input  logic [Nodes-1:0]           s_tlast_i,
  input  logic [Nodes*DestWidth-1:0] s_tdest_i,
  output logic [Nodes-1:0]           m_tvalid_o,
  input  logic [Nodes-1:0]           m_tready_i,
  output logic [Nodes*DataWidth-1:0] m_tdata_o,
  output logic [Nodes-1:0]           m_tlast_o
);

  localparam int RemainingWidth = (MaxFlits > 1) ? $clog2(MaxFlits) : 1;
  localparam int VcWidth        = (NumVcs > 1) ? $clog2(NumVcs) : 1;
  localparam int Width          = DestWidth + RemainingWidth + 1 + DataWidth;
  localparam int FlitWires      = 1 + VcWidth + Width;
  localparam int CreditWires    = 1 + VcWidth;

  logic [Nodes-1:0]         in_valid, in_credit_valid, out_valid, out_credit_valid;
  logic [Nodes*VcWidth-1:0] in_vc, in_credit_vc, out_vc, out_credit_vc;
  logic [Nodes*Width-1:0]   in_flit, out_flit;

  flitcast_mesh #(
    .Size(Size), .LinkCycles(LinkCycles), .NumVcs(NumVcs), .Depth(Depth),
    .RemainingWidth(RemainingWidth), .Width(Width)
  ) u_mesh (
    .clk_i, .rst_ni, .in_valid_i(in_valid), .in_vc_i(in_vc), .in_flit_i(in_flit),
    .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_flit_o(out_flit),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc)
  );

  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    logic               s_valid, s_credit_valid, m_valid, m_credit_valid;
    logic [VcWidth-1:0] s_vc, s_credit_vc, m_vc, m_credit_vc;
    logic [Width-1:0]   s_flit, m_flit;

    flitcast_node_source #(
      .NumVcs(NumVcs), .Depth(Depth), .DataWidth(DataWidth), .DestWidth(DestWidth),
      .RemainingWidth(RemainingWidth), .MaxFlits(MaxFlits)
    ) u_source (
      .clk_i, .rst_ni, .s_tvalid_i(s_tvalid_i[n]), .s_tready_o(s_tready_o[n]),
      .s_tdata_i(s_tdata_i[n*DataWidth+:DataWidth]), .s_tlast_i(s_tlast_i[n]),
      .s_tdest_i(s_tdest_i[n*DestWidth+:DestWidth]), .out_valid_o(s_valid), .out_vc_o(s_vc),
      .out_flit_o(s_flit), .out_credit_valid_i(s_credit_valid), .out_credit_vc_i(s_credit_vc)
    );

    flitcast_delay_line #(.Width(FlitWires), .Cycles(LinkCycles)) u_s_flit (
      .clk_i, .rst_ni, .in_i({s_valid, s_vc, s_flit}),
      .out_o({in_valid[n], in_vc[n*VcWidth+:VcWidth], in_flit[n*Width+:Width]})
    );
    flitcast_delay_line #(.Width(CreditWires), .Cycles(LinkCycles)) u_s_credit (
      .clk_i, .rst_ni, .in_i({in_credit_valid[n], in_credit_vc[n*VcWidth+:VcWidth]}),
      .out_o({s_credit_valid, s_credit_vc})
    );
    flitcast_delay_line #(.Width(FlitWires), .Cycles(LinkCycles)) u_m_flit (
      .clk_i, .rst_ni, .out_o({m_valid, m_vc, m_flit}),
      .in_i({out_valid[n], out_vc[n*VcWidth+:VcWidth], out_flit[n*Width+:Width]})
    );
    flitcast_delay_line #(.Width(CreditWires), .Cycles(LinkCycles)) u_m_credit (
      .clk_i, .rst_ni, .in_i({m_credit_valid, m_credit_vc}),
      .out_o({out_credit_valid[n], out_credit_vc[n*VcWidth+:VcWidth]})
    );

    flitcast_node_sink #(
      .NumVcs(NumVcs), .Depth(Depth), .DataWidth(DataWidth), .DestWidth(DestWidth),
      .RemainingWidth(RemainingWidth)
    ) u_sink (
      .clk_i, .rst_ni, .in_valid_i(m_valid), .in_vc_i(m_vc), .in_flit_i(m_flit),
      .in_credit_valid_o(m_credit_valid), .in_credit_vc_o(m_credit_vc),
      .m_tvalid_o(m_tvalid_o[n]), .m_tready_i(m_tready_i[n]),
      .m_tdata_o(m_tdata_o[n*DataWidth+:DataWidth]), .m_tlast_o(m_tlast_o[n])
    );
  end

endmodule
