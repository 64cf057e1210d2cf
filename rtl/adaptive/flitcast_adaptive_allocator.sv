// SPDX-License-Identifier: Apache-2.0
// Gives free output virtual channels to the input virtual channels whose heads wait for one, where
// packets choose among several outputs.
//
// Rule      Separable, input first: a waiting input VC picks one output VC (adaptive_choice.sv);
//           then each output VC picks one of the input VCs that picked it, by round robin, in an
//           order that moves on only with a grant.
// Numbers   VC v of port p is bit p*NumVcs+v, on both sides.
// Timing    Grants follow the requests in the same cycle.
// Reset     Synchronous; the lowest numbers go first after it.
// Model     VcCore::allocate_vcs() in models/router/vc_core.h with the requests of
//           models/router/adaptive_core.h.
module flitcast_adaptive_allocator #(
  parameter int NumInputs   = 5,                                 // From 1 up.
  parameter int NumOutputs  = 5,                                 // From 1 up.
  parameter int NumVcs      = 2,                                 // For each port, from 1 up.
  parameter int NumLevels   = 2,                                 // From 1 up.
  parameter int ByCredits   = 1,                                 // 0 or 1.
  parameter int Depth       = 4,                                 // Flits of a VC, from 1 up.
  localparam int CountWidth = $clog2(Depth + 1),
  localparam int NumIn      = NumInputs * NumVcs,
  localparam int NumOut     = NumOutputs * NumVcs
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,              // Synchronous, active low.
  input  logic [NumIn-1:0]                  waiting_i,
  input  logic [NumIn*NumLevels*NumOut-1:0] options_i,           // Answers to input VCs.
  input  logic [NumOut-1:0]                 free_i,              // Output VCs without a packet.
  input  logic [NumIn*NumOut-1:0]           space_i,             // Row i: output VCs with space for
                                                                 // the packet of input VC i.
  input  logic [NumOut*CountWidth-1:0]      credits_i,           // Credits of output VCs.
  output logic [NumIn-1:0]                  granted_o,           // Input VCs that get an output VC:
  output logic [NumIn*NumOutputs-1:0]       route_o,             // its output, one-hot or zero,
  output logic [NumIn*NumVcs-1:0]           vc_o,                // and which VC of it.
  output logic [NumOut-1:0]                 taken_o              // Output VCs that are given away.
);

  if (NumInputs < 1 || NumOutputs < 1 || NumVcs < 1 || Depth < 1) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  localparam int SumWidth  = $clog2(NumVcs * Depth + 1);

  logic [NumOutputs*SumWidth-1:0]   sums;     // Credits of each output, over its VCs.
  logic [NumOutputs*NumOutputs-1:0] more;     // Row p: the outputs with more of them than p.
  logic [NumIn*NumOut-1:0]          picks;    // Row i: the output VC that input VC i asks for.
  logic [NumOut*NumIn-1:0]          winners;  // Row j: the input VC that gets output VC j.

  for (genvar j = 0; j < NumOut; j++) begin : gen_output_vc
    assign taken_o[j] = winners[j*NumIn+:NumIn] != '0;
  end

  function automatic logic [SumWidth-1:0] sum_of(input logic [NumVcs*CountWidth-1:0] of_vcs);
    sum_of = '0;
    for (int v = 0; v < NumVcs; v++) sum_of = sum_of + SumWidth'(of_vcs[v*CountWidth+:CountWidth]);
  endfunction

  for (genvar p = 0; p < NumOutputs; p++) begin : gen_output
    assign sums[p*SumWidth+:SumWidth] = sum_of(credits_i[p*NumVcs*CountWidth+:NumVcs*CountWidth]);
    for (genvar q = 0; q < NumOutputs; q++) begin : gen_other
      assign more[p*NumOutputs+q] = sums[q*SumWidth+:SumWidth] > sums[p*SumWidth+:SumWidth];
    end
  end

  for (genvar i = 0; i < NumIn; i++) begin : gen_input
    logic [NumOut-1:0] pick, grant;

    flitcast_adaptive_choice #(
      .NumOutputs(NumOutputs), .NumVcs(NumVcs), .NumLevels(NumLevels), .ByCredits(ByCredits)
    ) u_choice (
      .clk_i,
      .rst_ni,
      .waiting_i(waiting_i[i]),
      .options_i(options_i[i*NumLevels*NumOut+:NumLevels*NumOut]),
      .free_i,
      .space_i  (space_i[i*NumOut+:NumOut]),
      .more_i   (more),
      .granted_i(granted_o[i]),
      .pick_o   (pick)
    );
    assign picks[i*NumOut+:NumOut] = pick;
    assign grant                   = granted_o[i] ? pick : '0;

    for (genvar p = 0; p < NumOutputs; p++) begin : gen_route
      assign route_o[i*NumOutputs+p] = grant[p*NumVcs+:NumVcs] != '0;
    end
    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      logic [NumOutputs-1:0] at_output;
      for (genvar p = 0; p < NumOutputs; p++) begin : gen_bit
        assign at_output[p] = grant[p*NumVcs+v];
      end
      assign vc_o[i*NumVcs+v] = at_output != '0;
    end
  end

  flitcast_output_arbiters #(.NumRequesters(NumIn), .NumOutputs(NumOut)) u_outputs (
    .clk_i, .rst_ni, .picks_i(picks), .grants_o(winners), .granted_o
  );

endmodule
