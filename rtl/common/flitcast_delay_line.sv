// SPDX-License-Identifier: Apache-2.0
// Shows its input again Cycles cycles later; with 0 cycles it is wires.
//
// Reset     Synchronous; all that is in flight becomes zero.
module flitcast_delay_line #(
  parameter int Width  = 1,           // From 1 up.
  parameter int Cycles = 1            // From 0 up.
) (
  input  logic             clk_i,
  input  logic             rst_ni,    // Synchronous, active low.
  input  logic [Width-1:0] in_i,
  output logic [Width-1:0] out_o
);

  if (Width < 1 || Cycles < 0) begin : gen_refused
    width_must_be_at_least_1_and_cycles_at_least_0 u_refused ();
  end

  if (Cycles == 0) begin : gen_wires
    logic unused_clock;
    assign unused_clock = clk_i && rst_ni;
    assign out_o        = in_i;
  end else begin : gen_stages
    logic [Cycles*Width-1:0] stages_q;  // The newest in the lowest bits.

    always_ff @(posedge clk_i) begin
      if (!rst_ni) stages_q <= '0;
      else         stages_q <= (Cycles * Width)'({stages_q, in_i});
    end
    assign out_o = stages_q[(Cycles-1)*Width+:Width];
  end

endmodule
