# SPDX-License-Identifier: Apache-2.0
"""A testbench for exported networks with AXI4-Stream ports: every node sends to every node, and receivers stall at random."""

PORTS = (("s_tvalid_i", 1), ("s_tready_o", 1), ("s_tdata_i", 32), ("s_tlast_i", 1), ("s_tdest_i", 8), ("m_tvalid_o", 1), ("m_tready_i", 1),
         ("m_tdata_o", 32), ("m_tlast_o", 1))


def stream_bench(name, nodes, dest_width, classes, rounds):
    """Beat k of a packet from s to d in a class has {class, s, d, k, packet} as tdata; packets have 1 to 4 beats."""
    widths = [(port, {8: dest_width}.get(width, width) * classes) for port, width in PORTS]
    nets = "\n".join(f"  logic [{nodes * width - 1}:0] {port};" for port, width in widths)
    pins = ",\n".join(f"    .node_{n}_{port}({port}[{n * width + width - 1}:{n * width}])" for n in range(nodes) for port, width in widths)
    return f"""\
module {name}_streams_tb;
  localparam int N = {nodes}, C = {classes}, Rounds = {rounds};
  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = ~clk;
{nets}
  {name}_streams u_design (
    .clk_i(clk), .rst_ni(rst_n),
{pins}
  );
  int packets = 0, beats [N*C], sent [N*C], next_beat [N*C];
  logic [31:0] word, begun [N*C];

  function automatic int length(input int source, input int packet);
    length = 1 + (source + packet) % 4;
  endfunction

  initial begin
    s_tvalid_i = '0;
    m_tready_i = '0;
    for (int i = 0; i < N*C; i++) begin
      beats[i] = 0;
      sent[i] = 0;
      next_beat[i] = 0;
    end
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (int clock = 0; clock < 50000 && packets < N*N*C*Rounds; clock++) begin
      for (int i = 0; i < N*C; i++) begin
        m_tready_i[i] = $urandom % 4 != 0;
        s_tvalid_i[i] = sent[i] < N*Rounds;
        s_tdest_i[i*{dest_width}+:{dest_width}] = {dest_width}'((i / C + sent[i]) % N);
        s_tlast_i[i] = beats[i] == length(i / C, sent[i]) - 1;
        s_tdata_i[i*32+:32] = {{4'(i % C), 6'(i / C), 6'((i / C + sent[i]) % N), 4'(beats[i]), 12'(sent[i])}};
      end
      @(negedge clk);
    end
    if (packets == N*N*C*Rounds) $display("PASS: %0d packets", packets);
    else $fatal(1, "FAIL: %0d packets", packets);
    $finish;
  end

  always @(posedge clk) if (rst_n) begin
    for (int i = 0; i < N*C; i++) begin
      if (s_tvalid_i[i] && s_tready_o[i]) begin
        beats[i] <= s_tlast_i[i] ? 0 : beats[i] + 1;
        if (s_tlast_i[i]) sent[i] <= sent[i] + 1;
      end
      if (m_tvalid_o[i] && m_tready_i[i]) begin
        word = m_tdata_o[i*32+:32];
        if (next_beat[i] == 0) begun[i] = word;
        if (word[31:28] != 4'(i % C) || word[21:16] != 6'(i / C) || word[15:12] != 4'(next_beat[i]) ||
            word[27:16] != begun[i][27:16] || word[11:0] != begun[i][11:0] ||
            m_tlast_o[i] != (next_beat[i] == length(32'(word[27:22]), 32'(word[11:0])) - 1))
          $fatal(1, "FAIL: node %0d: beat %h", i / C, word);
        next_beat[i] = m_tlast_o[i] ? 0 : next_beat[i] + 1;
        if (m_tlast_o[i]) packets = packets + 1;
      end
    end
  end
endmodule
"""
