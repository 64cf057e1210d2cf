// SPDX-License-Identifier: Apache-2.0
// The control of a Clos network: a controller, the store that it decides on, and the commit unit
// that writes the store.
//
//   req_* --> controller -- beats --> commit unit --> destination store <-- rel_*
//                ^------------- M_j, free links -------------'
//
// Request   Middle switches to serve the output switches req_set_i (not none) from input switch
//           req_switch_i. Allowed are those of req_held_i, whose links from the input switch its
//           connection holds already, and with req_link_i those with a free link: it is taken.
//             connect   nothing held, with link;
//             join      the middle switches of the connection held, with link if one more is
//                       welcome. By a held one the connection only gets links to output switches.
// Release   The links from middle switch rel_middle_i to rel_set_i are free again, and with
//           rel_link_i that from input switch rel_switch_i: not before the middle switch serves
//           nothing of the connection any more.
//             leave       one output switch of a leg, with link if it was the leg's last;
//             disconnect  every leg with link, one after another.
// Accepted  at an edge where ready_o and valid are high, both if both are. A release then goes
//           first: the request may use the links set free.
// Answer    The route as it is found, a leg in each clock of leg_valid_o. Then done_o: all of it is
//           in the store. Or blocked_o: the legs are void, the store is as it was.
// Timing    Of a request of P passes, c clocks each (clos_controller.sv), accepted at edge 1:
//           blocked_o is high after edge 1 + P c, done_o after edge 2 + P c, for one clock, and
//           ready_o from there on. Outputs depend on registers alone.
// Reset     Synchronous; frees all links, and leaves ready_o low until the next edge.
// Misuse    A switch that there is not and a held middle switch with a free link fail an assertion.
// Model     models/network/pins/clos_controller.h (ClosControlUnit), in lock-step in
//           testbenches/cosim/clos_control_unit_test.cpp; sets_o and avail_o are store() there.
module flitcast_clos_control_unit #(
  parameter int Design = 4,                          // See clos_search.sv.
  parameter int M = 4,                               // Middle switches, from 1 up.
  parameter int R = 4,                               // Output switches, from 1 up.
  parameter int R1 = 4,                              // Input switches, from 1 up.
  parameter int PassLimit = 2,                       // Most passes of a request; 0: no limit.
  parameter bit StopWithoutProgress = 1'b1,          // A pass that serves nothing is blocked.
  parameter bit Pruning = 1'b0,                      // For seq_counter.
  parameter int RowsPerClock = 1,                    // For seq_adder, from 1 to M.
  parameter int MiddleW = M > 1 ? $clog2(M) : 1,     // Derived.
  parameter int SwitchW = R1 > 1 ? $clog2(R1) : 1    // Derived.
) (
  input  logic               clk_i,
  input  logic               rst_ni,        // Synchronous, active low.

  output logic               ready_o,
  input  logic               req_valid_i,
  input  logic [SwitchW-1:0] req_switch_i,
  input  logic [R-1:0]       req_set_i,
  input  logic [M-1:0]       req_held_i,
  input  logic               req_link_i,

  input  logic               rel_valid_i,
  input  logic [SwitchW-1:0] rel_switch_i,
  input  logic [MiddleW-1:0] rel_middle_i,
  input  logic [R-1:0]       rel_set_i,
  input  logic               rel_link_i,

  output logic               leg_valid_o,
  output logic [MiddleW-1:0] leg_middle_o,
  output logic [R-1:0]       leg_set_o,
  output logic               done_o,
  output logic               blocked_o,

  output logic [M*R-1:0]     sets_o,        // The store: M_j is sets_o[j*R +: R],
  output logic [R1*M-1:0]    avail_o        // of input switch i avail_o[i*M +: M].
);

  if (MiddleW != (M > 1 ? $clog2(M) : 1) || SwitchW != (R1 > 1 ? $clog2(R1) : 1)) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic               req_ready, beat_valid, beat_last, beat_fail;
  logic [M-1:0]       avail;
  logic [M*R-1:0]     take_sets;
  logic [SwitchW-1:0] switch_q;  // Input switch of the last request.

  assign leg_valid_o = beat_valid && !beat_fail;
  assign blocked_o   = beat_valid && beat_fail;
  assign ready_o     = req_ready && !(leg_valid_o && beat_last);  // Not at COMMIT.

  always_ff @(posedge clk_i) begin
    if (ready_o && req_valid_i) switch_q <= req_switch_i;
  end

  flitcast_clos_controller #(
    .Design(Design), .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress),
    .Pruning(Pruning), .RowsPerClock(RowsPerClock)
  ) u_controller (
    .clk_i, .rst_ni,
    .req_valid_i(req_valid_i && ready_o), .req_set_i,
    .req_avail_i(req_held_i | (avail & {M{req_link_i}})), .req_ready_o(req_ready),
    .store_i(sets_o),
    .beat_valid_o(beat_valid), .beat_middle_o(leg_middle_o), .beat_set_o(leg_set_o),
    .beat_last_o(beat_last), .beat_fail_o(beat_fail), .beat_ready_i(1'b1)
  );

  flitcast_clos_commit_unit #(.M(M), .R(R)) u_commit (
    .clk_i, .rst_ni,
    .beat_valid_i(beat_valid), .beat_middle_i(leg_middle_o), .beat_set_i(leg_set_o),
    .beat_last_i(beat_last), .beat_fail_i(beat_fail),
    .take_sets_o(take_sets), .done_o
  );

  flitcast_clos_destination_store #(.M(M), .R(R), .R1(R1)) u_store (
    .clk_i, .rst_ni,
    .take_switch_i(switch_q), .take_sets_i(take_sets),
    .rel_valid_i(rel_valid_i && ready_o), .rel_switch_i, .rel_middle_i, .rel_set_i, .rel_link_i,
    .read_switch_i(req_switch_i), .read_avail_o(avail),
    .sets_o, .avail_o
  );

`ifndef SYNTHESIS
  // A route takes links that are free or held, whatever is asked for.
  logic [M-1:0] held;  // By the connection of the request accepted last.
  always_ff @(posedge clk_i) if (ready_o && req_valid_i) held <= req_held_i;
  for (genvar j = 0; j < M; j++) begin : gen_taken
    logic is_allowed;
    assign is_allowed = held[j] || avail_o[32'(switch_q)*M+j];
    always @(posedge clk_i) if (rst_ni) assert (take_sets[j*R+:R] == '0 || is_allowed);
  end
`ifndef FORMAL
  always @(posedge clk_i) if (rst_ni && ready_o) begin
    if (req_valid_i) assert (32'(req_switch_i) < R1 && (req_held_i & avail) == '0);
    if (rel_valid_i) assert (32'(rel_switch_i) < R1 && 32'(rel_middle_i) < M);
  end
`endif
`endif

endmodule
