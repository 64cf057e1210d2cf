// SPDX-License-Identifier: Apache-2.0
// Claims about a whole wormhole_router, or with Open about a vc_router of any numbers of inputs and
// outputs, one number each, between neighbours that keep to its rules and are free otherwise: they
// send and return credits when they like.
//
//   1  Credits, flits in flight and flits stored are Depth, for every VC on both sides.
//   2  Of the flits that enter an input VC all those that leave do so once, unchanged, in their
//      order, by the output of their packet; what has left the buffer has left the router or is in
//      its last stage. The flits of a packet follow each other in an output VC.
//   3  An output VC goes to a packet that waits for it while no other has it, and only its holder
//      sends; a flit leaves only by the output of its packet and with the credits that it needs.
//      A packet takes only a VC that it may take.
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
  parameter int Open               = 0,  // 1: a vc_router, the headers of packets say their way.
  parameter int NumInputs          = 3,  // Up to 3, and so the outputs; 3 of both without Open.
  parameter int NumOutputs         = 3,
  localparam int HeaderW           = Open == 1 ? 2 + NumVcs : 2,
  localparam int VcWidth           = NumVcs > 1 ? $clog2(NumVcs) : 1,
  localparam int NumIn             = NumInputs * NumVcs,
  localparam int NumOut            = NumOutputs * NumVcs,
  localparam int IndexW            = NumIn > 1 ? $clog2(NumIn) : 1
) (
  input logic                               clk_i,
  input logic                               rst_ni,

  input logic [NumInputs-1:0]                send_i,         // The neighbours offer a flit.
  input logic [NumInputs*VcWidth-1:0]        vc_i,
  input logic [NumInputs*HeaderW-1:0]        header_i,
  input logic [NumInputs*RemainingWidth-1:0] remaining_i,    // Counts with a head.
  input logic [NumOutputs-1:0]               return_i,       // They have taken a flit out.
  input logic [NumOutputs*VcWidth-1:0]       return_vc_i,
  input logic                                mark_i,         // The next flit watched is marked.
  input logic [IndexW-1:0]                   watched_i       // In the first clock.
);

  localparam int Width  = HeaderW + RemainingWidth + 1 + 2;
  localparam int CountW = $clog2(Depth + 1);
  localparam int AheadW = $clog2(Depth + 3);
  localparam logic [1:0] Here   = 2'd1;
  localparam logic [1:0] Other  = 2'd0, Before = 2'd1, Marked = 2'd2, After = 2'd3;

  // The neighbours before the router: their credits, and how many flits of a packet are to come.
  logic [NumIn*CountW-1:0]         credits_q;
  logic [NumIn*RemainingWidth-1:0] due_q;
  // The neighbours behind it: what they store, and what the last flit of each VC said.
  logic [NumOut*CountW-1:0]         stored_q;
  logic [NumOut*RemainingWidth-1:0] out_due_q;
  logic [NumOut-1:0]                out_own_q;  // It was one of the watched VC.

  logic [NumInputs-1:0]          in_valid, in_credit_valid;
  logic [NumOutputs-1:0]         out_valid, out_credit_valid;
  logic [NumInputs*VcWidth-1:0]  in_vc, in_credit_vc;
  logic [NumOutputs*VcWidth-1:0] out_vc, out_credit_vc;
  logic [NumInputs*Width-1:0]    in_flit;
  logic [NumOutputs*Width-1:0]   out_flit;
  logic [NumIn-1:0]              enters, returned;  // By VC.
  logic [NumOut-1:0]             leaves, back;

  vc_router_in_line #(
    .Open(Open), .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs), .Depth(Depth),
    .HeaderWidth(HeaderW), .RemainingWidth(RemainingWidth), .PayloadWidth(2),
    .RouteCycles(RouteCycles), .VcAllocationCycles(VcAllocationCycles),
    .DepartureCycles(DepartureCycles), .WholePacketCredit(WholePacketCredit)
  ) u_router (
    .clk_i, .rst_ni,
    .in_valid_i(in_valid), .in_vc_i(in_vc), .in_flit_i(in_flit),
    .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_flit_o(out_flit),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc)
  );

  // State of the router, by names that flatten joins to its own.
  /* verilator lint_off UNDRIVEN */
  (* hierconn *) wire [NumOut*CountW-1:0] \u_router.gen_side.u_side.u_router.u_credits.credits ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.occupied ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.waiting ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.active ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.granted ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.sends ;
  (* hierconn *) wire [NumOut-1:0] \u_router.gen_side.u_side.u_router.free_q ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.busy_q ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.unserved_q ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.active_q ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.routed ;
  (* hierconn *) wire [NumIn-1:0] \u_router.gen_side.u_side.u_router.allocated ;
  (* hierconn *) wire [NumVcs*Width-1:0]        \u_router.gen_side.u_side.u_router.gen_input[0].u_input.fronts ;
  (* hierconn *) wire [NumVcs*Width-1:0]        \u_router.gen_side.u_side.u_router.gen_input[1].u_input.fronts ;
  (* hierconn *) wire [NumVcs*Width-1:0]        \u_router.gen_side.u_side.u_router.gen_input[2].u_input.fronts ;
  (* hierconn *) wire [NumOut-1:0] \u_router.gen_side.u_side.u_router.taken ;
  (* hierconn *) wire [NumIn*NumVcs-1:0] \u_router.gen_side.u_side.u_router.grants ;
  (* hierconn *) wire [NumIn*NumVcs-1:0] \u_router.gen_side.u_side.u_router.held ;
  (* hierconn *) wire [NumIn*NumVcs-1:0] \u_router.gen_side.u_side.u_router.choices ;
  (* hierconn *) wire [NumIn*NumOutputs-1:0] \u_router.gen_side.u_side.u_router.routes ;
  (* hierconn *) wire [NumIn*RemainingWidth-1:0] \u_router.gen_side.u_side.u_router.followers ;
  (* hierconn *) wire [NumOutputs*NumInputs-1:0] \u_router.gen_side.u_side.u_router.sources ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_side.u_side.u_router.gen_input[0].u_input.gen_vc[0].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_side.u_side.u_router.gen_input[1].u_input.gen_vc[0].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_side.u_side.u_router.gen_input[2].u_input.gen_vc[0].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_side.u_side.u_router.gen_input[0].u_input.gen_vc[1].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_side.u_side.u_router.gen_input[1].u_input.gen_vc[1].u_vc.unused_count ;
  (* hierconn *) wire [CountW-1:0] \u_router.gen_side.u_side.u_router.gen_input[2].u_input.gen_vc[1].u_vc.unused_count ;
  /* verilator lint_on UNDRIVEN */

  /* verilator lint_off UNUSEDSIGNAL */  // There may be no VC 1.
  logic [2*3*CountW-1:0]      counts_by_vc;  // There may be fewer than three inputs.
  logic [3*NumVcs*Width-1:0]  fronts_by_input;
  /* verilator lint_on UNUSEDSIGNAL */
  logic [NumIn*CountW-1:0]    counts;        // Flits stored in each input VC,
  logic [NumIn*Width-1:0]     fronts;        // and the one at its front.
  assign counts_by_vc = {
    \u_router.gen_side.u_side.u_router.gen_input[2].u_input.gen_vc[1].u_vc.unused_count ,
    \u_router.gen_side.u_side.u_router.gen_input[1].u_input.gen_vc[1].u_vc.unused_count ,
    \u_router.gen_side.u_side.u_router.gen_input[0].u_input.gen_vc[1].u_vc.unused_count ,
    \u_router.gen_side.u_side.u_router.gen_input[2].u_input.gen_vc[0].u_vc.unused_count ,
    \u_router.gen_side.u_side.u_router.gen_input[1].u_input.gen_vc[0].u_vc.unused_count ,
    \u_router.gen_side.u_side.u_router.gen_input[0].u_input.gen_vc[0].u_vc.unused_count };
  assign fronts_by_input = {\u_router.gen_side.u_side.u_router.gen_input[2].u_input.fronts , \u_router.gen_side.u_side.u_router.gen_input[1].u_input.fronts ,
                   \u_router.gen_side.u_side.u_router.gen_input[0].u_input.fronts };
  assign fronts = fronts_by_input[NumIn*Width-1:0];
  for (genvar i = 0; i < NumIn; i++) begin : gen_count
    assign counts[i*CountW+:CountW] =
        counts_by_vc[((i%NumVcs)*3 + i/NumVcs)*CountW+:CountW];
  end

  // The output of a packet by its header, and the VCs there that it may take.
  function automatic logic [NumOutputs-1:0] way_of(input logic [HeaderW-1:0] header);
    logic [1:0] to;
    to = header[1:0];
    if (Open == 0) way_of = NumOutputs'(to == Here ? 3'b100 : to > Here ? 3'b001 : 3'b010);
    else way_of = NumOutputs'(1) << (32'(to) < NumOutputs ? 32'(to) : NumOutputs - 1);
  endfunction
  function automatic logic [NumVcs-1:0] set_of(input logic [HeaderW-1:0] header);
    set_of = Open == 0 || header[HeaderW-1-:NumVcs] == '0 ? '1 : header[HeaderW-1-:NumVcs];
  endfunction

  // The watched VC and its marked flit.
  logic [IndexW-1:0]   watched_q;
  logic                marked_q, gone_q;     // It has entered; it has left.
  logic [AheadW-1:0]   inside_q, ahead_q;    // Flits of the VC in the router, and before the marked.
  logic [Width-3:0]    copy_q;               // The marked flit but for its color,
  logic [NumOutputs-1:0] way_q, copy_way_q;    // and the outputs of the newest packet and of its.
  logic                own_enters;
  logic [NumOutputs-1:0] own_leaves;           // By output.
  logic [NumOutputs-1:0] way;

  for (genvar p = 0; p < NumInputs; p++) begin : gen_before
    logic [VcWidth-1:0]        vc;
    logic [RemainingWidth-1:0] due, wish, longest, remaining;
    logic [1:0]                color;
    logic                      may_send;

    assign vc        = NumVcs > 1 ? vc_i[p*VcWidth+:VcWidth] : '0;
    assign due       = due_q[(p*NumVcs+32'(vc))*RemainingWidth+:RemainingWidth];
    // A packet that goes on as a whole is not longer than a buffer.
    assign wish      = remaining_i[p*RemainingWidth+:RemainingWidth];
    assign longest   = WholePacketCredit == 1 && 32'(wish) >= Depth ? RemainingWidth'(Depth - 1) :
                                                                      wish;
    assign remaining = due == '0 ? longest : due - 1'b1;
    assign color     = p * NumVcs + 32'(vc) != 32'(watched_q) ? Other :
                       marked_q ? After : mark_i ? Marked : Before;
    assign may_send  = credits_q[(p*NumVcs+32'(vc))*CountW+:CountW] != '0;

    assign in_valid[p]               = send_i[p] && may_send;
    assign in_vc[p*VcWidth+:VcWidth] = vc;
    assign in_flit[p*Width+:Width]   =
        {color, due == '0, remaining, header_i[p*HeaderW+:HeaderW]};

    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      localparam int I = p * NumVcs + v;
      assign enters[I]   = in_valid[p] && vc == VcWidth'(v);
      assign returned[I] = in_credit_valid[p] && in_credit_vc[p*VcWidth+:VcWidth] == VcWidth'(v);

      logic [CountW-1:0]         credits;
      logic [RemainingWidth-1:0] due_here;
      assign credits_q[I*CountW+:CountW]             = credits;
      assign due_q[I*RemainingWidth+:RemainingWidth] = due_here;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          credits  <= CountW'(Depth);
          due_here <= '0;
        end else begin
          credits <= credits + CountW'(returned[I]) - CountW'(enters[I]);
          if (enters[I]) due_here <= remaining;
        end
      end
    end
  end

  for (genvar p = 0; p < NumOutputs; p++) begin : gen_behind
    logic [VcWidth-1:0] return_vc;
    logic               may_return;

    assign return_vc  = NumVcs > 1 ? return_vc_i[p*VcWidth+:VcWidth] : '0;
    assign may_return = stored_q[(p*NumVcs+32'(return_vc))*CountW+:CountW] != '0;

    assign out_credit_valid[p]               = return_i[p] && may_return;
    assign out_credit_vc[p*VcWidth+:VcWidth] = return_vc;
    assign own_leaves[p] = out_valid[p] && out_flit[(p+1)*Width-2+:2] != Other;

    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      localparam int J = p * NumVcs + v;
      assign leaves[J] = out_valid[p] && out_vc[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign back[J]   = out_credit_valid[p] && return_vc == VcWidth'(v);

      logic [CountW-1:0]         stored;
      logic [RemainingWidth-1:0] out_due;
      assign stored_q[J*CountW+:CountW]                  = stored;
      assign out_due_q[J*RemainingWidth+:RemainingWidth] = out_due;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          stored  <= '0;
          out_due <= '0;
        end else begin
          stored <= stored + CountW'(leaves[J]) - CountW'(back[J]);
          if (leaves[J]) out_due      <= out_flit[p*Width+HeaderW+:RemainingWidth];
          if (leaves[J]) out_own_q[J] <= own_leaves[p];
        end
      end
    end
  end

  logic [Width-1:0] own_flit;  // That enters.
  assign own_enters = enters[watched_q];
  always_comb begin
    own_flit = '0;
    for (int p = 0; p < NumInputs; p++) begin
      if (32'(watched_q) / NumVcs == p) own_flit = in_flit[p*Width+:Width];
    end
  end
  assign way = !own_flit[Width-3] ? way_q : way_of(own_flit[HeaderW-1:0]);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      watched_q <= 32'(watched_i) < NumIn ? watched_i : '0;
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
      for (int p = 0; p < NumOutputs; p++) begin
        if (own_leaves[p] && out_flit[(p+1)*Width-2+:2] == Marked) gone_q <= 1'b1;
      end
    end
  end

  // Claim 1.
  if (Claim == 0 || Claim == 1) begin : gen_conserved
    for (genvar i = 0; i < NumIn; i++) begin : gen_before
      always_comb if (rst_ni) begin
        assert (32'(credits_q[i*CountW+:CountW]) + 32'(counts[i*CountW+:CountW]) == Depth);
      end
    end
    for (genvar i = 0; i < NumOut; i++) begin : gen_behind
      always_comb if (rst_ni) begin
        assert (32'(\u_router.gen_side.u_side.u_router.u_credits.credits [i*CountW+:CountW]) + (DepartureCycles == 2 ? 32'(leaves[i]) : 0) +
                32'(stored_q[i*CountW+:CountW]) == Depth);
      end
    end
  end

  // Claim 2.
  if (Claim == 0 || Claim == 2) begin : gen_order
    for (genvar p = 0; p < NumOutputs; p++) begin : gen_port
      logic [1:0]                color;
      logic                      head;
      logic [RemainingWidth-1:0] remaining;
      assign {color, head, remaining} = out_flit[p*Width+HeaderW+:Width-HeaderW];

      always_comb if (rst_ni && out_valid[p]) begin
        if (color != Other)  assert (inside_q != '0 && (own_leaves & ~(NumOutputs'(1) << p)) == '0);
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
    logic [NumIn*NumOut-1:0] holds, wins;  // Row i: output VC j is held by, or is given to, input VC i.
    for (genvar i = 0; i < NumIn; i++) begin : gen_row
      for (genvar j = 0; j < NumOut; j++) begin : gen_column
        assign holds[i*NumOut+j] = \u_router.gen_side.u_side.u_router.active [i] && \u_router.gen_side.u_side.u_router.routes [i*NumOutputs + j/NumVcs] &&
                                \u_router.gen_side.u_side.u_router.held [i*NumVcs + j%NumVcs];
        assign wins[i*NumOut+j]  = \u_router.gen_side.u_side.u_router.granted [i] && \u_router.gen_side.u_side.u_router.routes [i*NumOutputs + j/NumVcs] &&
                                \u_router.gen_side.u_side.u_router.grants [i*NumVcs + j%NumVcs];
      end
      always_comb if (rst_ni) begin
        // One that is granted has waited, and gets one VC; one that sends has a flit and one VC.
        assert ($countones(wins[i*NumOut+:NumOut]) == 32'(\u_router.gen_side.u_side.u_router.granted [i]));
        if (\u_router.gen_side.u_side.u_router.granted [i]) assert (\u_router.gen_side.u_side.u_router.waiting [i]);
        if (\u_router.gen_side.u_side.u_router.sends [i])   assert (\u_router.gen_side.u_side.u_router.occupied [i] && $countones(holds[i*NumOut+:NumOut]) == 1);
        assert (\u_router.gen_side.u_side.u_router.sends [i] == returned[i]);
      end
      for (genvar j = 0; j < NumOut; j++) begin : gen_credit
        // A slot without a credit is in flight or stored, as the neighbour sees it.
        always_comb if (rst_ni && \u_router.gen_side.u_side.u_router.sends [i] && holds[i*NumOut+j]) begin
          assert (32'(stored_q[j*CountW+:CountW]) + (DepartureCycles == 2 ? 32'(leaves[j]) : 0) +
                  (WholePacketCredit == 1 ? 32'(\u_router.gen_side.u_side.u_router.followers [i*RemainingWidth+:RemainingWidth]) : 0) < Depth);
        end
      end
    end
    for (genvar j = 0; j < NumOut; j++) begin : gen_output
      logic [NumIn-1:0] holders, winners;
      for (genvar i = 0; i < NumIn; i++) begin : gen_input
        assign holders[i] = holds[i*NumOut+j];
        assign winners[i] = wins[i*NumOut+j];
      end
      always_comb if (rst_ni) begin
        assert ($countones(holders) <= 1);
        assert ($countones(winners) == 32'(\u_router.gen_side.u_side.u_router.taken [j]));
        if (winners != '0) assert (\u_router.gen_side.u_side.u_router.free_q [j] && holders == '0);
      end
    end
    for (genvar p = 0; p < NumInputs; p++) begin : gen_sender
      always_comb if (rst_ni) assert ($countones(\u_router.gen_side.u_side.u_router.sends [p*NumVcs+:NumVcs]) <= 1);
    end
    for (genvar p = 0; p < NumOutputs; p++) begin : gen_port
      always_comb if (rst_ni) begin
        for (int q = 0; q < NumInputs; q++) begin
          if (\u_router.gen_side.u_side.u_router.sources [p*NumInputs+q]) assert (\u_router.gen_side.u_side.u_router.sends [q*NumVcs+:NumVcs] != '0);
        end
        assert ($countones(\u_router.gen_side.u_side.u_router.sources [p*NumInputs+:NumInputs]) <= 1);
        // A head leaves on a VC that its packet may take.
        if (out_valid[p] && out_flit[(p+1)*Width-3]) begin
          assert ((set_of(out_flit[p*Width+:HeaderW]) & (NumVcs'(1) << out_vc[p*VcWidth+:VcWidth])) != '0);
        end
      end
    end
  end

  // Lemmas: what holds for the state of the router between two clocks.
  if (Claim == 0) begin : gen_lemmas
    logic [NumIn-1:0] routing, allocating;  // Heads in the stages of these.
    logic [NumIn-1:0] holder;               // Input VCs that hold an output VC.
    logic [NumOut*NumIn-1:0] holds;         // Row j: those that hold output VC j.

    if (RouteCycles == 1) begin : gen_routing
      assign routing = \u_router.gen_side.u_side.u_router.routed ;
    end else begin : gen_no_routing
      assign routing = '0;
    end
    if (VcAllocationCycles == 1) begin : gen_allocating
      assign allocating = \u_router.gen_side.u_side.u_router.allocated ;
    end else begin : gen_no_allocating
      assign allocating = '0;
    end
    assign holder = \u_router.gen_side.u_side.u_router.active_q | allocating;

    for (genvar i = 0; i < NumIn; i++) begin : gen_input
      always_comb if (rst_ni) begin
        // A packet at the front is in one stage.
        assert (32'(routing[i]) + 32'(\u_router.gen_side.u_side.u_router.unserved_q [i]) + 32'(allocating[i]) +
                32'(\u_router.gen_side.u_side.u_router.active_q [i]) == 32'(\u_router.gen_side.u_side.u_router.busy_q [i]));
        if (\u_router.gen_side.u_side.u_router.busy_q [i]) assert ($countones(\u_router.gen_side.u_side.u_router.routes [i*NumOutputs+:NumOutputs]) == 1);
        if (holder[i])            assert ($countones(\u_router.gen_side.u_side.u_router.held [i*NumVcs+:NumVcs]) == 1);
      end
      for (genvar j = 0; j < NumOut; j++) begin : gen_holds
        assign holds[j*NumIn+i] = holder[i] && \u_router.gen_side.u_side.u_router.routes [i*NumOutputs + j/NumVcs] &&
                                \u_router.gen_side.u_side.u_router.held [i*NumVcs + j%NumVcs];
      end
    end
    for (genvar j = 0; j < NumOut; j++) begin : gen_output
      always_comb if (rst_ni) assert (32'(\u_router.gen_side.u_side.u_router.free_q [j]) + $countones(holds[j*NumIn+:NumIn]) == 1);
    end
  end

  // Lemmas: what the flits in the router are. They are kept a second time, with their ways, in the
  // order of each input VC.
  if (Claim == 0) begin : gen_flits
    localparam int EntryW = NumOutputs + Width;
    logic [NumIn*Depth*EntryW-1:0]   queue_q;       // The front first.
    logic [NumIn*RemainingWidth-1:0] front_due_q;   // Remaining of the flit before it.
    logic [NumIn*NumOutputs-1:0]     front_way_q, back_way_q;  // Its way, that of the newest.
    logic                          in_stage;      // The last stage has a flit of the watched VC.
    assign in_stage = DepartureCycles == 2 && own_leaves != '0;

    for (genvar i = 0; i < NumIn; i++) begin : gen_input
      localparam int P = i / NumVcs;
      logic [Depth*EntryW-1:0]   queue;
      logic [EntryW-1:0]         entering;
      logic [Width-1:0]          flit, front;
      logic [NumOutputs-1:0]       entering_way, front_way, back_way;
      logic [CountW-1:0]         count, place;
      logic [RemainingWidth-1:0] front_due;
      logic                      own;
      assign queue     = queue_q[i*Depth*EntryW+:Depth*EntryW];
      assign flit      = in_flit[P*Width+:Width];
      assign front     = fronts[i*Width+:Width];
      assign count     = counts[i*CountW+:CountW];
      assign place     = count - CountW'(returned[i]);
      assign front_due = front_due_q[i*RemainingWidth+:RemainingWidth];
      assign front_way = front_way_q[i*NumOutputs+:NumOutputs];
      assign back_way  = back_way_q[i*NumOutputs+:NumOutputs];
      assign own       = i == 32'(watched_q);
      assign entering_way = !flit[Width-3] ? back_way : way_of(flit[HeaderW-1:0]);
      assign entering  = {entering_way, flit};

      always_ff @(posedge clk_i) begin
        if (!rst_ni) front_due_q[i*RemainingWidth+:RemainingWidth] <= '0;
        else if (returned[i]) front_due_q[i*RemainingWidth+:RemainingWidth] <= queue[HeaderW+:RemainingWidth];
        if (returned[i]) front_way_q[i*NumOutputs+:NumOutputs] <= queue[Width+:NumOutputs];
        if (enters[i]) back_way_q[i*NumOutputs+:NumOutputs] <= entering_way;
        for (int k = 0; k < Depth; k++) begin
          if (enters[i] && 32'(place) == k) queue_q[(i*Depth+k)*EntryW+:EntryW] <= entering;
          else if (returned[i] && k + 1 < Depth) queue_q[(i*Depth+k)*EntryW+:EntryW] <= queue_q[(i*Depth+(k+1)%Depth)*EntryW+:EntryW];
        end
      end

      for (genvar k = 0; k < Depth; k++) begin : gen_entry
        localparam int Previous = k > 0 ? k - 1 : 0;
        logic [RemainingWidth-1:0] due, remaining;
        logic [NumOutputs-1:0]       packet_way, entry_way;
        logic                      head;
        logic [1:0]                color;
        assign due        = k == 0 ? front_due : queue[Previous*EntryW+HeaderW+:RemainingWidth];
        assign packet_way = k == 0 ? front_way : queue[Previous*EntryW+Width+:NumOutputs];
        assign remaining  = queue[k*EntryW+HeaderW+:RemainingWidth];
        assign {entry_way, color, head} = queue[k*EntryW+Width-3+:NumOutputs+3];
        always_comb if (rst_ni && 32'(count) > k) begin
          assert (head == (due == '0));
          if (head)  assert (entry_way == way_of(queue[k*EntryW+:HeaderW]));
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
        if (front_due != '0) assert (\u_router.gen_side.u_side.u_router.active_q [i]);
        if (front_due == '0 && \u_router.gen_side.u_side.u_router.busy_q [i]) assert (count != '0);
        if (\u_router.gen_side.u_side.u_router.busy_q [i]) begin
          assert (\u_router.gen_side.u_side.u_router.routes [i*NumOutputs+:NumOutputs] == (front_due != '0 ? front_way : queue[Width+:NumOutputs]));
          if (front_due == '0) begin
            assert (\u_router.gen_side.u_side.u_router.choices [i*NumVcs+:NumVcs] == set_of(queue[HeaderW-1:0]));
            if (\u_router.gen_side.u_side.u_router.active_q [i] || (VcAllocationCycles == 1 && \u_router.gen_side.u_side.u_router.allocated [i])) begin
              assert ((\u_router.gen_side.u_side.u_router.held [i*NumVcs+:NumVcs] & ~set_of(queue[HeaderW-1:0])) == '0);
            end
          end
        end
      end

      // The last flit of an output VC, in the last stage or behind it, was one of the holder's.
      for (genvar j = 0; j < NumOut; j++) begin : gen_holds
        logic [RemainingWidth-1:0] last_due;
        logic                      last_own, holds;
        assign last_due = DepartureCycles == 2 && leaves[j] ? out_flit[(j/NumVcs)*Width+HeaderW+:RemainingWidth] :
                          out_due_q[j*RemainingWidth+:RemainingWidth];
        assign last_own = DepartureCycles == 2 && leaves[j] ? own_leaves[j/NumVcs] : out_own_q[j];
        assign holds    = (\u_router.gen_side.u_side.u_router.active_q [i] || (VcAllocationCycles == 1 && \u_router.gen_side.u_side.u_router.allocated [i])) &&
                          \u_router.gen_side.u_side.u_router.routes [i*NumOutputs + j/NumVcs] && \u_router.gen_side.u_side.u_router.held [i*NumVcs + j%NumVcs];
        always_comb if (rst_ni) begin
          if (\u_router.gen_side.u_side.u_router.free_q [j]) assert (last_due == '0);
          if (holds) assert (last_due == front_due && (front_due == '0 || last_own == own));
        end
      end
    end
  end

endmodule
