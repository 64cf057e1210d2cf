// SPDX-License-Identifier: Apache-2.0
// AXI4-Stream packets of a node into the local input port of a router.
//
//   s_tvalid_i, s_tdata_i,  --> [ packet  --> out_valid_o, out_vc_o, out_flit_o
//   s_tlast_i, s_tdest_i          store ]
//   s_tready_o              <--           <-- out_credit_valid_i, out_credit_vc_i
//
// Use       A packet is the beats up to tlast, at most MaxFlits. Each beat becomes a flit as in
//           wormhole_router.sv, with tdata as its payload and tdest, the same in all beats of a
//           packet, as its destination. There is a stream for each message class.
// Length    A head carries the number of flits behind it, which a stream does not tell. So a packet
//           is stored until its last beat; a stream that stalls never holds a VC of the network.
// VCs       Class c has the VCs c*NumVcs/NumClasses up. A packet takes, by round robin, the next of
//           them that has a credit, and keeps it. Classes with a flit and a credit take turns.
// Timing    A packet of L beats accepted one a cycle is L cycles in the source: the head is on the
//           output in the cycle after the last beat was accepted. One flit per cycle if StoreFlits
//           is at least MaxFlits + 2. tready follows registers, and so do all outputs.
// Reset     Synchronous; drops what is stored and makes all Depth credits of each VC good.
// Misuse    A packet of more than MaxFlits beats, which may never leave, a broken rule of
//           stream_checker.sv, and a credit for no flit fail an assertion.
// Model     Injector in models/network/pins/node.h: the head of a packet is on its wires in the
//           same cycle, if the model creates the packet at the edge that accepts the last beat.
module flitcast_node_source #(
  parameter int NumVcs         = 2,                                 // A multiple of NumClasses.
  parameter int NumClasses     = 1,                                 // Message classes, from 1 up.
  parameter int Depth          = 4,                                 // Flits of a VC of the router.
  parameter int DataWidth      = 32,                                // Bits of tdata, from 1 up.
  parameter int DestWidth      = 4,                                 // Bits of a destination.
  parameter int RemainingWidth = 4,                                 // Bits, 1 to 16.
  parameter int MaxFlits       = 16,                                // Longest packet, from 1 up,
                                                                    // at most 2^RemainingWidth.
  parameter int StoreFlits     = MaxFlits + 2,                      // Per class, from MaxFlits up.
  parameter int StorePackets   = 4,                                 // Whole packets of a class.
  // The others follow from those above and are not to be set.
  parameter int Width          = DestWidth + RemainingWidth + 1 + DataWidth,
  parameter int VcWidth        = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,                   // Synchronous, active low.
  input  logic [NumClasses-1:0]           s_tvalid_i,
  output logic [NumClasses-1:0]           s_tready_o,
  input  logic [NumClasses*DataWidth-1:0] s_tdata_i,
  input  logic [NumClasses-1:0]           s_tlast_i,
  input  logic [NumClasses*DestWidth-1:0] s_tdest_i,
  output logic                            out_valid_o,
  output logic [VcWidth-1:0]              out_vc_o,                 // Zero without a flit.
  output logic [Width-1:0]                out_flit_o,               // Zero without a flit.
  input  logic                            out_credit_valid_i,
  input  logic [VcWidth-1:0]              out_credit_vc_i
);

  if (NumClasses < 1 || NumVcs < NumClasses || NumVcs % NumClasses != 0) begin : gen_vcs
    num_vcs_must_be_a_multiple_of_num_classes u_refused ();
  end
  if (Depth < 1 || DataWidth < 1 || DestWidth < 1 || RemainingWidth < 1 || RemainingWidth > 16 ||
      StorePackets < 1) begin : gen_size
    a_parameter_is_out_of_its_range u_refused ();
  end
  if (MaxFlits < 1 || MaxFlits > 2**RemainingWidth || StoreFlits < MaxFlits) begin : gen_length
    max_flits_must_fit_in_remaining_width_and_store_flits u_refused ();
  end
  if (Width != DestWidth + RemainingWidth + 1 + DataWidth ||
      VcWidth != ((NumVcs > 1) ? $clog2(NumVcs) : 1)) begin : gen_derived
    width_and_vc_width_must_not_be_set u_refused ();
  end

  localparam int ClassVcs = NumVcs / NumClasses;

  logic [NumVcs-1:0]           credited, vcs, sent;
  logic [NumClasses-1:0]       offers, sends;
  logic [NumClasses-1:0]       requests, turns;        // The same, class 1 first and 0 last.
  logic [NumClasses*Width-1:0] flits;

  for (genvar c = 0; c < NumClasses; c++) begin : gen_class
    flitcast_node_queue #(
      .NumVcs        (ClassVcs),
      .DataWidth     (DataWidth),
      .DestWidth     (DestWidth),
      .RemainingWidth(RemainingWidth),
      .StoreFlits    (StoreFlits),
      .StorePackets  (StorePackets)
    ) u_queue (
      .clk_i,
      .rst_ni,
      .s_tvalid_i(s_tvalid_i[c]),
      .s_tready_o(s_tready_o[c]),
      .s_tdata_i (s_tdata_i[c*DataWidth+:DataWidth]),
      .s_tlast_i (s_tlast_i[c]),
      .s_tdest_i (s_tdest_i[c*DestWidth+:DestWidth]),
      .credited_i(credited[c*ClassVcs+:ClassVcs]),
      .send_i    (sends[c]),
      .offer_o   (offers[c]),
      .vc_o      (vcs[c*ClassVcs+:ClassVcs]),
      .flit_o    (flits[c*Width+:Width])
    );

    // The model begins as if class 0 had just had its turn.
    assign requests[c] = offers[(c+1)%NumClasses];
    assign sends[c]    = turns[(c+NumClasses-1)%NumClasses];
    assign sent[c*ClassVcs+:ClassVcs] = vcs[c*ClassVcs+:ClassVcs] & {ClassVcs{sends[c]}};

