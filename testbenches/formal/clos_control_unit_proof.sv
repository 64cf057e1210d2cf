// SPDX-License-Identifier: Apache-2.0
// Claim: the store of a clos_control_unit changes by what is released and by the legs of routes
// that are done; a blocked request leaves it as it was. No leg takes a link that is taken, and each
// is that of clos_pass with the links free or held; a route serves what was asked for, and every
// request is answered once, in time.
//
// A held middle switch is one whose link is not free, as the contract of the unit demands.
module clos_control_unit_proof #(
  parameter int Design = 4,
  parameter int M = 3,
  parameter int R = 3,
  parameter int R1 = 2,          // A power of two, so that every number is an input switch.
  parameter int PassLimit = 2,
  parameter int PassClocks = 1,  // Clocks of a pass of the design.
  parameter int MiddleW = M > 1 ? $clog2(M) : 1,
  parameter int SwitchW = R1 > 1 ? $clog2(R1) : 1
) (
  input logic               clk_i,
  input logic               rst_ni,

  input logic               req_valid_i,
  input logic [SwitchW-1:0] req_switch_i,
  input logic [R-1:0]       req_set_i,
  input logic [M-1:0]       req_held_i,
  input logic               req_link_i,

  input logic               rel_valid_i,
  input logic [SwitchW-1:0] rel_switch_i,
  input logic [MiddleW-1:0] rel_middle_i,
  input logic [R-1:0]       rel_set_i,
  input logic               rel_link_i
);

  localparam int Slowest = 2 + PassLimit * PassClocks;
  localparam int AgeW = $clog2(Slowest + 2);

  logic               ready, req_valid, leg_valid, done, blocked;
  logic [M-1:0]       held;
  logic [MiddleW-1:0] leg_middle;
  logic [R-1:0]       leg_set;
  logic [M*R-1:0]     sets;
  logic [R1*M-1:0]    avail;

  flitcast_clos_control_unit #(
    .Design(Design), .M(M), .R(R), .R1(R1), .PassLimit(PassLimit)
  ) u_design (
    .clk_i, .rst_ni,
    .ready_o(ready), .req_valid_i(req_valid), .req_switch_i, .req_set_i, .req_held_i(held),
    .req_link_i, .rel_valid_i, .rel_switch_i, .rel_middle_i, .rel_set_i, .rel_link_i,
    .leg_valid_o(leg_valid), .leg_middle_o(leg_middle), .leg_set_o(leg_set), .done_o(done),
    .blocked_o(blocked), .sets_o(sets), .avail_o(avail)
  );

  // The expected store, and its gain when the route is done.
  logic               waits_q;  // An answer is due.
  logic [AgeW-1:0]    age_q;
  logic [SwitchW-1:0] switch_q;
  logic [R-1:0]       wanted_q, served_q;
  logic [M-1:0]       allowed_q, used_q;
  logic [M*R-1:0]     route_q, sets_q, sets_d, leg;
  logic [R1*M-1:0]    avail_q, avail_d;
  logic [M-1:0]       free;
  logic [MiddleW-1:0] middle;
  logic [R-1:0]       left;
  logic               none;

  clos_pass #(.M(M), .R(R)) u_pass (
    .set_i(wanted_q & ~served_q), .avail_i(allowed_q), .store_i(sets),
    .none_o(none), .middle_o(middle), .left_o(left)
  );

  assign req_valid = req_valid_i && req_set_i != '0;
  assign free      = avail_d[32'(req_switch_i)*M+:M];
  assign held      = req_held_i & ~free;
  assign leg       = {{(M-1)*R{1'b0}}, leg_set} << (32'(leg_middle) * R);

  logic [M*R-1:0]  sets_now;
  logic [R1*M-1:0] avail_now;
  always_comb begin
    sets_now  = sets_q;
    avail_now = avail_q;
    if (done) begin
      sets_now = sets_q | route_q;
      avail_now[32'(switch_q)*M+:M] = avail_q[32'(switch_q)*M+:M] & ~used_q;
    end
    sets_d  = sets_now;
    avail_d = avail_now;
    if (ready && rel_valid_i && 32'(rel_middle_i) < M) begin
      sets_d[32'(rel_middle_i)*R+:R] = sets_now[32'(rel_middle_i)*R+:R] & ~rel_set_i;
      if (rel_link_i) avail_d[32'(rel_switch_i)*M+32'(rel_middle_i)] = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      waits_q <= 1'b0;
      sets_q  <= '0;
      avail_q <= '1;
    end else begin
      waits_q <= (ready && req_valid) || (waits_q && !done && !blocked);
      sets_q  <= sets_d;
      avail_q <= avail_d;
    end
  end

  always_ff @(posedge clk_i) begin
    age_q <= age_q + AgeW'(1);
    if (leg_valid) begin
      route_q  <= route_q | leg;
      served_q <= served_q | leg_set;
      used_q   <= used_q | (M'(1) << leg_middle);
    end
    if (ready && req_valid) begin
      age_q    <= AgeW'(1);
      switch_q <= req_switch_i;
      wanted_q <= req_set_i;
      allowed_q   <= held | (req_link_i ? free : '0);
      route_q  <= '0;
      served_q <= '0;
      used_q   <= '0;
    end
  end

  always_comb if (rst_ni) begin
    assert (sets == sets_now && avail == avail_now);
    if (leg_valid) begin
      assert (waits_q && leg_set != '0 && allowed_q[leg_middle] && !used_q[leg_middle]);
      assert ((leg & sets) == '0 && (leg_set & served_q) == '0);
      assert (leg_middle == middle && leg_set == (wanted_q & ~served_q & ~left));
    end
    if (blocked) assert (none || left != '0);
    if (done) assert (served_q == wanted_q);
    if (done || blocked) assert (waits_q && !(done && blocked) && ready);
    if (waits_q) assert (32'(age_q) <= Slowest && ready == (done || blocked));
  end

endmodule
