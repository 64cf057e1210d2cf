// SPDX-License-Identifier: Apache-2.0
// Claim: an async_fifo gives the data out in the order in which it took them, unchanged, and none
// twice; takes none when it has no free slot; and shows what it stores, and its free slots, after
// three edges at most.
//
// Each clock has an edge in the steps in which its input is high: the clocks are in any ratio. Both
// sides are reset in the first step, and leave the reset when they like. One word, any, is watched.
module async_fifo_proof #(
  parameter int Width = 1,
  parameter int Depth = 2
) (
  input logic             clk_i,
  input logic             rst_ni,

  input logic             in_clk_i,
  input logic             in_release_i,
  input logic             in_valid_i,
  input logic [Width-1:0] in_data_i,
  input logic             watch_i,      // The next word taken, if none is watched yet.
  input logic             out_clk_i,
  input logic             out_release_i,
  input logic             out_ready_i
);

  localparam int CountW = $clog2(Depth) + 1;

  logic              in_clock, out_clock, in_rst_n, out_rst_n, in_released_q, out_released_q;
  logic              in_ready, out_valid, push, pop, watched_q, seen_q;
  logic [CountW-1:0] pushed_q, popped_q, number_q;  // Words so far, and those before the watched.
  logic [CountW-1:0] stored;
  logic [Width-1:0]  out_data, data_q;
  logic [2:0]        in_waited_q, out_waited_q;     // Edges with a free slot, or a word, not shown.

  assign in_rst_n  = rst_ni && in_released_q;
  assign out_rst_n = rst_ni && out_released_q;
  assign in_clock  = in_clk_i || !rst_ni;
  assign out_clock = out_clk_i || !rst_ni;

  flitcast_async_fifo #(.Width(Width), .Depth(Depth)) u_design (
    .in_clk_i(in_clock), .in_rst_ni(in_rst_n), .in_valid_i, .in_data_i, .in_ready_o(in_ready),
    .out_clk_i(out_clock), .out_rst_ni(out_rst_n), .out_valid_o(out_valid),
    .out_data_o(out_data), .out_ready_i
  );

  assign push   = in_rst_n && in_valid_i && in_ready;
  assign pop    = out_rst_n && out_valid && out_ready_i;
  assign stored = pushed_q - popped_q;

  always_ff @(posedge in_clock) begin
    in_released_q <= rst_ni && (in_released_q || in_release_i);
    if (!in_rst_n) begin
      pushed_q    <= '0;
      watched_q   <= 1'b0;
      in_waited_q <= '0;
    end else begin
      pushed_q    <= pushed_q + CountW'(push);
      watched_q   <= watched_q || (push && watch_i);
      in_waited_q <= (32'(stored) < Depth && !in_ready) ? in_waited_q + 3'd1 : '0;
    end
    if (!watched_q) begin
      data_q   <= in_data_i;
      number_q <= pushed_q;
    end
  end

  always_ff @(posedge out_clock) begin
    out_released_q <= rst_ni && (out_released_q || out_release_i);
    if (!out_rst_n) begin
      popped_q     <= '0;
      seen_q       <= 1'b0;
      out_waited_q <= '0;
    end else begin
      popped_q     <= popped_q + CountW'(pop);
      seen_q       <= seen_q || (pop && watched_q && popped_q == number_q);
      out_waited_q <= (stored != '0 && !out_valid) ? out_waited_q + 3'd1 : '0;
    end
  end

  always_comb if (rst_ni) begin
    assert (32'(stored) <= Depth);
    if (in_rst_n && in_ready) assert (32'(stored) < Depth);
    if (out_rst_n && out_valid) assert (stored != '0);
    if (watched_q && !seen_q) assert (number_q - popped_q < stored);
    if (watched_q && !seen_q && out_rst_n && out_valid && popped_q == number_q) begin
      assert (out_data == data_q);
    end
    assert (in_waited_q <= 3'd3 && out_waited_q <= 3'd3);
  end

endmodule
