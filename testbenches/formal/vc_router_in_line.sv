// SPDX-License-Identifier: Apache-2.0
// The router of wormhole_router_proof: wormhole_router at coordinate 1 of a line, or with Open a
// vc_router whose headers say their way, from the lowest bit: the output, in 2 bits (one beyond the
// last stands for the last), and the VCs that the packet may take (none stands for all).
module vc_router_in_line #(
  parameter int Open               = 0,
  parameter int NumInputs          = 3,
  parameter int NumOutputs         = 3,
  parameter int NumVcs             = 1,
  parameter int Depth              = 2,
  parameter int HeaderWidth        = 2,
  parameter int RemainingWidth     = 1,
  parameter int PayloadWidth       = 2,
  parameter int RouteCycles        = 1,
  parameter int VcAllocationCycles = 1,
  parameter int DepartureCycles    = 2,
  parameter int WholePacketCredit  = 0,
  localparam int Width             = HeaderWidth + RemainingWidth + 1 + PayloadWidth,
  localparam int VcWidth           = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [NumInputs-1:0]          in_valid_i,
  input  logic [NumInputs*VcWidth-1:0]  in_vc_i,
  input  logic [NumInputs*Width-1:0]    in_flit_i,
  output logic [NumInputs-1:0]          in_credit_valid_o,
  output logic [NumInputs*VcWidth-1:0]  in_credit_vc_o,
  output logic [NumOutputs-1:0]         out_valid_o,
  output logic [NumOutputs*VcWidth-1:0] out_vc_o,
  output logic [NumOutputs*Width-1:0]   out_flit_o,
  input  logic [NumOutputs-1:0]         out_credit_valid_i,
  input  logic [NumOutputs*VcWidth-1:0] out_credit_vc_i
);

  // The router has the same name in both.
  if (Open == 0) begin : gen_side
    flitcast_wormhole_router #(
      .Dimensions(1), .CoordinateWidth(2), .NumVcs(NumVcs), .Depth(Depth),
      .RemainingWidth(RemainingWidth), .Width(Width), .RouteCycles(RouteCycles),
      .VcAllocationCycles(VcAllocationCycles), .DepartureCycles(DepartureCycles),
      .WholePacketCredit(WholePacketCredit)
    ) u_side (
      .clk_i, .rst_ni, .here_i(2'd1), .in_valid_i, .in_vc_i, .in_flit_i, .in_credit_valid_o,
      .in_credit_vc_o, .out_valid_o, .out_vc_o, .out_flit_o, .out_credit_valid_i, .out_credit_vc_i
    );
  end else begin : gen_side
    vc_router_beside_headers #(
      .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs), .Depth(Depth),
      .HeaderWidth(HeaderWidth), .RemainingWidth(RemainingWidth), .PayloadWidth(PayloadWidth),
      .RouteCycles(RouteCycles), .VcAllocationCycles(VcAllocationCycles),
      .DepartureCycles(DepartureCycles), .WholePacketCredit(WholePacketCredit)
    ) u_side (
      .clk_i, .rst_ni, .in_valid_i, .in_vc_i, .in_flit_i, .in_credit_valid_o,
      .in_credit_vc_o, .out_valid_o, .out_vc_o, .out_flit_o, .out_credit_valid_i, .out_credit_vc_i
    );
  end

endmodule

// A vc_router whose headers say their way.
module vc_router_beside_headers #(
  parameter int NumInputs          = 3,
  parameter int NumOutputs         = 3,
  parameter int NumVcs             = 1,
  parameter int Depth              = 2,
  parameter int HeaderWidth        = 2,
  parameter int RemainingWidth     = 1,
  parameter int PayloadWidth       = 2,
  parameter int RouteCycles        = 1,
  parameter int VcAllocationCycles = 1,
  parameter int DepartureCycles    = 2,
  parameter int WholePacketCredit  = 0,
  localparam int Width             = HeaderWidth + RemainingWidth + 1 + PayloadWidth,
  localparam int VcWidth           = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int NumIn             = NumInputs * NumVcs
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [NumInputs-1:0]          in_valid_i,
  input  logic [NumInputs*VcWidth-1:0]  in_vc_i,
  input  logic [NumInputs*Width-1:0]    in_flit_i,
  output logic [NumInputs-1:0]          in_credit_valid_o,
  output logic [NumInputs*VcWidth-1:0]  in_credit_vc_o,
  output logic [NumOutputs-1:0]         out_valid_o,
  output logic [NumOutputs*VcWidth-1:0] out_vc_o,
  output logic [NumOutputs*Width-1:0]   out_flit_o,
  input  logic [NumOutputs-1:0]         out_credit_valid_i,
  input  logic [NumOutputs*VcWidth-1:0] out_credit_vc_i
);

  logic [NumIn-1:0]             request;
  logic [NumIn*HeaderWidth-1:0] header;
  logic [NumIn*NumOutputs-1:0]  route;
  logic [NumIn*NumVcs-1:0]      vcs;

  for (genvar i = 0; i < NumIn; i++) begin : gen_answer
    logic [1:0]        way;
    logic [NumVcs-1:0] set;
    assign {set, way} = header[i*HeaderWidth+:2+NumVcs];
    assign vcs[i*NumVcs+:NumVcs] = set == '0 ? '1 : set;
    for (genvar o = 0; o < NumOutputs; o++) begin : gen_output
      assign route[i*NumOutputs+o] = o == NumOutputs - 1 ? 32'(way) >= o : 32'(way) == o;
    end
  end

  flitcast_vc_router #(
    .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs), .Depth(Depth),
    .HeaderWidth(HeaderWidth), .RemainingWidth(RemainingWidth), .PayloadWidth(PayloadWidth),
    .RouteCycles(RouteCycles), .VcAllocationCycles(VcAllocationCycles),
    .DepartureCycles(DepartureCycles), .WholePacketCredit(WholePacketCredit)
  ) u_router (
    .clk_i, .rst_ni, .in_valid_i, .in_vc_i, .in_flit_i, .in_credit_valid_o, .in_credit_vc_o,
    .request_o(request), .header_o(header), .route_i(route), .vcs_i(vcs),
    .out_valid_o, .out_vc_o, .out_flit_o, .out_credit_valid_i, .out_credit_vc_i
  );

endmodule
