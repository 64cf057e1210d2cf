// SPDX-License-Identifier: Apache-2.0
// The second half of a separable allocation: every output grants itself to one of those that picked
// it, by round robin, in an order that moves on only with a grant.
//
// Picks     Row i, picks_i[i*NumOutputs +: NumOutputs]: the output that requester i picked,
//           one-hot, or zero.
// Grants    Row j, grants_o[j*NumRequesters +: NumRequesters]: the requester that output j goes to,
//           one-hot, or zero.
// Timing    Grants follow the picks in the same cycle.
// Reset     Synchronous; the lowest numbers go first after it.
module flitcast_output_arbiters #(
  parameter int NumRequesters = 4,                             // From 1 up.
  parameter int NumOutputs    = 4                              // From 1 up.
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,          // Synchronous, active low.
  input  logic [NumRequesters*NumOutputs-1:0] picks_i,
  output logic [NumOutputs*NumRequesters-1:0] grants_o,
  output logic [NumRequesters-1:0]            granted_o        // Requesters that get an output.
);

  for (genvar j = 0; j < NumOutputs; j++) begin : gen_output
    logic [NumRequesters-1:0] askers;

    always_comb begin
      askers = '0;
      for (int i = 0; i < NumRequesters; i++) begin
        askers = askers | (NumRequesters'(picks_i[i*NumOutputs+j]) << i);
      end
    end

    flitcast_rr_arbiter #(.NumReq(NumRequesters)) u_grant (
      .clk_i,
      .rst_ni,
      .req_i (askers),
      .take_i(1'b1),
      .gnt_o (grants_o[j*NumRequesters+:NumRequesters])
    );
  end

  always_comb begin
    granted_o = '0;
    for (int j = 0; j < NumOutputs; j++) begin
      granted_o = granted_o | grants_o[j*NumRequesters+:NumRequesters];
    end
  end

endmodule
