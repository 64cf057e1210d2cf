// SPDX-License-Identifier: Apache-2.0
// Crossbar that copies flits: each input names the outputs that its flit is to leave by.
//
//   in_valid_i, in_outputs_i, in_flit_i -->  --> out_valid_o, out_flit_o
//   in_ready_o                          <--  <-- out_ready_i
//
// Use       A flit moves at an edge where valid and ready are both high. At an input it stays, with
//           the same outputs, until then: that is when its last copy leaves.
// Copies    Asynchronous: a copy leaves by each output as soon as that is free and grants it; every
//           output serves the inputs by round robin. Synchronous: all copies leave at once. Inputs
//           are served in turn, from the one behind that which went first last; each moves if its
//           outputs are free and not taken by those before it. The first keeps its outputs from the
//           others until it moves, and only then does the turn pass on.
// Progress  No deadlock: no input keeps an output while it waits for another, except the first in
//           turn, which waits for no other. While all outputs are always ready, all copies of a flit
//           have left after at most NumIn cycles.
// Timing    A copy is on its output after the edge at which it leaves; an output that is taken at
//           an edge is free at that edge. in_ready_o follows in_valid_i, in_outputs_i and
//           out_ready_i in the same cycle; out_*_o are registers, the flit counts only when valid.
// Reset     Synchronous; all outputs are empty, no copy of the flits at the inputs has left,
//           input 0 goes first.
// Misuse    A flit for no output, one that changes its outputs and one that goes away before
//           in_ready_o fail an assertion.
// Source    The two modes of copying are those of models/router/multicast_core.h.
// Model     models/network/pins/crossbars.h, in lock-step in
//           testbenches/cosim/replicating_crossbar_test.cpp.
module flitcast_replicating_crossbar #(
  parameter int NumIn       = 4,                   // From 1 up.
  parameter int NumOut      = 4,                   // From 1 up.
  parameter int Width       = 32,                  // Bits of a flit, from 1 up.
  parameter int Synchronous = 0                    // 1: all copies of a flit leave at once.
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,          // Synchronous, active low.
  input  logic [NumIn-1:0]        in_valid_i,
  input  logic [NumIn*NumOut-1:0] in_outputs_i,    // Bit o of field i: a copy for output o.
  input  logic [NumIn*Width-1:0]  in_flit_i,
  output logic [NumIn-1:0]        in_ready_o,
  output logic [NumOut-1:0]       out_valid_o,
  output logic [NumOut*Width-1:0] out_flit_o,
  input  logic [NumOut-1:0]       out_ready_i
);

  if (NumIn < 1 || NumOut < 1 || Width < 1 || Synchronous < 0 || Synchronous > 1)
  begin : gen_refused
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [NumOut-1:0]       empty;                  // Can take a copy at the next edge.
  logic [NumIn*NumOut-1:0] leaves;                 // Bit o of field i: that copy leaves then.

  assign empty = ~out_valid_o | out_ready_i;

  if (Synchronous != 0) begin : gen_synchronous
    logic [NumIn-1:0]  later_d, later_q;           // The inputs behind the one that went first.
    logic [NumIn-1:0]  turn;
    logic [NumOut-1:0] kept;
    logic              first;

    always_comb begin
      in_ready_o = '0;
      leaves     = '0;
      later_d    = later_q;
      turn       = '0;
      kept       = '0;
      first      = 1'b1;
      for (int round = 0; round < 2; round++) begin
        turn = in_valid_i & ((round == 0) ? later_q : ~later_q);
        for (int i = 0; i < NumIn; i++) begin
          if (turn[i]) begin
            if ((in_outputs_i[i*NumOut+:NumOut] & (kept | ~empty)) == '0) begin
              in_ready_o[i]             = 1'b1;
              leaves[i*NumOut+:NumOut]  = in_outputs_i[i*NumOut+:NumOut];
              if (first) later_d        = ~((NumIn'(2) << i) - NumIn'(1));
            end
            if (first || in_ready_o[i]) kept = kept | in_outputs_i[i*NumOut+:NumOut];
            first = 1'b0;
          end
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) later_q <= '0;
      else         later_q <= later_d;
    end
  end else begin : gen_asynchronous
    logic [NumIn*NumOut-1:0] waiting, left_q;      // Copies still to leave; those that have left.
    logic [NumOut*NumIn-1:0] grants;               // By output.

    for (genvar o = 0; o < NumOut; o++) begin : gen_output
      logic [NumIn-1:0] wanting;
      for (genvar i = 0; i < NumIn; i++) begin : gen_wanting
        assign wanting[i] = waiting[i*NumOut+o];
      end
      flitcast_rr_arbiter #(.NumReq(NumIn)) u_arbiter (
        .clk_i, .rst_ni, .req_i(wanting), .take_i(empty[o]), .gnt_o(grants[o*NumIn+:NumIn])
      );
    end

    for (genvar i = 0; i < NumIn; i++) begin : gen_input
      logic [NumOut-1:0] to_leave, leaving;

      assign to_leave = in_valid_i[i] ? in_outputs_i[i*NumOut+:NumOut] & ~left_q[i*NumOut+:NumOut]
                                      : '0;
      for (genvar o = 0; o < NumOut; o++) begin : gen_leaving
        assign leaving[o] = grants[o*NumIn+i] && empty[o];
      end
      assign waiting[i*NumOut+:NumOut] = to_leave;
      assign leaves[i*NumOut+:NumOut]  = leaving;
      assign in_ready_o[i]             = in_valid_i[i] && (to_leave & ~leaving) == '0;

      always_ff @(posedge clk_i) begin
        if (!rst_ni || in_ready_o[i]) left_q[i*NumOut+:NumOut] <= '0;
        else left_q[i*NumOut+:NumOut] <= left_q[i*NumOut+:NumOut] | leaving;
      end
    end
  end

  for (genvar o = 0; o < NumOut; o++) begin : gen_register
    logic             taken, valid_q;
    logic [Width-1:0] flit, flit_q;

    always_comb begin
      taken = 1'b0;
      flit  = '0;
      for (int i = 0; i < NumIn; i++) begin
        if (leaves[i*NumOut+o]) begin
          taken = 1'b1;
          flit  = flit | in_flit_i[i*Width+:Width];
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) valid_q <= 1'b0;
      else         valid_q <= taken || !empty[o];
    end

    always_ff @(posedge clk_i) if (taken) flit_q <= flit;

    assign out_valid_o[o]             = valid_q;
    assign out_flit_o[o*Width+:Width] = flit_q;
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  for (genvar i = 0; i < NumIn; i++) begin : gen_rules
    logic              stayed;
    logic [NumOut-1:0] outputs, outputs_before;

    assign outputs = in_outputs_i[i*NumOut+:NumOut];
    always_ff @(posedge clk_i) begin
      stayed         <= rst_ni && in_valid_i[i] && !in_ready_o[i];
      outputs_before <= outputs;
    end
    always @(posedge clk_i) if (rst_ni) begin
      assert (!in_valid_i[i] || outputs != '0);
      assert (!stayed || (in_valid_i[i] && outputs == outputs_before));
    end
  end
`endif
`endif

endmodule
