// SPDX-License-Identifier: Apache-2.0
// The least of M counts, by a tree of comparators: depth ceil(log2(M)) of them. Counts of middle
// switches that are not available do not take part; of equal ones the smallest index wins.
module clos_minimum_tree #(
  parameter int M = 4,                             // From 1 up.
  parameter int CountW = 3,
  parameter int MiddleW = M > 1 ? $clog2(M) : 1    // Derived.
) (
  input  logic [M*CountW-1:0] counts_i,
  input  logic [M-1:0]        avail_i,
  output logic                none_o,              // Nobody is available.
  output logic [CountW-1:0]   least_o,
  output logic [MiddleW-1:0]  middle_o
);

  if (M < 1 || CountW < 1) begin : gen_refused
    m_and_count_w_must_be_at_least_1 u_refused ();
  end else if (M == 1) begin : gen_leaf
    assign none_o   = !avail_i;
    assign least_o  = counts_i;
    assign middle_o = '0;
  end else begin : gen_node
    // A power of two: the index of the upper half needs no adder.
    localparam int Low = 1 << (MiddleW - 1);
    localparam int High = M - Low;
    localparam int LowW = Low > 1 ? $clog2(Low) : 1;
    localparam int HighW = High > 1 ? $clog2(High) : 1;

    logic              low_none, high_none, take_high;
    logic [CountW-1:0] low_least, high_least;
    logic [LowW-1:0]   low_middle;
    logic [HighW-1:0]  high_middle;

    clos_minimum_tree #(.M(Low), .CountW(CountW)) u_low (
      .counts_i(counts_i[Low*CountW-1:0]), .avail_i(avail_i[Low-1:0]),
      .none_o(low_none), .least_o(low_least), .middle_o(low_middle)
    );
    clos_minimum_tree #(.M(High), .CountW(CountW)) u_high (
      .counts_i(counts_i[M*CountW-1:Low*CountW]), .avail_i(avail_i[M-1:Low]),
      .none_o(high_none), .least_o(high_least), .middle_o(high_middle)
    );

    assign take_high = low_none || (!high_none && high_least < low_least);
    assign none_o    = low_none && high_none;
    assign least_o   = take_high ? high_least : low_least;
    assign middle_o  = take_high ? MiddleW'(Low) | MiddleW'(high_middle) : MiddleW'(low_middle);
  end

endmodule
