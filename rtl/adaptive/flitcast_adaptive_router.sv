// SPDX-License-Identifier: Apache-2.0
// The router of vc_router.sv for adaptive routing: its packets choose among several outputs by the
// credits of the current cycle. Wormhole or virtual cut-through.
//
//   in_valid_i, in_vc_i, in_flit_i     -->            --> out_valid_o, out_vc_o, out_flit_o
//   in_credit_valid_o, in_credit_vc_o  <--            <-- out_credit_valid_i, out_credit_vc_i
//                    request_o, header_o --> routing --> options_i
//
// Use, Flit, Numbers, Credits, Reset: as vc_router.sv.
// Routing   For each input VC: request_o is high in the one cycle in which the head at its front is
//           routed, header_o has the header of the flit at the front. In the same cycle the routing
//           answers with the output VCs that the packet may take, in NumLevels sets; the answer
//           counts with a request only. Packets prefer high levels, and take an output VC of a
//           level above 0 only while it has space. For those of level 0, which has at least one,
//           they wait: with escape channels there, deadlock is the matter of level 0 alone (Duato,
//           "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks", IEEE Trans.
//           Parallel and Distributed Systems 4(12), 1993).
// Choice    A waiting head asks in each cycle for one output VC: adaptive_choice.sv.
// Idle      As vc_router.sv.
// Timing    As vc_router.sv; output and VC are decided in the cycle of the grant.
// Misuse    A flit without credit, one out of its packet's order, a credit for no flit, a VC number
//           from NumVcs up, and an answer without an output VC in level 0 fail an assertion.
// Model     models/network/pins/core_router.h with any adaptive routing that decides in each cycle
//           and does not select at random, in lock-step in testbenches/cosim.
module flitcast_adaptive_router #(
  parameter int NumInputs          = 5,                           // From 1 up.
  parameter int NumOutputs         = 5,                           // From 1 up.
  parameter int NumVcs             = 2,                           // For each port: 1 to 32, of all
                                                                  // ports of a side at most 128.
  parameter int NumLevels          = 2,                           // Levels of priority, 1 to 128.
  parameter int ByCredits          = 1,                           // 1: prefer the output with the
                                                                  // most credits; 0: in turn.
  parameter int Depth              = 4,                           // Flits of a VC, 1 to 65535.
  parameter int HeaderWidth        = 4,                           // Bits, from 1 up.
  parameter int RemainingWidth     = 4,                           // Bits, 1 to 16.
  parameter int PayloadWidth       = 25,                          // Bits, from 0 up.
  parameter int RouteCycles        = 1,                           // 0 to 8.
  parameter int VcAllocationCycles = 1,                           // 0 to 8.
  parameter int DepartureCycles    = 2,                           // 1 to 16: switch allocation and
                                                                  // traversal together.
  parameter int WholePacketCredit  = 0,                           // 1: virtual cut-through.
  parameter int ResetFlits         = 0,                           // 1: see vc_router.sv.
  localparam int Width             = HeaderWidth + RemainingWidth + 1 + PayloadWidth,
  localparam int VcWidth           = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  localparam int NumIn             = NumInputs * NumVcs,
  localparam int NumOut            = NumOutputs * NumVcs
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,               // Synchronous, active low.
  input  logic [NumInputs-1:0]              in_valid_i,
  input  logic [NumInputs*VcWidth-1:0]      in_vc_i,
  input  logic [NumInputs*Width-1:0]        in_flit_i,
  output logic [NumInputs-1:0]              in_credit_valid_o,
  output logic [NumInputs*VcWidth-1:0]      in_credit_vc_o,       // Zero without a credit.
  output logic [NumIn-1:0]                  request_o,            // Input VCs whose head is routed
                                                                  // in this cycle.
  output logic [NumIn*HeaderWidth-1:0]      header_o,             // Header of the front flit.
  input  logic [NumIn*NumLevels*NumOut-1:0] options_i,            // Level 0 in the lowest bits
                                                                  // of each input VC.
  output logic [NumOutputs-1:0]             out_valid_o,
  output logic [NumOutputs*VcWidth-1:0]     out_vc_o,             // Zero without a flit, later than
  output logic [NumOutputs*Width-1:0]       out_flit_o,           // DepartureCycles after a reset.
  input  logic [NumOutputs-1:0]             out_credit_valid_i,
  input  logic [NumOutputs*VcWidth-1:0]     out_credit_vc_i,
  output logic                              idle_o
);

  if (NumInputs < 1 || NumOutputs < 1) begin : gen_ports
    num_inputs_and_num_outputs_must_be_at_least_1 u_refused ();
  end
  if (NumVcs < 1 || NumVcs > 32 || NumIn > 128 || NumOut > 128) begin : gen_vcs
    num_vcs_must_be_1_to_32_and_at_most_128_over_all_ports u_refused ();
  end
  if (NumLevels < 1 || NumLevels > 128) begin : gen_levels
    num_levels_must_be_1_to_128 u_refused ();
  end
  if (Depth < 1 || Depth > 65535) begin : gen_depth
    depth_must_be_1_to_65535 u_refused ();
  end
  if (HeaderWidth < 1 || RemainingWidth < 1 || RemainingWidth > 16 || PayloadWidth < 0)
  begin : gen_width
    a_width_is_out_of_its_range u_refused ();
  end
  if (RouteCycles < 0 || RouteCycles > 8 || VcAllocationCycles < 0 || VcAllocationCycles > 8 ||
      DepartureCycles < 1 || DepartureCycles > 16) begin : gen_cycles
    a_number_of_cycles_is_out_of_its_range u_refused ();
  end
  if (WholePacketCredit < 0 || WholePacketCredit > 1) begin : gen_cut_through
    whole_packet_credit_must_be_0_or_1 u_refused ();
  end
  if (ByCredits < 0 || ByCredits > 1 || ResetFlits < 0 || ResetFlits > 1) begin : gen_options
    by_credits_and_reset_flits_must_be_0_or_1 u_refused ();
  end

  localparam int CountWidth  = $clog2(Depth + 1);
  localparam int AnswerWidth = NumLevels * NumOut;

  // The flit at the front of each input VC, and the output VC of its packet.
  logic [NumIn-1:0]                occupied;
  logic [NumIn-1:0]                tails;
  logic [NumIn*RemainingWidth-1:0] followers;   // Remaining of a head, else zero.
  logic [NumIn*AnswerWidth-1:0]    options;     // The answer of its routing.
  logic [NumIn*NumOutputs-1:0]     routes;
  logic [NumIn*NumVcs-1:0]         held;
  logic [NumIn*NumVcs-1:0]         unused_choices;
  logic [NumIn-1:0]                unused_restarts;

  // The stages of heads: sets of input VCs.
  logic [NumIn-1:0] busy_q;                // A packet is in one of the stages.
  logic [NumIn-1:0] starting;              // In the first cycle of route computation.
  logic [NumIn-1:0] routed, unserved_q;    // Just through with it; later, but without an output VC.
  logic [NumIn-1:0] waiting;
  logic [NumIn-1:0] granted;               // Are given an output VC.
  logic [NumIn-1:0] allocated, active_q;   // Just through with that stage; later.
  logic [NumIn-1:0] active;
  logic [NumIn-1:0] credited;              // Their output VC has the credits that they need.
  logic [NumIn-1:0] offers;                // Are picked by their port, and ask for the switch.
  logic [NumIn-1:0] sends;                 // Win the switch.
  logic [NumIn-1:0] ends;                  // Win it with their tail.

  // Sets of output VCs.
  logic [NumOut-1:0]            free_q;
  logic [NumOut-1:0]            taken, sent, freed;  // Given to a packet, sent a flit, sent a tail.
  logic [NumOut*CountWidth-1:0] credits;
  logic [NumIn*NumOut-1:0]      space;               // Row i: with space for input VC i.

  logic [NumIn*NumOutputs-1:0]     outputs;  // Output and VC that are given to each input VC.
  logic [NumIn*NumVcs-1:0]         grants;
  logic [NumOutputs*NumInputs-1:0] sources;
  logic [NumIn-1:0]                vcs;      // Output VC of the flit that each input port
  logic [NumInputs*Width-1:0]      flits;    // offers, and that flit.

  assign starting  = occupied & ~busy_q;
  assign waiting   = unserved_q | routed;
  assign active    = active_q | allocated;
  assign ends      = sends & tails;
  assign request_o = starting;

  flitcast_delay_line #(.Width(NumIn), .Cycles(RouteCycles)) u_routing (
    .clk_i, .rst_ni, .in_i(starting), .out_o(routed)
  );
  flitcast_delay_line #(.Width(NumIn), .Cycles(VcAllocationCycles)) u_allocating (
    .clk_i, .rst_ni, .in_i(granted), .out_o(allocated)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q     <= '0;
      unserved_q <= '0;
      active_q   <= '0;
      free_q     <= '1;
    end else begin
      busy_q     <= (busy_q | starting) & ~ends;
      unserved_q <= waiting & ~granted;
      active_q   <= active & ~ends;
      free_q     <= (free_q & ~taken) | freed;
    end
  end

  for (genvar i = 0; i < NumIn; i++) begin : gen_answer
    logic [AnswerWidth-1:0] answer, answer_q;  // Counts only with a route.
    assign answer = options_i[i*AnswerWidth+:AnswerWidth];
    assign options[i*AnswerWidth+:AnswerWidth] =
        (RouteCycles == 0 && starting[i]) ? answer : answer_q;
    always_ff @(posedge clk_i) if (starting[i]) answer_q <= answer;
  end

  // The route of an input VC comes with the grant of its output VC, so both take the same cycles.
  for (genvar p = 0; p < NumInputs; p++) begin : gen_input
    flitcast_wormhole_input #(
      .NumOutputs    (NumOutputs),
      .NumVcs        (NumVcs),
      .Depth         (Depth),
      .HeaderWidth   (HeaderWidth),
      .RemainingWidth(RemainingWidth),
      .Width         (Width),
      .RouteCycles   (VcAllocationCycles),
      .GrantCycles   (VcAllocationCycles),
      .AnyVc         (1)
    ) u_input (
      .clk_i,
      .rst_ni,
      .in_valid_i       (in_valid_i[p]),
      .in_vc_i          (in_vc_i[p*VcWidth+:VcWidth]),
      .in_flit_i        (in_flit_i[p*Width+:Width]),
      .in_credit_valid_o(in_credit_valid_o[p]),
      .in_credit_vc_o   (in_credit_vc_o[p*VcWidth+:VcWidth]),
      .start_i          (granted[p*NumVcs+:NumVcs]),
      .route_i          (outputs[p*NumVcs*NumOutputs+:NumVcs*NumOutputs]),
      .vcs_i            ({(NumVcs * NumVcs){1'b1}}),
      .grant_i          (granted[p*NumVcs+:NumVcs]),
      .granted_vc_i     (grants[p*NumVcs*NumVcs+:NumVcs*NumVcs]),
      .offer_i          (offers[p*NumVcs+:NumVcs]),
      .send_i           (sends[p*NumVcs+:NumVcs]),
      .occupied_o       (occupied[p*NumVcs+:NumVcs]),
      .restart_o        (unused_restarts[p*NumVcs+:NumVcs]),
      .tail_o           (tails[p*NumVcs+:NumVcs]),
      .header_o         (header_o[p*NumVcs*HeaderWidth+:NumVcs*HeaderWidth]),
      .followers_o      (followers[p*NumVcs*RemainingWidth+:NumVcs*RemainingWidth]),
      .route_o          (routes[p*NumVcs*NumOutputs+:NumVcs*NumOutputs]),
      .vcs_o            (unused_choices[p*NumVcs*NumVcs+:NumVcs*NumVcs]),
      .held_o           (held[p*NumVcs*NumVcs+:NumVcs*NumVcs]),
      .vc_o             (vcs[p*NumVcs+:NumVcs]),
      .flit_o           (flits[p*Width+:Width])
    );
  end

  flitcast_adaptive_allocator #(
    .NumInputs (NumInputs),
    .NumOutputs(NumOutputs),
    .NumVcs    (NumVcs),
    .NumLevels (NumLevels),
    .ByCredits (ByCredits),
    .Depth     (Depth)
  ) u_vc_allocator (
    .clk_i,
    .rst_ni,
    .waiting_i(waiting),
    .options_i(options),
    .free_i   (free_q),
    .space_i  (space),
    .credits_i(credits),
    .granted_o(granted),
    .route_o  (outputs),
    .vc_o     (grants),
    .taken_o  (taken)
  );

  flitcast_switch_allocator #(
    .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs)
  ) u_switch_allocator (
    .clk_i,
    .rst_ni,
    .ready_i (occupied & active & credited),
    .route_i (routes),
    .offers_o(offers),
    .sends_o (sends),
    .source_o(sources)
  );

  flitcast_adaptive_credits #(
    .NumInputs        (NumInputs),
    .NumOutputs       (NumOutputs),
    .NumVcs           (NumVcs),
    .Depth            (Depth),
    .RemainingWidth   (RemainingWidth),
    .WholePacketCredit(WholePacketCredit)
  ) u_credits (
    .clk_i,
    .rst_ni,
    .return_valid_i(out_credit_valid_i),
    .return_vc_i   (out_credit_vc_i),
    .sent_i        (sent),
    .route_i       (routes),
    .held_i        (held),
    .followers_i   (followers),
    .credits_o     (credits),
    .space_o       (space),
    .credited_o    (credited)
  );

  flitcast_wormhole_crossbar #(
    .NumInputs      (NumInputs),
    .NumOutputs     (NumOutputs),
    .NumVcs         (NumVcs),
    .RemainingBit   (HeaderWidth),
    .RemainingWidth (RemainingWidth),
    .Width          (Width),
    .DepartureCycles(DepartureCycles),
    .ResetFlits     (ResetFlits)
  ) u_crossbar (
    .clk_i,
    .rst_ni,
    .source_i (sources),
    .in_vc_i  (vcs),
    .in_flit_i(flits),
    .sent_o   (sent),
    .freed_o  (freed),
    .out_valid_o,
    .out_vc_o,
    .out_flit_o
  );

  logic in_use;  // There are packets.
  assign in_use = (occupied | busy_q) != '0;

  flitcast_idle #(.Cycles(DepartureCycles - 1)) u_idle (
    .clk_i, .rst_ni, .busy_i(in_use), .idle_o
  );

`ifndef SYNTHESIS
  for (genvar i = 0; i < NumIn; i++) begin : gen_check
    localparam int Port = i / NumVcs;
    localparam int Vc   = i % NumVcs;
    always @(posedge clk_i) if (rst_ni && request_o[i]) begin
      assert (options_i[i*AnswerWidth+:NumOut] != '0) else
          $error("flitcast_adaptive_router: port %0d, VC %0d: no output VC in level 0", Port, Vc);
    end
  end
`endif

endmodule
