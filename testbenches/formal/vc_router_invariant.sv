// SPDX-License-Identifier: Apache-2.0
// Says whether the state of a vc_router in a network of them is one that the proofs of networks
// count on: see sound_o. It holds after a reset, and from one clock to the next if it holds for all
// routers and if credits are away exactly for stored flits.
//
// The router has stages without clocks (RouteCycles 0, VcAllocationCycles 0, DepartureCycles 1) and
// buffers of one flit; packets have one flit or two. VC v of port p is number p*NumVcs+v.
module vc_router_invariant #(
  parameter int NumInputs  = 2,
  parameter int NumOutputs = 2,
  parameter int NumVcs     = 1,
  localparam int NumIn     = NumInputs * NumVcs,
  localparam int NumOut    = NumOutputs * NumVcs
) (
  // Each input VC: its buffer and its stage.
  input  logic [NumIn-1:0]            occupied_i,
  input  logic [NumIn-1:0]            pointers_i,   // Pointers of the buffer, which stay 0.
  input  logic [NumIn-1:0]            heads_i,      // The flit at the front is a head,
  input  logic [NumIn-1:0]            remaining_i,  // and another one follows it.
  input  logic [NumIn-1:0]            due_i,        // Another one followed the flit that came last.
  input  logic [NumIn-1:0]            busy_i,
  input  logic [NumIn-1:0]            unserved_i,
  input  logic [NumIn-1:0]            active_i,
  input  logic [NumIn*NumOutputs-1:0] routes_i,
  input  logic [NumIn*NumVcs-1:0]     choices_i,
  input  logic [NumIn*NumVcs-1:0]     held_i,
  // Row i: output VCs that the head at the front of input VC i may take, none if it should not be
  // here; and those that any head may take that comes to it.
  input  logic [NumIn*NumOut-1:0]     answers_i,
  input  logic [NumIn*NumOut-1:0]     legal_i,
  // Each output VC; and the buffer behind it.
  input  logic [NumOut-1:0]           free_i,
  input  logic [NumOut-1:0]           credits_i,
  input  logic [NumOut-1:0]           behind_occupied_i,
  input  logic [NumOut-1:0]           behind_due_i,
  output logic                        sound_o
);

  logic [NumIn-1:0]        sound_in;
  logic [NumOut-1:0]       sound_out;
  logic [NumIn-1:0]        begun;      // The head of the packet has left, the tail has not.
  logic [NumOut*NumIn-1:0] holds;      // Row j: input VCs that hold output VC j.

  assign begun = active_i & ~(occupied_i & heads_i);

  for (genvar i = 0; i < NumIn; i++) begin : gen_input
    logic [NumOutputs-1:0] route;
    logic [NumVcs-1:0]     held;
    logic [NumOut-1:0]     may, asks, has;

    assign route = routes_i[i*NumOutputs+:NumOutputs];
    assign held  = held_i[i*NumVcs+:NumVcs];
    assign may   = occupied_i[i] && heads_i[i] ? answers_i[i*NumOut+:NumOut] :
                                                 legal_i[i*NumOut+:NumOut];
    for (genvar j = 0; j < NumOut; j++) begin : gen_output
      assign asks[j]          = route[j/NumVcs] && choices_i[i*NumVcs + j%NumVcs];
      assign has[j]           = active_i[i] && route[j/NumVcs] && held[j%NumVcs];
      assign holds[j*NumIn+i] = has[j];
    end

    always_comb begin
      sound_in[i] = pointers_i[i];
      // A packet is in one stage. It asks for an output VC as long as its head is there, and has one
      // after that; both are among those it may take.
      if (busy_i[i] != (unserved_i[i] || active_i[i]) || (unserved_i[i] && active_i[i]) ||
          (unserved_i[i] && (!occupied_i[i] || !heads_i[i] || asks != may)) ||
          (busy_i[i] && (route == '0 || (route & (route - 1'b1)) != '0)) ||
          (active_i[i] && (held == '0 || (held & (held - 1'b1)) != '0)) ||
          (has & ~may) != '0) sound_in[i] = 1'b0;
      // A flit without a head is a tail behind its head. Only a tail is yet to come to an empty VC.
      if (occupied_i[i] && (remaining_i[i] != due_i[i] || (!heads_i[i] && (due_i[i] || !active_i[i]))))
        sound_in[i] = 1'b0;
      if (!occupied_i[i] && busy_i[i] != due_i[i]) sound_in[i] = 1'b0;
      // Nothing is in an input VC to which no head comes.
      if (legal_i[i*NumOut+:NumOut] == '0 && (occupied_i[i] || busy_i[i] || due_i[i]))
        sound_in[i] = 1'b0;
      // A head is on a path to its destination.
      if (occupied_i[i] && heads_i[i] && (answers_i[i*NumOut+:NumOut] == '0 ||
          (answers_i[i*NumOut+:NumOut] & ~legal_i[i*NumOut+:NumOut]) != '0)) sound_in[i] = 1'b0;
    end
  end

  for (genvar j = 0; j < NumOut; j++) begin : gen_output
    logic [NumIn-1:0] holders;
    assign holders = holds[j*NumIn+:NumIn];
    // An output VC is free or has one holder, whose tail comes if its head was the last flit; its
    // credit is here if the slot behind it is empty.
    assign sound_out[j] = free_i[j] == (holders == '0) && (holders & (holders - 1'b1)) == '0 &&
                          ((holders & begun) != '0) == behind_due_i[j] &&
                          credits_i[j] != behind_occupied_i[j];
  end

  assign sound_o = &sound_in && &sound_out;

endmodule
