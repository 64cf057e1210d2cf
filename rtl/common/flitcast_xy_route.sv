// SPDX-License-Identifier: Apache-2.0
// Dimension-order routing on a mesh: the output that a packet leaves a router by.
//
// Rule      The lowest dimension in which the destination differs comes first; XY in two of them.
// Numbers   One coordinate for each dimension, dimension 0 in the lowest bits. In a mesh whose
//           sides are a power of two that is the number of the router and of its node.
// Outputs   2*d raises coordinate d, 2*d+1 lowers it, the last is the local one; as in Grid.
// Timing    No clock: output_o follows the inputs.
// Source    Sullivan and Bashkow, "A Large Scale, Homogeneous, Fully Distributed Parallel Machine",
//           ISCA 1977.
// Model     models/routing/dimension_order.h on a mesh, which has no ties and uses all VCs.
module flitcast_xy_route #(
  parameter int Dimensions      = 2,                               // From 1 up.
  parameter int CoordinateWidth = 2                                // Bits, from 1 up.
) (
  input  logic [Dimensions*CoordinateWidth-1:0] here_i,
  input  logic [Dimensions*CoordinateWidth-1:0] destination_i,
  output logic [2*Dimensions:0]                 output_o           // One-hot.
);

  if (Dimensions < 1 || CoordinateWidth < 1) begin : gen_refused
    dimensions_and_coordinate_width_must_be_at_least_1 u_refused ();
  end

  localparam int Width      = CoordinateWidth;
  localparam int NumOutputs = 2*Dimensions + 1;

  // The lowest dimension is assigned last and so decides.
  always_comb begin
    output_o = NumOutputs'(1) << (2*Dimensions);
    for (int d = Dimensions - 1; d >= 0; d--) begin
      if (destination_i[d*Width+:Width] > here_i[d*Width+:Width]) begin
        output_o = NumOutputs'(1) << (2*d);
      end else if (destination_i[d*Width+:Width] < here_i[d*Width+:Width]) begin
        output_o = NumOutputs'(1) << (2*d + 1);
      end
    end
  end

`ifdef FORMAL
  always_comb assert (output_o != '0 && (output_o & (output_o - NumOutputs'(1))) == '0);
`endif

endmodule