`ifndef SYNTHESIS
`ifndef FORMAL
    flitcast_stream_checker #(
      .DataWidth(DataWidth), .DestWidth(DestWidth), .MaxBeats(MaxFlits)
    ) u_checker (
      .clk_i,
      .rst_ni,
      .tvalid_i(s_tvalid_i[c]),
      .tready_i(s_tready_o[c]),
      .tdata_i (s_tdata_i[c*DataWidth+:DataWidth]),
      .tlast_i (s_tlast_i[c]),
      .tdest_i (s_tdest_i[c*DestWidth+:DestWidth])
    );
`endif
`endif
  end

  flitcast_rr_arbiter #(.NumReq(NumClasses)) u_turns (
    .clk_i,
    .rst_ni,
    .req_i (requests),
    .take_i(1'b1),
    .gnt_o (turns)
  );

  for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
    logic [$clog2(Depth+1)-1:0] unused_credits;

    flitcast_credit_counter #(.Depth(Depth)) u_credits (
      .clk_i,
      .rst_ni,
      .take_i      (sent[v]),
      .return_i    (out_credit_valid_i && out_credit_vc_i == VcWidth'(v)),
      .credits_o   (unused_credits),
      .has_credit_o(credited[v])
    );
  end

  assign out_valid_o = sends != '0;

  always_comb begin
    out_flit_o = '0;
    for (int c = 0; c < NumClasses; c++) begin
      out_flit_o = out_flit_o | (flits[c*Width+:Width] & {Width{sends[c]}});
    end
  end

  always_comb begin
    out_vc_o = '0;
    for (int v = 0; v < NumVcs; v++) if (sent[v]) out_vc_o = out_vc_o | VcWidth'(v);
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  always @(posedge clk_i) begin
    if (rst_ni && out_credit_valid_i) begin
      assert (32'(out_credit_vc_i) < NumVcs) else $error("a credit for a VC that does not exist");
    end
  end
`endif
`endif

endmodule
