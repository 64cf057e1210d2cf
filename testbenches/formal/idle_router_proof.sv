// SPDX-License-Identifier: Apache-2.0
// Claim: a router whose clock stops while idle_o is high and no input is valid shows the same as one
// whose clock runs, in every cycle, for any inputs that break no rule of the router's ports.
//
// Kind 0 is a vc_router whose headers say the output, 1 a store_forward_router in a row. In steps in
// which clk_i is low neither has an edge.
module idle_router_proof #(
  parameter int Kind            = 0,
  parameter int NumVcs          = 1,
  parameter int Depth           = 1,  // Flits of a VC, or packets.
  parameter int RouteCycles     = 1,
  parameter int DepartureCycles = 2,
  parameter int Ram             = 0,
  parameter int FlitTime        = 1,
  localparam int NumInputs      = Kind == 1 ? 3 : 2,
  localparam int NumOutputs     = Kind == 1 ? 3 : 2,
  localparam int VcWidth        = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int Width          = Kind == 1 ? 6 : 4
) (
  input logic                          clk_i,
  input logic                          rst_ni,

  input logic [NumInputs-1:0]          in_valid_i,
  input logic [NumInputs*VcWidth-1:0]  in_vc_i,
  input logic [NumInputs*Width-1:0]    in_flit_i,
  input logic [NumOutputs-1:0]         out_credit_valid_i,
  input logic [NumOutputs*VcWidth-1:0] out_credit_vc_i
);

  localparam int ShownW = 1 + NumInputs * (1 + VcWidth) + NumOutputs * (1 + VcWidth + Width);

  logic              running_clock, gated_clock, wake, idle, unused_idle;
  logic [ShownW-1:0] running, gated;

  assign running_clock = clk_i || !rst_ni;
  assign wake          = !rst_ni || in_valid_i != '0 || out_credit_valid_i != '0;
  assign gated_clock   = running_clock && (wake || !idle);

  idle_router #(
    .Kind(Kind), .NumVcs(NumVcs), .Depth(Depth), .RouteCycles(RouteCycles),
    .DepartureCycles(DepartureCycles), .Ram(Ram), .FlitTime(FlitTime)
  ) u_running (
    .clk_i(running_clock), .rst_ni, .in_valid_i, .in_vc_i, .in_flit_i, .out_credit_valid_i,
    .out_credit_vc_i, .idle_o(unused_idle), .shown_o(running)
  );
  idle_router #(
    .Kind(Kind), .NumVcs(NumVcs), .Depth(Depth), .RouteCycles(RouteCycles),
    .DepartureCycles(DepartureCycles), .Ram(Ram), .FlitTime(FlitTime)
  ) u_gated (
    .clk_i(gated_clock), .rst_ni, .in_valid_i, .in_vc_i, .in_flit_i, .out_credit_valid_i,
    .out_credit_vc_i, .idle_o(idle), .shown_o(gated)
  );

  always_comb if (rst_ni) assert (running == gated);

endmodule
