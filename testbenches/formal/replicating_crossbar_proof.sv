// SPDX-License-Identifier: Apache-2.0
// Claim: a replicating_crossbar gives every output that a flit asks for one copy of it, and others
// none; a copy stays on the output until it is taken; when the flit moves, the last copy has left,
// and while all outputs are ready it moves within NumIn cycles.
//
// One input, any, is watched: its flits have bit 0 set, those of the others have not. A copy that
// leaves at an edge is seen on its output in the clock after it.
module replicating_crossbar_proof #(
  parameter int NumIn = 3,
  parameter int NumOut = 2,
  parameter int Width = 2,
  parameter int Synchronous = 0,
  parameter int IndexW = NumIn > 1 ? $clog2(NumIn) : 1  // Derived.
) (
  input logic                    clk_i,
  input logic                    rst_ni,

  input logic [IndexW-1:0]       watched_i,  // In the first clock.
  input logic [NumIn*NumOut-1:0] outputs_i,  // Of a new flit; none: no flit comes.
  input logic [NumIn*Width-1:0]  flit_i,
  input logic [NumOut-1:0]       out_ready_i
);

  localparam int StreakW = $clog2(NumIn + 1);

  logic [IndexW-1:0]       watched_q;
  logic [NumIn*NumOut-1:0] outputs_q;
  logic [NumIn*Width-1:0]  flit_q;
  logic [NumIn-1:0]        valid, ready;
  logic [NumOut-1:0]       out_valid, fresh_q, arrived, wrong;
  logic [NumOut*Width-1:0] out_flit, past_out_q;

  flitcast_replicating_crossbar #(
    .NumIn(NumIn), .NumOut(NumOut), .Width(Width), .Synchronous(Synchronous)
  ) u_design (
    .clk_i, .rst_ni, .in_valid_i(valid), .in_outputs_i(outputs_q), .in_flit_i(flit_q),
    .in_ready_o(ready), .out_valid_o(out_valid), .out_flit_o(out_flit), .out_ready_i
  );

  for (genvar i = 0; i < NumIn; i++) begin : gen_inputs
    assign valid[i] = outputs_q[i*NumOut+:NumOut] != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        outputs_q[i*NumOut+:NumOut] <= '0;
      end else if (!valid[i] || ready[i]) begin
        outputs_q[i*NumOut+:NumOut] <= outputs_i[i*NumOut+:NumOut];
        flit_q[i*Width+:Width]      <= flit_i[i*Width+:Width];
        flit_q[i*Width]             <= 32'(watched_q) == i;
      end
    end
  end

  // Of the watched input, one clock ago: the flit, its outputs, those that have their copy, and
  // whether it moved.
  logic [Width-1:0]   past_flit_q;
  logic [NumOut-1:0]  past_outputs_q, got_q, got;
  logic               moved_q, waits;
  logic [StreakW-1:0] streak_q;  // Clocks in a row with all outputs ready that it has waited.

  always_ff @(posedge clk_i) begin
    if (!rst_ni) watched_q <= 32'(watched_i) < NumIn ? watched_i : '0;
    past_flit_q    <= flit_q[32'(watched_q)*Width+:Width];
    past_outputs_q <= outputs_q[32'(watched_q)*NumOut+:NumOut] & {NumOut{rst_ni}};
    moved_q        <= rst_ni && waits && ready[watched_q];
    past_out_q     <= out_flit;
    fresh_q        <= ~out_valid | out_ready_i | {NumOut{!rst_ni}};
    got_q          <= moved_q || !rst_ni ? '0 : got;
    streak_q       <= '0;
    if (rst_ni && waits && !ready[watched_q] && out_ready_i == '1) streak_q <= streak_q + 1'b1;
  end

  always_comb begin
    arrived = '0;
    wrong   = '0;
    for (int o = 0; o < NumOut; o++) begin
      if (out_valid[o] && fresh_q[o] && out_flit[o*Width]) begin
        arrived[o] = 1'b1;
        wrong[o]   = out_flit[o*Width+:Width] != past_flit_q;
      end
      if (!fresh_q[o]) begin
        wrong[o] = !out_valid[o] || out_flit[o*Width+:Width] != past_out_q[o*Width+:Width];
      end
    end
  end
  assign got   = got_q | arrived;
  assign waits = valid[watched_q];

  always_comb if (rst_ni) begin
    assert (wrong == '0);
    assert ((arrived & ~past_outputs_q) == '0 && (arrived & got_q) == '0);
    if (moved_q) assert (got == past_outputs_q);
    assert (32'(streak_q) < NumIn);
  end

endmodule
