// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiter: offers a grant to one of NumReq requesters, in rotating order.
//
// Fairness  A requester that holds its request is served within NumReq taken grants.
// Timing    gnt_o follows req_i in the same cycle; the order moves on at an edge with take_i.
// Reset     Synchronous; requester 0 goes first after it.
// Model     round_robin() in models/router/bit_mask.h, in lock-step in
//           testbenches/cosim/rr_arbiter_test.cpp.
module flitcast_rr_arbiter #(
  parameter int NumReq = 4           // From 1 up.
) (
  input  logic              clk_i,
  input  logic              rst_ni,  // Synchronous, active low.
  input  logic [NumReq-1:0] req_i,
  input  logic              take_i,  // The granted requester's transfer happens in this cycle.
  output logic [NumReq-1:0] gnt_o    // One-hot, or zero without requests.
);

  if (NumReq < 1) begin : gen_refused
    num_req_must_be_at_least_1 u_refused ();
  end

  // Set for the requesters after the one served last: they go first.
  logic [NumReq-1:0] later_d, later_q;
  logic [NumReq-1:0] req_later, candidates;

  assign req_later  = req_i & later_q;
  assign candidates = (req_later != '0) ? req_later : req_i;
  assign gnt_o      = candidates & -candidates;  // The lowest set bit.

  always_comb begin
    later_d = later_q;
    if (take_i && gnt_o != '0) later_d = ~(gnt_o | (gnt_o - NumReq'(1)));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) later_q <= '0;
    else         later_q <= later_d;
  end

endmodule
