// SPDX-License-Identifier: Apache-2.0
// A router with a single node, whose packets to itself are of two message classes.
module stream_router #(
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
  localparam int ClassVcs       = NumVcs / NumClasses;

  // Between source and router, and between router and sink: at the sender, and a cycle later.
  logic [1+VcWidth+Width-1:0] into, into_q, from, from_q;
  logic [1+VcWidth-1:0]       into_credit, into_credit_q, from_credit, from_credit_q;
  logic [NumVcs*NumVcs-1:0]   class_vcs;

  for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
    assign class_vcs[v*NumVcs+:NumVcs] = NumVcs'({ClassVcs{1'b1}}) << (v / ClassVcs * ClassVcs);
  end

  flitcast_node_source #(
    .NumVcs(NumVcs), .NumClasses(NumClasses), .Depth(Depth), .DataWidth(DataWidth), .DestWidth(1),
    .RemainingWidth(RemainingWidth), .MaxFlits(MaxFlits)
  ) u_source (
    .clk_i, .rst_ni, .s_tvalid_i, .s_tready_o, .s_tdata_i, .s_tlast_i, .s_tdest_i,
    .out_valid_o(into[VcWidth+Width]), .out_vc_o(into[Width+:VcWidth]),
    .out_flit_o(into[Width-1:0]), .out_credit_valid_i(into_credit_q[VcWidth]),
    .out_credit_vc_i(into_credit_q[VcWidth-1:0])
  );

  logic [NumVcs-1:0] unused_request, unused_header;
  logic              unused_idle;
  flitcast_vc_router #(
    .NumInputs(1), .NumOutputs(1), .NumVcs(NumVcs), .Depth(Depth), .HeaderWidth(1),
    .RemainingWidth(RemainingWidth), .PayloadWidth(DataWidth)
  ) u_router (
    .clk_i, .rst_ni, .in_valid_i(into_q[VcWidth+Width]), .in_vc_i(into_q[Width+:VcWidth]),
    .in_flit_i(into_q[Width-1:0]), .in_credit_valid_o(into_credit[VcWidth]),
    .in_credit_vc_o(into_credit[VcWidth-1:0]), .request_o(unused_request),
    .header_o(unused_header), .route_i('1), .vcs_i(class_vcs),
    .out_valid_o(from[VcWidth+Width]), .out_vc_o(from[Width+:VcWidth]),
    .out_flit_o(from[Width-1:0]), .out_credit_valid_i(from_credit_q[VcWidth]),
    .out_credit_vc_i(from_credit_q[VcWidth-1:0]), .idle_o(unused_idle)
  );

  flitcast_node_sink #(
    .NumVcs(NumVcs), .NumClasses(NumClasses), .Depth(Depth), .DataWidth(DataWidth), .DestWidth(1),
    .RemainingWidth(RemainingWidth)
  ) u_sink (
    .clk_i, .rst_ni, .in_valid_i(from_q[VcWidth+Width]), .in_vc_i(from_q[Width+:VcWidth]),
    .in_flit_i(from_q[Width-1:0]), .in_credit_valid_o(from_credit[VcWidth]),
    .in_credit_vc_o(from_credit[VcWidth-1:0]), .m_tvalid_o, .m_tready_i, .m_tdata_o, .m_tlast_o
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) {into_q, into_credit_q, from_q, from_credit_q} <= '0;
    else {into_q, into_credit_q, from_q, from_credit_q} <= {into, into_credit, from, from_credit};
  end

endmodule
