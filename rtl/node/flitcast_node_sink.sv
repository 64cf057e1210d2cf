// SPDX-License-Identifier: Apache-2.0
// Flits of the local output port of a router to the AXI4-Stream packets of a node.
//
//   in_valid_i, in_vc_i, in_flit_i     --> [ Depth flits  --> m_tvalid_o, m_tdata_o, m_tlast_o
//   in_credit_valid_o, in_credit_vc_o  <--   of each VC ] <-- m_tready_i
//
// Use       Flits as in wormhole_router.sv: the payload becomes tdata, a tail has tlast. There is a
//           stream for each message class, which has the VCs c*NumVcs/NumClasses up.
// Order     A stream has one packet at a time: VCs take turns by round robin, and a VC keeps the
//           stream from the head to the tail of its packet. A packet that has begun to arrive needs
//           no other one to leave first, so that this holds up others but blocks none for ever.
// Timing    A flit sampled at an edge is a beat in the next cycle. One beat per cycle; between the
//           beats of a packet tvalid is low where its flits come with gaps.
// Credits   Given back when the beat is accepted, in the next cycle, or later where several classes
//           have one at a time: VCs take turns. Depth of DepartureCycles + 2 lets one VC fill the
//           channel.
// Reset     Synchronous; drops what is stored.
// Misuse    A flit without a credit, one out of its packet's order, and a VC from NumVcs up fail an
//           assertion.
// Model     Ejector in models/network/pins/node.h takes every flit at its edge, and its credit is on
//           the wires in the next cycle: one earlier than here with one VC and tready always high.
module flitcast_node_sink #(
  parameter int NumVcs         = 2,                                  // A multiple of NumClasses.
  parameter int NumClasses     = 1,                                  // Message classes, from 1 up.
  parameter int Depth          = 4,                                  // Flits of a VC: the router's
                                                                     // credits.
  parameter int DataWidth      = 32,                                 // Bits of tdata, from 1 up.
  parameter int DestWidth      = 4,                                  // Bits of a destination.
  parameter int RemainingWidth = 4,                                  // Bits, 1 to 16.
  // The others follow from those above and are not to be set.
  parameter int Width          = DestWidth + RemainingWidth + 1 + DataWidth,
  parameter int VcWidth        = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,                    // Synchronous, active low.
  input  logic                            in_valid_i,
  input  logic [VcWidth-1:0]              in_vc_i,
  input  logic [Width-1:0]                in_flit_i,
  output logic                            in_credit_valid_o,
  output logic [VcWidth-1:0]              in_credit_vc_o,            // Zero without a credit.
  output logic [NumClasses-1:0]           m_tvalid_o,
  input  logic [NumClasses-1:0]           m_tready_i,
  output logic [NumClasses*DataWidth-1:0] m_tdata_o,
  output logic [NumClasses-1:0]           m_tlast_o
);

  if (NumClasses < 1 || NumVcs < NumClasses || NumVcs % NumClasses != 0) begin : gen_vcs
    num_vcs_must_be_a_multiple_of_num_classes u_refused ();
  end
  if (Depth < 1 || DataWidth < 1 || DestWidth < 1 || RemainingWidth < 1 || RemainingWidth > 16)
  begin : gen_size
    a_parameter_is_out_of_its_range u_refused ();
  end
  if (Width != DestWidth + RemainingWidth + 1 + DataWidth ||
      VcWidth != ((NumVcs > 1) ? $clog2(NumVcs) : 1)) begin : gen_derived
    width_and_vc_width_must_not_be_set u_refused ();
  end

  localparam int ClassVcs   = NumVcs / NumClasses;
  localparam int FrontWidth = DataWidth + 1;             // Data, and tail in the lowest bit.
  localparam int CountWidth = $clog2(Depth + 1);

  logic [NumVcs-1:0]            occupied, pops;
  logic [NumVcs-1:0]            owing, gives;  // VCs with beats accepted and no credit given back.
  logic [NumVcs*FrontWidth-1:0] fronts;
  logic [DataWidth-1:0]         data;
  logic [RemainingWidth-1:0]    remaining;
  logic                         head;
  logic [DestWidth-1:0]         unused_dest;

  assign {data, head, remaining, unused_dest} = in_flit_i;

  for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
    logic                  enters, ready;
    logic [CountWidth-1:0] owed_q, unused_count;

    assign enters = in_valid_i && in_vc_i == VcWidth'(v);

    flitcast_flit_fifo #(.Width(FrontWidth), .Depth(Depth)) u_flits (
      .clk_i,
      .rst_ni,
      .in_valid_i (enters),
      .in_flit_i  ({data, remaining == '0}),
      .in_ready_o (ready),
      .out_valid_o(occupied[v]),
      .out_flit_o (fronts[v*FrontWidth+:FrontWidth]),
      .out_ready_i(pops[v]),
      .count_o    (unused_count)
    );

    assign owing[v] = owed_q != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) owed_q <= '0;
      else         owed_q <= owed_q + CountWidth'(pops[v]) - CountWidth'(gives[v]);
    end

