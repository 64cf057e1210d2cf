// SPDX-License-Identifier: Apache-2.0
// Merges two words that have their ones at the low end into one that has, by comparators: one sort
// for the even positions, one for the odd, and a row of comparators between them.
module flitcast_clos_merger #(
  parameter int Half = 2  // Bits of a word, a power of two from 1 up.
) (
  input  logic [Half-1:0]   low_i,
  input  logic [Half-1:0]   high_i,
  output logic [2*Half-1:0] merged_o
);

  if (Half < 1 || (Half & (Half - 1)) != 0) begin : gen_refused
    half_must_be_a_power_of_two u_refused ();
  end else if (Half == 1) begin : gen_leaf
    assign merged_o = {low_i & high_i, low_i | high_i};
  end else begin : gen_node
    localparam int Quarter = Half / 2;
    logic [Quarter-1:0] low_even, low_odd, high_even, high_odd;
    logic [Half-1:0]    even, odd;

    for (genvar b = 0; b < Quarter; b++) begin : gen_split
      assign low_even[b]  = low_i[2*b];
      assign low_odd[b]   = low_i[2*b+1];
      assign high_even[b] = high_i[2*b];
      assign high_odd[b]  = high_i[2*b+1];
    end
    flitcast_clos_merger #(.Half(Quarter)) u_even (
      .low_i(low_even), .high_i(high_even), .merged_o(even)
    );
    flitcast_clos_merger #(.Half(Quarter)) u_odd (
      .low_i(low_odd), .high_i(high_odd), .merged_o(odd)
    );

    // The even word has as many ones as the odd one, or one or two more.
    assign merged_o[0]        = even[0];
    assign merged_o[2*Half-1] = odd[Half-1];
    for (genvar b = 1; b < Half; b++) begin : gen_join
      assign merged_o[2*b-1] = even[b] | odd[b-1];
      assign merged_o[2*b]   = even[b] & odd[b-1];
    end
  end

endmodule
