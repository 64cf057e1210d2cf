// SPDX-License-Identifier: Apache-2.0
// switch_allocator grants what one grants whose input ports choose in two steps, first an output and
// then a VC that wants it, each by a round robin, in every cycle, whatever is ready.
module switch_allocator_proof #(
  parameter int NumInputs  = 2,
  parameter int NumOutputs = 2,
  parameter int NumVcs     = 2,
  localparam int NumIn     = NumInputs * NumVcs,
  localparam int OutputW   = NumOutputs > 1 ? $clog2(NumOutputs) : 1
) (
  input logic                     clk_i,
  input logic                     rst_ni,

  input logic [NumIn-1:0]         ready_i,
  input logic [NumIn*OutputW-1:0] output_i
);

  logic [NumIn*NumOutputs-1:0]     route;
  logic [NumIn-1:0]                offers, sends;
  logic [NumOutputs*NumInputs-1:0] source, source_due;
  logic [NumInputs*NumOutputs-1:0] picks;
  logic [NumInputs-1:0]            winners;

  flitcast_switch_allocator #(
    .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs)
  ) u_allocator (
    .clk_i, .rst_ni, .ready_i, .route_i(route), .offers_o(offers), .sends_o(sends),
    .source_o(source)
  );

  for (genvar i = 0; i < NumIn; i++) begin : gen_route
    for (genvar p = 0; p < NumOutputs; p++) begin : gen_output
      // An output beyond the last one stands for the last one.
      assign route[i*NumOutputs+p] = p == NumOutputs - 1 ? 32'(output_i[i*OutputW+:OutputW]) >= p :
                                                           32'(output_i[i*OutputW+:OutputW]) == p;
    end
  end

  for (genvar p = 0; p < NumInputs; p++) begin : gen_input
    logic [NumOutputs-1:0] wanted, pick;
    logic [NumVcs-1:0]     candidates, candidate;

    always_comb begin
      wanted = '0;
      for (int v = 0; v < NumVcs; v++) begin
        if (ready_i[p*NumVcs+v]) wanted = wanted | route[(p*NumVcs+v)*NumOutputs+:NumOutputs];
      end
    end
    flitcast_rr_arbiter #(.NumReq(NumOutputs)) u_output (
      .clk_i, .rst_ni, .req_i(wanted), .take_i(winners[p]), .gnt_o(pick)
    );
    assign picks[p*NumOutputs+:NumOutputs] = pick;

    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      assign candidates[v] = ready_i[p*NumVcs+v] &&
                             (route[(p*NumVcs+v)*NumOutputs+:NumOutputs] & pick) != '0;
    end
    flitcast_rr_arbiter #(.NumReq(NumVcs)) u_vc (
      .clk_i, .rst_ni, .req_i(candidates), .take_i(winners[p]), .gnt_o(candidate)
    );
    always_comb if (rst_ni) begin
      assert (offers[p*NumVcs+:NumVcs] == candidate);
      assert (sends[p*NumVcs+:NumVcs] == (winners[p] ? candidate : '0));
    end
  end

  flitcast_output_arbiters #(.NumRequesters(NumInputs), .NumOutputs(NumOutputs)) u_outputs (
    .clk_i, .rst_ni, .picks_i(picks), .grants_o(source_due), .granted_o(winners)
  );
  always_comb if (rst_ni) assert (source == source_due);

endmodule
