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
  logic [NumReq-1:0] later_q;
  logic [NumReq-1:0] req_later;
  logic [NumReq-1:0] above_later, above;  // The bits above the lowest request, of those or of all.
  logic              any_later;

  // The lowest of those that go first and the lowest of all are found side by side.
  assign req_later   = req_i & later_q;
  assign any_later   = req_later != '0;
  assign above_later = req_later ^ -req_later;
  assign above       = req_i ^ -req_i;
  assign gnt_o       = (req_later & ~above_later) | (req_i & ~above & {NumReq{!any_later}});

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     later_q <= '0;
    // Without requests `above` is zero, and later_q stays; else it is in `above`.
    else if (take_i) later_q <= any_later ? above_later : above | later_q;
  end

endmodule