`ifndef SYNTHESIS
`ifndef FORMAL
    logic [RemainingWidth-1:0] due;  // Flits of a packet still to arrive.
    // Not named due_q: it is no register of the sink, and no faults are seeded in it.
    always_ff @(posedge clk_i) begin
      if (!rst_ni)     due <= '0;
      else if (enters) due <= remaining;
    end
    always @(posedge clk_i) if (rst_ni && enters) begin
      assert (ready) else $error("a flit without a credit");
      assert (head == (due == '0)) else $error("a head in a packet, or a packet without one");
      assert (head || remaining == due - RemainingWidth'(1)) else $error("a flit out of order");
    end
`endif
`endif
    logic unused_inputs;
    assign unused_inputs = ready && head;
  end

  flitcast_rr_arbiter #(.NumReq(NumVcs)) u_credits (
    .clk_i,
    .rst_ni,
    .req_i (owing),
    .take_i(1'b1),
    .gnt_o (gives)
  );

  assign in_credit_valid_o = owing != '0;

  always_comb begin
    in_credit_vc_o = '0;
    for (int v = 0; v < NumVcs; v++) if (gives[v]) in_credit_vc_o = in_credit_vc_o | VcWidth'(v);
  end

  for (genvar c = 0; c < NumClasses; c++) begin : gen_class
    flitcast_node_exit #(.NumVcs(ClassVcs), .DataWidth(DataWidth)) u_exit (
      .clk_i,
      .rst_ni,
      .occupied_i(occupied[c*ClassVcs+:ClassVcs]),
      .fronts_i  (fronts[c*ClassVcs*FrontWidth+:ClassVcs*FrontWidth]),
      .pop_o     (pops[c*ClassVcs+:ClassVcs]),
      .m_tvalid_o(m_tvalid_o[c]),
      .m_tready_i(m_tready_i[c]),
      .m_tdata_o (m_tdata_o[c*DataWidth+:DataWidth]),
      .m_tlast_o (m_tlast_o[c])
    );

`ifndef SYNTHESIS
`ifndef FORMAL
    flitcast_stream_checker #(
      .DataWidth(DataWidth), .DestWidth(1), .MaxBeats(2**RemainingWidth)
    ) u_checker (
      .clk_i,
      .rst_ni,
      .tvalid_i(m_tvalid_o[c]),
      .tready_i(m_tready_i[c]),
      .tdata_i (m_tdata_o[c*DataWidth+:DataWidth]),
      .tlast_i (m_tlast_o[c]),
      .tdest_i (1'b0)
    );
`endif
`endif
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  always @(posedge clk_i) if (rst_ni && in_valid_i) begin
    assert (32'(in_vc_i) < NumVcs) else $error("a flit on a VC that does not exist");
  end
`endif
`endif

endmodule
