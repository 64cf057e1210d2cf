// SPDX-License-Identifier: Apache-2.0
// Tells that a block rests: nothing is busy, and nothing was in the last Cycles cycles.
//
// Use       With idle_o high and no input valid no register of the block changes at an edge, so that
//           its clock may stop. It has to run in reset, and at every edge with a valid input.
// Timing    idle_o follows busy_i in the same cycle.
// Reset     Synchronous; as after a busy cycle.
module flitcast_idle #(
  parameter int Cycles = 1          // From 0 up.
) (
  input  logic clk_i,
  input  logic rst_ni,              // Synchronous, active low.
  input  logic busy_i,
  output logic idle_o
);

  if (Cycles < 0) begin : gen_refused
    cycles_must_be_at_least_0 u_refused ();
  end

  if (Cycles == 0) begin : gen_wires
    logic unused_clock;
    assign unused_clock = clk_i && rst_ni;
    assign idle_o       = !busy_i;
  end else begin : gen_count
    localparam int CountWidth = $clog2(Cycles + 1);
    logic [CountWidth-1:0] left_q;  // Cycles until it rests.

    always_ff @(posedge clk_i) begin
      if (!rst_ni || busy_i) left_q <= CountWidth'(Cycles);
      else if (left_q != '0) left_q <= left_q - CountWidth'(1);
    end
    assign idle_o = !busy_i && left_q == '0;
  end

endmodule
