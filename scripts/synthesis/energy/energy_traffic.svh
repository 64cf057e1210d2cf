// SPDX-License-Identifier: Apache-2.0
// Random packets for the benches of scripts/synth --energy, which include this and have
//
//   Sources                 ports that packets come in by, and as many that they leave by
//   NumVcs, VcWidth, Width  of the router; SlotWidth: bits of a destination
//   Credits, PacketCredits  of a VC into a port, for a packet each if PacketCredits, else for a flit
//   WholePacket             a packet begins only with credits for all its flits
//   destination(source)     a random one that packets from there may have
//
// and a driver that calls take() shortly before each rising edge and drive() shortly after it.
// Flit: payload, packet number (of PacketWidth bits), head, remaining, destination. What is random
// follows +seed=; see the plusargs below. Ports without a flit carry zeros, as those of a router do.
  localparam int HeadBit     = SlotWidth + 4;
  localparam int PayloadBit  = HeadBit + 1 + PacketWidth;
  localparam int PayloadBits = Width - PayloadBit;
  localparam int Backlog     = 1024;  // Most packets that wait at a source.

  logic [Sources-1:0]         in_valid = '0, out_credit_valid = '0;
  logic [Sources*VcWidth-1:0] in_vc = '0, out_credit_vc = '0;
  logic [Sources*Width-1:0]   in_flit = '0;
  logic [Sources-1:0]         in_credit_valid, out_valid;
  logic [Sources*VcWidth-1:0] in_credit_vc, out_vc;
  logic [Sources*Width-1:0]   out_flit;

  string list_file;
  int    listed, list, listed_cycle, listed_source, listed_to, listed_length, cycle_now;

  // Packets of the list that have come to their sources and not begun.
  int due_to [0:Sources*Backlog-1];
  int due_length [0:Sources*Backlog-1];
  int first_due [0:Sources-1];

  task read_packet;
    if (!listed || $fscanf(list, "%d %d %d %d\n", listed_cycle, listed_source, listed_to,
                           listed_length) != 4) listed_cycle = 1 << 30;
  endtask

  task take_from_list;
    int at;
    begin
      while (listed_cycle <= cycle_now) begin
        at = listed_source*Backlog + (first_due[listed_source] + waiting[listed_source]) % Backlog;
        due_to[at]             = listed_to;
        due_length[at]         = listed_length;
        waiting[listed_source] = waiting[listed_source] + 1;
        read_packet;
      end
      cycle_now = cycle_now + 1;
    end
  endtask

  int seed, load, longest, random_lengths, payload, held_back, only_to;
  logic [Sources-1:0] from;
  logic [NumVcs-1:0]  on;
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("load=%d", load)) load = 100;        // Flits in 1000 cycles of a source.
    if (!$value$plusargs("len=%d", longest)) longest = 4;     // Flits of a packet,
    if (!$value$plusargs("randlen=%d", random_lengths)) random_lengths = 0;  // or 1 to longest.
    if (!$value$plusargs("payload=%d", payload)) payload = 0; // 0 random, 1 zero, 2 eight bits.
    if (!$value$plusargs("hold=%d", held_back)) held_back = 0;  // Credits, in 100 cycles.
    if (!$value$plusargs("dest=%d", only_to)) only_to = -1;   // One destination for all.
    if (!$value$plusargs("from=%b", from)) from = '1;         // Sources that send,
    if (!$value$plusargs("vcs=%b", on)) on = '1;              // and the VCs that they use.
    listed = $value$plusargs("packets=%s", list_file);        // Instead: a packet a line, in order,
    if (listed) list = $fopen(list_file, "r");                // "cycle source destination flits".
    read_packet;
  end

  int waiting [0:Sources-1];                 // Packets of a source that have not begun.
  int last [0:Sources-1];                    // VC that it served last.
  int left [0:Sources*NumVcs-1];             // Flits still to come of the packet on a VC,
  int length [0:Sources*NumVcs-1];           // of this number of flits,
  int to [0:Sources*NumVcs-1];               // its destination
  int number [0:Sources*NumVcs-1];           // and number.
  int credits [0:Sources*NumVcs-1];
  int owed [0:Sources*NumVcs-1];             // Credits that the sinks have still to give.
  int packets = 0;

  initial begin
    cycle_now = 0;
    for (int s = 0; s < Sources; s++) begin
      waiting[s]   = 0;
      last[s]      = 0;
      first_due[s] = 0;
    end
    for (int v = 0; v < Sources*NumVcs; v++) begin
      left[v]    = 0;
      credits[v] = Credits;
      owed[v]    = 0;
    end
  end

  function int below(input int limit);
    below = $unsigned($random(seed)) % limit;
  endfunction

  // Takes the flits that came out and the credits that were returned, as they are at the coming edge.
  task take;
    int v;
    begin
      for (int s = 0; s < Sources; s++) begin
        if (out_valid[s] === 1'b1) begin
          v = s*NumVcs + out_vc[s*VcWidth+:VcWidth];
          if (!PacketCredits || out_flit[s*Width+SlotWidth+:4] == 0) owed[v] = owed[v] + 1;
        end
        if (in_credit_valid[s] === 1'b1) begin
          v = s*NumVcs + in_credit_vc[s*VcWidth+:VcWidth];
          credits[v] = credits[v] + 1;
        end
      end
    end
  endtask

  function int may_begin(input int s, input int vc);
    int v;
    v = s*NumVcs + vc;
    may_begin = left[v] == 0 && waiting[s] > 0 && on[vc] &&
                credits[v] >= ((WholePacket && !PacketCredits) ? longest : 1);
  endfunction

  task begin_packet(input int s, input int v);
    begin
      waiting[s] = waiting[s] - 1;
      length[v]  = random_lengths ? 1 + below(longest) : longest;
      to[v]      = only_to >= 0 ? only_to : destination(s);
      if (listed) begin
        length[v]    = due_length[s*Backlog+first_due[s]];
        to[v]        = due_to[s*Backlog+first_due[s]];
        first_due[s] = (first_due[s] + 1) % Backlog;
      end
      left[v]    = length[v];
      number[v]  = packets;
      packets    = packets + 1;
      if (PacketCredits) credits[v] = credits[v] - 1;
    end
  endtask

  task send_flit(input int s, input int vc);
    int                v;
    logic [Width-1:0]  flit;
    logic [1023:0]     bits;
    begin
      v = s*NumVcs + vc;
      left[v] = left[v] - 1;
      if (!PacketCredits) credits[v] = credits[v] - 1;
      for (int w = 0; w < 32; w++) bits[w*32+:32] = $random(seed);
      if (payload == 1) bits = '0;
      if (payload == 2) bits = bits & 1024'hff;
      flit = '0;
      flit[PayloadBit+:PayloadBits]  = bits[PayloadBits-1:0];
      if (PacketWidth > 0) flit[HeadBit+1+:(PacketWidth > 0 ? PacketWidth : 1)] = number[v];
      flit[HeadBit]                  = left[v] == length[v] - 1;
      flit[SlotWidth+:4]            = left[v];
      flit[SlotWidth-1:0]           = to[v];
      in_valid[s]                = 1'b1;
      in_vc[s*VcWidth+:VcWidth]  = vc;
      in_flit[s*Width+:Width]    = flit;
    end
  endtask

  // One flit at most, by the next VC round robin that has one to send.
  task send(input int s);
    int vc, sent;
    begin
      in_valid[s]               = 1'b0;
      in_vc[s*VcWidth+:VcWidth] = '0;
      in_flit[s*Width+:Width]   = '0;
      if (!listed && from[s] && waiting[s] < 8 &&
          below(1000*(random_lengths ? longest + 1 : 2*longest)) < 2*load) begin
        waiting[s] = waiting[s] + 1;
      end
      sent = 0;
      for (int o = 1; o <= NumVcs && !sent; o++) begin
        vc = (last[s] + o) % NumVcs;
        if (may_begin(s, vc)) begin_packet(s, s*NumVcs + vc);
        if (left[s*NumVcs+vc] > 0 && (PacketCredits || credits[s*NumVcs+vc] > 0)) begin
          send_flit(s, vc);
          last[s] = vc;
          sent    = 1;
        end
      end
    end
  endtask

  task give_credit(input int s);
    int vc, given;
    begin
      out_credit_valid[s]               = 1'b0;
      out_credit_vc[s*VcWidth+:VcWidth] = '0;
      given = below(100) < held_back;
      for (int o = 0; o < NumVcs && !given; o++) begin
        vc = o;
        if (owed[s*NumVcs+vc] > 0) begin
          owed[s*NumVcs+vc]                 = owed[s*NumVcs+vc] - 1;
          out_credit_valid[s]               = 1'b1;
          out_credit_vc[s*VcWidth+:VcWidth] = vc;
          given                             = 1;
        end
      end
    end
  endtask

  task drive;
    begin
      if (listed) take_from_list;
      for (int s = 0; s < Sources; s++) begin
        send(s);
        give_credit(s);
      end
    end
  endtask
