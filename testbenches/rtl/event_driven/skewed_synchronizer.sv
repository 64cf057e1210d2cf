// SPDX-License-Identifier: Apache-2.0
// In place of rtl/link/flitcast_synchronizer.sv: each change of a bit reaches it after a random time
// below Skew, which is less than a period of either clock. Bits that change at one edge are so seen
// at different edges, as if a flip-flop had been metastable.
`timescale 1ps / 1ps
module flitcast_synchronizer #(
  parameter int Width = 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] in_i,
  output logic [Width-1:0] out_o
);
  localparam int Skew = 900;

  logic [Width-1:0] late, first_q, second_q;

  for (genvar b = 0; b < Width; b++) begin : gen_bit
    always @(in_i[b]) late[b] <= #({$random} % Skew) in_i[b];
  end

  always_ff @(posedge clk_i) begin
    first_q  <= rst_ni ? late : '0;
    second_q <= rst_ni ? first_q : '0;
  end

  assign out_o = second_q;
endmodule
