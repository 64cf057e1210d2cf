// SPDX-License-Identifier: Apache-2.0
// Says whether a packet whose head is in an input VC at first, any, has left it within Bound clocks.
//
// The clock of the reset is the first one, with a state as sound_i says. This state is proved for
// all clocks elsewhere, so that what would follow from another one in a later clock does not count.
module network_wait #(
  parameter int Num    = 2,
  parameter int Bound  = 1,
  localparam int WaitW = $clog2(Bound + 3)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic                   sound_i,
  input  logic [Num-1:0]         heads_i,
  input  logic [Num-1:0]         leaves_i,  // The tail of a packet.
  input  logic [$clog2(Num)-1:0] watched_i,  // Counts in the first clock.
  output logic                   kept_o
);

  logic [$clog2(Num)-1:0] watched_q, watched;
  logic                   sound_q, gone_q, leaves;
  logic [WaitW-1:0]       clocks_q;

  assign watched = rst_ni ? watched_q : watched_i;
  assign leaves  = ((leaves_i >> watched) & Num'(1)) != '0;
  assign kept_o  = !sound_q || !sound_i || gone_q || 32'(clocks_q) < Bound;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      watched_q <= watched_i;
      sound_q   <= sound_i && ((heads_i >> watched_i) & Num'(1)) != '0;
      gone_q    <= leaves;
      clocks_q  <= WaitW'(1);
    end else begin
      sound_q <= sound_q && sound_i;
      gone_q  <= gone_q || leaves;
      if (32'(clocks_q) <= Bound) clocks_q <= clocks_q + 1'b1;
    end
  end

endmodule
