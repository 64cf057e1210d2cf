// SPDX-License-Identifier: Apache-2.0
// Store-and-forward router on a mesh: packets are stored whole in slots of their input VCs, and
// leave by one queue per output, dimension by dimension (xy_route.sv).
//
//   in_* --> store_forward_input --> store_forward_order --> store_forward_output --> out_*
//
// Use       A flit moves over a channel at an edge where valid is high; there is no ready: the
//           sender of a packet has a credit for it. A credit moves likewise. A packet may take any
//           VC; its flits come without others in between on their VC.
// Flit      From the lowest bit: destination (coordinates, as in xy_route.sv), remaining
//           (RemainingWidth), head, packet number (PacketWidth), payload (the rest of Width).
//           Remaining says how many flits come after a flit, 0 in the tail.
// Ports     2*d faces the neighbour with the next higher coordinate d, 2*d+1 that with the next
//           lower one, the last is the node's.
// Queues    As packet_router.sv, which is all of it but the routing; so are credits, outputs,
//           idle_o and reset.
// Misuse    See the blocks; a flit beyond MaxLength fails an assertion, too.
// Limits    The model also has copies to several outputs, ranks of packets, other routing, and
//           channels of different latency.
// Model     models/network/pins/core_router.h, in lock-step in
//           testbenches/cosim/store_forward_router_test.cpp.
module flitcast_store_forward_router #(
  parameter int Dimensions         = 2,                    // From 1 up.
  parameter int CoordinateWidth    = 2,                    // Bits, from 1 up.
  parameter int NumVcs             = 2,                    // 1 to 32.
  parameter int NumSlots           = 2,                    // Packets of a VC, from 1 up.
  parameter int MaxLength          = 4,                    // Flits of a packet, from 1 up.
  parameter int RemainingWidth     = 4,                    // Bits, enough for MaxLength - 1.
  parameter int PacketWidth        = 8,                    // Bits, from 1 up.
  parameter int Width              = 34,                   // Bits of a flit, with at least its
                                                           // fields but the payload.
  parameter int RouteCycles        = 1,                    // From 0 up.
  parameter int VcAllocationCycles = 1,                    // From 0 up.
  parameter int DepartureCycles    = 2,                    // From 1 up: switch allocation and
                                                           // traversal together.
  parameter int FlitTime           = 1,                    // Cycles per flit of all channels out.
  parameter int LinkLatency        = 1,                    // For channels to routers, from 1.
  parameter int StoredInjection    = 0,                    // 1: packets of the node are stored
                                                           // before they go on.
  // The others follow from those above and are not to be set.
  parameter int VcWidth            = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  parameter int SlotWidth          = Dimensions*CoordinateWidth,
  parameter int NumPorts           = 2*Dimensions + 1
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,    // Synchronous, active low.
  input  logic [SlotWidth-1:0]                  here_i,    // Its coordinates; constant.

  input  logic [NumPorts-1:0]                   in_valid_i,
  input  logic [NumPorts*VcWidth-1:0]           in_vc_i,
  input  logic [NumPorts*Width-1:0]             in_flit_i,
  output logic [NumPorts-1:0]                   out_valid_o,
  output logic [NumPorts*VcWidth-1:0]           out_vc_o,
  output logic [NumPorts*Width-1:0]             out_flit_o,

  output logic [NumPorts-1:0]                   in_credit_valid_o,
  output logic [NumPorts*VcWidth-1:0]           in_credit_vc_o,
  input  logic [NumPorts-1:0]                   out_credit_valid_i,
  input  logic [NumPorts*VcWidth-1:0]           out_credit_vc_i,
  output logic                                  idle_o
);

  localparam logic [NumPorts-1:0] Last = NumPorts'(1) << (NumPorts - 1);
  localparam int Num                   = NumPorts * NumVcs;
  localparam int LatenciesWidth        = 32 * NumPorts;

  if (Dimensions < 1 || CoordinateWidth < 1) begin : gen_slot_width
    dimensions_and_coordinate_width_must_be_at_least_1 u_refused ();
  end
  if (NumVcs < 1 || NumVcs > 32 || NumSlots < 1 || MaxLength < 1) begin : gen_sizes
    num_vcs_must_be_1_to_32_and_num_slots_and_max_length_at_least_1 u_refused ();
  end
  if (PacketWidth < 1 || Width < SlotWidth + RemainingWidth + 1 + PacketWidth) begin : gen_widths
    a_width_is_too_small u_refused ();
  end
  if (LinkLatency < 1 || StoredInjection < 0 || StoredInjection > 1) begin : gen_cycles
    a_number_of_cycles_is_out_of_its_range u_refused ();
  end

  logic [Num-1:0]           unused_requests;
  logic [Num*SlotWidth-1:0] unused_headers;
  logic [Num*NumPorts-1:0]  routes;

  for (genvar i = 0; i < NumPorts; i++) begin : gen_route
    logic [NumPorts-1:0] route;

    flitcast_xy_route #(.Dimensions(Dimensions), .CoordinateWidth(CoordinateWidth)) u_route (
      .here_i, .destination_i(in_flit_i[i*Width+:SlotWidth]), .output_o(route)
    );
    assign routes[i*NumVcs*NumPorts+:NumVcs*NumPorts] = {NumVcs{route}};
  end

  flitcast_packet_router #(
    .NumInputs         (NumPorts),
    .NumOutputs        (NumPorts),
    .NumVcs            (NumVcs),
    .NumSlots          (NumSlots),
    .MaxLength         (MaxLength),
    .HeaderWidth       (SlotWidth),
    .RemainingWidth    (RemainingWidth),
    .PacketWidth       (PacketWidth),
    .PayloadWidth      (Width - SlotWidth - RemainingWidth - 1 - PacketWidth),
    .RouteCycles       (RouteCycles),
    .VcAllocationCycles(VcAllocationCycles),
    .DepartureCycles   (DepartureCycles),
    .FlitTime          (FlitTime),
    .AnyVc             (1),
    .FromNode          ((StoredInjection == 0) ? Last : '0),
    .ToNode            (Last),
    .Latencies         ({NumPorts{32'd1}} * LatenciesWidth'(LinkLatency))
  ) u_router (
    .clk_i,
    .rst_ni,
    .in_valid_i,
    .in_vc_i,
    .in_flit_i,
    .in_credit_valid_o,
    .in_credit_vc_o,
    .request_o(unused_requests),
    .header_o (unused_headers),
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
