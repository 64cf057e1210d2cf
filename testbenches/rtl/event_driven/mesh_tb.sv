// SPDX-License-Identifier: Apache-2.0
// A mesh of wormhole routers carries random packets whole and in order to where they are sent.
module mesh_tb;
  localparam int Size = 2;
  localparam int Nodes = Size * Size;
  localparam int NumVcs = 2;
  localparam int Depth = 2;
  localparam int Width = 34;
  localparam int Packets = 30;   // From each node.

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  logic [Nodes-1:0]       in_valid = '0;
  logic [Nodes-1:0]       out_credit_valid = '0;
  logic [Nodes-1:0]       in_vc, in_credit_valid, in_credit_vc, out_valid, out_vc, out_credit_vc;
  logic [Nodes*Width-1:0] in_flit, out_flit;

  mesh #(.Size(Size), .NumVcs(NumVcs), .Depth(Depth), .Width(Width)) u_mesh (
    .clk_i(clk), .rst_ni(rst_n), .in_valid_i(in_valid), .in_vc_i(in_vc), .in_flit_i(in_flit),
    .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc), .out_valid_o(out_valid),
    .out_vc_o(out_vc), .out_flit_o(out_flit), .out_credit_valid_i(out_credit_valid),
    .out_credit_vc_i(out_credit_vc)
  );

  // Flit: payload {packet of its source, source}, head, remaining, destination.
  int         sent [0:Nodes-1];           // Packets whose tail has left, of each node.
  int         left [0:Nodes-1];           // Flits of the packet that is leaving,
  logic [1:0] to [0:Nodes-1];             // where it goes, on which VC.
  logic       on_vc [0:Nodes-1];
  int         credits [0:Nodes*NumVcs-1];
  int         expected [0:Nodes*NumVcs-1];  // Flits to come of the packet that is arriving.
  int         arrived = 0;
  int         cycle = 0;
  logic [Nodes-1:0] head_next = '1;       // The next flit is a head.

  task send(input int n);
    begin
      in_valid[n]             = 1'b0;
      in_vc[n]                = 1'b0;
      in_flit[n*Width+:Width] = '0;
      if (left[n] == 0 && sent[n] < Packets && {$random} % 2 == 0) begin
        left[n]  = 1 + {$random} % 4;
        to[n]    = $random;
        on_vc[n] = $random;
      end
      if (left[n] > 0 && credits[n*NumVcs+on_vc[n]] > 0) begin
        left[n]                 = left[n] - 1;
        in_valid[n]             = 1'b1;
        in_vc[n]                = on_vc[n];
        in_flit[n*Width+:Width] = {16'(sent[n]), 11'(n), head_next[n], 4'(left[n]), to[n]};
        head_next[n]            = left[n] == 0;
        credits[n*NumVcs+on_vc[n]] = credits[n*NumVcs+on_vc[n]] - 1;
        if (left[n] == 0) sent[n] = sent[n] + 1;
      end
    end
  endtask

  task fail(input int n);
    begin
      $display("node %0d: wrong flit %h on VC %b, valid %b", n, out_flit[n*Width+:Width], out_vc[n],
               out_valid[n]);
      $finish(1);
    end
  endtask

  task receive(input int n);
    int v;
    reg [Width-1:0] flit;
    begin
      out_credit_valid[n] = out_valid[n];
      out_credit_vc[n]    = out_vc[n];
      if (out_valid[n] === 1'bx || ^{out_vc[n], out_flit[n*Width+:Width]} === 1'bx) fail(n);
      if (out_valid[n]) begin
        v    = n * NumVcs + out_vc[n];
        flit = out_flit[n*Width+:Width];
        if (flit[1:0] != n || flit[6] != (expected[v] < 0)) fail(n);
        if (!flit[6] && flit[5:2] != expected[v]) fail(n);
        expected[v] = flit[5:2] - 1;
        if (flit[5:2] == 0) arrived = arrived + 1;
      end
    end
  endtask

  // A credit moves at the coming edge: it is good for a flit at the next one.
  task take_credit(input int n);
    int v;
    begin
      if (in_credit_valid[n] === 1'bx) fail(n);
      if (in_credit_valid[n]) begin
        v          = n * NumVcs + in_credit_vc[n];
        credits[v] = credits[v] + 1;
      end
    end
  endtask

  initial begin
    for (int n = 0; n < Nodes; n++) begin
      sent[n] = 0;
      left[n] = 0;
    end
    for (int v = 0; v < Nodes * NumVcs; v++) begin
      credits[v]  = Depth;
      expected[v] = -1;
    end
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    while (arrived < Nodes * Packets && cycle < 2000) begin
      @(negedge clk);
      cycle = cycle + 1;
      for (int n = 0; n < Nodes; n++) receive(n);
      for (int n = 0; n < Nodes; n++) send(n);
      for (int n = 0; n < Nodes; n++) take_credit(n);
    end
    if (arrived == Nodes * Packets) $display("passed");
    else $display("%0d of %0d packets arrived", arrived, Nodes * Packets);
    $finish;
  end
endmodule
