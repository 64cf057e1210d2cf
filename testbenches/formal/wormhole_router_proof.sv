// SPDX-License-Identifier: Apache-2.0
// Claims about a whole wormhole_router, one number each, between neighbours that keep to its rules
// and are free otherwise: they send and return credits when they like.
//
//   1  Credits, flits in flight and flits stored are Depth, for every VC on both sides.
//   2  Of the flits that enter an input VC all those that leave do so once, unchanged, in their
//      order, by the output of their packet; what has left the buffer has left the router or is in
//      its last stage. The flits of a packet follow each other in an output VC.
//   3  An output VC goes to a packet that waits for it while no other has it, and only its holder
//      sends; a flit leaves only by the output of its packet and with the credits that it needs.
//
// An input VC, any, is watched: its flits have a color that is not 0. One of them, any, is marked.
// Claim 0 is all three with lemmas on the state of the router, which make them inductive.
module wormhole_router_proof #(
  parameter int Claim              = 0,
  parameter int NumVcs             = 1,
  parameter int Depth              = 2,
  parameter int RemainingWidth     = 1,
  parameter int RouteCycles        = 1,
  parameter int VcAllocationCycles = 1,
  parameter int DepartureCycles    = 2,  // 1 or 2.
  parameter int WholePacketCredit  = 0,
  // The others are derived: three ports in a row of routers.
  parameter int NumPorts           = 3,
  parameter int VcWidth            = NumVcs > 1 ? $clog2(NumVcs) : 1,
  parameter int Num                = NumPorts * NumVcs,
  parameter int IndexW             = $clog2(Num)
) (
  input logic                               clk_i,
  input logic                               rst_ni,

  input logic [NumPorts-1:0]                send_i,         // The neighbours offer a flit.
  input logic [NumPorts*VcWidth-1:0]        vc_i,
  input logic [NumPorts*2-1:0]              destination_i,
  input logic [NumPorts*RemainingWidth-1:0] remaining_i,    // Counts with a head.
  input logic [NumPorts-1:0]                return_i,       // They have taken a flit out.
  input logic [NumPorts*VcWidth-1:0]        return_vc_i,
  input logic                               mark_i,         // The next flit watched is marked.
  input logic [IndexW-1:0]                  watched_i       // In the first clock.
);

  localparam int Width  = 2 + RemainingWidth + 1 + 2;
  localparam int CountW = $clog2(Depth + 1);
  localparam int AheadW = $clog2(Depth + 3);
  localparam logic [1:0] Here   = 2'd1;
  localparam logic [1:0] Other  = 2'd0, Before = 2'd1, Marked = 2'd2, After = 2'd3;

  // The neighbours before the router: their credits, and how many flits of a packet are to come.
  logic [Num*CountW-1:0]         credits_q;
  logic [Num*RemainingWidth-1:0] due_q;
  // The neighbours behind it: what they store, and what the last flit of each VC said.
  logic [Num*CountW-1:0]         stored_q;
  logic [Num*RemainingWidth-1:0] out_due_q;
  logic [Num-1:0]                out_own_q;  // It was one of the watched VC.

  logic [NumPorts-1:0]         in_valid, in_credit_valid, out_valid, out_credit_valid;
  logic [NumPorts*VcWidth-1:0] in_vc, in_credit_vc, out_vc, out_credit_vc;
  logic [NumPorts*Width-1:0]   in_flit, out_flit;
  logic [Num-1:0]              enters, returned, leaves, back;  // By VC.

  flitcast_wormhole_router #(
    .Dimensions(1), .CoordinateWidth(2), .NumVcs(NumVcs), .Depth(Depth),
    .RemainingWidth(RemainingWidth), .Width(Width), .RouteCycles(RouteCycles),
    .VcAllocationCycles(VcAllocationCycles), .DepartureCycles(DepartureCycles),
    .WholePacketCredit(WholePacketCredit)
  ) u_router (
    .clk_i, .rst_ni, .here_i(Here),
    .in_valid_i(in_valid), .in_vc_i(in_vc), .in_flit_i(in_flit),
    .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_flit_o(out_flit),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc)
  );

  // State of the router, by names that flatten joins to its own.
  /* verilator lint_off UNDRIVEN */
  (* hierconn *) wire [Num*CountW-1:0]          \u_router.u_credits.credits ;
  (* hierconn *) wire [Num-1:0]                 \u_router.occupied ;
  (* hierconn *) wire [Num-1:0]                 \u_router.waiting ;
  (* hierconn *) wire [Num-1:0]                 \u_router.active ;
  (* hierconn *) wire [Num-1:0]                 \u_router.granted ;
  (* hierconn *) wire [Num-1:0]                 \u_router.sends ;
  (* hierconn *) wire [Num-1:0]                 \u_router.free_q ;
  (* hierconn *) wire [Num-1:0]                 \u_router.busy_q ;
  (* hierconn *) wire [Num-1:0]                 \u_router.unserved_q ;
  (* hierconn *) wire [Num-1:0]                 \u_router.active_q ;
  (* hierconn *) wire [Num-1:0]                 \u_router.routed ;
  (* hierconn *) wire [Num-1:0]                 \u_router.allocated ;
  (* hierconn *) wire [NumVcs*Width-1:0]        \u_router.gen_input[0].u_input.fronts ;
  (* hierconn *) wire [NumVcs*Width-1:0]        \u_router.gen_input[1].u_input.fronts ;
  (* hierconn *) wire [NumVcs*Width-1:0]        \u_router.gen_input[2].u_input.fronts ;
  (* hierconn *) wire [Num-1:0]                 \u_router.taken ;
  (* hierconn *) wire [Num*NumVcs-1:0]          \u_router.grants ;
  (* hierconn *) wire [Num*NumVcs-1:0]          \u_router.held ;
  (* hierconn *) wire [Num*NumPorts-1:0]        \u_router.routes ;
  (* hierconn *) wire [Num*RemainingWidth-1:0]  \u_router.followers ;
  (* hierconn *) wire [NumPorts*NumPorts-1:0]   \u_router.sources ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_input[0].u_input.gen_vc[0].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_input[1].u_input.gen_vc[0].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_input[2].u_input.gen_vc[0].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_input[0].u_input.gen_vc[1].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_input[1].u_input.gen_vc[1].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_input[2].u_input.gen_vc[1].u_vc.unused_count ;
  /* verilator lint_on UNDRIVEN */

  /* verilator lint_off UNUSEDSIGNAL */  // There may be no VC 1.
  logic [2*NumPorts*CountW-1:0] counts_by_vc;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [Num*CountW-1:0]        counts;        // Flits stored in each input VC,
  logic [Num*Width-1:0]         fronts;        // and the one at its front.
  assign counts_by_vc = {
    \u_router.gen_input[2].u_input.gen_vc[1].u_vc.unused_count ,
    \u_router.gen_input[1].u_input.gen_vc[1].u_vc.unused_count ,
    \u_router.gen_input[0].u_input.gen_vc[1].u_vc.unused_count ,
    \u_router.gen_input[2].u_input.gen_vc[0].u_vc.unused_count ,
    \u_router.gen_input[1].u_input.gen_vc[0].u_vc.unused_count ,
    \u_router.gen_input[0].u_input.gen_vc[0].u_vc.unused_count };
  assign fronts = {\u_router.gen_input[2].u_input.fronts , \u_router.gen_input[1].u_input.fronts ,
                   \u_router.gen_input[0].u_input.fronts };
  for (genvar i = 0; i < Num; i++) begin : gen_count
    assign counts[i*CountW+:CountW] =
        counts_by_vc[((i%NumVcs)*NumPorts + i/NumVcs)*CountW+:CountW];
  end

  // The output to a destination.
  function automatic logic [NumPorts-1:0] way_of(input logic [1:0] destination);
    way_of = destination == Here ? 3'b100 : destination > Here ? 3'b001 : 3'b010;
  endfunction

  // The watched VC and its marked flit.
  logic [IndexW-1:0]   watched_q;
  logic                marked_q, gone_q;     // It has entered; it has left.
  logic [AheadW-1:0]   inside_q, ahead_q;    // Flits of the VC in the router, and before the marked.
  logic [Width-3:0]    copy_q;               // The marked flit but for its color,
  logic [NumPorts-1:0] way_q, copy_way_q;    // and the outputs of the newest packet and of its.
  logic                own_enters;
  logic [NumPorts-1:0] own_leaves;           // By output.
  logic [NumPorts-1:0] way;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [VcWidth-1:0]        vc, return_vc;
    logic [RemainingWidth-1:0] due, wish, longest, remaining;
    logic [1:0]                color;
    logic                      may_send, may_return;

    assign vc        = NumVcs > 1 ? vc_i[p*VcWidth+:VcWidth] : '0;
    assign return_vc = NumVcs > 1 ? return_vc_i[p*VcWidth+:VcWidth] : '0;
    assign due       = due_q[(p*NumVcs+32'(vc))*RemainingWidth+:RemainingWidth];
    // A packet that goes on as a whole is not longer than a buffer.
    assign wish      = remaining_i[p*RemainingWidth+:RemainingWidth];
    assign longest   = WholePacketCredit == 1 && 32'(wish) >= Depth ? RemainingWidth'(Depth - 1) :
                                                                      wish;
    assign remaining = due == '0 ? longest : due - 1'b1;
    assign color     = p * NumVcs + 32'(vc) != 32'(watched_q) ? Other :
                       marked_q ? After : mark_i ? Marked : Before;

    assign may_send   = credits_q[(p*NumVcs+32'(vc))*CountW+:CountW] != '0;
    assign may_return = stored_q[(p*NumVcs+32'(return_vc))*CountW+:CountW] != '0;

    assign in_valid[p]                       = send_i[p] && may_send;
    assign in_vc[p*VcWidth+:VcWidth]         = vc;
    assign in_flit[p*Width+:Width]           = {color, due == '0, remaining, destination_i[p*2+:2]};
    assign out_credit_valid[p]               = return_i[p] && may_return;
    assign out_credit_vc[p*VcWidth+:VcWidth] = return_vc;
    assign own_leaves[p] = out_valid[p] && out_flit[(p+1)*Width-2+:2] != Other;

    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      localparam int I = p * NumVcs + v;
      assign enters[I]   = in_valid[p] && vc == VcWidth'(v);
      assign returned[I] = in_credit_valid[p] && in_credit_vc[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign leaves[I]   = out_valid[p] && out_vc[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign back[I]     = out_credit_valid[p] && return_vc == VcWidth'(v);

      logic [CountW-1:0]         credits, stored;
      logic [RemainingWidth-1:0] due_here, out_due;
      assign credits_q[I*CountW+:CountW]                 = credits;
      assign stored_q[I*CountW+:CountW]                  = stored;
      assign due_q[I*RemainingWidth+:RemainingWidth]     = due_here;
      assign out_due_q[I*RemainingWidth+:RemainingWidth] = out_due;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          credits  <= CountW'(Depth);
          stored   <= '0;
          due_here <= '0;
          out_due  <= '0;
        end else begin
          credits <= credits + CountW'(returned[I]) - CountW'(enters[I]);
          stored  <= stored + CountW'(leaves[I]) - CountW'(back[I]);
          if (enters[I]) due_here     <= remaining;
          if (leaves[I]) out_due      <= out_flit[p*Width+2+:RemainingWidth];
          if (leaves[I]) out_own_q[I] <= own_leaves[p];
        end
      end
    end
  end

  logic [Width-1:0] own_flit;  // That enters.
  assign own_enters = enters[watched_q];
  always_comb begin
    own_flit = '0;
    for (int p = 0; p < NumPorts; p++) begin
      if (32'(watched_q) / NumVcs == p) own_flit = in_flit[p*Width+:Width];
    end
  end
  assign way = !own_flit[Width-3] ? way_q : way_of(own_flit[1:0]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      watched_q <= 32'(watched_i) < Num ? watched_i : '0;
      marked_q  <= 1'b0;
      gone_q    <= 1'b0;
      inside_q  <= '0;
      ahead_q   <= '0;
    end else begin
      inside_q <= inside_q + AheadW'(own_enters) - AheadW'(own_leaves != '0);
      if (own_enters) way_q <= way;
      if (own_enters && !marked_q && mark_i) begin
        marked_q   <= 1'b1;
        copy_q     <= own_flit[Width-3:0];
        copy_way_q <= way;
        ahead_q    <= inside_q - AheadW'(own_leaves != '0);
      end else if (own_leaves != '0 && ahead_q != '0) begin
        ahead_q <= ahead_q - 1'b1;
      end
      for (int p = 0; p < NumPorts; p++) begin
        if (own_leaves[p] && out_flit[(p+1)*Width-2+:2] == Marked) gone_q <= 1'b1;
      end
    end
  end

  // Claim 1.
  if (Claim == 0 || Claim == 1) begin : gen_conserved
    for (genvar i = 0; i < Num; i++) begin : gen_vc
      always_comb if (rst_ni) begin
        assert (32'(credits_q[i*CountW+:CountW]) + 32'(counts[i*CountW+:CountW]) == Depth);
        assert (32'(\u_router.u_credits.credits [i*CountW+:CountW]) + (DepartureCycles == 2 ? 32'(leaves[i]) : 0) +
                32'(stored_q[i*CountW+:CountW]) == Depth);
      end
    end
  end

  // Claim 2.
  if (Claim == 0 || Claim == 2) begin : gen_order
    for (genvar p = 0; p < NumPorts; p++) begin : gen_port
      logic [1:0]                color;
      logic                      head;
      logic [RemainingWidth-1:0] remaining;
      assign {color, head, remaining} = out_flit[p*Width+2+:Width-2];

      always_comb if (rst_ni && out_valid[p]) begin
        if (color != Other)  assert (inside_q != '0 && (own_leaves & ~(NumPorts'(1) << p)) == '0);
        if (color == Before) assert (!gone_q && (!marked_q || ahead_q != '0));
        if (color == After)  assert (gone_q);
        if (color == Marked) begin
          assert (marked_q && !gone_q && ahead_q == '0);
          assert (out_flit[p*Width+:Width-2] == copy_q && copy_way_q[p]);
        end
      end
      for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
        localparam int I = p * NumVcs + v;
        logic [RemainingWidth-1:0] due;
        assign due = out_due_q[I*RemainingWidth+:RemainingWidth];
        always_comb if (rst_ni && leaves[I]) begin
          assert (head == (due == '0));
          if (!head) assert (remaining == due - 1'b1 && (color != Other) == out_own_q[I]);
        end
      end
    end
    always_comb if (rst_ni) begin
      assert (32'(inside_q) == Depth - 32'(credits_q[32'(watched_q)*CountW+:CountW]) +
              (DepartureCycles == 2 ? 32'(own_leaves != '0) : 0));
    end
  end

  // Claim 3.
  if (Claim == 0 || Claim == 3) begin : gen_grants
    logic [Num*Num-1:0] holds, wins;  // Row i: output VC j is held by, or is given to, input VC i.
    for (genvar i = 0; i < Num; i++) begin : gen_row
      for (genvar j = 0; j < Num; j++) begin : gen_column
        assign holds[i*Num+j] = \u_router.active [i] && \u_router.routes [i*NumPorts + j/NumVcs] &&
                                \u_router.held [i*NumVcs + j%NumVcs];
        assign wins[i*Num+j]  = \u_router.granted [i] && \u_router.routes [i*NumPorts + j/NumVcs] &&
                                \u_router.grants [i*NumVcs + j%NumVcs];
      end
      always_comb if (rst_ni) begin
        // One that is granted has waited, and gets one VC; one that sends has a flit and one VC.
        assert ($countones(wins[i*Num+:Num]) == 32'(\u_router.granted [i]));
        if (\u_router.granted [i]) assert (\u_router.waiting [i]);
        if (\u_router.sends [i])   assert (\u_router.occupied [i] && $countones(holds[i*Num+:Num]) == 1);
        assert (\u_router.sends [i] == returned[i]);
      end
      for (genvar j = 0; j < Num; j++) begin : gen_credit
        // A slot without a credit is in flight or stored, as the neighbour sees it.
        always_comb if (rst_ni && \u_router.sends [i] && holds[i*Num+j]) begin
          assert (32'(stored_q[j*CountW+:CountW]) + (DepartureCycles == 2 ? 32'(leaves[j]) : 0) +
                  (WholePacketCredit == 1 ? 32'(\u_router.followers [i*RemainingWidth+:RemainingWidth]) : 0) < Depth);
        end
      end
    end
    for (genvar j = 0; j < Num; j++) begin : gen_output
      logic [Num-1:0] holders, winners;
      for (genvar i = 0; i < Num; i++) begin : gen_input
        assign holders[i] = holds[i*Num+j];
        assign winners[i] = wins[i*Num+j];
      end
      always_comb if (rst_ni) begin
        assert ($countones(holders) <= 1);
        assert ($countones(winners) == 32'(\u_router.taken [j]));
        if (winners != '0) assert (\u_router.free_q [j] && holders == '0);
      end
    end
    for (genvar p = 0; p < NumPorts; p++) begin : gen_port
      always_comb if (rst_ni) begin
        assert ($countones(\u_router.sends [p*NumVcs+:NumVcs]) <= 1);
        for (int q = 0; q < NumPorts; q++) begin
          if (\u_router.sources [p*NumPorts+q]) assert (\u_router.sends [q*NumVcs+:NumVcs] != '0);
        end
        assert ($countones(\u_router.sources [p*NumPorts+:NumPorts]) <= 1);
      end
    end
  end

  // Lemmas: what holds for the state of the router between two clocks.
  if (Claim == 0) begin : gen_lemmas
    logic [Num-1:0] routing, allocating;  // Heads in the stages of these.
    logic [Num-1:0] holder;               // Input VCs that hold an output VC.
    logic [Num*Num-1:0] holds;            // Row j: those that hold output VC j.

    if (RouteCycles == 1) begin : gen_routing
      assign routing = \u_router.routed ;
    end else begin : gen_no_routing
      assign routing = '0;
    end
    if (VcAllocationCycles == 1) begin : gen_allocating
      assign allocating = \u_router.allocated ;
    end else begin : gen_no_allocating
      assign allocating = '0;
    end
    assign holder = \u_router.active_q | allocating;

    for (genvar i = 0; i < Num; i++) begin : gen_input
      always_comb if (rst_ni) begin
        // A packet at the front is in one stage.
        assert (32'(routing[i]) + 32'(\u_router.unserved_q [i]) + 32'(allocating[i]) +
                32'(\u_router.active_q [i]) == 32'(\u_router.busy_q [i]));
        if (\u_router.busy_q [i]) assert ($countones(\u_router.routes [i*NumPorts+:NumPorts]) == 1);
        if (holder[i])            assert ($countones(\u_router.held [i*NumVcs+:NumVcs]) == 1);
      end
      for (genvar j = 0; j < Num; j++) begin : gen_holds
        assign holds[j*Num+i] = holder[i] && \u_router.routes [i*NumPorts + j/NumVcs] &&
                                \u_router.held [i*NumVcs + j%NumVcs];
      end
    end
    for (genvar j = 0; j < Num; j++) begin : gen_output
      always_comb if (rst_ni) assert (32'(\u_router.free_q [j]) + $countones(holds[j*Num+:Num]) == 1);
    end
  end

  // Lemmas: what the flits in the router are. They are kept a second time, with their ways, in the
  // order of each input VC.
  if (Claim == 0) begin : gen_flits
    localparam int EntryW = NumPorts + Width;
    logic [Num*Depth*EntryW-1:0]   queue_q;       // The front first.
    logic [Num*RemainingWidth-1:0] front_due_q;   // Remaining of the flit before it.
    logic [Num*NumPorts-1:0]       front_way_q, back_way_q;  // Its way, that of the newest.
    logic                          in_stage;      // The last stage has a flit of the watched VC.
    assign in_stage = DepartureCycles == 2 && own_leaves != '0;

    for (genvar i = 0; i < Num; i++) begin : gen_input
      localparam int P = i / NumVcs;
      logic [Depth*EntryW-1:0]   queue;
      logic [EntryW-1:0]         entering;
      logic [Width-1:0]          flit, front;
      logic [NumPorts-1:0]       entering_way, front_way, back_way;
      logic [CountW-1:0]         count, place;
      logic [RemainingWidth-1:0] front_due;
      logic                      own;
      assign queue     = queue_q[i*Depth*EntryW+:Depth*EntryW];
      assign flit      = in_flit[P*Width+:Width];
      assign front     = fronts[i*Width+:Width];
      assign count     = counts[i*CountW+:CountW];
      assign place     = count - CountW'(returned[i]);
      assign front_due = front_due_q[i*RemainingWidth+:RemainingWidth];
      assign front_way = front_way_q[i*NumPorts+:NumPorts];
      assign back_way  = back_way_q[i*NumPorts+:NumPorts];
      assign own       = i == 32'(watched_q);
      assign entering_way = !flit[Width-3] ? back_way : way_of(flit[1:0]);
      assign entering  = {entering_way, flit};

      always_ff @(posedge clk_i) begin
        if (!rst_ni) front_due_q[i*RemainingWidth+:RemainingWidth] <= '0;
        else if (returned[i]) front_due_q[i*RemainingWidth+:RemainingWidth] <= queue[2+:RemainingWidth];
        if (returned[i]) front_way_q[i*NumPorts+:NumPorts] <= queue[Width+:NumPorts];
        if (enters[i]) back_way_q[i*NumPorts+:NumPorts] <= entering_way;
        for (int k = 0; k < Depth; k++) begin
          if (enters[i] && 32'(place) == k) queue_q[(i*Depth+k)*EntryW+:EntryW] <= entering;
          else if (returned[i] && k + 1 < Depth) queue_q[(i*Depth+k)*EntryW+:EntryW] <= queue_q[(i*Depth+(k+1)%Depth)*EntryW+:EntryW];
        end
      end

      for (genvar k = 0; k < Depth; k++) begin : gen_entry
        localparam int Previous = k > 0 ? k - 1 : 0;
        logic [RemainingWidth-1:0] due, remaining;
        logic [NumPorts-1:0]       packet_way, entry_way;
        logic                      head;
        logic [1:0]                color;
        assign due        = k == 0 ? front_due : queue[Previous*EntryW+2+:RemainingWidth];
        assign packet_way = k == 0 ? front_way : queue[Previous*EntryW+Width+:NumPorts];
        assign remaining  = queue[k*EntryW+2+:RemainingWidth];
        assign {entry_way, color, head} = queue[k*EntryW+Width-3+:NumPorts+3];
        always_comb if (rst_ni && 32'(count) > k) begin
          assert (head == (due == '0));
          if (head)  assert (entry_way == way_of(queue[k*EntryW+:2]));
          if (!head) assert (remaining == due - 1'b1 && entry_way == packet_way);
          if (32'(count) == k + 1) assert (remaining == due_q[i*RemainingWidth+:RemainingWidth] && entry_way == back_way);
          assert ((color != Other) == own);
          if (own && (!marked_q || k + 32'(in_stage) < 32'(ahead_q)) && !gone_q) assert (color == Before);
          if (own && marked_q && !gone_q && k + 32'(in_stage) == 32'(ahead_q)) begin
            assert (color == Marked && entry_way == copy_way_q && queue[k*EntryW+:Width-2] == copy_q);
          end
          if (own && marked_q && (gone_q || k + 32'(in_stage) > 32'(ahead_q))) assert (color == After);
        end
      end

      always_comb if (rst_ni) begin
        if (count != '0) assert (front == queue[0+:Width]);
        if (count == '0) assert (front_due == due_q[i*RemainingWidth+:RemainingWidth] && (front_due == '0 || front_way == back_way));
        if (own && marked_q && !gone_q) assert (ahead_q < inside_q);
        if (gone_q) assert (marked_q && ahead_q == '0);
        // A packet whose head has left is in the last stage; the head of another is at the front.
        if (front_due != '0) assert (\u_router.active_q [i]);
        if (front_due == '0 && \u_router.busy_q [i]) assert (count != '0);
        if (\u_router.busy_q [i]) begin
          assert (\u_router.routes [i*NumPorts+:NumPorts] == (front_due != '0 ? front_way : queue[Width+:NumPorts]));
        end
      end

      // The last flit of an output VC, in the last stage or behind it, was one of the holder's.
      for (genvar j = 0; j < Num; j++) begin : gen_holds
        logic [RemainingWidth-1:0] last_due;
        logic                      last_own, holds;
        assign last_due = DepartureCycles == 2 && leaves[j] ? out_flit[(j/NumVcs)*Width+2+:RemainingWidth] :
                          out_due_q[j*RemainingWidth+:RemainingWidth];
        assign last_own = DepartureCycles == 2 && leaves[j] ? own_leaves[j/NumVcs] : out_own_q[j];
        assign holds    = (\u_router.active_q [i] || (VcAllocationCycles == 1 && \u_router.allocated [i])) &&
                          \u_router.routes [i*NumPorts + j/NumVcs] && \u_router.held [i*NumVcs + j%NumVcs];
        always_comb if (rst_ni) begin
          if (\u_router.free_q [j]) assert (last_due == '0);
          if (holds) assert (last_due == front_due && (front_due == '0 || last_own == own));
        end
      end
    end
  end

endmodule
