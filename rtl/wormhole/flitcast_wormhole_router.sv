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
// Order     As vc_router.sv, which is all of it but the routing. A packet may take any VC of its
//           output.
// Credits   One for a flit; with WholePacketCredit a head needs as many as its packet has flits, so
//           that packets longer than Depth wait for ever.
// Idle      As vc_router.sv.
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
  parameter int Ram                = 0,                           // 1: as vc_router.sv.
  // The others follow from those above and are not to be set.
  parameter int NumPorts           = 2*Dimensions + 1,
  parameter int VcWidth            = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  parameter int SlotWidth          = Dimensions*CoordinateWidth
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,                   // Synchronous, active low.
  input  logic [SlotWidth-1:0]          here_i,                   // Its coordinates; constant.
  input  logic [NumPorts-1:0]           in_valid_i,
  input  logic [NumPorts*VcWidth-1:0]   in_vc_i,
  input  logic [NumPorts*Width-1:0]     in_flit_i,
  output logic [NumPorts-1:0]           in_credit_valid_o,
  output logic [NumPorts*VcWidth-1:0]   in_credit_vc_o,           // Zero without a credit.
  output logic [NumPorts-1:0]           out_valid_o,
  output logic [NumPorts*VcWidth-1:0]   out_vc_o,                 // Zero without a flit.
  output logic [NumPorts*Width-1:0]     out_flit_o,               // Zero without a flit.
  input  logic [NumPorts-1:0]           out_credit_valid_i,
  input  logic [NumPorts*VcWidth-1:0]   out_credit_vc_i,
  output logic                          idle_o
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

  logic [Num*SlotWidth-1:0] destinations;  // Coordinates in the flit at the front of each input VC,
  logic [Num*NumPorts-1:0]  routes;        // and the outputs to them.
  logic [Num-1:0]           unused_requests;

  for (genvar i = 0; i < Num; i++) begin : gen_route
    flitcast_xy_route #(.Dimensions(Dimensions), .CoordinateWidth(CoordinateWidth)) u_route (
      .here_i,
      .destination_i(destinations[i*SlotWidth+:SlotWidth]),
      .output_o     (routes[i*NumPorts+:NumPorts])
    );
  end

  flitcast_vc_router #(
    .NumInputs         (NumPorts),
    .NumOutputs        (NumPorts),
    .NumVcs            (NumVcs),
    .Depth             (Depth),
    .HeaderWidth       (SlotWidth),
    .RemainingWidth    (RemainingWidth),
    .PayloadWidth      (Width - SlotWidth - RemainingWidth - 1),
    .RouteCycles       (RouteCycles),
    .VcAllocationCycles(VcAllocationCycles),
    .DepartureCycles   (DepartureCycles),
    .WholePacketCredit (WholePacketCredit),
    .AnyVc             (1),
    .ResetFlits        (1),
    .Ram               (Ram)
  ) u_router (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_vc_i,
    .in_flit_i,
    .in_credit_valid_o,
    .in_credit_vc_o,
    .request_o(unused_requests),
    .header_o (destinations),
    .route_i  (routes),
    .vcs_i    ({(Num * NumVcs){1'b1}}),
    .out_valid_o,
    .out_vc_o,
    .out_flit_o,
    .out_credit_valid_i,
    .out_credit_vc_i,
    .idle_o
  );

endmodule
