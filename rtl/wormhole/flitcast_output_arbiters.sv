// SPDX-License-Identifier: Apache-2.0
// The second half of a separable allocation: every output grants itself to one of those that picked
// it, by round robin, in an order that moves on only with a grant.
//
// Picks     Row i, picks_i[i*Num +: Num]: the output that requester i picked, one-hot, or zero.
// Grants    Row j, grants_o[j*Num +: Num]: the requester that output j goes to, one-hot, or zero.
// Timing    Grants follow the picks in the same cycle.
// Reset     Synchronous; the lowest numbers go first after it.
module flitcast_output_arbiters #(
  parameter int Num = 4                   // Requesters, and as many outputs; from 1 up.
) (
  input  logic               clk_i,
  input  logic               rst_ni,      // Synchronous, active low.
  input  logic               any_i,       // Someone picks: low says that all picks are zero.
  input  logic [Num*Num-1:0] picks_i,
  output logic [Num*Num-1:0] grants_o,
  output logic [Num-1:0]     granted_o    // Requesters that get an output.
);

  for (genvar j = 0; j < Num; j++) begin : gen_output
    logic [Num-1:0] askers;

    always_comb begin
      askers = '0;
      if (any_i) begin  // Else there is nothing to do, in simulation too.
        for (int i = 0; i < Num; i++) askers = askers | (Num'(picks_i[i*Num+j]) << i);
      end
    end

    flitcast_rr_arbiter #(.NumReq(Num)) u_grant (
      .clk_i, .rst_ni, .req_i(askers), .take_i(1'b1), .gnt_o(grants_o[j*Num+:Num])
    );
  end

  always_comb begin
    granted_o = '0;
    for (int j = 0; j < Num; j++) granted_o = granted_o | grants_o[j*Num+:Num];
  end

endmodule
