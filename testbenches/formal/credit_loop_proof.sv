// SPDX-License-Identifier: Apache-2.0
// Claim: credits, flits and credits on their way and flits stored are the slots of the buffer, at
// all times; so no flit meets a full buffer, and none is sent without a credit. While one of the
// slots is not in use a flit can be sent; with a reader that takes flits always it is sent within
// the time of the loop.
//
//   send_i -> credit_counter -- flit, Delay cycles --> flit_fifo -> out_ready_i
//                  ^---------- credit, Delay cycles ------'
module credit_loop_proof #(
  parameter int Depth = 4,
  parameter int Delay = 1  // Cycles of the channel, each way, from 1 up.
) (
  input logic clk_i,
  input logic rst_ni,

  input logic send_i,      // The sender has a flit.
  input logic out_ready_i
);

  localparam int CountW = $clog2(Depth + 1);
  // The channel, the buffer that shows the flit, the channel back and the counter.
  localparam int Loop = 2 * Delay + 2;
  localparam int StreakW = $clog2(Loop + 2);

  logic [CountW-1:0] credits, stored;
  logic [Delay-1:0]  flits_q, returns_q;  // On their way, the newest in bit 0.
  logic              has_credit, take, in_ready, out_valid, unused_flit;
  logic [StreakW-1:0] waited_q;  // Clocks in a row with a reader that takes flits.

  assign take = send_i && has_credit;

  flitcast_credit_counter #(.Depth(Depth)) u_credits (
    .clk_i, .rst_ni, .take_i(take), .return_i(returns_q[Delay-1]),
    .credits_o(credits), .has_credit_o(has_credit)
  );
  flitcast_flit_fifo #(.Width(1), .Depth(Depth)) u_fifo (
    .clk_i, .rst_ni, .in_valid_i(flits_q[Delay-1]), .in_flit_i(1'b0), .in_ready_o(in_ready),
    .out_valid_o(out_valid), .out_flit_o(unused_flit), .out_ready_i, .count_o(stored)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flits_q   <= '0;
      returns_q <= '0;
      waited_q  <= '0;
    end else begin
      waited_q  <= send_i && !take && out_ready_i ? waited_q + 1'b1 : '0;
      flits_q   <= Delay'({flits_q, take});
      returns_q <= Delay'({returns_q, out_valid && out_ready_i});
    end
  end

  always_comb if (rst_ni) begin
    assert (32'(credits) + $countones(flits_q) + 32'(stored) + $countones(returns_q) == Depth);
    assert (!(flits_q[Delay-1] && !in_ready));
    assert (has_credit == ($countones(flits_q) + 32'(stored) + $countones(returns_q) < Depth));
    assert (32'(waited_q) < Loop);
  end

endmodule
