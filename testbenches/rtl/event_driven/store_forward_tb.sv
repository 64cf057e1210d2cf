// SPDX-License-Identifier: Apache-2.0
// A store-and-forward router gives every packet out whole, by the port that leads to where it goes.
module store_forward_tb;
  localparam int Ports = 5;
  localparam int Local = 4;
  localparam int NumVcs = 2;
  localparam int NumPlaces = 2;
  localparam int Width = 34;
  localparam int Packets = 40;  // Into each port.
  localparam logic [3:0] Here = {2'd1, 2'd1};

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  logic [Ports-1:0]       in_valid = '0;
  logic [Ports-1:0]       out_credit_valid = '0;
  logic [Ports-1:0]       in_vc, in_credit_valid, in_credit_vc, out_valid, out_vc, out_credit_vc;
  logic [Ports*Width-1:0] in_flit, out_flit;

  store_forward_router #(.NumVcs(NumVcs), .NumPlaces(NumPlaces), .Width(Width)) u_router (
    .clk_i(clk), .rst_ni(rst_n), .here_i(Here), .in_valid_i(in_valid), .in_vc_i(in_vc),
    .in_flit_i(in_flit), .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_flit_o(out_flit),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc)
  );

  // Flit: payload, packet, head, remaining, destination {y, x}.
  int               sent [0:Ports-1];
  int               left [0:Ports-1];        // Flits of the packet that comes in at a port.
  logic [3:0]       to [0:Ports-1];
  logic             on_vc [0:Ports-1];
  logic [Ports-1:0] head_next = '1;
  int               credits [0:Ports*NumVcs-1];
  int               expected [0:Ports-1];    // Flits to come of the packet that goes out.
  logic [7:0]       packet_of [0:Ports-1];
  int               out = 0;
  int               cycle = 0;

  function [2:0] port_to(input [3:0] place);
    if (place[1:0] != Here[1:0])      port_to = place[1:0] > Here[1:0] ? 0 : 1;
    else if (place[3:2] != Here[3:2]) port_to = place[3:2] > Here[3:2] ? 2 : 3;
    else                              port_to = Local;
  endfunction

  task send(input int p);
    begin
      in_valid[p] = 1'b0;
      if (left[p] == 0 && sent[p] < Packets && {$random} % 2 == 0) begin
        on_vc[p] = $random;
        // Packets keep to the order of dimensions and do not turn back.
        to[p] = p == 2 || p == 3 ? {2'($random), Here[1:0]} : 4'($random);
        if (credits[p*NumVcs+on_vc[p]] > 0 && (p == Local || port_to(to[p]) != p)) begin
          left[p]                    = 1 + {$random} % 4;
          credits[p*NumVcs+on_vc[p]] = credits[p*NumVcs+on_vc[p]] - 1;
        end
      end
      if (left[p] > 0) begin
        left[p]                 = left[p] - 1;
        in_valid[p]             = 1'b1;
        in_vc[p]                = on_vc[p];
        in_flit[p*Width+:Width] =
            {17'(sent[p]), 8'(p * Packets + sent[p]), head_next[p], 4'(left[p]), to[p]};
        head_next[p]            = left[p] == 0;
        if (left[p] == 0) sent[p] = sent[p] + 1;
      end
    end
  endtask

  task fail(input int p);
    begin
      $display("port %0d: wrong flit %h, valid %b", p, out_flit[p*Width+:Width], out_valid[p]);
      $finish(1);
    end
  endtask

  task receive(input int p);
    reg [Width-1:0] flit;
    begin
      flit                = out_flit[p*Width+:Width];
      out_credit_valid[p] = 1'b0;
      if (^{out_valid[p], out_vc[p], flit} === 1'bx) fail(p);
      if (out_valid[p]) begin
        if (port_to(flit[3:0]) != p || flit[8] != (expected[p] < 0)) fail(p);
        if (!flit[8] && (flit[7:4] != expected[p] || flit[16:9] != packet_of[p])) fail(p);
        packet_of[p]        = flit[16:9];
        expected[p]         = flit[7:4] - 1;
        out_credit_valid[p] = flit[7:4] == 0;
        out_credit_vc[p]    = out_vc[p];
        if (flit[7:4] == 0) out = out + 1;
      end
    end
  endtask

  // A credit moves at the coming edge: it is good for a packet at the next one.
  task take_credit(input int p);
    int v;
    begin
      if (in_credit_valid[p] === 1'bx) fail(p);
      if (in_credit_valid[p]) begin
        v          = p * NumVcs + in_credit_vc[p];
        credits[v] = credits[v] + 1;
      end
    end
  endtask

  initial begin
    for (int p = 0; p < Ports; p++) begin
      sent[p]     = 0;
      left[p]     = 0;
      expected[p] = -1;
    end
    for (int v = 0; v < Ports * NumVcs; v++) credits[v] = NumPlaces;
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    while (out < Ports * Packets && cycle < 5000) begin
      @(negedge clk);
      cycle = cycle + 1;
      for (int p = 0; p < Ports; p++) receive(p);
      for (int p = 0; p < Ports; p++) send(p);
      for (int p = 0; p < Ports; p++) take_credit(p);
    end
    if (out == Ports * Packets) $display("passed");
    else $display("%0d of %0d packets came out", out, Ports * Packets);
    $finish;
  end
endmodule
