// SPDX-License-Identifier: Apache-2.0
// Store-and-forward router with virtual channels and credits, for any topology: packets are stored
// whole in slots of their input VCs, and leave by one queue per output. Its routing stands beside
// it.
//
//   in_* --> store_forward_input --> store_forward_order --> store_forward_output --> out_*
//      request_o, header_o --> routing --> route_i, vcs_i
//
// Use       A flit moves over a channel at an edge where valid is high; there is no ready: the
//           sender of a packet has a credit for it. A credit moves likewise. The flits of a packet
//           follow each other on one VC.
// Flit      From the lowest bit: header (HeaderWidth; the router does not read it), remaining
//           (RemainingWidth), head, packet number (PacketWidth), payload (PayloadWidth). Remaining
//           says how many flits come after a flit, 0 in the tail.
// Routing   For each input VC: request_o is high in the cycle in which a head arrives for it, and
//           header_o has the header of the flit that arrives. In the same cycle the routing answers
//           with the output and the VCs of it that the packet may take; the answer counts with a
//           request only.
// Numbers   VC v of port p is number p*NumVcs+v, on both sides.
// Queues    In the order (cycle of joining, packet number). The first packet for which a VC that it
//           may take has a credit leaves first. See store_forward_slot.sv for when a packet joins
//           and store_forward_output.sv for when it leaves.
// Credits   Count packets, on both sides; see store_forward_input.sv for when they go back.
// Outputs   Registers; zero in cycles without a flit or a credit.
// Idle      idle_o is high if no slot is used, no channel rests after a flit, and neither was in the
//           last DepartureCycles cycles. At an edge with idle_o high, rst_ni high, in_valid_i zero
//           and out_credit_valid_i zero no register changes: these three inputs are all that
//           wakes it, and its clock may stop until one of them does.
// Reset     Synchronous; all slots are free.
// Misuse    See the blocks; a flit beyond MaxLength, and an answer without one output or without a
//           VC, fail an assertion, too.
// Limits    The model also has copies to several outputs, and ranks of packets.
// Model     StoreForwardRouter in models/network/pins/core_router.h with any routing of one output,
//           in lock-step in testbenches/cosim/vc_router_test.cpp.
module flitcast_packet_router #(
  parameter int NumInputs          = 5,                           // From 1 up.
  parameter int NumOutputs         = 5,                           // From 1 up.
  parameter int NumVcs             = 2,                           // For each port: 1 to 32.
  parameter int NumSlots           = 2,                           // Packets of a VC, from 1 up.
  parameter int MaxLength          = 4,                           // Flits of a packet, from 1 up.
  parameter int HeaderWidth        = 4,                           // Bits, from 1 up.
  parameter int RemainingWidth     = 4,                           // Bits, enough for MaxLength - 1.
  parameter int PacketWidth        = 8,                           // Bits, from 1 up.
  parameter int PayloadWidth       = 17,                          // Bits, from 0 up.
  parameter int RouteCycles        = 1,                           // From 0 up.
  parameter int VcAllocationCycles = 1,                           // From 0 up.
  parameter int DepartureCycles    = 2,                           // From 1 up: switch allocation
                                                                  // and traversal together.
  parameter int FlitTime           = 1,                           // Cycles per flit of all channels
                                                                  // out, from 1 up.
  parameter int AnyVc              = 0,                           // 1: a packet may take any VC of
                                                                  // its output, vcs_i is not read.
  parameter logic [NumInputs-1:0]  FromNode = NumInputs'(1) << (NumInputs - 1),    // Inputs at
                                                                  // which packets of nodes enter,
  parameter logic [NumOutputs-1:0] ToNode   = NumOutputs'(1) << (NumOutputs - 1),  // and outputs
                                                                  // to nodes.
  parameter logic [NumOutputs*32-1:0] Latencies = {NumOutputs{32'd1}},  // Cycles of a flit over the
                                                                  // channel behind each output,
                                                                  // from 1 up; not read of ToNode.
  localparam int Width             = HeaderWidth + RemainingWidth + 1 + PacketWidth + PayloadWidth,
  localparam int VcWidth           = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  localparam int NumIn             = NumInputs * NumVcs
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,                   // Synchronous, active low.
  input  logic [NumInputs-1:0]          in_valid_i,
  input  logic [NumInputs*VcWidth-1:0]  in_vc_i,
  input  logic [NumInputs*Width-1:0]    in_flit_i,
  output logic [NumInputs-1:0]          in_credit_valid_o,
  output logic [NumInputs*VcWidth-1:0]  in_credit_vc_o,
  output logic [NumIn-1:0]              request_o,                // Input VCs whose head arrives.
  output logic [NumIn*HeaderWidth-1:0]  header_o,                 // Header of the flit that arrives
                                                                  // at the port.
  input  logic [NumIn*NumOutputs-1:0]   route_i,                  // The output, one-hot,
  input  logic [NumIn*NumVcs-1:0]       vcs_i,                    // and VCs there, at least one.
  output logic [NumOutputs-1:0]         out_valid_o,
  output logic [NumOutputs*VcWidth-1:0] out_vc_o,
  output logic [NumOutputs*Width-1:0]   out_flit_o,
  input  logic [NumOutputs-1:0]         out_credit_valid_i,
  input  logic [NumOutputs*VcWidth-1:0] out_credit_vc_i,
  output logic                          idle_o
);

  localparam int LengthWidth    = (MaxLength > 1) ? $clog2(MaxLength) : 1;
  localparam int HeadBit        = HeaderWidth + RemainingWidth;
  localparam int PerPort        = NumVcs * NumSlots;
  localparam int N              = NumInputs * PerPort;
  localparam int DecisionCycles = RouteCycles + VcAllocationCycles;

  if (NumInputs < 1 || NumOutputs < 1) begin : gen_ports
    num_inputs_and_num_outputs_must_be_at_least_1 u_refused ();
  end
  if (NumVcs < 1 || NumVcs > 32 || NumSlots < 1 || MaxLength < 1) begin : gen_sizes
    num_vcs_must_be_1_to_32_and_num_slots_and_max_length_at_least_1 u_refused ();
  end
  if (HeaderWidth < 1 || RemainingWidth < LengthWidth || PacketWidth < 1 || PayloadWidth < 0)
  begin : gen_widths
    a_width_is_too_small u_refused ();
  end
  if (RouteCycles < 0 || VcAllocationCycles < 0 || DepartureCycles < 1 || FlitTime < 1)
  begin : gen_cycles
    a_number_of_cycles_is_out_of_its_range u_refused ();
  end
  if (AnyVc < 0 || AnyVc > 1) begin : gen_options
    any_vc_must_be_0_or_1 u_refused ();
  end

  logic [N-1:0]                       joins, has, take, done;
  logic [N*PacketWidth-1:0]           packets;
  logic [N*LengthWidth-1:0]           lengths, reads;
  logic [N*Width-1:0]                 flits;
  logic [N*NumOutputs-1:0]            waits_by_slot;
  logic [N*NumVcs-1:0]                choices;                    // VCs that it may take.
  logic [NumOutputs*N-1:0]            waits, first, takes, leaving, dones;  // By output.
  logic [NumOutputs*NumVcs-1:0]       credited;
  logic [NumOutputs*LengthWidth-1:0]  reads_by_output;
  logic [NumInputs-1:0]               busy_inputs;
  logic [NumOutputs-1:0]              busy_outputs;

  // A slot belongs to one output at a time. One process for each slot: with an always_comb over all
  // of them Icarus Verilog 11 never ends.
  for (genvar n = 0; n < N; n++) begin : gen_slot
    logic [NumOutputs-1:0]  taking, ending;
    logic [LengthWidth-1:0] read;

    for (genvar o = 0; o < NumOutputs; o++) begin : gen_queue
      if (AnyVc == 1) begin : gen_any_vc
        assign waits[o*N+n] = waits_by_slot[n*NumOutputs+o];
      end else begin : gen_vcs
        assign waits[o*N+n] = waits_by_slot[n*NumOutputs+o] &&
                              (choices[n*NumVcs+:NumVcs] & credited[o*NumVcs+:NumVcs]) != '0;
      end
      assign taking[o] = takes[o*N+n];
      assign ending[o] = dones[o*N+n];
    end
    always_comb begin
      read = '0;
      for (int o = 0; o < NumOutputs; o++) begin
        if (leaving[o*N+n]) read = reads_by_output[o*LengthWidth+:LengthWidth];
      end
    end
    assign take[n] = taking != '0;
    assign done[n] = ending != '0;
    assign reads[n*LengthWidth+:LengthWidth] = read;
  end

  for (genvar i = 0; i < NumInputs; i++) begin : gen_input
    logic [Width-1:0]             flit;
    logic [VcWidth-1:0]           vc;
    logic [NumVcs*NumOutputs-1:0] routes;  // The answers to all VCs of the port,
    logic [NumVcs*NumVcs-1:0]     sets;
    logic [NumOutputs-1:0]        route;   // and to that of the flit.
    logic [NumVcs-1:0]            vcs;

    assign flit   = in_flit_i[i*Width+:Width];
    assign vc     = in_vc_i[i*VcWidth+:VcWidth];
    assign routes = route_i[i*NumVcs*NumOutputs+:NumVcs*NumOutputs];
    assign sets   = vcs_i[i*NumVcs*NumVcs+:NumVcs*NumVcs];
    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      assign request_o[i*NumVcs+v] = in_valid_i[i] && flit[HeadBit] && vc == VcWidth'(v);
      assign header_o[(i*NumVcs+v)*HeaderWidth+:HeaderWidth] = flit[HeaderWidth-1:0];
    end

    always_comb begin
      route = '0;
      vcs   = '0;
      for (int v = 0; v < NumVcs; v++) begin
        if (v == 0 || vc == VcWidth'(v)) begin
          route = routes[v*NumOutputs+:NumOutputs];
          vcs   = sets[v*NumVcs+:NumVcs];
        end
      end
    end

    flitcast_store_forward_input #(
      .NumOutputs(NumOutputs),
      .NumVcs(NumVcs),
      .NumSlots(NumSlots),
      .MaxLength(MaxLength),
      .Width(Width),
      .PacketWidth(PacketWidth),
      .DecisionCycles(DecisionCycles),
      .FlitTime(FlitTime),
      .AnyVc(AnyVc),
      .FromNode(FromNode[i]),
      .ToNode(ToNode)
    ) u_input (
      .clk_i,
      .rst_ni,
      .in_valid_i       (in_valid_i[i]),
      .in_vc_i          (vc),
      .in_head_i        (flit[HeadBit]),
      .in_remaining_i   (flit[HeaderWidth+:LengthWidth]),
      .in_packet_i      (flit[HeadBit+1+:PacketWidth]),
      .in_output_i      (route),
      .in_vcs_i         (vcs),
      .in_flit_i        (flit),
      .in_credit_valid_o(in_credit_valid_o[i]),
      .in_credit_vc_o   (in_credit_vc_o[i*VcWidth+:VcWidth]),
      .join_o           (joins[i*PerPort+:PerPort]),
      .waits_o          (waits_by_slot[i*PerPort*NumOutputs+:PerPort*NumOutputs]),
      .vcs_o            (choices[i*PerPort*NumVcs+:PerPort*NumVcs]),
      .packet_o         (packets[i*PerPort*PacketWidth+:PerPort*PacketWidth]),
      .length_o         (lengths[i*PerPort*LengthWidth+:PerPort*LengthWidth]),
      .take_i           (take[i*PerPort+:PerPort]),
      .read_i           (reads[i*PerPort*LengthWidth+:PerPort*LengthWidth]),
      .has_o            (has[i*PerPort+:PerPort]),
      .flit_o           (flits[i*PerPort*Width+:PerPort*Width]),
      .done_i           (done[i*PerPort+:PerPort]),
      .busy_o           (busy_inputs[i])
    );

`ifndef SYNTHESIS
`ifndef FORMAL
    always @(posedge clk_i) begin
      if (rst_ni && in_valid_i[i]) begin
        assert (32'(flit[HeaderWidth+:RemainingWidth]) < MaxLength) else
            $error("flitcast_packet_router: %m: port %0d, VC %0d: a packet of more than %0d flits",
                   i, vc, MaxLength);
      end
    end
`endif
`endif
  end

  flitcast_store_forward_order #(
    .NumEntries(N),
    .NumQueues(NumOutputs),
    .KeyWidth(PacketWidth)
  ) u_order (
    .clk_i, .join_i(joins), .key_i(packets), .waits_i(waits), .first_o(first)
  );

  for (genvar o = 0; o < NumOutputs; o++) begin : gen_output
    localparam int Latency = Latencies[o*32+:32];
    localparam int Step    = DecisionCycles + DepartureCycles + Latency;  // td

    logic [NumVcs-1:0] vcs;  // That the first packet may take.

    if (Latency < 1) begin : gen_latency
      a_latency_must_be_at_least_1 u_refused ();
    end
    if (AnyVc == 1) begin : gen_any_vc
      assign vcs = '1;
    end else begin : gen_vcs
      always_comb begin
        vcs = '0;
        for (int n = 0; n < N; n++) if (first[o*N+n]) vcs = vcs | choices[n*NumVcs+:NumVcs];
      end
    end

    flitcast_store_forward_output #(
      .NumStores(N),
      .NumVcs(NumVcs),
      .NumSlots(NumSlots),
      .LengthWidth(LengthWidth),
      .Width(Width),
      .DepartureCycles(DepartureCycles),
      .FlitTime(FlitTime),
      .Pause(ToNode[o] ? 0 : Step)
    ) u_output (
      .clk_i,
      .rst_ni,
      .credited_o        (credited[o*NumVcs+:NumVcs]),
      .first_i           (first[o*N+:N]),
      .vcs_i             (vcs),
      .length_i          (lengths),
      .take_o            (takes[o*N+:N]),
      .leaving_o         (leaving[o*N+:N]),
      .read_o            (reads_by_output[o*LengthWidth+:LengthWidth]),
      .has_i             (has),
      .flit_i            (flits),
      .done_o            (dones[o*N+:N]),
      .busy_o            (busy_outputs[o]),
      .out_credit_valid_i(out_credit_valid_i[o]),
      .out_credit_vc_i   (out_credit_vc_i[o*VcWidth+:VcWidth]),
      .out_valid_o       (out_valid_o[o]),
      .out_vc_o          (out_vc_o[o*VcWidth+:VcWidth]),
      .out_flit_o        (out_flit_o[o*Width+:Width])
    );
  end

  logic in_use;  // There are packets.
  assign in_use = {busy_inputs, busy_outputs} != '0;

  flitcast_idle #(.Cycles(DepartureCycles)) u_idle (
    .clk_i, .rst_ni, .busy_i(in_use), .idle_o
  );

  // Not read with AnyVc.
  logic unused_choices;
  assign unused_choices = ^{choices, credited};

`ifndef SYNTHESIS
`ifndef FORMAL
  for (genvar i = 0; i < NumIn; i++) begin : gen_answer
    localparam int Port = i / NumVcs;
    localparam int Vc   = i % NumVcs;
    logic [NumOutputs-1:0] route;
    assign route = route_i[i*NumOutputs+:NumOutputs];
    always @(posedge clk_i) if (rst_ni && request_o[i]) begin
      assert (route != '0 && (route & (route - NumOutputs'(1))) == '0) else
          $error("flitcast_packet_router: %m: port %0d, VC %0d: the route is not one output", Port,
                 Vc);
      assert (AnyVc == 1 || vcs_i[i*NumVcs+:NumVcs] != '0) else
          $error("flitcast_packet_router: %m: port %0d, VC %0d: the route has no VC to take", Port,
                 Vc);
    end
  end
`endif
`endif

endmodule
