// SPDX-License-Identifier: Apache-2.0
// Decides which input virtual channels send a flit through the crossbar: one for each input port
// and one for each output port at most.
//
// Rule      Separable, input first: an input port picks one of the outputs that its ready VCs want,
//           and one of the VCs that want it (switch_input.sv); then each output picks one input
//           port. All by round robin, in an order that moves on only with a grant (iSLIP; McKeown,
//           "The iSLIP Scheduling Algorithm for Input-Queued Switches", IEEE/ACM ToN 7(2), 1999).
// Numbers   VC v of port p is bit p*NumVcs+v.
// Timing    Grants follow the requests in the same cycle. offers_o are known before the outputs
//           have chosen, so that a port selects its flit meanwhile.
// Reset     Synchronous; the lowest numbers go first after it.
// Model     WormholeCore::allocate_switch() in models/router/wormhole_core.h.
module flitcast_switch_allocator #(
  parameter int NumInputs  = 5,                                  // From 1 up.
  parameter int NumOutputs = 5,                                  // From 1 up.
  parameter int NumVcs     = 2,                                  // For each port, from 1 up.
  localparam int NumIn     = NumInputs * NumVcs
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,                // Synchronous, active low.
  input  logic [NumIn-1:0]                ready_i,
  input  logic [NumIn*NumOutputs-1:0]     route_i,               // Output of each VC, one-hot.
  output logic [NumIn-1:0]                offers_o,              // VCs that their port picks,
  output logic [NumIn-1:0]                sends_o,               // and those of them that send.
  output logic [NumOutputs*NumInputs-1:0] source_o               // Input of each output: one-hot,
                                                                 // or zero.
);

  if (NumInputs < 1 || NumOutputs < 1 || NumVcs < 1) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [NumInputs*NumOutputs-1:0] picks;    // Row p: the output that input port p asks for.
  logic [NumInputs-1:0]            winners;  // Input ports.

  for (genvar p = 0; p < NumInputs; p++) begin : gen_input
    flitcast_switch_input #(.NumOutputs(NumOutputs), .NumVcs(NumVcs)) u_input (
      .clk_i,
      .rst_ni,
      .ready_i(ready_i[p*NumVcs+:NumVcs]),
      .route_i(route_i[p*NumVcs*NumOutputs+:NumVcs*NumOutputs]),
      .take_i (winners[p]),
      .offer_o(offers_o[p*NumVcs+:NumVcs]),
      .pick_o (picks[p*NumOutputs+:NumOutputs])
    );
    assign sends_o[p*NumVcs+:NumVcs] = offers_o[p*NumVcs+:NumVcs] & {NumVcs{winners[p]}};
  end

  flitcast_output_arbiters #(.NumRequesters(NumInputs), .NumOutputs(NumOutputs)) u_outputs (
    .clk_i, .rst_ni, .picks_i(picks), .grants_o(source_o), .granted_o(winners)
  );

endmodule
