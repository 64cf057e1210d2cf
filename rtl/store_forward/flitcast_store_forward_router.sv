// SPDX-License-Identifier: Apache-2.0
// Store-and-forward router on a mesh: packets are stored whole in slots of their input VCs, and
// leave by one queue per output, dimension by dimension (xy_route.sv).
//
//   in_* --> store_forward_input --> store_forward_order --> store_forward_output --> out_*
//
// Use       A flit moves over a channel at an edge where valid is high; there is no ready: a
//           sends a packet has a credit for it. A credit moves likewise. A packet may take any VC;
//           its flits come without others in between on their VC.
// Flit      From the lowest bit: destination (coordinates, as in xy_route.sv), remaining
//           (RemainingWidth), head, packet number (PacketWidth), payload (the rest of Width).
//           Remaining says how many flits come after a flit, 0 in the tail.
// Ports     2*d faces the neighbour with the next higher coordinate d, 2*d+1 that with the next
//           lower one, the last is the node's.
// Queues    In the order (cycle of joining, packet number). See store_forward_slot.sv for when a
//           packet joins and store_forward_output.sv for when it leaves.
// Credits   Count packets, on both sides; see store_forward_input.sv for when they go back.
// Outputs   Registers; zero in cycles without a flit or a credit.
// Reset     Synchronous; all slots are free.
// Misuse    See the blocks; a flit beyond MaxLength fails an assertion, too.
// Limits    Of the model it lacks: copies to several outputs, ranks of packets, other routing,
//           channels of different speed or latency, and decisions in no time.
// Model     models/network/pins/core_router.h, in lock-step in
//           testbenches/cosim/store_forward_router_test.cpp.
module flitcast_store_forward_router #(
  parameter int Dimensions         = 2,                    // From 1 up.
  parameter int CoordinateWidth    = 2,                    // Bits, from 1 up.
  parameter int NumVcs             = 2,                    // From 1 up.
  parameter int NumSlots          = 2,                    // Packets of a VC, from 1 up.
  parameter int MaxLength          = 4,                    // Flits of a packet, from 1 up.
  parameter int RemainingWidth     = 4,                    // Bits, enough for MaxLength - 1.
  parameter int PacketWidth        = 8,                    // Bits, from 1 up.
  parameter int Width              = 34,                   // Bits of a flit, with at least its
                                                           // fields but the payload.
  parameter int RouteCycles        = 1,                    // From 0 up,
  parameter int VcAllocationCycles = 1,                    // too; both together from 1 up.
  parameter int DepartureCycles    = 2,                    // From 1 up: switch allocation and
                                                           // traversal together.
  parameter int FlitTime           = 1,                    // Cycles per flit of all channels out.
  parameter int LinkLatency        = 1,                    // For channels to routers, from 1.
  parameter int StoredInjection    = 0,                    // 1: packets of the node are stored
                                                           // before they go on.
  // The others follow from those above and are not to be set.
  parameter int VcWidth            = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  parameter int SlotWidth         = Dimensions*CoordinateWidth,
  parameter int NumPorts           = 2*Dimensions + 1
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,    // Synchronous, active low.
  input  logic [SlotWidth-1:0]                 here_i,    // Its coordinates; constant.

  input  logic [NumPorts-1:0]                   in_valid_i,
  input  logic [NumPorts*VcWidth-1:0]           in_vc_i,
  input  logic [NumPorts*Width-1:0]             in_flit_i,
  output logic [NumPorts-1:0]                   out_valid_o,
  output logic [NumPorts*VcWidth-1:0]           out_vc_o,
  output logic [NumPorts*Width-1:0]             out_flit_o,

  output logic [NumPorts-1:0]                   in_credit_valid_o,
  output logic [NumPorts*VcWidth-1:0]           in_credit_vc_o,
  input  logic [NumPorts-1:0]                   out_credit_valid_i,
  input  logic [NumPorts*VcWidth-1:0]           out_credit_vc_i
);

  localparam int LengthWidth    = (MaxLength > 1) ? $clog2(MaxLength) : 1;
  localparam int HeadBit        = SlotWidth + RemainingWidth;
  localparam int PerPort        = NumVcs * NumSlots;
  localparam int N              = NumPorts * PerPort;
  localparam int DecisionCycles = RouteCycles + VcAllocationCycles;
  localparam int Step           = DecisionCycles + DepartureCycles + LinkLatency;  // td

  if (NumVcs < 1 || NumSlots < 1 || MaxLength < 1) begin : gen_sizes
    num_vcs_num_slots_and_max_length_must_be_at_least_1 u_refused ();
  end
  if (RemainingWidth < LengthWidth || PacketWidth < 1 || Width < HeadBit + 1 + PacketWidth)
  begin : gen_widths
    a_width_is_too_small u_refused ();
  end
  if (RouteCycles < 0 || VcAllocationCycles < 0 || DecisionCycles < 1 || DepartureCycles < 1 ||
      FlitTime < 1 || LinkLatency < 1 || StoredInjection < 0 || StoredInjection > 1)
  begin : gen_cycles
    a_number_of_cycles_is_out_of_its_range u_refused ();
  end

  logic [N-1:0]             joins, has, take, done;
  logic [N*PacketWidth-1:0] packets;
  logic [N*LengthWidth-1:0] lengths, reads;
  logic [N*Width-1:0]       flits;
  logic [N*NumPorts-1:0]    waits_by_slot;
  logic [NumPorts*N-1:0]    waits, first, takes, leaving, dones;  // By output.
  logic [NumPorts*LengthWidth-1:0] reads_by_output;

  // A slot belongs to one output at a time. One process for each slot: with an always_comb over all
  // of them Icarus Verilog 11 never ends.
  for (genvar n = 0; n < N; n++) begin : gen_slot
    logic [NumPorts-1:0]    taking, ending;
    logic [LengthWidth-1:0] read;

    for (genvar o = 0; o < NumPorts; o++) begin : gen_queue
      assign waits[o*N+n] = waits_by_slot[n*NumPorts+o];
      assign taking[o]    = takes[o*N+n];
      assign ending[o]    = dones[o*N+n];
    end
    always_comb begin
      read = '0;
      for (int o = 0; o < NumPorts; o++) begin
        if (leaving[o*N+n]) read = reads_by_output[o*LengthWidth+:LengthWidth];
      end
    end
    assign take[n] = taking != '0;
    assign done[n] = ending != '0;
    assign reads[n*LengthWidth+:LengthWidth] = read;
  end

  for (genvar i = 0; i < NumPorts; i++) begin : gen_input
    localparam bit FromNode = i == NumPorts - 1 && StoredInjection == 0;

    logic [Width-1:0]    flit;
    logic [NumPorts-1:0] way;
    assign flit = in_flit_i[i*Width+:Width];

    flitcast_xy_route #(.Dimensions(Dimensions), .CoordinateWidth(CoordinateWidth)) u_route (
      .here_i, .destination_i(flit[SlotWidth-1:0]), .output_o(way)
    );

    flitcast_store_forward_input #(
      .NumPorts(NumPorts),
      .NumVcs(NumVcs),
      .NumSlots(NumSlots),
      .MaxLength(MaxLength),
      .Width(Width),
      .PacketWidth(PacketWidth),
      .DecisionCycles(DecisionCycles),
      .FlitTime(FlitTime),
      .FromNode(FromNode)
    ) u_input (
      .clk_i,
      .rst_ni,
      .in_valid_i       (in_valid_i[i]),
      .in_vc_i          (in_vc_i[i*VcWidth+:VcWidth]),
      .in_head_i        (flit[HeadBit]),
      .in_remaining_i   (flit[SlotWidth+:LengthWidth]),
      .in_packet_i      (flit[HeadBit+1+:PacketWidth]),
      .in_output_i      (way),
      .in_flit_i        (flit),
      .in_credit_valid_o(in_credit_valid_o[i]),
      .in_credit_vc_o   (in_credit_vc_o[i*VcWidth+:VcWidth]),
      .join_o           (joins[i*PerPort+:PerPort]),
      .waits_o          (waits_by_slot[i*PerPort*NumPorts+:PerPort*NumPorts]),
      .packet_o         (packets[i*PerPort*PacketWidth+:PerPort*PacketWidth]),
      .length_o         (lengths[i*PerPort*LengthWidth+:PerPort*LengthWidth]),
      .take_i           (take[i*PerPort+:PerPort]),
      .read_i           (reads[i*PerPort*LengthWidth+:PerPort*LengthWidth]),
      .has_o            (has[i*PerPort+:PerPort]),
      .flit_o           (flits[i*PerPort*Width+:PerPort*Width]),
      .done_i           (done[i*PerPort+:PerPort])
    );

