// SPDX-License-Identifier: Apache-2.0
// The packets of one message class at a node_source: stored until they are whole, then sent.
//
// Rule      The packet at the front takes, by round robin, the next of the NumVcs VCs of its class
//           that has a credit, and keeps it to its tail. A flit leaves with a credit.
// Timing    The head of a packet can be offered in the cycle after its last beat was accepted.
// Reset     Synchronous; empties the store. The first packet takes the first VC that has a credit.
// Model     SourceQueue in models/network/fabric/node_interface.h.
module flitcast_node_queue #(
  parameter int NumVcs         = 2,                                // VCs of the class, from 1 up.
  parameter int DataWidth      = 32,
  parameter int DestWidth      = 4,
  parameter int RemainingWidth = 4,
  parameter int StoreFlits     = 32,
  parameter int StorePackets   = 4,
  // Follows from those above and is not to be set.
  parameter int Width          = DestWidth + RemainingWidth + 1 + DataWidth
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,        // Synchronous, active low.
  input  logic                 s_tvalid_i,
  output logic                 s_tready_o,
  input  logic [DataWidth-1:0] s_tdata_i,
  input  logic                 s_tlast_i,
  input  logic [DestWidth-1:0] s_tdest_i,
  input  logic [NumVcs-1:0]    credited_i,    // VCs with a credit.
  input  logic                 send_i,        // The offered flit leaves at the coming edge.
  output logic                 offer_o,       // There is a flit with a credit.
  output logic [NumVcs-1:0]    vc_o,          // Its VC, one-hot; counts only with offer_o.
  output logic [Width-1:0]     flit_o
);

  if (NumVcs < 1 || DataWidth < 1 || DestWidth < 1 || RemainingWidth < 1 || StoreFlits < 1 ||
      StorePackets < 1 || Width != DestWidth + RemainingWidth + 1 + DataWidth) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic                              push, data_ready, packet_ready;
  logic                              stored, unused_data_valid;
  logic [RemainingWidth-1:0]         beats_q;                  // Beats of the packet that arrives.
  logic [RemainingWidth-1:0]         length, remaining, left_q;
  logic [DestWidth-1:0]              dest;
  logic [DataWidth-1:0]              data;
  logic                              begun_q;                  // The head of the front packet left.
  logic [NumVcs-1:0]                 choice, vc_q;
  logic [$clog2(StoreFlits+1)-1:0]   unused_flits;
  logic [$clog2(StorePackets+1)-1:0] unused_packets;

  assign s_tready_o = data_ready && packet_ready;
  assign push       = s_tvalid_i && s_tready_o;

  flitcast_flit_fifo #(.Width(DataWidth), .Depth(StoreFlits)) u_data (
    .clk_i,
    .rst_ni,
    .in_valid_i (push),
    .in_flit_i  (s_tdata_i),
    .in_ready_o (data_ready),
    .out_valid_o(unused_data_valid),
    .out_flit_o (data),
    .out_ready_i(send_i),
    .count_o    (unused_flits)
  );

  // Whole packets: their destination, and the number of flits behind their head.
  flitcast_flit_fifo #(.Width(DestWidth + RemainingWidth), .Depth(StorePackets)) u_packets (
    .clk_i,
    .rst_ni,
    .in_valid_i (push && s_tlast_i),
    .in_flit_i  ({s_tdest_i, beats_q}),
    .in_ready_o (packet_ready),
    .out_valid_o(stored),
    .out_flit_o ({dest, length}),
    .out_ready_i(send_i && remaining == '0),
    .count_o    (unused_packets)
  );

  flitcast_rr_arbiter #(.NumReq(NumVcs)) u_choice (
    .clk_i,
    .rst_ni,
    .req_i (credited_i),
    .take_i(send_i && !begun_q),
    .gnt_o (choice)
  );

  assign remaining = begun_q ? left_q : length;
  assign vc_o      = begun_q ? vc_q : choice;
  assign offer_o   = stored && (vc_o & credited_i) != '0;
  assign flit_o    = {data, !begun_q, remaining, dest};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      beats_q <= '0;
      begun_q <= 1'b0;
      left_q  <= '0;
      vc_q    <= '0;
    end else begin
      if (push) beats_q <= s_tlast_i ? '0 : beats_q + RemainingWidth'(1);
      if (send_i) begin
        begun_q <= remaining != '0;
        left_q  <= remaining - RemainingWidth'(1);
        vc_q    <= vc_o;
      end
    end
  end

endmodule
