// SPDX-License-Identifier: Apache-2.0
// The output virtual channel that the head of one input virtual channel asks for, among those that
// its routing offers.
//
// Rule      Level by level, options_i has the output VCs that the packet may take. One of them is
//           open if it is free and, except in level 0, has space for the packet: packets wait for
//           the output VCs of level 0 only. The highest level with an open output VC decides; with
//           ByCredits of its outputs those that no other one has more credits than; then round
//           robin over all output VCs, in an order that moves on only with a grant.
// Numbers   VC v of output p is bit p*NumVcs+v of a set of output VCs.
// Timing    pick_o follows the inputs in the same cycle; the order moves on at an edge with
//           granted_i.
// Reset     Synchronous; the lowest numbers go first after it.
// Model     AdaptiveCore::for_each_request() in models/router/adaptive_core.h.
module flitcast_adaptive_choice #(
  parameter int NumOutputs = 5,                                  // From 1 up.
  parameter int NumVcs     = 2,                                  // For each output, from 1 up.
  parameter int NumLevels  = 2,                                  // From 1 up.
  parameter int ByCredits  = 1,                                  // 0 or 1: see Rule.
  localparam int NumOut    = NumOutputs * NumVcs
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,               // Synchronous, active low.
  input  logic                             waiting_i,            // The head asks.
  input  logic [NumLevels*NumOut-1:0]      options_i,            // Level l: bits l*NumOut and up.
  input  logic [NumOut-1:0]                free_i,               // Output VCs without a packet.
  input  logic [NumOut-1:0]                space_i,              // Output VCs with space for it.
  input  logic [NumOutputs*NumOutputs-1:0] more_i,               // Row p: the outputs with more
                                                                 // credits than output p.
  input  logic                             granted_i,            // It gets pick_o.
  output logic [NumOut-1:0]                pick_o                // One-hot, or zero.
);

  if (NumOutputs < 1 || NumVcs < 1 || NumLevels < 1 || ByCredits < 0 || ByCredits > 1)
  begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [NumOut-1:0] decided;     // Open output VCs of the level that decides.
  logic [NumOut-1:0] candidates;  // The same at its best outputs.

  // The open output VCs of the highest level that has any. It is a function, since a chain over
  // bits of one vector is a loop to Verilator.
  function automatic logic [NumOut-1:0] highest(
    input logic [NumLevels*NumOut-1:0] sets,
    input logic [NumOut-1:0]           vc_is_free,
    input logic [NumOut-1:0]           vc_has_space
  );
    logic [NumOut-1:0] open;
    highest = sets[NumOut-1:0] & vc_is_free;
    for (int l = 1; l < NumLevels; l++) begin
      open = sets[l*NumOut+:NumOut] & vc_is_free & vc_has_space;
      if (open != '0) highest = open;
    end
  endfunction

  assign decided = waiting_i ? highest(options_i, free_i, space_i) : '0;

  if (ByCredits == 1) begin : gen_by_credits
    logic [NumOutputs-1:0] outputs;
    for (genvar p = 0; p < NumOutputs; p++) begin : gen_output
      assign outputs[p] = decided[p*NumVcs+:NumVcs] != '0;
      assign candidates[p*NumVcs+:NumVcs] =
          ((outputs & more_i[p*NumOutputs+:NumOutputs]) == '0) ? decided[p*NumVcs+:NumVcs] : '0;
    end
  end else begin : gen_in_turn
    logic unused_more;
    assign unused_more = ^more_i;
    assign candidates  = decided;
  end

  flitcast_rr_arbiter #(.NumReq(NumOut)) u_order (
    .clk_i,
    .rst_ni,
    .req_i (candidates),
    .take_i(granted_i),
    .gnt_o (pick_o)
  );

endmodule
