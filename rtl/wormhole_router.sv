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
// Misuse    A flit without credit, a credit for no flit and a VC number from NumVcs up fail an
//           assertion.
// Twin      models/network/pins/wormhole_router.h with the routing of xy_route.sv, in lock-step in
//           testbenches/twins/wormhole_router_test.cpp. The twin also has slower channels.
module wormhole_router #(
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
  parameter int PlaceWidth         = Dimensions*CoordinateWidth
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,                   // Synchronous, active low.
  input  logic [PlaceWidth-1:0]         here_i,                   // Its coordinates; constant.
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

  localparam int HeadBit = PlaceWidth + RemainingWidth;

  if (Dimensions < 1 || CoordinateWidth < 1 || Depth < 1 || Depth > 65535 || RemainingWidth < 1 ||
      RemainingWidth > 16 || Width < HeadBit + 1 || RouteCycles < 0 || RouteCycles > 8 ||
      VcAllocationCycles < 0 || VcAllocationCycles > 8 || DepartureCycles < 1 ||
      DepartureCycles > 16 || WholePacketCredit < 0 || WholePacketCredit > 1) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end
  if (NumVcs < 1 || NumVcs > 32 || NumPorts * NumVcs > 64) begin : gen_vcs
    num_vcs_must_be_1_to_32_and_at_most_64_over_all_ports u_refused ();
  end

  localparam int Num = NumPorts * NumVcs;  // VC v of port p is number p*NumVcs+v on both sides.

  // What each input VC has at its front, and where that goes.
  logic [Num-1:0]                occupied;
  logic [Num*Width-1:0]          fronts;
  logic [Num*NumPorts-1:0]       routes;
  logic [Num*Num-1:0]            held;
  logic [Num-1:0]                tails;
  logic [Num*RemainingWidth-1:0] followers;  // Remaining of a head, else zero.

  // The stages of heads: sets of input VCs.
  logic [Num-1:0] busy_q;                // With a packet in any of the stages.
  logic [Num-1:0] starting;              // In the first cycle of route computation.
  logic [Num-1:0] routed, unserved_q;    // Just through with it; later, but without an output VC.
  logic [Num-1:0] waiting;
  logic [Num-1:0] granted;               // Are given an output VC.
  logic [Num-1:0] allocated, active_q;   // Just through with that stage; later.
  logic [Num-1:0] active;
  logic [Num-1:0] credited;              // Their output VC has the credits that they need.
  logic [Num-1:0] sends;                 // Win the switch.
  logic [Num-1:0] ends;                  // Win it with their tail.

  logic [Num*Num-1:0]           grants;
  logic [NumPorts*NumPorts-1:0] sources;

  // Sets of output VCs.
  logic [Num-1:0] free_q;
  logic [Num-1:0] taken, sent, freed;    // Given to a packet, sent a flit, sent a tail.

  assign starting = occupied & ~busy_q;
  assign waiting  = unserved_q | routed;
  assign active   = active_q | allocated;
  assign ends     = sends & tails;

  delay_line #(.Width(Num), .Cycles(RouteCycles)) u_routing (
    .clk_i, .rst_ni, .in_i(starting), .out_o(routed)
  );
  delay_line #(.Width(Num), .Cycles(VcAllocationCycles)) u_allocating (
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
`ifndef SYNTHESIS
    always @(posedge clk_i) begin
      if (rst_ni && in_valid_i[p]) assert (32'(in_vc_i[p*VcWidth+:VcWidth]) < NumVcs);
    end
`endif
    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      localparam int I = p*NumVcs + v;

      wormhole_input_vc #(
        .Dimensions     (Dimensions),
        .CoordinateWidth(CoordinateWidth),
        .Width          (Width),
        .Num            (Num),
        .Depth          (Depth),
        .RouteCycles    (RouteCycles),
        .GrantCycles    (VcAllocationCycles)
      ) u_vc (
        .clk_i,
        .rst_ni,
        .here_i,
        .push_i    (in_valid_i[p] && in_vc_i[p*VcWidth+:VcWidth] == VcWidth'(v)),
        .flit_i    (in_flit_i[p*Width+:Width]),
        .start_i   (starting[I]),
        .grant_i   (grants[I*Num+:Num]),
        .pop_i     (sends[I]),
        .occupied_o(occupied[I]),
        .flit_o    (fronts[I*Width+:Width]),
        .route_o   (routes[I*NumPorts+:NumPorts]),
        .held_o    (held[I*Num+:Num])
      );

      assign tails[I] = fronts[I*Width+PlaceWidth+:RemainingWidth] == '0;
      assign followers[I*RemainingWidth+:RemainingWidth] =
          fronts[I*Width+PlaceWidth+:RemainingWidth] & {RemainingWidth{fronts[I*Width+HeadBit]}};
    end
  end

  vc_allocator #(.NumPorts(NumPorts), .NumVcs(NumVcs)) u_vc_allocator (
    .clk_i,
    .rst_ni,
    .waiting_i(waiting),
    .route_i  (routes),
    .free_i   (free_q),
    .granted_o(granted),
    .grant_o  (grants),
    .taken_o  (taken)
  );

  switch_allocator #(.NumPorts(NumPorts), .NumVcs(NumVcs)) u_switch_allocator (
    .clk_i,
    .rst_ni,
    .ready_i (occupied & active & credited),
    .route_i (routes),
    .sends_o (sends),
    .source_o(sources)
  );

  always_comb begin
    sent  = '0;
    freed = '0;
    for (int i = 0; i < Num; i++) begin
      if (sends[i]) sent  = sent | held[i*Num+:Num];
      if (ends[i])  freed = freed | held[i*Num+:Num];
    end
  end

  wormhole_credits #(
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
    .held_i        (held),
    .followers_i   (followers),
    .credited_o    (credited)
  );

  wormhole_crossbar #(
    .NumPorts       (NumPorts),
    .NumVcs         (NumVcs),
    .Width          (Width),
    .DepartureCycles(DepartureCycles)
  ) u_crossbar (
    .clk_i,
    .rst_ni,
    .sends_i (sends),
    .source_i(sources),
    .held_i  (held),
    .front_i (fronts),
    .in_credit_valid_o,
    .in_credit_vc_o,
    .out_valid_o,
    .out_vc_o,
    .out_flit_o
  );

endmodule
