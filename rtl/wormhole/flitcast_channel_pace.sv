// SPDX-License-Identifier: Apache-2.0
// Says when the channel behind an output still carries an earlier flit.
//
// Timing    busy_o is high in the FlitTime - 1 cycles after one with send_i; it follows a register.
// Reset     Synchronous; the channel is idle.
// Misuse    A flit for a busy channel fails an assertion.
// Model     VcCore::busy() and occupy() in models/router/vc_core.h.
module flitcast_channel_pace #(
  parameter int FlitTime = 2            // Cycles from one flit to the next, from 2 up.
) (
  input  logic clk_i,
  input  logic rst_ni,                  // Synchronous, active low.
  input  logic send_i,                  // A flit wins the output.
  output logic busy_o
);

  if (FlitTime < 2) begin : gen_range
    flit_time_must_be_at_least_2 u_refused ();
  end

  localparam int Width = $clog2(FlitTime);

  logic [Width-1:0] rest_d, rest_q;     // Cycles until it is idle.

  assign busy_o = rest_q != '0;

  always_comb begin
    rest_d = rest_q;
    if (busy_o) rest_d = rest_q - Width'(1);
    if (send_i) rest_d = Width'(FlitTime - 1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) rest_q <= '0;
    else         rest_q <= rest_d;
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!(busy_o && send_i)) else
        $error("flitcast_channel_pace: %m: a flit for a channel that carries one");
  end
`endif

endmodule
