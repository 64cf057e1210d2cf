// SPDX-License-Identifier: Apache-2.0
// Claim: a flit_fifo gives the flits out in the order in which it took them, unchanged, and none
// twice.
//
// One flit, any, is watched: its place is the number of flits stored before it. When that is zero
// it is the flit on offer.
module flit_fifo_order_proof #(
  parameter int Width = 4,
  parameter int Depth = 4,
  parameter int Ram   = 0
) (
  input logic             clk_i,
  input logic             rst_ni,

  input logic             in_valid_i,
  input logic [Width-1:0] in_flit_i,
  input logic             out_ready_i,
  input logic             watch_i      // The next flit taken, if none is watched yet.
);

  localparam int CountW = $clog2(Depth + 1);

  logic              in_ready, out_valid, push, pop, watched_q;
  logic [CountW-1:0] count, place_q;
  logic [Width-1:0]  out_flit, flit_q;

  flitcast_flit_fifo #(.Width(Width), .Depth(Depth), .Ram(Ram)) u_design (
    .clk_i, .rst_ni, .in_valid_i, .in_flit_i, .in_ready_o(in_ready),
    .out_valid_o(out_valid), .out_flit_o(out_flit), .out_ready_i, .count_o(count)
  );

  assign push = in_valid_i && in_ready;
  assign pop  = out_valid && out_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                   watched_q <= 1'b0;
    else if (!watched_q)           watched_q <= push && watch_i;
    else if (pop && place_q == '0) watched_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (!watched_q) begin
      flit_q  <= in_flit_i;
      place_q <= count - CountW'(pop);
    end else begin
      place_q <= place_q - CountW'(pop);
    end
  end

  always_comb if (rst_ni) begin
    assert (in_ready == (32'(count) < Depth));
    assert (out_valid == (count != '0));
    if (watched_q) assert (place_q < count);
    if (watched_q && place_q == '0) assert (out_flit == flit_q);
  end

endmodule
