// SPDX-License-Identifier: Apache-2.0
// Claim: a replicating_crossbar gives every output that a flit asks for one copy of it, and others
// none; a copy stays on the output until it is taken; when the flit moves, the last copy has left.
// It moves within NumIn cycles in which all outputs are ready, whatever happens between them. An
// asynchronous copy waits for its own output alone: that is never idle meanwhile, and serves at
// most NumIn - 1 others.
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
  input logic [NumIn*NumOut-1:0] outputs_i,  // Outputs of a new flit; 0: no flit.
  input logic [NumIn*Width-1:0]  flit_i,
  input logic [NumOut-1:0]       out_ready_i
);

  localparam int StreakW = $clog2(NumIn + 1);

  logic [IndexW-1:0]       watched_q;
  logic [NumIn*NumOut-1:0] outputs_q;
  logic [NumIn*Width-1:0]  flit_q;
  logic [NumIn-1:0]        valid, ready;
  logic [NumOut-1:0]       out_valid, fresh_q, arrived, wrong, due;
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

  // State of the watched input one clock ago: its flit, the outputs of the flit, the outputs that
  // have their copy, and if it moved.
  logic [Width-1:0]   past_flit_q;
  logic [NumOut-1:0]  past_outputs_q, got_q, got;
  logic               moved_q, waits;
  logic [StreakW-1:0] waited_q;  // Clocks with all outputs ready that it has waited.
  logic [NumOut-1:0]  past_due_q;            // Outputs that owed it a copy at the last edge.
  logic [NumOut*StreakW-1:0] passed_q, passed;  // By output: copies of others that left meanwhile.

  always_ff @(posedge clk_i) begin
    if (!rst_ni) watched_q <= 32'(watched_i) < NumIn ? watched_i : '0;
    past_flit_q    <= flit_q[32'(watched_q)*Width+:Width];
    past_outputs_q <= outputs_q[32'(watched_q)*NumOut+:NumOut] & {NumOut{rst_ni}};
    moved_q        <= rst_ni && waits && ready[watched_q];
    past_out_q     <= out_flit;
    fresh_q        <= ~out_valid | out_ready_i | {NumOut{!rst_ni}};
    got_q          <= moved_q || !rst_ni ? '0 : got;
    past_due_q     <= due & {NumOut{rst_ni}};
    passed_q       <= rst_ni ? passed : '0;
    if (!rst_ni || !waits || ready[watched_q]) waited_q <= '0;
    else if (out_ready_i == '1)                waited_q <= waited_q + 1'b1;
  end

  // Another copy left by the output at the last edge, though one of the watched flit waited.
  for (genvar o = 0; o < NumOut; o++) begin : gen_passed
    assign passed[o*StreakW+:StreakW] =
      !past_due_q[o] || arrived[o] ? '0 : passed_q[o*StreakW+:StreakW] + StreakW'(fresh_q[o]);
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
  assign due   = outputs_q[32'(watched_q)*NumOut+:NumOut] & ~(moved_q ? '0 : got);

  always_comb if (rst_ni) begin
    assert (wrong == '0);
    assert ((arrived & ~past_outputs_q) == '0 && (arrived & got_q) == '0);
    if (moved_q) assert (got == past_outputs_q);
    assert (32'(waited_q) < NumIn);
    for (int o = 0; o < NumOut; o++) begin
      if (Synchronous == 0) assert (32'(passed[o*StreakW+:StreakW]) < NumIn);
      if (Synchronous == 0 && past_due_q[o]) assert (out_valid[o]);
    end
  end

endmodule
