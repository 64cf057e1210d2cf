// SPDX-License-Identifier: Apache-2.0
// A mesh of streams, the example, delivers every packet once, whole and in order, with sources and
// sinks that stall at random. Each node sends to all nodes in turn.
module stream_mesh_tb;
  localparam int Nodes   = 4;
  localparam int Packets = 12;  // From each node: 3 to each.

  logic                clk = 1'b0;
  logic                rst_n = 1'b0;
  logic [Nodes-1:0]    s_tvalid = '0;
  logic [Nodes-1:0]    m_tready = '0;
  logic [Nodes-1:0]    s_tready, s_tlast, m_tvalid, m_tlast;
  logic [Nodes*32-1:0] s_tdata, m_tdata;
  logic [Nodes*2-1:0]  s_tdest;

  int packet [0:Nodes-1];        // The packet that each node sends,
  int beat [0:Nodes-1];          // and its beats that were accepted.
  int due [0:Nodes*Nodes-1];     // The next packet from a node (high) to a node.
  int from [0:Nodes-1];          // The sender of the packet that arrives, and its beats so far.
  int beats_in [0:Nodes-1];
  int arrived = 0;

  always #5 clk = !clk;

  // One VC: packets between two nodes keep their order.
  stream_mesh #(.Size(2), .NumVcs(1), .MaxFlits(4)) u_mesh (
    .clk_i(clk), .rst_ni(rst_n), .s_tvalid_i(s_tvalid), .s_tready_o(s_tready), .s_tdata_i(s_tdata),
    .s_tlast_i(s_tlast), .s_tdest_i(s_tdest), .m_tvalid_o(m_tvalid), .m_tready_i(m_tready),
    .m_tdata_o(m_tdata), .m_tlast_o(m_tlast)
  );

  function int length_of(input int number);
    length_of = 1 + (number * 7) % 4;
  endfunction

  task fail(input int n);
    begin
      $display("node %0d: wrong beat %h, last %b", n, m_tdata[n*32+:32], m_tlast[n]);
      $finish(1);
    end
  endtask

  task send(input int n);
    begin
      if (s_tvalid[n] !== 1'b1 && packet[n] < Packets && {$random} % 3 != 0) begin
        s_tvalid[n]        = 1'b1;
        s_tdata[n*32+:32]  = {8'(n), 16'(packet[n]), 8'(beat[n])};
        s_tdest[n*2+:2]    = 2'(packet[n]);
        s_tlast[n]         = beat[n] == length_of(packet[n]) - 1;
      end
    end
  endtask

  task receive(input int n);
    int sender, number;
    begin
      if (m_tvalid[n] === 1'bx) fail(n);
      if (m_tvalid[n] && m_tready[n]) begin
        sender = m_tdata[n*32+24+:8];
        number = m_tdata[n*32+8+:16];
        if (^m_tdata[n*32+:32] === 1'bx || sender >= Nodes) fail(n);
        if (beats_in[n] == 0) from[n] = sender;
        if (sender != from[n] || number != due[sender*Nodes+n] || number % Nodes != n ||
            m_tdata[n*32+:8] != beats_in[n] ||
            m_tlast[n] !== (beats_in[n] == length_of(number) - 1)) fail(n);
        beats_in[n] = m_tlast[n] ? 0 : beats_in[n] + 1;
        if (m_tlast[n]) begin
          due[sender*Nodes+n] = number + Nodes;
          arrived             = arrived + 1;
        end
      end
    end
  endtask

  // Inputs change after the falling edge; outputs do not follow them.
  task step;
    logic [Nodes-1:0] taken;
    begin
      for (int n = 0; n < Nodes; n++) begin
        send(n);
        m_tready[n] = $random;
      end
      #1 taken = s_tvalid & s_tready;
      if (^s_tready === 1'bx) fail(0);
      for (int n = 0; n < Nodes; n++) receive(n);
      @(negedge clk);
      for (int n = 0; n < Nodes; n++) begin
        if (taken[n]) begin
          s_tvalid[n] = 1'b0;
          beat[n]     = s_tlast[n] ? 0 : beat[n] + 1;
          packet[n]   = packet[n] + (s_tlast[n] ? 1 : 0);
        end
      end
    end
  endtask

  initial begin
    for (int n = 0; n < Nodes; n++) begin
      packet[n]   = 0;
      beat[n]     = 0;
      beats_in[n] = 0;
      for (int m = 0; m < Nodes; m++) due[n*Nodes+m] = m;
    end
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    for (int cycle = 0; cycle < 5000 && arrived < Nodes * Packets; cycle++) step;
    repeat (30) step;
    if (arrived == Nodes * Packets) $display("passed");
    else $display("%0d of %0d packets arrived", arrived, Nodes * Packets);
    $finish;
  end
endmodule
