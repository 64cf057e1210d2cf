// SPDX-License-Identifier: Apache-2.0
// A top of your own around an exported mesh of 2 x 2 nodes with AXI4-Stream ports:
//
//   python3 -m flitcast rtl sim/examples/quickstart.yaml chip --set topology.sizes=[2,2] --prefix chip --streams
//   cd chip && verilator --lint-only -Wall -f chip.f ../sim/examples/own_chip.sv
//
// Each node sends Packets packets of three words, to itself and the others in turn, and adds up all words that it gets.
module own_chip #(
  parameter int Packets = 16  // From each node, a multiple of 4.
) (
  input  logic         clk_i,
  input  logic         rst_ni,  // Synchronous, active low.
  output logic [3:0]   done_o,  // The node has got as many packets as it has sent.
  output logic [127:0] sums_o
);

  localparam int Last = 2;  // The number of the last word of a packet.

  logic [3:0]   s_valid, s_ready, s_last, m_valid, m_last;
  logic [127:0] s_data, m_data;
  logic [7:0]   s_dest;

  chip_streams u_network (
    .clk_i, .rst_ni,
    .node_0_s_tvalid_i(s_valid[0]), .node_0_s_tready_o(s_ready[0]), .node_0_s_tdata_i(s_data[31:0]),
    .node_0_s_tlast_i(s_last[0]), .node_0_s_tdest_i(s_dest[1:0]),
    .node_0_m_tvalid_o(m_valid[0]), .node_0_m_tready_i(1'b1), .node_0_m_tdata_o(m_data[31:0]), .node_0_m_tlast_o(m_last[0]),
    .node_1_s_tvalid_i(s_valid[1]), .node_1_s_tready_o(s_ready[1]), .node_1_s_tdata_i(s_data[63:32]),
    .node_1_s_tlast_i(s_last[1]), .node_1_s_tdest_i(s_dest[3:2]),
    .node_1_m_tvalid_o(m_valid[1]), .node_1_m_tready_i(1'b1), .node_1_m_tdata_o(m_data[63:32]), .node_1_m_tlast_o(m_last[1]),
    .node_2_s_tvalid_i(s_valid[2]), .node_2_s_tready_o(s_ready[2]), .node_2_s_tdata_i(s_data[95:64]),
    .node_2_s_tlast_i(s_last[2]), .node_2_s_tdest_i(s_dest[5:4]),
    .node_2_m_tvalid_o(m_valid[2]), .node_2_m_tready_i(1'b1), .node_2_m_tdata_o(m_data[95:64]), .node_2_m_tlast_o(m_last[2]),
    .node_3_s_tvalid_i(s_valid[3]), .node_3_s_tready_o(s_ready[3]), .node_3_s_tdata_i(s_data[127:96]),
    .node_3_s_tlast_i(s_last[3]), .node_3_s_tdest_i(s_dest[7:6]),
    .node_3_m_tvalid_o(m_valid[3]), .node_3_m_tready_i(1'b1), .node_3_m_tdata_o(m_data[127:96]), .node_3_m_tlast_o(m_last[3])
  );

  for (genvar n = 0; n < 4; n++) begin : gen_node
    logic [7:0]  sent_q, got_q;  // Packets.
    logic [1:0]  word_q;         // Its place in the packet that is sent.
    logic [31:0] sum_q;

    assign s_valid[n]        = sent_q != 8'(Packets);
    assign s_last[n]         = word_q == 2'(Last);
    assign s_dest[n*2+:2]    = 2'(n) + sent_q[1:0];
    assign s_data[n*32+:32]  = {14'd0, 8'(n), sent_q, word_q};
    assign done_o[n]         = got_q == 8'(Packets);
    assign sums_o[n*32+:32]  = sum_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        sent_q <= '0;
        got_q  <= '0;
        word_q <= '0;
        sum_q  <= '0;
      end else begin
        if (s_valid[n] && s_ready[n]) begin
          word_q <= s_last[n] ? '0 : word_q + 2'd1;
          sent_q <= sent_q + 8'(s_last[n]);
        end
        if (m_valid[n]) begin
          sum_q <= sum_q + m_data[n*32+:32];
          got_q <= got_q + 8'(m_last[n]);
        end
      end
    end
  end

endmodule
