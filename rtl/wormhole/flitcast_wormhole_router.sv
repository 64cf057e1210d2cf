// SPDX-License-Identifier: Apache-2.0
// Input-buffered virtual-channel router with credits, for meshes: wormhole or virtual cut-through.
//
//   in_valid_i, in_vc_i, in_flit_i     -->            --> out_valid_o, out_vc_o, out_flit_o
//   in_credit_valid_o, in_credit_vc_o  <--            <-- out_credit_valid_i, out_credit_vc_i
//
// Use       A flit moves over a channel at an edge where valid is high; there is no ready: the
//           sender has a credit for the flit or does not send. A credit moves likewise.
// Flit      From the lowest bit: destination (coordinates, as in xy_route.sv), remaining
//           (RemainingWidth), head, payload (the rest of Width). The flits of a packet follow each
//           other on one VC; remaining says how many come after a flit, 0 in the tail.
// Ports     2*d faces the neighbour with the next higher coordinate d, 2*d+1 that with the next
//           lower one, the last is local. Over the border of the mesh nothing comes or goes.
// Timing    A head sampled at an edge asks for an output VC RouteCycles later, and for the switch
//           VcAllocationCycles after that. With the grant of the switch its credit goes back, in
//           the same cycle; the flit is on the output DepartureCycles - 1 cycles later. All outputs
//           follow registers, so routers can be joined by wires.
// Order     vc_allocator.sv, switch_allocator.sv. An output VC is free again in the cycle after the
//           tail has won the switch; the next packet in the input VC is routed in that cycle.
// Credits   One for a flit; with WholePacketCredit a head needs as many as its packet has flits, so
//           that packets longer than Depth wait for ever.
// Reset     Synchronous; empties all buffers and makes all Depth credits of each output VC good.
// Misuse    A flit without credit, one out of its packet's order, a credit for no flit and a VC
//           number from NumVcs up fail an assertion.
// Model     models/network/pins/core_router.h with the routing of xy_route.sv, in lock-step in
//           testbenches/cosim/wormhole_router_test.cpp. The model also has slower channels.
module flitcast_wormhole_router #(
  parameter int Dimensions         = 2,                           // From 1 up.
  parameter int CoordinateWidth    = 2,                           // Bits, from 1 up.
  parameter int NumVcs             = 2,                           // For each port: 1 to 32, of all
                                                                  // ports together at most 64.
  parameter int Depth              = 4,                           // Flits of a VC, 1 to 65535.
  parameter int RemainingWidth     = 4,                           // Bits, 1 to 16.
  parameter int Width              = 34,                          // Bits of a flit, with at least
                                                                  // its fields but the payload.
  parameter int RouteCycles        = 1,                           // 0 to 8.
  parameter int VcAllocationCycles = 1,                           // 0 to 8.
  parameter int DepartureCycles    = 2,                           // 1 to 16: switch allocation and
                                                                  // traversal together.
  parameter int WholePacketCredit  = 0,                           // 1: virtual cut-through.
  // The others follow from those above and are not to be set.
  parameter int NumPorts           = 2*Dimensions + 1,
  parameter int VcWidth            = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  parameter int SlotWidth         = Dimensions*CoordinateWidth
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,                   // Synchronous, active low.
  input  logic [SlotWidth-1:0]         here_i,                   // Its coordinates; constant.
  input  logic [NumPorts-1:0]           in_valid_i,
  input  logic [NumPorts*VcWidth-1:0]   in_vc_i,
  input  logic [NumPorts*Width-1:0]     in_flit_i,
  output logic [NumPorts-1:0]           in_credit_valid_o,
  output logic [NumPorts*VcWidth-1:0]   in_credit_vc_o,           // Zero without a credit.
  output logic [NumPorts-1:0]           out_valid_o,
  output logic [NumPorts*VcWidth-1:0]   out_vc_o,                 // Zero without a flit.
  output logic [NumPorts*Width-1:0]     out_flit_o,               // Zero without a flit.
  input  logic [NumPorts-1:0]           out_credit_valid_i,
  input  logic [NumPorts*VcWidth-1:0]   out_credit_vc_i
);

  if (Dimensions < 1 || CoordinateWidth < 1) begin : gen_slot
    dimensions_and_coordinate_width_must_be_at_least_1 u_refused ();
  end
  if (NumVcs < 1 || NumVcs > 32 || NumPorts * NumVcs > 64) begin : gen_vcs
    num_vcs_must_be_1_to_32_and_at_most_64_over_all_ports u_refused ();
  end
  if (Depth < 1 || Depth > 65535) begin : gen_depth
    depth_must_be_1_to_65535 u_refused ();
  end
  if (RemainingWidth < 1 || RemainingWidth > 16 || Width < SlotWidth + RemainingWidth + 1)
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

  localparam int Num = NumPorts * NumVcs;  // VC v of port p is number p*NumVcs+v on both sides.

  // The flit at the front of each input VC, and its route.
  logic [Num-1:0]                occupied;
  logic [Num-1:0]                tails;
  logic [Num*RemainingWidth-1:0] followers;   // Remaining of a head, else zero.
  logic [Num*NumPorts-1:0]       routes;
  logic [Num*NumVcs-1:0]         held;

  // The stages of heads: sets of input VCs.
  logic [Num-1:0] busy_q;                // A packet is in one of the stages.
  logic [Num-1:0] starting;              // In the first cycle of route computation.
  logic [Num-1:0] routed, unserved_q;    // Just through with it; later, but without an output VC.
  logic [Num-1:0] waiting;
  logic [Num-1:0] granted;               // Are given an output VC.
  logic [Num-1:0] allocated, active_q;   // Just through with that stage; later.
  logic [Num-1:0] active;
  logic [Num-1:0] credited;              // Their output VC has the credits that they need.
  logic [Num-1:0] sends;                 // Win the switch.
  logic [Num-1:0] ends;                  // Win it with their tail.

  // Sets of output VCs.
  logic [Num-1:0] free_q;
  logic [Num-1:0] taken, sent, freed;    // Given to a packet, sent a flit, sent a tail.

  logic [Num*NumVcs-1:0]        grants;
  logic [NumPorts*NumPorts-1:0] sources;
  logic [Num-1:0]               vcs;     // The flit leaving each input port: its output VC,
  logic [NumPorts*Width-1:0]    flits;   // and flit.

  assign starting = occupied & ~busy_q;
  assign waiting  = unserved_q | routed;
  assign active   = active_q | allocated;
  assign ends     = sends & tails;

  flitcast_delay_line #(.Width(Num), .Cycles(RouteCycles)) u_routing (
    .clk_i, .rst_ni, .in_i(starting), .out_o(routed)
  );
  flitcast_delay_line #(.Width(Num), .Cycles(VcAllocationCycles)) u_allocating (
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

  for (genvar p = 0; p < NumPorts; p++) begin : gen_input
    flitcast_wormhole_input #(
      .Dimensions     (Dimensions),
      .CoordinateWidth(CoordinateWidth),
      .NumVcs         (NumVcs),
      .Depth          (Depth),
      .RemainingWidth (RemainingWidth),
      .Width          (Width),
      .RouteCycles    (RouteCycles),
      .GrantCycles    (VcAllocationCycles)
    ) u_input (
      .clk_i,
      .rst_ni,
      .here_i,
      .in_valid_i       (in_valid_i[p]),
      .in_vc_i          (in_vc_i[p*VcWidth+:VcWidth]),
      .in_flit_i        (in_flit_i[p*Width+:Width]),
      .in_credit_valid_o(in_credit_valid_o[p]),
      .in_credit_vc_o   (in_credit_vc_o[p*VcWidth+:VcWidth]),
      .start_i          (starting[p*NumVcs+:NumVcs]),
      .grant_i          (grants[p*NumVcs*NumVcs+:NumVcs*NumVcs]),
      .send_i           (sends[p*NumVcs+:NumVcs]),
      .occupied_o       (occupied[p*NumVcs+:NumVcs]),
      .tail_o           (tails[p*NumVcs+:NumVcs]),
      .followers_o      (followers[p*NumVcs*RemainingWidth+:NumVcs*RemainingWidth]),
      .route_o          (routes[p*NumVcs*NumPorts+:NumVcs*NumPorts]),
      .held_o           (held[p*NumVcs*NumVcs+:NumVcs*NumVcs]),
      .vc_o             (vcs[p*NumVcs+:NumVcs]),
      .flit_o           (flits[p*Width+:Width])
    );
  end

  flitcast_vc_allocator #(.NumPorts(NumPorts), .NumVcs(NumVcs)) u_vc_allocator (
    .clk_i,
    .rst_ni,
    .waiting_i(waiting),
    .route_i  (routes),
    .free_i   (free_q),
    .granted_o(granted),
    .vc_o     (grants),
    .taken_o  (taken)
  );

  flitcast_switch_allocator #(.NumPorts(NumPorts), .NumVcs(NumVcs)) u_switch_allocator (
    .clk_i,
    .rst_ni,
    .ready_i (occupied & active & credited),
    .route_i (routes),
    .sends_o (sends),
    .source_o(sources)
  );

  flitcast_wormhole_credits #(
    .NumPorts         (NumPorts),
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
    .NumPorts       (NumPorts),
    .NumVcs         (NumVcs),
    .RemainingBit   (SlotWidth),
    .RemainingWidth (RemainingWidth),
    .Width          (Width),
    .DepartureCycles(DepartureCycles)
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

endmodule
