// SPDX-License-Identifier: Apache-2.0
// Shows its input again Cycles cycles later; with 0 cycles it is wires.
//
// Reset     Synchronous; of all that is in flight the ResetWidth highest bits become zero. Where
//           these say whether the others count, the others need no reset.
module flitcast_delay_line #(
  parameter int Width      = 1,       // From 1 up.
  parameter int Cycles     = 1,       // From 0 up.
  parameter int ResetWidth = Width    // 1 to Width.
) (
  input  logic             clk_i,
  input  logic             rst_ni,    // Synchronous, active low.
  input  logic [Width-1:0] in_i,
  output logic [Width-1:0] out_o
);

  if (Width < 1 || Cycles < 0) begin : gen_refused
    width_must_be_at_least_1_and_cycles_at_least_0 u_refused ();
  end
  if (ResetWidth < 1 || ResetWidth > Width) begin : gen_reset_width
    reset_width_must_be_1_to_width u_refused ();
  end

  if (Cycles == 0) begin : gen_wires
    logic unused_clock;
    assign unused_clock = clk_i && rst_ni;
    assign out_o        = in_i;
  end else if (ResetWidth >= Width) begin : gen_stages
    logic [Cycles*Width-1:0] stages_q;  // The newest in the lowest bits.

    always_ff @(posedge clk_i) begin
      if (!rst_ni) stages_q <= '0;
      else         stages_q <= (Cycles * Width)'({stages_q, in_i});
    end
    assign out_o = stages_q[(Cycles-1)*Width+:Width];
  end else begin : gen_marked_stages
    localparam int RestWidth = Width - ResetWidth;
    logic [Cycles*ResetWidth-1:0] marks_q;  // The newest in the lowest bits of both.
    logic [Cycles*RestWidth-1:0]  rests_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) marks_q <= '0;
      else         marks_q <= (Cycles * ResetWidth)'({marks_q, in_i[RestWidth+:ResetWidth]});
    end
    always_ff @(posedge clk_i) rests_q <= (Cycles * RestWidth)'({rests_q, in_i[RestWidth-1:0]});
    assign out_o = {marks_q[(Cycles-1)*ResetWidth+:ResetWidth],
                    rests_q[(Cycles-1)*RestWidth+:RestWidth]};
  end

endmodule
