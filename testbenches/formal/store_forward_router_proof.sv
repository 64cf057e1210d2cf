// SPDX-License-Identifier: Apache-2.0
// Claims about a whole store_forward_router, one number each, between neighbours that keep to its
// rules and are free otherwise: they send flits and return credits when they like.
//
//   1  Credits, packets in flight and packets stored are NumSlots, for every VC on both sides.
//   2  The flits from an input VC to an output leave once, unchanged and in their order; none is
//      left when all credits of the VC are back. The flits of a packet follow each other in an
//      output VC.
//   3  An output takes one packet at a time, one that waits for it, into a VC that has a credit.
//
// The flits from one input VC to one output, any, are watched: their color is not 0. One of them,
// any, is marked.
module store_forward_router_proof #(
  parameter int Claim           = 0,  // 0: all.
  parameter int NumVcs          = 1,
  parameter int NumSlots        = 1,
  parameter int MaxLength       = 2,
  parameter int DepartureCycles = 1,
  parameter int StoredInjection = 0,
  // The others are derived: three ports in a row of routers.
  parameter int NumPorts        = 3,
  parameter int RemainingWidth  = MaxLength > 1 ? $clog2(MaxLength) : 1,
  parameter int VcWidth         = NumVcs > 1 ? $clog2(NumVcs) : 1,
  parameter int Num             = NumPorts * NumVcs,
  parameter int IndexW          = $clog2(Num)
) (
  input logic                               clk_i,
  input logic                               rst_ni,

  input logic [NumPorts-1:0]                send_i,        // The neighbours offer a flit.
  input logic [NumPorts*VcWidth-1:0]        vc_i,
  input logic [NumPorts*2-1:0]              destination_i,
  input logic [NumPorts*RemainingWidth-1:0] remaining_i,   // Counts with a head.
  input logic [NumPorts-1:0]                packet_i,
  input logic [NumPorts-1:0]                return_i,      // They have got rid of a packet.
  input logic [NumPorts*VcWidth-1:0]        return_vc_i,
  input logic                               mark_i,        // The next flit watched is marked.
  input logic [IndexW-1:0]                  watched_i,     // Both in the first clock.
  input logic [1:0]                         watched_way_i
);

  localparam int Width    = 2 + RemainingWidth + 1 + 1 + 2;
  localparam int StageW   = 1 + VcWidth + Width;
  localparam int CountW   = $clog2(NumSlots + 1);
  localparam int InsideW  = $clog2(NumSlots * MaxLength + DepartureCycles + 2);
  localparam int PerPort  = NumVcs * NumSlots;
  localparam int N        = NumPorts * PerPort;
  localparam logic [1:0] Here  = 2'd1;
  localparam logic [1:0] Other = 2'd0, Before = 2'd1, Marked = 2'd2, After = 2'd3;

  // The neighbours before the router: their credits, and how many flits of a packet are to come.
  logic [Num*CountW-1:0]         credits_q;
  logic [Num*RemainingWidth-1:0] due_q;
  // The neighbours behind it: what they store, and what the last flit of each VC said.
  logic [Num*CountW-1:0]         stored_q;
  logic [Num*RemainingWidth-1:0] out_due_q;
  logic [Num-1:0]                out_own_q;  // It was one of the watched.

  logic [NumPorts-1:0]         in_valid, in_credit_valid, out_valid, out_credit_valid, out_head;
  logic [NumPorts*VcWidth-1:0] in_vc, in_credit_vc, out_vc, out_credit_vc;
  logic [NumPorts*Width-1:0]   in_flit, out_flit;
  logic [Num-1:0]              enters, returned, leaves, back;  // By VC.

  flitcast_store_forward_router #(
    .Dimensions(1), .CoordinateWidth(2), .NumVcs(NumVcs), .NumSlots(NumSlots),
    .MaxLength(MaxLength), .RemainingWidth(RemainingWidth), .PacketWidth(1), .Width(Width),
    .RouteCycles(1), .VcAllocationCycles(0), .DepartureCycles(DepartureCycles),
    .StoredInjection(StoredInjection)
  ) u_router (
    .clk_i, .rst_ni, .here_i(Here),
    .in_valid_i(in_valid), .in_vc_i(in_vc), .in_flit_i(in_flit),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_flit_o(out_flit),
    .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc)
  );

  // State of the router, by names that flatten joins to its own.
  /* verilator lint_off UNDRIVEN */
  (* hierconn *) wire [NumPorts*N-1:0] \u_router.u_router.waits ;
  (* hierconn *) wire [NumPorts*N-1:0] \u_router.u_router.takes ;
  (* hierconn *) wire [NumPorts*N-1:0] \u_router.u_router.leaving ;
  (* hierconn *) wire [PerPort-1:0]    \u_router.u_router.gen_input[0].u_input.used ;
  (* hierconn *) wire [PerPort-1:0]    \u_router.u_router.gen_input[1].u_input.used ;
  (* hierconn *) wire [PerPort-1:0]    \u_router.u_router.gen_input[2].u_input.used ;
  (* hierconn *) wire [NumVcs-1:0]     \u_router.u_router.gen_output[0].u_output.vc_grant ;
  (* hierconn *) wire [NumVcs-1:0]     \u_router.u_router.gen_output[1].u_output.vc_grant ;
  (* hierconn *) wire [NumVcs-1:0]     \u_router.u_router.gen_output[2].u_output.vc_grant ;
  (* hierconn *) wire [CountW-1:0]     \u_router.u_router.gen_output[0].u_output.gen_credit[0].credits_q ;
  (* hierconn *) wire [CountW-1:0]     \u_router.u_router.gen_output[1].u_output.gen_credit[0].credits_q ;
  (* hierconn *) wire [CountW-1:0]     \u_router.u_router.gen_output[2].u_output.gen_credit[0].credits_q ;
  (* hierconn *) wire [CountW-1:0]     \u_router.u_router.gen_output[0].u_output.gen_credit[1].credits_q ;
  (* hierconn *) wire [CountW-1:0]     \u_router.u_router.gen_output[1].u_output.gen_credit[1].credits_q ;
  (* hierconn *) wire [CountW-1:0]     \u_router.u_router.gen_output[2].u_output.gen_credit[1].credits_q ;
  // Yosys puts the blocks of an else-if into one that it names by its place.
  (* hierconn *) wire [DepartureCycles*StageW-1:0] \u_router.u_router.gen_output[0].u_output.u_departure.genblk3.gen_stages.stages_q ;
  (* hierconn *) wire [DepartureCycles*StageW-1:0] \u_router.u_router.gen_output[1].u_output.u_departure.genblk3.gen_stages.stages_q ;
  (* hierconn *) wire [DepartureCycles*StageW-1:0] \u_router.u_router.gen_output[2].u_output.u_departure.genblk3.gen_stages.stages_q ;
  /* verilator lint_on UNDRIVEN */

  logic [N-1:0]                               used;
  logic [Num-1:0]                             vc_grant;
  /* verilator lint_off UNUSEDSIGNAL */  // There may be no VC 1.
  logic [2*NumPorts*CountW-1:0]               credits;  // VC 0 of all outputs first.
  /* verilator lint_on UNUSEDSIGNAL */
  logic [NumPorts*DepartureCycles*StageW-1:0] stages;
  assign used = {\u_router.u_router.gen_input[2].u_input.used , \u_router.u_router.gen_input[1].u_input.used ,
                 \u_router.u_router.gen_input[0].u_input.used };
  assign vc_grant = {\u_router.u_router.gen_output[2].u_output.vc_grant , \u_router.u_router.gen_output[1].u_output.vc_grant ,
                     \u_router.u_router.gen_output[0].u_output.vc_grant };
  assign credits = {\u_router.u_router.gen_output[2].u_output.gen_credit[1].credits_q ,
                    \u_router.u_router.gen_output[1].u_output.gen_credit[1].credits_q ,
                    \u_router.u_router.gen_output[0].u_output.gen_credit[1].credits_q ,
                    \u_router.u_router.gen_output[2].u_output.gen_credit[0].credits_q ,
                    \u_router.u_router.gen_output[1].u_output.gen_credit[0].credits_q ,
                    \u_router.u_router.gen_output[0].u_output.gen_credit[0].credits_q };
  assign stages = {\u_router.u_router.gen_output[2].u_output.u_departure.genblk3.gen_stages.stages_q ,
                   \u_router.u_router.gen_output[1].u_output.u_departure.genblk3.gen_stages.stages_q ,
                   \u_router.u_router.gen_output[0].u_output.u_departure.genblk3.gen_stages.stages_q };

  // The output to a destination.
  function automatic logic [NumPorts-1:0] way_of(input logic [1:0] destination);
    way_of = destination == Here ? 3'b100 : destination > Here ? 3'b001 : 3'b010;
  endfunction

  // The watched flits and the marked one.
  logic [IndexW-1:0]           watched_q;
  logic [NumPorts-1:0]         watched_way_q;
  logic                        marked_q, gone_q;   // It has entered; it has left.
  logic [InsideW-1:0]          inside_q, ahead_q;  // Flits in the router, and before the marked.
  logic [Width-3:0]            copy_q;             // The marked flit but for its color.
  logic [NumPorts-1:0]         own_enters, own_leaves;  // By port.
  logic [Num-1:0]              own_packet_q;       // The flits of the packet that enters are watched.

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [VcWidth-1:0]        vc, return_vc;
    logic [RemainingWidth-1:0] due, wish, longest, remaining;
    logic [1:0]                color;
    logic                      own, may_send, may_return;

    assign vc        = NumVcs > 1 ? vc_i[p*VcWidth+:VcWidth] : '0;
    assign return_vc = NumVcs > 1 ? return_vc_i[p*VcWidth+:VcWidth] : '0;
    assign due       = due_q[(p*NumVcs+32'(vc))*RemainingWidth+:RemainingWidth];
    assign wish      = remaining_i[p*RemainingWidth+:RemainingWidth];
    assign longest   = 32'(wish) >= MaxLength ? RemainingWidth'(MaxLength - 1) : wish;
    assign remaining = due == '0 ? longest : due - 1'b1;
    assign own       = p * NumVcs + 32'(vc) == 32'(watched_q) &&
                       (due == '0 ? way_of(destination_i[p*2+:2]) == watched_way_q :
                                    own_packet_q[p*NumVcs+32'(vc)]);
    assign color     = !own ? Other : marked_q ? After : mark_i ? Marked : Before;

    assign may_send   = due != '0 || credits_q[(p*NumVcs+32'(vc))*CountW+:CountW] != '0;
    assign may_return = stored_q[(p*NumVcs+32'(return_vc))*CountW+:CountW] != '0;

    assign in_valid[p]                       = send_i[p] && may_send;
    assign in_vc[p*VcWidth+:VcWidth]         = vc;
    assign in_flit[p*Width+:Width]           =
        {color, packet_i[p], due == '0, remaining, destination_i[p*2+:2]};
    assign out_credit_valid[p]               = return_i[p] && may_return;
    assign out_credit_vc[p*VcWidth+:VcWidth] = return_vc;
    assign out_head[p]   = out_flit[p*Width+2+RemainingWidth];
    assign own_enters[p] = in_valid[p] && own;
    assign own_leaves[p] = out_valid[p] && out_flit[(p+1)*Width-2+:2] != Other;

    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      localparam int I = p * NumVcs + v;
      assign enters[I]   = in_valid[p] && vc == VcWidth'(v);
      assign returned[I] = in_credit_valid[p] && in_credit_vc[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign leaves[I]   = out_valid[p] && out_vc[p*VcWidth+:VcWidth] == VcWidth'(v);
      assign back[I]     = out_credit_valid[p] && return_vc == VcWidth'(v);

      logic [CountW-1:0]         credits_here, stored;
      logic [RemainingWidth-1:0] due_here, out_due;
      assign credits_q[I*CountW+:CountW]                 = credits_here;
      assign stored_q[I*CountW+:CountW]                  = stored;
      assign due_q[I*RemainingWidth+:RemainingWidth]     = due_here;
      assign out_due_q[I*RemainingWidth+:RemainingWidth] = out_due;

      always_ff @(posedge clk_i) begin
        if (!rst_ni) begin
          credits_here <= CountW'(NumSlots);
          stored       <= '0;
          due_here     <= '0;
          out_due      <= '0;
        end else begin
          credits_here <= credits_here + CountW'(returned[I]) - CountW'(enters[I] && due == '0);
          stored       <= stored + CountW'(leaves[I] && out_head[p]) - CountW'(back[I]);
          if (enters[I]) due_here        <= remaining;
          if (enters[I]) own_packet_q[I] <= own;
          if (leaves[I]) out_due         <= out_flit[p*Width+2+:RemainingWidth];
          if (leaves[I]) out_own_q[I]    <= own_leaves[p];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      watched_q     <= 32'(watched_i) < Num ? watched_i : '0;
      watched_way_q <= way_of(watched_way_i);
      marked_q      <= 1'b0;
      gone_q        <= 1'b0;
      inside_q      <= '0;
      ahead_q       <= '0;
    end else begin
      inside_q <= inside_q + InsideW'(own_enters != '0) - InsideW'(own_leaves != '0);
      if (own_enters != '0 && !marked_q && mark_i) begin
        marked_q <= 1'b1;
        ahead_q  <= inside_q - InsideW'(own_leaves != '0);
      end else if (own_leaves != '0 && ahead_q != '0) begin
        ahead_q <= ahead_q - 1'b1;
      end
      for (int p = 0; p < NumPorts; p++) begin
        if (own_enters[p] && !marked_q) copy_q <= in_flit[p*Width+:Width-2];
        if (own_leaves[p] && out_flit[(p+1)*Width-2+:2] == Marked) gone_q <= 1'b1;
      end
    end
  end

  // Heads in the stages of an output, by output VC, and watched flits in those of all outputs.
  logic [Num*4-1:0] flying;
  logic [3:0]       own_flying;
  always_comb begin
    flying     = '0;
    own_flying = '0;
    for (int p = 0; p < NumPorts; p++) begin
      for (int k = 0; k < DepartureCycles; k++) begin
        if (stages[(p*DepartureCycles+k+1)*StageW-1]) begin
          if (stages[(p*DepartureCycles+k)*StageW+Width-2+:2] != Other) own_flying = own_flying + 1'b1;
          for (int v = 0; v < NumVcs; v++) begin
            if (stages[(p*DepartureCycles+k)*StageW+Width+:VcWidth] == VcWidth'(v) &&
                stages[(p*DepartureCycles+k)*StageW+2+RemainingWidth]) begin
              flying[(p*NumVcs+v)*4+:4] = flying[(p*NumVcs+v)*4+:4] + 1'b1;
            end
          end
        end
      end
    end
  end

  // Claim 1.
  if (Claim == 0 || Claim == 1) begin : gen_conserved
    for (genvar i = 0; i < Num; i++) begin : gen_vc
      always_comb if (rst_ni) begin
        assert (32'(credits_q[i*CountW+:CountW]) + $countones(used[i*NumSlots+:NumSlots]) + 32'(returned[i]) == NumSlots);
        assert (32'(credits[((i%NumVcs)*NumPorts + i/NumVcs)*CountW+:CountW]) + 32'(flying[i*4+:4]) +
                32'(stored_q[i*CountW+:CountW]) == NumSlots);
      end
    end
  end

  // Claim 2.
  if (Claim == 0 || Claim == 2) begin : gen_order
    for (genvar p = 0; p < NumPorts; p++) begin : gen_port
      logic [1:0]                color;
      logic                      unused_packet;
      logic [RemainingWidth-1:0] remaining;
      logic                      head;
      assign {color, unused_packet, head, remaining} = out_flit[p*Width+2+:Width-2];

      always_comb if (rst_ni && out_valid[p]) begin
        if (color != Other)  assert (inside_q != '0 && watched_way_q[p] && (own_leaves & ~(NumPorts'(1) << p)) == '0);
        if (color == Before) assert (!gone_q && (!marked_q || ahead_q != '0));
        if (color == After)  assert (gone_q);
        if (color == Marked) assert (marked_q && !gone_q && ahead_q == '0 && out_flit[p*Width+:Width-2] == copy_q);
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
      if (32'(credits_q[32'(watched_q)*CountW+:CountW]) == NumSlots) assert (32'(inside_q) == 32'(own_flying));
    end
  end

  // Claim 3.
  if (Claim == 0 || Claim == 3) begin : gen_grants
    for (genvar o = 0; o < NumPorts; o++) begin : gen_output
      always_comb if (rst_ni) begin
        assert ($countones(\u_router.u_router.leaving [o*N+:N]) <= 1);
        assert ((\u_router.u_router.takes [o*N+:N] & ~\u_router.u_router.waits [o*N+:N]) == '0);
        assert ((\u_router.u_router.takes [o*N+:N] & ~\u_router.u_router.leaving [o*N+:N]) == '0);
        assert ((\u_router.u_router.takes [o*N+:N] & ~used) == '0);
        if (\u_router.u_router.takes [o*N+:N] != '0) assert ($countones(vc_grant[o*NumVcs+:NumVcs]) == 1);
        for (int q = 0; q < o; q++) begin
          assert ((\u_router.u_router.leaving [o*N+:N] & \u_router.u_router.leaving [q*N+:N]) == '0);
        end
        for (int v = 0; v < NumVcs; v++) begin
          // A slot without a credit is in flight or stored, as the neighbour sees it.
          if (\u_router.u_router.takes [o*N+:N] != '0 && vc_grant[o*NumVcs+v]) begin
            assert (32'(stored_q[(o*NumVcs+v)*CountW+:CountW]) + 32'(flying[(o*NumVcs+v)*4+:4]) < NumSlots + 32'(back[o*NumVcs+v]));
          end
        end
      end
    end
  end

endmodule
