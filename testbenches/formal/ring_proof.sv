// SPDX-License-Identifier: Apache-2.0
// Claims about a ring of 3 vc_routers in one direction, with two VCs of one flit and stages without
// clocks, one number each. Its nodes are free but for the three rules of network_node.
//
// A packet that has yet to cross the channel from router 2 to router 0, the dateline, takes VC 0,
// any other VC 1 (Dally and Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection
// Networks", IEEE ToC 36(5), 1987). Without Dateline it takes any VC, and the ring can deadlock.
//
//   1  For any number of clocks from a reset: the state is that of vc_router_invariant, so that
//      credits are away for stored flits only, and every head in a buffer is on its path, on a VC of
//      its class. A packet leaves at its destination only, its head first and its tail next in its
//      VC. That a router neither loses nor changes a flit is in wormhole_router_proof.
//   2  A packet whose head is at the front of an input VC has left that VC within Bound clocks, in
//      any state of Claim 1, hence at any time. Stage is the input VC: 0 from the ring, 1 from the
//      node.
//   3  For any number of clocks from a reset: while flits are in the ring, one moves at least every
//      Bound clocks. Each move brings a flit nearer to its destination, so that the ring drains when
//      its nodes send no more.
module ring_proof #(
  parameter int Claim    = 1,
  parameter int Dateline = 1,
  parameter int MaxFlits = 2,
  parameter int Hold     = 0,
  parameter int Stage    = 0,
  parameter int Bound    = 0
) (
  input logic       clk_i,
  input logic       rst_ni,

  input logic [2:0] send_i,      // See network_node.
  input logic [2:0] vc_i,
  input logic [5:0] header_i,
  input logic [2:0] long_i,
  input logic [2:0] return_i,
  input logic [2:0] return_vc_i,
  input logic [3:0] watched_i    // The input VC of Claim 2: 4 * router + 2 * port + VC.
);

  localparam int NumNodes = 3;
  localparam int NumIn    = 4;   // VC v of port p is number 2*p+v. Port 0 is the ring, 1 the node.
  localparam int Num      = NumNodes * NumIn;
  localparam int Width    = 4;

  // Registers have any values at first in Claim 2.
  logic started;
  assign started = rst_ni || Claim == 2;

  // The channel into router n has bit n.
  logic [NumNodes-1:0]       valid, vc, credit_valid, credit_vc;
  logic [NumNodes*Width-1:0] flit;
  logic [NumNodes-1:0]       in_valid, out_valid, sound;
  logic [NumNodes*Width-1:0] in_flit, out_flit;

  // All input VCs: number 4 * router + 2 * port + VC.
  logic [Num-1:0] occupied, heads, tails, dues, sends, in_stage;


  // The output VCs that a packet may take, and whether it may be in an input VC.
  function automatic logic [NumIn-1:0] ways_of(input logic [1:0] here, input logic [1:0] to);
    ways_of = to == here ? 4'b1100 : Dateline == 0 ? 4'b0011 : to < here ? 4'b0001 : 4'b0010;
  endfunction
  function automatic logic comes_by(
    input logic [1:0] here, input logic [1:0] in, input logic [1:0] to
  );
    logic [1:0] before;
    before   = here == 2'd0 ? 2'd2 : here - 2'd1;
    comes_by = to != 2'd3 && (in[1] || (to != before && (ways_of(before, to) & (4'b1 << in)) != '0));
  endfunction
  function automatic logic [NumIn-1:0] ways_by(
    input logic [1:0] here, input logic [1:0] in, input logic [1:0] to
  );
    ways_by = comes_by(here, in, to) ? ways_of(here, to) : '0;
  endfunction

  for (genvar n = 0; n < NumNodes; n++) begin : gen_router
    localparam int Next = (n + 1) % NumNodes;

    logic [NumIn-1:0]       request;
    logic [NumIn*2-1:0]     header, route, vcs;
    logic                   node_in_vc, node_credit_valid, node_credit_vc, node_out_vc;
    logic                   node_back, node_back_vc, node_sound, router_sound;
    logic [1:0]             credit, stored, in_due, out_due;
    logic [1:0]             to;
    logic [NumIn-1:0]       pointers, remaining, behind_occupied, behind_due;
    logic [NumIn*2-1:0]     routes, choices, held;
    logic [NumIn*NumIn-1:0] answers, legal;

    network_node #(.NumVcs(2), .MaxFlits(MaxFlits), .Hold(Hold)) u_node (
      .clk_i, .rst_ni(started), .send_i(send_i[n]), .vc_i(vc_i[n]), .header_i(to),
      .long_i(long_i[n]), .return_i(return_i[n]), .return_vc_i(return_vc_i[n]),
      .in_valid_o(in_valid[n]), .in_vc_o(node_in_vc), .in_flit_o(in_flit[n*Width+:Width]),
      .in_credit_valid_i(node_credit_valid), .in_credit_vc_i(node_credit_vc),
      .out_valid_i(out_valid[n]), .out_vc_i(node_out_vc), .out_flit_i(out_flit[n*Width+:Width]),
      .out_credit_valid_o(node_back), .out_credit_vc_o(node_back_vc),
      .credits_o(credit), .stored_o(stored), .in_due_o(in_due),
      .out_due_o(out_due), .sound_o(node_sound)
    );
    assign to = header_i[n*2+:2] == 2'd3 ? 2'(n) : header_i[n*2+:2];

    flitcast_vc_router #(
      .NumInputs(2), .NumOutputs(2), .NumVcs(2), .Depth(1), .HeaderWidth(2), .RemainingWidth(1),
      .PayloadWidth(0), .RouteCycles(0), .VcAllocationCycles(0), .DepartureCycles(1)
    ) u_router (
      .clk_i, .rst_ni(started),
      .in_valid_i({in_valid[n], valid[n]}), .in_vc_i({node_in_vc, vc[n]}),
      .in_flit_i({in_flit[n*Width+:Width], flit[n*Width+:Width]}),
      .in_credit_valid_o({node_credit_valid, credit_valid[n]}),
      .in_credit_vc_o({node_credit_vc, credit_vc[n]}),
      .request_o(request), .header_o(header), .route_i(route), .vcs_i(vcs),
      .out_valid_o({out_valid[n], valid[Next]}), .out_vc_o({node_out_vc, vc[Next]}),
      .out_flit_o({out_flit[n*Width+:Width], flit[Next*Width+:Width]}),
      .out_credit_valid_i({node_back, credit_valid[Next]}),
      .out_credit_vc_i({node_back_vc, credit_vc[Next]})
    );

    // State of the router, by names that flatten joins to its own.
    /* verilator lint_off UNDRIVEN */
    (* hierconn *) wire [NumIn-1:0] \u_router.busy_q ;
    (* hierconn *) wire [NumIn-1:0] \u_router.unserved_q ;
    (* hierconn *) wire [NumIn-1:0] \u_router.active_q ;
    (* hierconn *) wire [NumIn-1:0] \u_router.free_q ;
    (* hierconn *) wire [NumIn-1:0] \u_router.sends ;
    (* hierconn *) wire [NumIn-1:0] \u_router.u_credits.credits ;
    /* verilator lint_on UNDRIVEN */
    assign sends[n*NumIn+:NumIn] = \u_router.sends ;

    for (genvar p = 0; p < 2; p++) begin : \u_router.gen_input
      (* hierconn *) wire [2*Width-1:0] \u_input.fronts ;
      for (genvar v = 0; v < 2; v++) begin : \u_input.gen_vc
        localparam int I = 2 * p + v;
        /* verilator lint_off UNDRIVEN */
        (* hierconn *) wire       \due ;
        (* hierconn *) wire       \u_vc.unused_count ;
        (* hierconn *) wire [1:0] \u_vc.route_q ;
        (* hierconn *) wire [1:0] \u_vc.gen_vcs.vcs_q ;
        (* hierconn *) wire [1:0] \u_vc.held_q ;
        (* hierconn *) wire       \u_vc.u_flits.head_q ;
        (* hierconn *) wire       \u_vc.u_flits.tail_q ;
        /* verilator lint_on UNDRIVEN */
        assign dues[n*NumIn+I]     = \due ;
        assign occupied[n*NumIn+I] = \u_vc.unused_count ;
        assign routes[I*2+:2]      = \u_vc.route_q ;
        assign choices[I*2+:2]     = \u_vc.gen_vcs.vcs_q ;
        assign held[I*2+:2]        = \u_vc.held_q ;
        assign pointers[I]         = ! \u_vc.u_flits.head_q && ! \u_vc.u_flits.tail_q ;
      end
      assign heads[n*NumIn+2*p+:2] = { \u_input.fronts [Width+3], \u_input.fronts [3]};
      assign remaining[2*p+:2]     = { \u_input.fronts [Width+2], \u_input.fronts [2]};
    end

    for (genvar i = 0; i < NumIn; i++) begin : gen_answer
      logic [NumIn-1:0] ways;
      assign ways           = ways_of(2'(n), header[i*2+:2]);
      assign route[i*2+:2]  = ways[1:0] != '0 ? 2'b01 : 2'b10;
      assign vcs[i*2+:2]    = ways[1:0] | ways[3:2];

      assign answers[i*NumIn+:NumIn] = ways_by(2'(n), 2'(i), header[i*2+:2]);
      assign legal[i*NumIn+:NumIn]   = ways_by(2'(n), 2'(i), 2'd0) | ways_by(2'(n), 2'(i), 2'd1) |
                                       ways_by(2'(n), 2'(i), 2'd2);
      assign tails[n*NumIn+i]        = !remaining[i];
      assign in_stage[n*NumIn+i]     = i / 2 == Stage;
    end
    assign behind_occupied = {stored,  occupied[Next*NumIn+:2]};
    assign behind_due      = {out_due, dues[Next*NumIn+:2]};

    vc_router_invariant #(.NumInputs(2), .NumOutputs(2), .NumVcs(2)) u_invariant (
      .occupied_i(occupied[n*NumIn+:NumIn]), .pointers_i(pointers),
      .heads_i(heads[n*NumIn+:NumIn]), .remaining_i(remaining), .due_i(dues[n*NumIn+:NumIn]),
      .busy_i(\u_router.busy_q ), .unserved_i(\u_router.unserved_q ),
      .active_i(\u_router.active_q ), .routes_i(routes), .choices_i(choices), .held_i(held),
      .answers_i(answers), .legal_i(legal),
      .free_i(\u_router.free_q ), .credits_i(\u_router.u_credits.credits ),
      .behind_occupied_i(behind_occupied), .behind_due_i(behind_due), .sound_o(router_sound)
    );
    assign sound[n] = router_sound && node_sound && credit == ~occupied[n*NumIn+2+:2] &&
                      in_due == dues[n*NumIn+2+:2];

    if (Claim != 2) begin : gen_sound
      always_comb if (rst_ni) assert (sound[n]);
    end
    if (Claim == 1) begin : gen_leaves
      always_comb if (rst_ni) begin
        if (out_valid[n]) begin
          assert (out_flit[n*Width+3] == !out_due[node_out_vc]);
          if (out_flit[n*Width+3]) assert (out_flit[n*Width+:2] == 2'(n));
        end
      end
    end
  end

  if (Claim == 2) begin : gen_bound
    logic kept;
    network_wait #(.Num(Num), .Bound(Bound)) u_wait (
      .clk_i, .rst_ni, .sound_i(&sound), .heads_i(occupied & heads & in_stage),
      .leaves_i(sends & tails), .watched_i, .kept_o(kept)
    );
    always_comb if (rst_ni) assert (kept);
  end

  if (Claim == 3) begin : gen_moves
    logic [7:0] waited_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni || sends != '0 || occupied == '0) waited_q <= '0;
      else if (32'(waited_q) < Bound)               waited_q <= waited_q + 1'b1;
    end
    always_comb if (rst_ni) assert (32'(waited_q) < Bound);
  end

endmodule
