// SPDX-License-Identifier: Apache-2.0
// Sends random packets into a router or mesh and checks every bit that comes out. The including
// testbench defines
//
//   Ports, NumVcs           ports at which packets enter and leave; 2 VCs of each
//   SlotWidth              width of an address
//   Credits, CreditPerFlit  credits of an input VC; each is for a flit, or else for a packet
//   Packets                 packets into each port
//   destination(port)       random legal destination of packets from this port
//   leaves_by(place)        port by which packets for `place` leave
//
// and connects in_* and out_* to the device under test. Fields of a flit: payload, packet, head,
// remaining, destination.
  localparam int Width       = 34;
  localparam int HeadBit     = SlotWidth + 4;
  localparam int PacketBit   = HeadBit + 1;
  localparam int NumPackets  = Ports * Packets;
  localparam int PayloadBits = Width - PacketBit - 8;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  logic [Ports-1:0]       in_valid = '0;
  logic [Ports-1:0]       out_credit_valid = '0;
  logic [Ports-1:0]       in_vc, in_credit_valid, in_credit_vc, out_valid, out_vc, out_credit_vc;
  logic [Ports*Width-1:0] in_flit, out_flit;

  // For each port: the next packet, its flits still to be sent, and its VC.
  int   packet [0:Ports-1];
  int   left [0:Ports-1];
  logic on_vc [0:Ports-1];
  int   credits [0:Ports*NumVcs-1];

  // For each packet: its number of flits, its flits that have arrived, and its destination.
  int                    length [0:NumPackets-1];
  int                    out_flits [0:NumPackets-1];
  logic [SlotWidth-1:0] to [0:NumPackets-1];
  int                    on [0:Ports*NumVcs-1];  // Packet that is arriving, or -1.
  int                    out_packets = 0;

  function [Width-1:0] flit_of(input int number, input int flits_after);
    flit_of = {PayloadBits'((number * 8 + flits_after) * 40503), 8'(number),
               flits_after == length[number] - 1, 4'(flits_after), to[number]};
  endfunction

  task begin_packet(input int p);
    begin
      on_vc[p]          = $random;
      left[p]           = 1 + {$random} % 4;
      length[packet[p]] = left[p];
      to[packet[p]]     = destination(p);
    end
  endtask

  task send(input int p);
    int vc;
    begin
      if (left[p] == 0 && packet[p] < (p + 1) * Packets && {$random} % 2 == 0) begin_packet(p);
      vc          = p * NumVcs + on_vc[p];
      in_valid[p] = left[p] > 0 &&
                    (credits[vc] > 0 || (!CreditPerFlit && left[p] < length[packet[p]]));
      if (in_valid[p]) begin
        if (CreditPerFlit || left[p] == length[packet[p]]) credits[vc] = credits[vc] - 1;
        left[p]                 = left[p] - 1;
        in_vc[p]                = on_vc[p];
        in_flit[p*Width+:Width] = flit_of(packet[p], left[p]);
        if (left[p] == 0) packet[p] = packet[p] + 1;
      end
    end
  endtask

  task fail(input int p);
    begin
      $display("port %0d: wrong flit %h on VC %b, valid %b", p, out_flit[p*Width+:Width], out_vc[p],
               out_valid[p]);
      $finish(1);
    end
  endtask

  task receive(input int p);
    int               vc, number, flits_after;
    reg [Width-1:0] flit;
    begin
      flit                = out_flit[p*Width+:Width];
      out_credit_valid[p] = 1'b0;
      if (^{out_valid[p], out_vc[p], flit} === 1'bx) fail(p);
      if (out_valid[p]) begin
        vc          = p * NumVcs + out_vc[p];
        number      = flit[PacketBit+:8];
        flits_after = length[number] - 1 - out_flits[number];
        if (number >= NumPackets || leaves_by(to[number]) != p || flits_after < 0 ||
            flit !== flit_of(number, flits_after) || (on[vc] >= 0 && on[vc] != number)) fail(p);
        out_flits[number]   = out_flits[number] + 1;
        on[vc]              = flits_after == 0 ? -1 : number;
        out_packets         = out_packets + (flits_after == 0 ? 1 : 0);
        out_credit_valid[p] = CreditPerFlit || flits_after == 0;
        out_credit_vc[p]    = out_vc[p];
      end
    end
  endtask

  // Accepts a credit at the coming edge; it can be used for a flit at the next one.
  task take_credit(input int p);
    int vc;
    begin
      if (in_credit_valid[p] === 1'bx) fail(p);
      vc = p * NumVcs + in_credit_vc[p];
      if (in_credit_valid[p]) credits[vc] = credits[vc] + 1;
    end
  endtask

  task step;
    begin
      @(negedge clk);
      for (int p = 0; p < Ports; p++) receive(p);
      for (int p = 0; p < Ports; p++) send(p);
      for (int p = 0; p < Ports; p++) take_credit(p);
    end
  endtask

  initial begin
    for (int p = 0; p < Ports; p++) begin
      packet[p] = p * Packets;
      left[p]   = 0;
      on_vc[p]  = 1'b0;
    end
    for (int vc = 0; vc < Ports * NumVcs; vc++) begin
      credits[vc] = Credits;
      on[vc]      = -1;
    end
    for (int n = 0; n < NumPackets; n++) out_flits[n] = 0;
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    for (int cycle = 0; cycle < 5000 && out_packets < NumPackets; cycle++) step;
    repeat (50) step;
    if (out_packets == NumPackets) $display("passed");
    else $display("%0d of %0d packets came out", out_packets, NumPackets);
    $finish;
  end
