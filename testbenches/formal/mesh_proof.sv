// SPDX-License-Identifier: Apache-2.0
// Claims about a mesh of 2 x 2 wormhole routers with one VC of one flit and stages without clocks,
// one number each. Its nodes are free but for the three rules of network_node.
//
//   1  For any number of clocks from a reset: the state is that of vc_router_invariant, so that
//      credits are away for stored flits only, and every head in a buffer is on its XY path. A
//      packet leaves at its destination only, its head first and its tail next in its VC. That a
//      router neither loses nor changes a flit is in wormhole_router_proof.
//   2  A packet whose head is at the front of an input has left that input within Bound clocks, in
//      any state of Claim 1, hence at any time. Stage is the input: 0 from a neighbour in Y, 1 from
//      one in X, 2 from the node.
//   3  For any number of clocks from a reset: while flits are in the network, one moves at least
//      every Bound clocks. Each move brings a flit nearer to its destination, so that the network
//      drains when its nodes send no more.
module mesh_proof #(
  parameter int Claim    = 1,
  parameter int MaxFlits = 2,
  parameter int Hold     = 0,
  parameter int Stage    = 0,
  parameter int Bound    = 0
) (
  input logic       clk_i,
  input logic       rst_ni,

  input logic [3:0] send_i,      // See network_node.
  input logic [7:0] header_i,
  input logic [3:0] long_i,
  input logic [3:0] return_i,
  input logic [4:0] watched_i    // The input of Claim 2: 5 * router + port.
);

  localparam int NumNodes = 4;
  localparam int NumPorts = 5;
  localparam int Num      = NumNodes * NumPorts;
  localparam int Width    = 4;
  localparam int Local    = 4;

  // Registers have any values at first in Claim 2.
  logic started;
  assign started = rst_ni || Claim == 2;

  logic [NumNodes-1:0]       in_valid, in_credit_valid, out_valid, out_credit_valid, sound;
  logic [NumNodes*Width-1:0] in_flit, out_flit;
  logic [NumNodes-1:0]       unused_in_vc, unused_in_credit_vc, unused_out_vc, unused_out_credit_vc;

  flitcast_mesh #(
    .Size(2), .NumVcs(1), .Depth(1), .RemainingWidth(1), .Width(Width), .RouteCycles(0),
    .VcAllocationCycles(0), .DepartureCycles(1)
  ) u_mesh (
    .clk_i, .rst_ni(started),
    .in_valid_i(in_valid), .in_vc_i(4'b0), .in_flit_i(in_flit),
    .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(unused_in_credit_vc),
    .out_valid_o(out_valid), .out_vc_o(unused_out_vc), .out_flit_o(out_flit),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(4'b0)
  );

  // All inputs: number 5 * router + port.
  logic [Num-1:0] occupied, heads, tails, dues, sends, in_stage;


  function automatic logic [NumPorts-1:0] way_of(input logic [1:0] here, input logic [1:0] to);
    way_of = to[0] != here[0] ? (to[0] ? 5'b00001 : 5'b00010) :
             to[1] != here[1] ? (to[1] ? 5'b00100 : 5'b01000) : 5'b10000;
  endfunction
  // The head may be at this port: it has gone in X before in Y, and not too far.
  function automatic logic comes_by(input logic [1:0] here, input int port, input logic [1:0] to);
    comes_by = port == Local || (port / 2 == 0 ? here[0] != (port % 2 == 0) && to[0] == here[0] :
                                                 here[1] != (port % 2 == 0) && to == here);
  endfunction
  function automatic logic [NumPorts-1:0] ways_by(
    input logic [1:0] here, input int port, input logic [1:0] to
  );
    ways_by = comes_by(here, port, to) ? way_of(here, to) : '0;
  endfunction

  // State of the routers, by names that flatten joins to their own.
  for (genvar n = 0; n < NumNodes; n++) begin : \u_mesh.gen_router
    localparam logic [1:0] Here = 2'(n);
    /* verilator lint_off UNDRIVEN */
    (* hierconn *) wire [NumPorts-1:0] \u_router.u_router.busy_q ;
    (* hierconn *) wire [NumPorts-1:0] \u_router.u_router.unserved_q ;
    (* hierconn *) wire [NumPorts-1:0] \u_router.u_router.active_q ;
    (* hierconn *) wire [NumPorts-1:0] \u_router.u_router.free_q ;
    (* hierconn *) wire [NumPorts-1:0] \u_router.u_router.sends ;
    (* hierconn *) wire [NumPorts-1:0] \u_router.u_router.u_credits.credits ;
    /* verilator lint_on UNDRIVEN */

    logic                         credit, stored, in_due, out_due, node_sound;
    logic [NumPorts-1:0]          pointers, remaining, held, behind_occupied, behind_due;
    logic [NumPorts*NumPorts-1:0] routes, answers, legal;
    logic                         router_sound;

    network_node #(.MaxFlits(MaxFlits), .Hold(Hold)) u_node (
      .clk_i, .rst_ni(started), .send_i(send_i[n]), .vc_i(1'b0), .header_i(header_i[n*2+:2]),
      .long_i(long_i[n]), .return_i(return_i[n]), .return_vc_i(1'b0),
      .in_valid_o(in_valid[n]), .in_vc_o(unused_in_vc[n]), .in_flit_o(in_flit[n*Width+:Width]),
      .in_credit_valid_i(in_credit_valid[n]), .in_credit_vc_i(1'b0),
      .out_valid_i(out_valid[n]), .out_vc_i(1'b0), .out_flit_i(out_flit[n*Width+:Width]),
      .out_credit_valid_o(out_credit_valid[n]), .out_credit_vc_o(unused_out_credit_vc[n]),
      .credits_o(credit), .stored_o(stored), .in_due_o(in_due),
      .out_due_o(out_due), .sound_o(node_sound)
    );

    assign sends[n*NumPorts+:NumPorts] = \u_router.u_router.sends ;

    for (genvar p = 0; p < NumPorts; p++) begin : \u_router.u_router.gen_input
      localparam int Facing = (n ^ (p < 2 ? 1 : 2)) * NumPorts + (p ^ 1);
      localparam bit Joined = p != Local && comes_by(Here, p, Here);
      /* verilator lint_off UNDRIVEN */
      (* hierconn *) wire                \u_input.gen_vc[0].due ;
      (* hierconn *) wire                \u_input.gen_vc[0].u_vc.unused_count ;
      (* hierconn *) wire [NumPorts-1:0] \u_input.gen_vc[0].u_vc.route_q ;
      (* hierconn *) wire                \u_input.gen_vc[0].u_vc.held_q ;
      (* hierconn *) wire                \u_input.gen_vc[0].u_vc.u_flits.head_q ;
      (* hierconn *) wire                \u_input.gen_vc[0].u_vc.u_flits.tail_q ;
      (* hierconn *) wire [Width-1:0]    \u_input.fronts ;
      /* verilator lint_on UNDRIVEN */
      logic [1:0] to;

      assign occupied[n*NumPorts+p] = \u_input.gen_vc[0].u_vc.unused_count ;
      assign dues[n*NumPorts+p]     = \u_input.gen_vc[0].due ;
      assign heads[n*NumPorts+p]    = \u_input.fronts [3];
      assign tails[n*NumPorts+p]    = !remaining[p];
      assign in_stage[n*NumPorts+p] = (p == Local ? 2 : p < 2 ? 1 : 0) == Stage;
      assign remaining[p]           = \u_input.fronts [2];
      assign to                     = \u_input.fronts [1:0];
      assign pointers[p]            = ! \u_input.gen_vc[0].u_vc.u_flits.head_q &&
                                      ! \u_input.gen_vc[0].u_vc.u_flits.tail_q ;
      assign held[p]                = \u_input.gen_vc[0].u_vc.held_q ;
      assign routes[p*NumPorts+:NumPorts]  = \u_input.gen_vc[0].u_vc.route_q ;
      assign answers[p*NumPorts+:NumPorts] = ways_by(Here, p, to);
      assign legal[p*NumPorts+:NumPorts]   =
          ways_by(Here, p, 2'd0) | ways_by(Here, p, 2'd1) | ways_by(Here, p, 2'd2) | ways_by(Here, p, 2'd3);
      assign behind_occupied[p] = p == Local ? stored  : Joined && occupied[Facing];
      assign behind_due[p]      = p == Local ? out_due : Joined && dues[Facing];
    end

    vc_router_invariant #(.NumInputs(NumPorts), .NumOutputs(NumPorts)) u_invariant (
      .occupied_i(occupied[n*NumPorts+:NumPorts]), .pointers_i(pointers),
      .heads_i(heads[n*NumPorts+:NumPorts]), .remaining_i(remaining),
      .due_i(dues[n*NumPorts+:NumPorts]), .busy_i(\u_router.u_router.busy_q ),
      .unserved_i(\u_router.u_router.unserved_q ), .active_i(\u_router.u_router.active_q ),
      .routes_i(routes), .choices_i({NumPorts{1'b1}}), .held_i(held), .answers_i(answers), .legal_i(legal),
      .free_i(\u_router.u_router.free_q ), .credits_i(\u_router.u_router.u_credits.credits ),
      .behind_occupied_i(behind_occupied), .behind_due_i(behind_due), .sound_o(router_sound)
    );
    assign sound[n] = router_sound && node_sound && credit != occupied[n*NumPorts+Local] &&
                      in_due == dues[n*NumPorts+Local];

    if (Claim != 2) begin : gen_sound
      always_comb if (rst_ni) assert (sound[n]);
    end
    if (Claim == 1) begin : gen_leaves
      always_comb if (rst_ni) begin
        if (out_valid[n]) begin
          assert (out_flit[n*Width+3] == !out_due);
          if (out_flit[n*Width+3]) assert (out_flit[n*Width+:2] == Here);
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
