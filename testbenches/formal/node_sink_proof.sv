// SPDX-License-Identifier: Apache-2.0
// Claim: a node_sink keeps the rules of AXI4-Stream; gives every flit once, unchanged, in the order
// of its VC, and the packets whole and one after another; returns a credit for each beat accepted
// and no other; and has a beat whenever a flit of the packet at its output, or of any between
// packets, is stored.
//
// The router that sends flits for its credits, and the stream, are free otherwise. A flit has its
// VC in its data. The flits of each VC are kept a second time.
module node_sink_proof #(
  parameter int NumVcs         = 2,
  parameter int Depth          = 1,
  parameter int RemainingWidth = 1,
  // The others are derived.
  parameter int VcWidth        = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input logic                      clk_i,
  input logic                      rst_ni,

  input logic                      send_i,       // The router has a flit for this VC.
  input logic [VcWidth-1:0]        vc_i,
  input logic                      data_i,
  input logic [RemainingWidth-1:0] remaining_i,  // Counts with a head.
  input logic                      ready_i
);

  localparam int DataWidth = 1 + VcWidth;
  localparam int EntryW    = DataWidth + 1;      // Data, and tail in the lowest bit.
  localparam int Width     = 1 + RemainingWidth + 1 + DataWidth;
  localparam int CountW    = $clog2(Depth + 1);

  logic [NumVcs*CountW-1:0]         used_q;      // Credits of the router that are away.
  logic [NumVcs*CountW-1:0]         stored_q;    // Flits in the sink.
  logic [NumVcs*RemainingWidth-1:0] due_q;
  logic [NumVcs*Depth*EntryW-1:0]   queue_q;     // For each VC, the oldest in the lowest bits.
  logic                             inside_q;    // A packet has begun at the output,
  logic [VcWidth-1:0]               packet_vc_q; // of this VC.

  logic                      sends, head, credit_valid, tvalid, tlast, accepted;
  logic [VcWidth-1:0]        credit_vc, beat_vc;
  logic [RemainingWidth-1:0] remaining;
  logic [DataWidth-1:0]      data, tdata;

  assign head      = due_q[32'(vc_i)*RemainingWidth+:RemainingWidth] == '0;
  assign remaining = head ? remaining_i : due_q[32'(vc_i)*RemainingWidth+:RemainingWidth] - 1'b1;
  assign sends     = send_i && 32'(vc_i) < NumVcs && 32'(used_q[32'(vc_i)*CountW+:CountW]) < Depth;
  assign data      = {data_i, vc_i};
  assign beat_vc   = tdata[VcWidth-1:0];
  assign accepted  = tvalid && ready_i;

  flitcast_node_sink #(
    .NumVcs(NumVcs), .Depth(Depth), .DataWidth(DataWidth), .DestWidth(1),
    .RemainingWidth(RemainingWidth)
  ) u_sink (
    .clk_i, .rst_ni, .in_valid_i(sends), .in_vc_i(vc_i), .in_flit_i({data, head, remaining, 1'b0}),
    .in_credit_valid_o(credit_valid), .in_credit_vc_o(credit_vc),
    .m_tvalid_o(tvalid), .m_tready_i(ready_i), .m_tdata_o(tdata), .m_tlast_o(tlast)
  );

  flitcast_stream_checker #(.DataWidth(DataWidth), .DestWidth(1)) u_checker (
    .clk_i, .rst_ni, .tvalid_i(tvalid), .tready_i(ready_i), .tdata_i(tdata), .tlast_i(tlast),
    .tdest_i(1'b0)
  );

  for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
    logic              enters, leaves;
    logic [CountW-1:0] used, stored, place;

    assign enters = sends && 32'(vc_i) == v;
    assign leaves = accepted && 32'(beat_vc) == v;
    assign used   = used_q[v*CountW+:CountW];
    assign stored = stored_q[v*CountW+:CountW];
    assign place  = stored - CountW'(leaves);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        used_q[v*CountW+:CountW]                        <= '0;
        stored_q[v*CountW+:CountW]                      <= '0;
        due_q[v*RemainingWidth+:RemainingWidth]         <= '0;
      end else begin
        used_q[v*CountW+:CountW]   <= used + CountW'(enters) -
                                      CountW'(credit_valid && 32'(credit_vc) == v);
        stored_q[v*CountW+:CountW] <= stored + CountW'(enters) - CountW'(leaves);
        if (enters) due_q[v*RemainingWidth+:RemainingWidth] <= remaining;
      end
      for (int k = 0; k < Depth; k++) begin
        if (enters && 32'(place) == k) begin
          queue_q[(v*Depth+k)*EntryW+:EntryW] <= {data, remaining == '0};
        end else if (leaves && k + 1 < Depth) begin
          queue_q[(v*Depth+k)*EntryW+:EntryW] <= queue_q[(v*Depth+(k+1)%Depth)*EntryW+:EntryW];
        end
      end
    end

    always_comb if (rst_ni) begin
      assert (stored <= used && 32'(used) <= Depth);
      if (credit_valid && 32'(credit_vc) == v) assert (stored < used);
      if (tvalid && 32'(beat_vc) == v) begin
        assert (stored != '0 && {tdata, tlast} == queue_q[v*Depth*EntryW+:EntryW]);
      end
      if (inside_q && 32'(packet_vc_q) == v) assert (tvalid == (stored != '0));
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)       inside_q <= 1'b0;
    else if (accepted) inside_q <= !tlast;
    if (accepted) packet_vc_q <= beat_vc;
  end

  always_comb if (rst_ni) begin
    if (tvalid) assert (32'(beat_vc) < NumVcs);
    if (tvalid && inside_q) assert (beat_vc == packet_vc_q);
    if (!inside_q) assert (tvalid == (stored_q != '0));
    // A beat that is accepted gives its credit back.
    assert (credit_valid == (used_q != stored_q));
  end

endmodule
