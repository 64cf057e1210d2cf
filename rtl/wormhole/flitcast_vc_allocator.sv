// SPDX-License-Identifier: Apache-2.0
// Gives free output virtual channels to the input virtual channels whose heads wait for one.
//
// Rule      Separable, input first: a waiting input VC picks one of the VCs of the output that it
//           is routed to, of those that are free and that it may take; then each output VC picks
//           one of the input VCs that picked it. Both by round robin, in an order that moves on
//           only with a grant (iSLIP; McKeown, "The iSLIP Scheduling Algorithm for Input-Queued
//           Switches", IEEE/ACM ToN 7(2), 1999). At another output than that of its last grant an
//           input VC starts from VC 0: restart_i, before it waits with the new route or, with
//           RouteCycles 0, in the first cycle in which it does.
// Numbers   VC v of port p is bit p*NumVcs+v, on both sides.
// Timing    Grants follow the requests in the same cycle. vc_o follows the requests alone and counts
//           with granted_o only.
// Reset     Synchronous; the lowest numbers go first after it.
// Model     VcCore::allocate_vcs() in models/router/vc_core.h.
module flitcast_vc_allocator #(
  parameter int NumInputs   = 5,                               // From 1 up.
  parameter int NumOutputs  = 5,                               // From 1 up.
  parameter int NumVcs      = 2,                               // For each port, from 1 up.
  parameter int RouteCycles = 1,                               // From 0 up.
  localparam int NumIn      = NumInputs * NumVcs,
  localparam int NumOut     = NumOutputs * NumVcs
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,                  // Synchronous, active low.
  input  logic [NumIn-1:0]            restart_i,               // Are routed to another output.
  input  logic [NumIn-1:0]            waiting_i,
  input  logic [NumIn*NumOutputs-1:0] route_i,                 // Output of each input VC, one-hot.
  input  logic [NumIn*NumVcs-1:0]     vcs_i,                   // VCs there that it may take.
  input  logic [NumOut-1:0]           free_i,                  // Output VCs without a packet.
  output logic [NumIn-1:0]            granted_o,               // Input VCs that get an output VC,
  output logic [NumIn*NumVcs-1:0]     vc_o,                    // and which, one-hot; see Timing.
  output logic [NumOut-1:0]           taken_o                  // Output VCs that are given away.
);

  if (NumInputs < 1 || NumOutputs < 1 || NumVcs < 1 || RouteCycles < 0) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [NumIn*NumOut-1:0] picks;    // Row i: the output VC that input VC i asks for.
  logic [NumOut*NumIn-1:0] winners;  // Row j: the input VC that gets output VC j.

  for (genvar i = 0; i < NumIn; i++) begin : gen_input
    logic [NumOutputs-1:0] route;
    logic [NumVcs-1:0]     free, choices, pick;

    assign route = route_i[i*NumOutputs+:NumOutputs];
    always_comb begin
      free = '0;
      for (int p = 0; p < NumOutputs; p++) begin
        free = free | (free_i[p*NumVcs+:NumVcs] & {NumVcs{route[p]}});
      end
    end
    assign choices = waiting_i[i] ? free & vcs_i[i*NumVcs+:NumVcs] : '0;

    if (NumVcs == 1) begin : gen_one_vc
      logic unused_restart;
      assign unused_restart = restart_i[i];
      assign pick           = choices;
    end else begin : gen_order
      // The VCs after the one granted last, pick ^ -pick, go first.
      logic [NumVcs-1:0] later_q, order, later;

      assign order = (RouteCycles == 0 && restart_i[i]) ? '0 : later_q;
      assign later = choices & order;
      assign pick  = (later != '0) ? later & -later : choices & -choices;  // The lowest set bit.

      always_ff @(posedge clk_i) begin
        if (!rst_ni)           later_q <= '0;
        else if (granted_o[i]) later_q <= pick ^ -pick;
        else if (restart_i[i]) later_q <= '0;
      end
    end

    for (genvar p = 0; p < NumOutputs; p++) begin : gen_port
      assign picks[i*NumOut+p*NumVcs+:NumVcs] = pick & {NumVcs{route[p]}};
    end
    assign vc_o[i*NumVcs+:NumVcs] = pick;
  end

  flitcast_output_arbiters #(.NumRequesters(NumIn), .NumOutputs(NumOut)) u_outputs (
    .clk_i, .rst_ni, .picks_i(picks), .grants_o(winners), .granted_o
  );
  // An output VC that someone picks is given away.
  logic unused_winners;
  assign unused_winners = ^winners;
  always_comb begin
    taken_o = '0;
    for (int i = 0; i < NumIn; i++) taken_o = taken_o | picks[i*NumOut+:NumOut];
  end

endmodule
