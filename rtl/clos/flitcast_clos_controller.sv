// SPDX-License-Identifier: Apache-2.0
// The controller of a Clos network. It decides how a multicast request is carried: by which middle
// switches, and which output switches each of them serves. It answers with a beat for every middle
// switch that it selects.
//
//   req_valid_i, req_set_i, req_avail_i -->  --> beat_valid_o, beat_middle_o, beat_set_o,
//   req_ready_o                         <--      beat_last_o, beat_fail_o
//   store_i                             -->  <-- beat_ready_i
//
// Request   req_set_i: the output switches wanted (I, not none). req_avail_i: the middle switches
//           whose link from the input switch is free; both are sampled when the request is taken.
// Store     store_i[j*R +: R] is M_j, the output switches that middle switch j cannot reach any
//           more. It must not change from the edge that takes a request to the one that makes its
//           last beat visible.
// Beat      Middle switch beat_middle_o serves beat_set_o. beat_last_o: no other beat follows.
//           beat_fail_o, only with beat_last_o: the request is blocked and its earlier beats are
//           void; middle switch and set mean nothing. Blocked is: no available middle switch; or
//           none that serves anything, with StopWithoutProgress; or something left over after
//           PassLimit passes. PassLimit 0: as many as it takes, at most R.
//
// Request and beat move at an edge where their valid and ready are both high. With U the part of
// the request that is still to be served, and k the available middle switch with the least
// |M_k & U|, of equal ones the smallest:
//
//   LOAD      ready and valid: U <- I; ready falls.
//   scan      As long as the search takes; none, for some.
//   UPDATE    The beat <- {k, U & ~M_k}, U <- U & M_k. After the last beat ready rises and the next
//             edge may be a LOAD; else the next edge is the next pass's first.
//
// Designs   They differ in the search for k alone: clos_search.sv lists them.
// Timing    A request of P passes, c clocks each, shows its last beat after 1 + P c edges. All
//           outputs are registers. While a beat waits to be taken, a scan goes on and so does LOAD,
//           but UPDATE holds until the edge that takes it.
// Reset     Synchronous; leaves ready and beat_valid_o low; the next edge raises ready.
// Misuse    Not asserted: a request for nothing is blocked with StopWithoutProgress, or without an
//           available middle switch, and else has one beat that serves nothing; if the store
//           changes under a request, its beats need not fit to either state.
// Refused   M or R below 1, PassLimit below 0, PassLimit 0 without StopWithoutProgress, and a
//           Design that is none.
// Model     clos::Controller in C++, equal in every clock.
// Source    CS838 lecture notes (1999), "designs of the controller".
module flitcast_clos_controller #(
  parameter int Design = 4,                      // See clos_search.sv, as for the last two.
  parameter int M = 4,                           // Middle switches, from 1 up.
  parameter int R = 4,                           // Output switches, from 1 up.
  parameter int PassLimit = 2,                   // Most passes of a request; 0: no limit,
                                                 // only with StopWithoutProgress.
  parameter bit StopWithoutProgress = 1'b1,
  parameter bit Pruning = 1'b0,
  parameter int RowsPerClock = 1,
  parameter int MiddleW = M > 1 ? $clog2(M) : 1  // Derived.
) (
  input  logic               clk_i,
  input  logic               rst_ni,  // Synchronous, active low.

  input  logic               req_valid_i,
  input  logic [R-1:0]       req_set_i,
  input  logic [M-1:0]       req_avail_i,
  output logic               req_ready_o,

  input  logic [M*R-1:0]     store_i,

  output logic               beat_valid_o,
  output logic [MiddleW-1:0] beat_middle_o,
  output logic [R-1:0]       beat_set_o,
  output logic               beat_last_o,
  output logic               beat_fail_o,
  input  logic               beat_ready_i
);

  logic                   begin_pass, done;
  logic [R-1:0]           unserved;
  logic [M-1:0]           avail;
  logic [3+MiddleW+R-1:0] choice;

  flitcast_clos_search #(
    .Design(Design), .M(M), .R(R), .StopWithoutProgress(StopWithoutProgress), .Pruning(Pruning),
    .RowsPerClock(RowsPerClock)
  ) u_search (
    .clk_i, .begin_i(begin_pass), .load_i(req_valid_i && req_ready_o), .req_set_i,
    .unserved_i(unserved), .avail_i(avail), .store_i, .done_o(done), .choice_o(choice)
  );

  flitcast_clos_beat_control #(
    .M(M), .R(R), .PassLimit(PassLimit), .StopWithoutProgress(StopWithoutProgress)
  ) u_control (
    .clk_i, .rst_ni,
    .req_valid_i, .req_set_i, .req_avail_i, .req_ready_o,
    .search_begin_o(begin_pass), .unserved_o(unserved), .avail_o(avail),
    .search_done_i(done), .choice_i(choice),
    .beat_valid_o, .beat_middle_o, .beat_set_o, .beat_last_o, .beat_fail_o, .beat_ready_i
  );

endmodule
