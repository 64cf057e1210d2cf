// SPDX-License-Identifier: Apache-2.0
// Counts the set bits, by a tree of adders with one bit each at the carry input:
// Num - popcount(Num) full adders.
module flitcast_clos_popcount #(
  parameter int Num = 4,                   // From 1 up.
  parameter int CountW = $clog2(Num + 1)   // Derived.
) (
  input  logic [Num-1:0]    bits_i,
  output logic [CountW-1:0] count_o
);

  if (Num < 1) begin : gen_refused
    num_must_be_at_least_1 u_refused ();
  end else if (CountW != $clog2(Num + 1)) begin : gen_derived
    count_w_must_not_be_set u_refused ();
`ifdef VERILATOR
  end else begin : gen_count  // The same; seq_adder is 1.2 times as fast to simulate at M = 83.
    assign count_o = CountW'($countones(bits_i));
  end
`else
  end else if (Num == 1) begin : gen_leaf
    assign count_o = bits_i;
  end else begin : gen_node
    // Full: its count and another one with a carry fill the next word up.
    localparam int Low = (1 << (CountW - 1)) - 1;
    localparam int High = Num - 1 - Low;
    logic [CountW-2:0] low;

    flitcast_clos_popcount #(.Num(Low)) u_low (.bits_i(bits_i[Low-1:0]), .count_o(low));
    if (High == 0) begin : gen_carry
      assign count_o = CountW'(low) + CountW'(bits_i[Num-1]);
    end else begin : gen_add
      logic [$clog2(High+1)-1:0] high;
      flitcast_clos_popcount #(.Num(High)) u_high (.bits_i(bits_i[Num-2:Low]), .count_o(high));
      assign count_o = CountW'(low) + CountW'(high) + CountW'(bits_i[Num-1]);
    end
  end
`endif

endmodule
