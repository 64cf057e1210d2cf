// SPDX-License-Identifier: Apache-2.0
// The router of idle_router_proof, and all that it shows of those outputs that count.
module idle_router #(
  parameter int Kind            = 0,
  parameter int NumVcs          = 1,
  parameter int Depth           = 1,
  parameter int RouteCycles     = 1,
  parameter int DepartureCycles = 2,
  parameter int Ram             = 0,
  parameter int FlitTime        = 1,
  localparam int NumInputs      = Kind == 1 ? 3 : 2,
  localparam int NumOutputs     = Kind == 1 ? 3 : 2,
  localparam int VcWidth        = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int Width          = Kind == 1 ? 6 : 4,
  localparam int NumIn          = NumInputs * NumVcs,
  localparam int ShownW         = 1 + NumInputs * (1 + VcWidth) + NumOutputs * (1 + VcWidth + Width)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  input  logic [NumInputs-1:0]          in_valid_i,
  input  logic [NumInputs*VcWidth-1:0]  in_vc_i,
  input  logic [NumInputs*Width-1:0]    in_flit_i,
  input  logic [NumOutputs-1:0]         out_credit_valid_i,
  input  logic [NumOutputs*VcWidth-1:0] out_credit_vc_i,
  output logic                          idle_o,
  output logic [ShownW-1:0]             shown_o
);

  logic [NumInputs-1:0]          credit_valid;
  logic [NumInputs*VcWidth-1:0]  credit_vc;
  logic [NumOutputs-1:0]         out_valid;
  logic [NumOutputs*VcWidth-1:0] out_vc, vcs;
  logic [NumOutputs*Width-1:0]   out_flit, flits;

  if (Kind == 0) begin : gen_router
    logic [NumIn-1:0]            header, unused_request;
    logic [NumIn*NumOutputs-1:0] route;

    for (genvar i = 0; i < NumIn; i++) begin : gen_route
      assign route[i*NumOutputs+:NumOutputs] = {header[i], !header[i]};
    end
    flitcast_vc_router #(
      .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs), .Depth(Depth),
      .HeaderWidth(1), .RemainingWidth(1), .PayloadWidth(Width - 3), .RouteCycles(RouteCycles),
      .DepartureCycles(DepartureCycles), .AnyVc(1), .Ram(Ram),
      .FlitTimes({NumOutputs{32'(FlitTime)}})
    ) u_router (
      .clk_i, .rst_ni, .in_valid_i, .in_vc_i, .in_flit_i, .in_credit_valid_o(credit_valid),
      .in_credit_vc_o(credit_vc), .request_o(unused_request), .header_o(header), .route_i(route),
      .vcs_i('1), .out_valid_o(out_valid), .out_vc_o(out_vc), .out_flit_o(out_flit),
      .out_credit_valid_i, .out_credit_vc_i, .idle_o
    );
  end else begin : gen_store_forward
    flitcast_store_forward_router #(
      .Dimensions(1), .CoordinateWidth(2), .NumVcs(NumVcs), .NumSlots(Depth), .MaxLength(2),
      .RemainingWidth(1), .PacketWidth(1), .Width(Width), .RouteCycles(RouteCycles),
      .VcAllocationCycles(0), .DepartureCycles(DepartureCycles)
    ) u_router (
      .clk_i, .rst_ni, .here_i(2'd1), .in_valid_i, .in_vc_i, .in_flit_i, .out_valid_o(out_valid),
      .out_vc_o(out_vc), .out_flit_o(out_flit), .in_credit_valid_o(credit_valid),
      .in_credit_vc_o(credit_vc), .out_credit_valid_i, .out_credit_vc_i, .idle_o
    );
  end

  for (genvar o = 0; o < NumOutputs; o++) begin : gen_flit
    assign vcs[o*VcWidth+:VcWidth] = out_valid[o] ? out_vc[o*VcWidth+:VcWidth] : '0;
    assign flits[o*Width+:Width]   = out_valid[o] ? out_flit[o*Width+:Width] : '0;
  end
  assign shown_o = {idle_o, credit_valid, credit_vc, out_valid, vcs, flits};

endmodule
