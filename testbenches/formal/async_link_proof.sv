// SPDX-License-Identifier: Apache-2.0
// Claim: over an async_link, credits of the sender, flits and credits in flight, and flits stored
// by the receiver are Credits, for every VC; so no flit and no credit lacks space. What comes out is
// what went in, for each VC in its order; and no flit is without one that went in.
//
// The sender sends a flit when it likes and has a credit, the receiver gives a credit back when it
// likes and stores a flit. Each clock has an edge in the steps in which its input is high: the
// clocks are in any ratio. Both sides are reset in the first step, and leave the reset when they
// like. One flit, any, is watched.
module async_link_proof #(
  parameter int NumVcs  = 1,
  parameter int Credits = 1,
  localparam int VcWidth = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input logic               clk_i,
  input logic               rst_ni,

  input logic               in_clk_i,
  input logic               in_release_i,
  input logic               send_i,
  input logic [VcWidth-1:0] vc_i,
  input logic               flit_i,
  input logic               watch_i,        // The next flit sent, if none is watched yet.
  input logic               out_clk_i,
  input logic               out_release_i,
  input logic               return_i,
  input logic [VcWidth-1:0] return_vc_i
);

  localparam int CountW = $clog2(Credits + 1);
  localparam int TurnW  = CountW + 1;

  logic               in_clock, out_clock, in_rst_n, out_rst_n, in_released_q, out_released_q;
  logic               sends, credit_valid, out_valid, out_flit, returns, watched_q, flit_q;
  logic [VcWidth-1:0] credit_vc, out_vc, vc_q;
  logic [NumVcs-1:0]  has_credit, has_flit;  // By VC.

  assign in_rst_n  = rst_ni && in_released_q;
  assign out_rst_n = rst_ni && out_released_q;
  assign in_clock  = in_clk_i || !rst_ni;
  assign out_clock = out_clk_i || !rst_ni;
  assign sends     = send_i && 32'(vc_i) < NumVcs && has_credit[vc_i];
  assign returns   = return_i && 32'(return_vc_i) < NumVcs && has_flit[return_vc_i];

  flitcast_async_link #(.NumVcs(NumVcs), .Credits(Credits), .Width(1)) u_link (
    .in_clk_i(in_clock), .in_rst_ni(in_rst_n), .in_valid_i(sends), .in_vc_i(vc_i),
    .in_flit_i(flit_i), .in_credit_valid_o(credit_valid), .in_credit_vc_o(credit_vc),
    .out_clk_i(out_clock), .out_rst_ni(out_rst_n), .out_valid_o(out_valid), .out_vc_o(out_vc),
    .out_flit_o(out_flit), .out_credit_valid_i(returns), .out_credit_vc_i(return_vc_i)
  );

  always_ff @(posedge in_clock) begin
    in_released_q <= rst_ni && (in_released_q || in_release_i);
    watched_q     <= in_rst_n && (watched_q || (sends && watch_i));
    if (!watched_q) {vc_q, flit_q} <= {vc_i, flit_i};
  end
  always_ff @(posedge out_clock) out_released_q <= rst_ni && (out_released_q || out_release_i);

  for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
    // Counts modulo a number above Credits: flits sent, credits back, flits arrived, credits given.
    logic [TurnW-1:0] sent_q, back_q, arrived_q, given_q, number_q;
    logic [TurnW-1:0] away, flying, stored, returning;
    logic             seen_q, enters, leaves;

    assign away          = sent_q - back_q;
    assign flying        = sent_q - arrived_q;
    assign stored        = arrived_q - given_q;
    assign returning     = given_q - back_q;
    assign enters        = sends && 32'(vc_i) == v;
    assign leaves        = out_valid && 32'(out_vc) == v;
    assign has_credit[v] = in_rst_n && 32'(away) < Credits;
    assign has_flit[v]   = out_rst_n && stored != '0;

    always_ff @(posedge in_clock) begin
      sent_q <= !in_rst_n ? '0 : sent_q + TurnW'(enters);
      back_q <= !in_rst_n ? '0 : back_q + TurnW'(credit_valid && 32'(credit_vc) == v);
      if (!watched_q) number_q <= sent_q;
    end
    always_ff @(posedge out_clock) begin
      arrived_q <= !out_rst_n ? '0 : arrived_q + TurnW'(leaves);
      given_q   <= !out_rst_n ? '0 : given_q + TurnW'(returns && 32'(return_vc_i) == v);
      seen_q    <= out_rst_n && (seen_q || (leaves && watched_q && 32'(vc_q) == v &&
                                            arrived_q == number_q));
    end

    always_comb if (rst_ni) begin
      assert (32'(away) <= Credits && flying <= away && stored <= away && returning <= away);
      if (out_rst_n && leaves) assert (flying != '0);
      if (in_rst_n && credit_valid && 32'(credit_vc) == v) assert (returning != '0);
      if (watched_q && !seen_q && 32'(vc_q) == v) begin
        assert (number_q - arrived_q < flying);
        if (out_rst_n && leaves && arrived_q == number_q) assert (out_flit == flit_q);
      end
    end
  end

  always_comb if (rst_ni) begin
    if (in_rst_n && credit_valid) assert (32'(credit_vc) < NumVcs);
    if (out_rst_n && out_valid) assert (32'(out_vc) < NumVcs);
  end

endmodule
