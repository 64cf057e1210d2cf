// SPDX-License-Identifier: Apache-2.0
// Input-buffered virtual-channel router with credits, for any topology: wormhole or virtual
// cut-through. Its routing stands beside it.
//
//   in_valid_i, in_vc_i, in_flit_i     -->            --> out_valid_o, out_vc_o, out_flit_o
//   in_credit_valid_o, in_credit_vc_o  <--            <-- out_credit_valid_i, out_credit_vc_i
//                    request_o, header_o --> routing --> route_i, vcs_i
//
// Use       A flit moves over a channel at an edge where valid is high; there is no ready: the
//           sender has a credit for the flit or does not send. A credit moves likewise.
// Flit      From the lowest bit: header (HeaderWidth; the router does not read it), remaining
//           (RemainingWidth), head, payload (PayloadWidth). The flits of a packet follow each other
//           on one VC; remaining says how many come after a flit, 0 in the tail.
// Routing   For each input VC: request_o is high in the one cycle in which the head at its front is
//           routed, header_o has the header of the flit at the front. In the same cycle the routing
//           answers with the output and the VCs of it that the packet may take; the answer counts
//           with a request only. Deadlock is its matter: a VC class is a set of VCs.
// Numbers   VC v of port p is number p*NumVcs+v, on both sides.
// Timing    A head sampled at an edge asks for an output VC RouteCycles later, and for the switch
//           VcAllocationCycles after that. With the grant of the switch its credit goes back, in
//           the same cycle; the flit is on the output DepartureCycles - 1 cycles later. All outputs
//           follow registers, and with RouteCycles 0 the answer of the routing, so that routers can
//           be joined by wires.
// Order     vc_allocator.sv, switch_allocator.sv. An output VC is free again in the cycle after the
//           tail has won the switch; the next packet in the input VC is routed in that cycle.
// Channels  An output sends a flit at most every FlitTimes cycles, so that the channel behind it may
//           take several cycles for one; input VCs that want a busy channel do not ask the switch.
// Credits   One for a flit; with WholePacketCredit a head needs as many as its packet has flits, so
//           that packets longer than Depth wait for ever.
// Idle      idle_o is high if no flit is in the router, no packet holds an output VC, no channel is
//           busy, and neither was in the last DepartureCycles - 1 cycles. At an edge with idle_o high, rst_ni high,
//           in_valid_i zero and out_credit_valid_i zero no register changes: these three
//           inputs are all that wakes it, and its clock may stop until one of them does.
// Reset     Synchronous; empties all buffers and makes all Depth credits of each output VC good. Of
//           what leaves only valid is reset, or with ResetFlits the flit and its VC, too.
// Misuse    A flit without credit, one out of its packet's order, a credit for no flit, a VC number
//           from NumVcs up, and an answer without one output or without a VC fail an assertion.
// Model     models/network/pins/core_router.h with any routing of one output, in lock-step in
//           testbenches/cosim/vc_router_test.cpp.
module flitcast_vc_router #(
  parameter int NumInputs          = 5,                           // From 1 up.
  parameter int NumOutputs         = 5,                           // From 1 up.
  parameter int NumVcs             = 2,                           // For each port: 1 to 32, of all
                                                                  // ports of a side at most 128.
  parameter int Depth              = 4,                           // Flits of a VC, 1 to 65535.
  parameter int HeaderWidth        = 4,                           // Bits, from 1 up.
  parameter int RemainingWidth     = 4,                           // Bits, 1 to 16.
  parameter int PayloadWidth       = 25,                          // Bits, from 0 up.
  parameter int RouteCycles        = 1,                           // 0 to 8.
  parameter int VcAllocationCycles = 1,                           // 0 to 8.
  parameter int DepartureCycles    = 2,                           // 1 to 16: switch allocation and
                                                                  // traversal together.
  parameter int WholePacketCredit  = 0,                           // 1: virtual cut-through.
  parameter int AnyVc              = 0,                           // 1: a packet may take any VC of
                                                                  // its output, vcs_i is not read.
  parameter int ResetFlits         = 0,                           // 1: see Reset.
  parameter int Ram                = 0,                           // 1: flits in memories, see
                                                                  // flit_fifo.sv.
  parameter logic [NumOutputs*32-1:0] FlitTimes = '0,             // For each channel out: cycles
                                                                  // from one flit to the next; 0
                                                                  // and 1: a flit in each cycle.
  localparam int Width             = HeaderWidth + RemainingWidth + 1 + PayloadWidth,
  localparam int VcWidth           = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  localparam int NumIn             = NumInputs * NumVcs,
  localparam int NumOut            = NumOutputs * NumVcs
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,                   // Synchronous, active low.
  input  logic [NumInputs-1:0]          in_valid_i,
  input  logic [NumInputs*VcWidth-1:0]  in_vc_i,
  input  logic [NumInputs*Width-1:0]    in_flit_i,
  output logic [NumInputs-1:0]          in_credit_valid_o,
  output logic [NumInputs*VcWidth-1:0]  in_credit_vc_o,           // Zero without a credit.
  output logic [NumIn-1:0]              request_o,                // Input VCs whose head is routed
                                                                  // in this cycle.
  output logic [NumIn*HeaderWidth-1:0]  header_o,                 // Header of the front flit.
  input  logic [NumIn*NumOutputs-1:0]   route_i,                  // The output, one-hot,
  input  logic [NumIn*NumVcs-1:0]       vcs_i,                    // and VCs there, at least one.
  output logic [NumOutputs-1:0]         out_valid_o,
  output logic [NumOutputs*VcWidth-1:0] out_vc_o,                 // Zero without a flit, later than
  output logic [NumOutputs*Width-1:0]   out_flit_o,               // DepartureCycles after a reset.
  input  logic [NumOutputs-1:0]         out_credit_valid_i,
  input  logic [NumOutputs*VcWidth-1:0] out_credit_vc_i,
  output logic                          idle_o
);

  if (NumInputs < 1 || NumOutputs < 1) begin : gen_ports
    num_inputs_and_num_outputs_must_be_at_least_1 u_refused ();
  end
  if (NumVcs < 1 || NumVcs > 32 || NumIn > 128 || NumOut > 128) begin : gen_vcs
    num_vcs_must_be_1_to_32_and_at_most_128_over_all_ports u_refused ();
  end
  if (Depth < 1 || Depth > 65535) begin : gen_depth
    depth_must_be_1_to_65535 u_refused ();
  end
  if (HeaderWidth < 1 || RemainingWidth < 1 || RemainingWidth > 16 || PayloadWidth < 0)
  begin : gen_width
    a_width_is_out_of_its_range u_refused ();
  end
  if (RouteCycles < 0 || RouteCycles > 8 || VcAllocationCycles < 0 || VcAllocationCycles > 8 ||
      DepartureCycles < 1 || DepartureCycles > 16) begin : gen_cycles
    a_number_of_cycles_is_out_of_its_range u_refused ();
  end
  if (WholePacketCredit < 0 || WholePacketCredit > 1) begin : gen_cut_through
    whole_packet_credit_must_be_0_or_1 u_refused ();
  end
  if (AnyVc < 0 || AnyVc > 1 || ResetFlits < 0 || ResetFlits > 1) begin : gen_options
    any_vc_and_reset_flits_must_be_0_or_1 u_refused ();
  end

  // The flit at the front of each input VC, and its route.
  logic [NumIn-1:0]                occupied;
  logic [NumIn-1:0]                tails;
  logic [NumIn*RemainingWidth-1:0] followers;   // Remaining of a head, else zero.
  logic [NumIn*NumOutputs-1:0]     routes;
  logic [NumIn*NumVcs-1:0]         choices;     // VCs that it may take.
  logic [NumIn*NumVcs-1:0]         held;

  // The stages of heads: sets of input VCs.
  logic [NumIn-1:0] busy_q;                // A packet is in one of the stages.
  logic [NumIn-1:0] starting;              // In the first cycle of route computation.
  logic [NumIn-1:0] restarting;            // And routed to another output than before.
  logic [NumIn-1:0] routed, unserved_q;    // Just through with it; later, but without an output VC.
  logic [NumIn-1:0] waiting;
  logic [NumIn-1:0] granted;               // Are given an output VC.
  logic [NumIn-1:0] allocated, active_q;   // Just through with that stage; later.
  logic [NumIn-1:0] active;
  logic [NumIn-1:0] credited;              // Their output VC has the credits that they need.
  logic [NumIn-1:0] paced;                 // The channel behind their output is idle.
  logic [NumIn-1:0] offers;                // Are picked by their port, and ask for the switch.
  logic [NumIn-1:0] sends;                 // Win the switch.
  logic [NumIn-1:0] ends;                  // Win it with their tail.

  // Sets of output VCs.
  logic [NumOut-1:0] free_q;
  logic [NumOut-1:0] taken, sent, freed;   // Given to a packet, sent a flit, sent a tail.

  logic [NumIn*NumVcs-1:0]         grants;
  logic [NumOutputs*NumInputs-1:0] sources;
  logic [NumIn-1:0]                vcs;    // Output VC of the flit that each input port
  logic [NumInputs*Width-1:0]      flits;  // offers, and that flit.

  assign starting  = occupied & ~busy_q;
  assign waiting   = unserved_q | routed;
  assign active    = active_q | allocated;
  assign ends      = sends & tails;
  assign request_o = starting;

  flitcast_delay_line #(.Width(NumIn), .Cycles(RouteCycles)) u_routing (
    .clk_i, .rst_ni, .in_i(starting), .out_o(routed)
  );
  flitcast_delay_line #(.Width(NumIn), .Cycles(VcAllocationCycles)) u_allocating (
    .clk_i, .rst_ni, .in_i(granted), .out_o(allocated)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      unserved_q <= '0;
      active_q   <= '0;
      free_q     <= '1;
    end else begin
      busy_q     <= (busy_q | starting) & ~ends;
      unserved_q <= waiting & ~granted;
      active_q   <= active & ~ends;
      free_q     <= (free_q & ~taken) | freed;
    end
  end

  for (genvar p = 0; p < NumInputs; p++) begin : gen_input
    flitcast_wormhole_input #(
      .NumOutputs    (NumOutputs),
      .NumVcs        (NumVcs),
      .Depth         (Depth),
      .HeaderWidth   (HeaderWidth),
      .RemainingWidth(RemainingWidth),
      .Width         (Width),
      .RouteCycles   (RouteCycles),
      .GrantCycles   (VcAllocationCycles),
      .AnyVc         (AnyVc),
      .Ram           (Ram)
    ) u_input (
      .clk_i,
      .rst_ni,
      .in_valid_i       (in_valid_i[p]),
      .in_vc_i          (in_vc_i[p*VcWidth+:VcWidth]),
      .in_flit_i        (in_flit_i[p*Width+:Width]),
      .in_credit_valid_o(in_credit_valid_o[p]),
      .in_credit_vc_o   (in_credit_vc_o[p*VcWidth+:VcWidth]),
      .start_i          (starting[p*NumVcs+:NumVcs]),
      .route_i          (route_i[p*NumVcs*NumOutputs+:NumVcs*NumOutputs]),
      .vcs_i            (vcs_i[p*NumVcs*NumVcs+:NumVcs*NumVcs]),
      .grant_i          (granted[p*NumVcs+:NumVcs]),
      .granted_vc_i     (grants[p*NumVcs*NumVcs+:NumVcs*NumVcs]),
      .offer_i          (offers[p*NumVcs+:NumVcs]),
      .send_i           (sends[p*NumVcs+:NumVcs]),
      .occupied_o       (occupied[p*NumVcs+:NumVcs]),
      .restart_o        (restarting[p*NumVcs+:NumVcs]),
      .tail_o           (tails[p*NumVcs+:NumVcs]),
      .header_o         (header_o[p*NumVcs*HeaderWidth+:NumVcs*HeaderWidth]),
      .followers_o      (followers[p*NumVcs*RemainingWidth+:NumVcs*RemainingWidth]),
      .route_o          (routes[p*NumVcs*NumOutputs+:NumVcs*NumOutputs]),
      .vcs_o            (choices[p*NumVcs*NumVcs+:NumVcs*NumVcs]),
      .held_o           (held[p*NumVcs*NumVcs+:NumVcs*NumVcs]),
      .vc_o             (vcs[p*NumVcs+:NumVcs]),
      .flit_o           (flits[p*Width+:Width])
    );
  end

  flitcast_vc_allocator #(
    .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs), .RouteCycles(RouteCycles)
  ) u_vc_allocator (
    .clk_i,
    .rst_ni,
    .restart_i(restarting),
    .waiting_i(waiting),
    .route_i  (routes),
    .vcs_i    (choices),
    .free_i   (free_q),
    .granted_o(granted),
    .vc_o     (grants),
    .taken_o  (taken)
  );

  flitcast_switch_allocator #(
    .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs)
  ) u_switch_allocator (
    .clk_i,
    .rst_ni,
    .ready_i (occupied & active & credited & paced),
    .route_i (routes),
    .offers_o(offers),
    .sends_o (sends),
    .source_o(sources)
  );

  logic [NumOutputs-1:0] busy;  // Channels that carry an earlier flit.

  for (genvar o = 0; o < NumOutputs; o++) begin : gen_pace
    localparam int FlitTime = FlitTimes[o*32+:32];
    if (FlitTime > 1) begin : gen_slow
      flitcast_channel_pace #(.FlitTime(FlitTime)) u_pace (
        .clk_i, .rst_ni, .send_i(sources[o*NumInputs+:NumInputs] != '0), .busy_o(busy[o])
      );
    end else begin : gen_fast
      assign busy[o] = 1'b0;
    end
  end
  for (genvar i = 0; i < NumIn; i++) begin : gen_paced
    assign paced[i] = (routes[i*NumOutputs+:NumOutputs] & busy) == '0;
  end

  flitcast_wormhole_credits #(
    .NumInputs        (NumInputs),
    .NumOutputs       (NumOutputs),
    .NumVcs           (NumVcs),
    .Depth            (Depth),
    .RemainingWidth   (RemainingWidth),
    .WholePacketCredit(WholePacketCredit)
  ) u_credits (
    .clk_i,
    .rst_ni,
    .return_valid_i(out_credit_valid_i),
    .return_vc_i   (out_credit_vc_i),
    .sent_i        (sent),
    .route_i       (routes),
    .held_i        (held),
    .followers_i   (followers),
    .credited_o    (credited)
  );

  flitcast_wormhole_crossbar #(
    .NumInputs      (NumInputs),
    .NumOutputs     (NumOutputs),
    .NumVcs         (NumVcs),
    .RemainingBit   (HeaderWidth),
    .RemainingWidth (RemainingWidth),
    .Width          (Width),
    .DepartureCycles(DepartureCycles),
    .ResetFlits     (ResetFlits)
  ) u_crossbar (
    .clk_i,
    .rst_ni,
    .source_i (sources),
    .in_vc_i  (vcs),
    .in_flit_i(flits),
    .sent_o   (sent),
    .freed_o  (freed),
    .out_valid_o,
    .out_vc_o,
    .out_flit_o
  );

  logic in_use;  // There are packets, or flits on their way over a slow channel.
  assign in_use = (occupied | busy_q) != '0 || busy != '0;

  flitcast_idle #(.Cycles(DepartureCycles - 1)) u_idle (
    .clk_i, .rst_ni, .busy_i(in_use), .idle_o
  );

`ifndef SYNTHESIS
  for (genvar i = 0; i < NumIn; i++) begin : gen_answer
    localparam int Port = i / NumVcs;
    localparam int Vc   = i % NumVcs;
    logic [NumOutputs-1:0] route;
    assign route = route_i[i*NumOutputs+:NumOutputs];
    always @(posedge clk_i) if (rst_ni && request_o[i]) begin
      assert (route != '0 && (route & (route - NumOutputs'(1))) == '0) else
          $error("flitcast_vc_router: port %0d, VC %0d: the route is not one output", Port, Vc);
      assert (AnyVc == 1 || vcs_i[i*NumVcs+:NumVcs] != '0) else
          $error("flitcast_vc_router: port %0d, VC %0d: the route has no VC to take", Port, Vc);
    end
  end
`endif

endmodule
