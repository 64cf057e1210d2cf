// SPDX-License-Identifier: Apache-2.0
// vc_allocator grants what one grants whose input VCs choose by a round robin over the VCs of all
// outputs, in every cycle, whatever is asked and free. An input VC gets another route only after a
// grant with the one before.
module vc_allocator_proof #(
  parameter int NumInputs   = 2,
  parameter int NumOutputs  = 2,
  parameter int NumVcs      = 2,
  parameter int RouteCycles = 1,
  localparam int NumIn      = NumInputs * NumVcs,
  localparam int NumOut     = NumOutputs * NumVcs,
  localparam int OutputW    = NumOutputs > 1 ? $clog2(NumOutputs) : 1
) (
  input logic                     clk_i,
  input logic                     rst_ni,

  input logic [NumIn-1:0]         start_i,
  input logic [NumIn-1:0]         waiting_i,
  input logic [NumIn*OutputW-1:0] output_i,
  input logic [NumIn*NumVcs-1:0]  vcs_i,
  input logic [NumOut-1:0]        free_i
);

  logic [NumIn*NumOutputs-1:0] route;
  logic [NumIn-1:0]            starting, restarting, waiting;
  logic [NumIn-1:0]            routed_q;  // They have a route, and no grant with it yet.
  logic [NumIn-1:0]            granted, granted_due;
  logic [NumIn*NumVcs-1:0]     vc;
  logic [NumOut-1:0]           taken;
  logic [NumIn*NumOut-1:0]     picks;
  logic [NumOut*NumIn-1:0]     winners;

  flitcast_vc_allocator #(
    .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs), .RouteCycles(RouteCycles)
  ) u_allocator (
    .clk_i, .rst_ni, .restart_i(restarting), .waiting_i(waiting), .route_i(route), .vcs_i, .free_i,
    .granted_o(granted), .vc_o(vc), .taken_o(taken)
  );

  assign starting = start_i & ~routed_q;
  assign waiting  = waiting_i & (routed_q | (RouteCycles == 0 ? starting : '0));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) routed_q <= '0;
    else         routed_q <= (routed_q | starting) & ~granted;
  end

  for (genvar i = 0; i < NumIn; i++) begin : gen_input
    logic [NumOut-1:0] allowed;
    logic [NumVcs-1:0] vc_due;
    logic [NumOutputs-1:0] asked, route_q;

    assign route[i*NumOutputs+:NumOutputs] = RouteCycles == 0 && starting[i] ? asked : route_q;
    assign restarting[i]                   = starting[i] && asked != route_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni)          route_q <= '0;
      else if (starting[i]) route_q <= asked;
    end
    for (genvar p = 0; p < NumOutputs; p++) begin : gen_output
      // An output beyond the last one stands for the last one.
      assign asked[p] = p == NumOutputs - 1 ? 32'(output_i[i*OutputW+:OutputW]) >= p :
                                              32'(output_i[i*OutputW+:OutputW]) == p;
      assign allowed[p*NumVcs+:NumVcs] =
          vcs_i[i*NumVcs+:NumVcs] & {NumVcs{route[i*NumOutputs+p]}};
    end
    flitcast_rr_arbiter #(.NumReq(NumOut)) u_pick (
      .clk_i, .rst_ni, .req_i(waiting[i] ? free_i & allowed : '0), .take_i(granted_due[i]),
      .gnt_o(picks[i*NumOut+:NumOut])
    );
    always_comb begin
      vc_due = '0;
      for (int p = 0; p < NumOutputs; p++) vc_due = vc_due | picks[i*NumOut+p*NumVcs+:NumVcs];
      if (rst_ni) begin
        assert (granted[i] == granted_due[i]);
        assert (!granted[i] || vc[i*NumVcs+:NumVcs] == vc_due);
      end
    end
  end

  flitcast_output_arbiters #(.NumRequesters(NumIn), .NumOutputs(NumOut)) u_outputs (
    .clk_i, .rst_ni, .picks_i(picks), .grants_o(winners), .granted_o(granted_due)
  );
  for (genvar j = 0; j < NumOut; j++) begin : gen_taken
    always_comb if (rst_ni) assert (taken[j] == (winners[j*NumIn+:NumIn] != '0));
  end

endmodule