`ifndef SYNTHESIS
`ifndef FORMAL
    always @(posedge clk_i) begin
      if (rst_ni && in_valid_i[i]) assert (32'(flit[SlotWidth+:RemainingWidth]) < MaxLength);
    end
`endif
`endif
  end

  flitcast_store_forward_order #(
    .NumEntries(N),
    .NumQueues(NumPorts),
    .KeyWidth(PacketWidth)
  ) u_order (
    .clk_i, .join_i(joins), .key_i(packets), .waits_i(waits), .first_o(first)
  );

  for (genvar o = 0; o < NumPorts; o++) begin : gen_output
    flitcast_store_forward_output #(
      .NumStores(N),
      .NumVcs(NumVcs),
      .NumSlots(NumSlots),
      .LengthWidth(LengthWidth),
      .Width(Width),
      .DepartureCycles(DepartureCycles),
      .FlitTime(FlitTime),
      .Pause((o == NumPorts - 1) ? 0 : Step)
    ) u_output (
      .clk_i,
      .rst_ni,
      .first_i           (first[o*N+:N]),
      .length_i          (lengths),
      .take_o            (takes[o*N+:N]),
      .leaving_o         (leaving[o*N+:N]),
      .read_o            (reads_by_output[o*LengthWidth+:LengthWidth]),
      .has_i             (has),
      .flit_i            (flits),
      .done_o            (dones[o*N+:N]),
      .out_credit_valid_i(out_credit_valid_i[o]),
      .out_credit_vc_i   (out_credit_vc_i[o*VcWidth+:VcWidth]),
      .out_valid_o       (out_valid_o[o]),
      .out_vc_o          (out_vc_o[o*VcWidth+:VcWidth]),
      .out_flit_o        (out_flit_o[o*Width+:Width])
    );
  end

endmodule
