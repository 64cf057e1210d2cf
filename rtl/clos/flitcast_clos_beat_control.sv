// SPDX-License-Identifier: Apache-2.0
// What all controllers of a Clos network share: everything but the search for the middle switch.
//
// A controller decides how a multicast request is carried: which middle switches, and which output
// switches each of them serves. It answers with a beat for every middle switch that it selects.
//
//   req_valid_i, req_set_i, req_avail_i -->  --> beat_valid_o, beat_middle_o, beat_set_o,
//   req_ready_o                         <--      beat_last_o, beat_fail_o
//   store_i (of the controller)         -->  <-- beat_ready_i
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
// Timing    A request of P passes, c clocks each, shows its last beat after 1 + P c edges. All
//           outputs are registers but search_begin_o, which follows req_valid_i, beat_ready_i and
//           search_done_i in the same clock; a controller has it inside. While a beat waits to be
//           taken, a scan goes on and so does LOAD, but UPDATE holds until the edge that takes it.
// Reset     Synchronous; leaves ready and beat_valid_o low; the next edge raises ready.
//
// Misuse    Not asserted: a request for nothing is blocked with StopWithoutProgress, or without an
//           available middle switch, and else has one beat that serves nothing; if the store changes
//           under a request, its beats need not fit to either state.
// Refused   M or R below 1, PassLimit below 0, and PassLimit 0 without StopWithoutProgress.
//
// Model     clos::Controller in C++, equal in every clock.
// Search    It starts anew at an edge with search_begin_o. While search_done_i is high, none_i and,
//           if that is low, what it tells of k are good; it stays so until the next such edge.
//           all_served_i and stuck_i follow from row_i, but the search knows them without it, from
//           its counts: read last, the row is not in the way of what happens next.
module flitcast_clos_beat_control #(
  parameter int M = 4,                        // Middle switches, from 1 up.
  parameter int R = 4,                        // Output switches, from 1 up.
  parameter int PassLimit = 2,                // Most passes of a request; 0: no limit,
                                              // only with StopWithoutProgress.
  parameter bit StopWithoutProgress = 1'b1,
  parameter int MiddleW = M > 1 ? $clog2(M) : 1  // Derived.
) (
  input  logic               clk_i,
  input  logic               rst_ni,  // Synchronous, active low.

  input  logic               req_valid_i,
  input  logic [R-1:0]       req_set_i,
  input  logic [M-1:0]       req_avail_i,
  output logic               req_ready_o,

  output logic               search_begin_o,
  output logic [R-1:0]       unserved_o,  // U.
  output logic [M-1:0]       avail_o,
  input  logic               search_done_i,
  input  logic               none_i,        // No middle switch is available.
  input  logic [MiddleW-1:0] middle_i,      // k.
  input  logic [R-1:0]       row_i,         // M_k.
  input  logic               all_served_i,  // M_k & U is empty.
  input  logic               stuck_i,       // M_k & U is U. Not looked at without
                                            // StopWithoutProgress.

  output logic               beat_valid_o,
  output logic [MiddleW-1:0] beat_middle_o,
  output logic [R-1:0]       beat_set_o,
  output logic               beat_last_o,
  output logic               beat_fail_o,
  input  logic               beat_ready_i
);

  if (M < 1 || R < 1) begin : gen_refused_size
    m_and_r_must_be_at_least_1 u_refused ();
  end
  if (PassLimit < 0) begin : gen_refused_limit
    pass_limit_must_be_at_least_0 u_refused ();
  end
  if (PassLimit == 0 && !StopWithoutProgress) begin : gen_refused_no_end
    pass_limit_0_needs_stop_without_progress u_refused ();
  end

  localparam int PassW = PassLimit > 1 ? $clog2(PassLimit) : 1;

  logic             busy_d, busy_q;
  logic [PassW-1:0] passes_q;  // With UPDATE done.
  logic             load, update, out_of_passes, fail, last;

  assign load           = req_ready_o && req_valid_i;
  assign update         = busy_q && search_done_i && (!beat_valid_o || beat_ready_i);
  assign search_begin_o = load || update;

  assign out_of_passes  = PassLimit > 0 && !all_served_i && passes_q == PassW'(PassLimit - 1);
  assign fail           = none_i || (StopWithoutProgress && stuck_i) || out_of_passes;
  assign last           = all_served_i || fail;
  assign busy_d         = load || (busy_q && !(update && last));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q       <= 1'b0;
      req_ready_o  <= 1'b0;
      beat_valid_o <= 1'b0;
    end else begin
      busy_q       <= busy_d;
      req_ready_o  <= !busy_d;
      beat_valid_o <= update || (beat_valid_o && !beat_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      unserved_o <= req_set_i;
      avail_o    <= req_avail_i;
      passes_q   <= '0;
    end else if (update) begin
      unserved_o    <= unserved_o & row_i;
      passes_q      <= passes_q + PassW'(1);
      beat_middle_o <= middle_i;
      beat_set_o    <= unserved_o & ~row_i;
      beat_last_o   <= last;
      beat_fail_o   <= fail;
    end
  end

endmodule
