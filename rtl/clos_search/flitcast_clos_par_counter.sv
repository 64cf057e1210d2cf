// SPDX-License-Identifier: Apache-2.0
// Search unit "Parall./Counter": one counter per middle switch; all of them look at the same
// bit of their sets, bit 0 first. The least count is found in the UPDATE clock.
//
//   r = 3               scan                 | UPDATE
//   edge       1        2      3      4      | 5        6
//   looks at   LOAD     M_*.0  M_*.1  M_*.2  | counts   next pass
//   after it   U        counts counts counts | beat, U
//
// Timing    Clocks of a pass: R + 1.
// Ports     As those of clos_search.sv.
// Source    CS838 lecture notes (1999), "designs of the controller".
module flitcast_clos_par_counter #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int ChoiceW = 3 + (M > 1 ? $clog2(M) : 1) + R  // Derived.
) (
  input  logic               clk_i,
  input  logic               begin_i,
  input  logic [R-1:0]       unserved_i,
  input  logic [M-1:0]       avail_i,
  input  logic [M*R-1:0]     store_i,
  output logic               done_o,
  output logic [ChoiceW-1:0] choice_o
);

  localparam int CountW = $clog2(R + 1);
  localparam int BitW = R > 1 ? $clog2(R) : 1;

  logic [R-1:0]        mask;
  logic                done_q;  // The scan is over.
  logic [BitW-1:0]     bit_q;
  logic [M*CountW-1:0] counts_q;

  // The column that is looked at, if the request wants it.
  assign mask = unserved_i & (R'(1) << bit_q);

  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      done_q <= 1'b0;
      bit_q  <= '0;
    end else if (!done_q) begin
      done_q <= bit_q == BitW'(R - 1);
      bit_q  <= bit_q + BitW'(1);
    end
  end

  for (genvar j = 0; j < M; j++) begin : gen_counters
    logic is_left;
    flitcast_clos_row_select #(.M(R), .R(1)) u_bit (
      .store_i(store_i[j*R+:R]), .select_i(mask), .row_o(is_left)
    );

    always_ff @(posedge clk_i) begin
      if (begin_i) begin
        counts_q[j*CountW+:CountW] <= '0;
      end else if (!done_q && is_left) begin
        counts_q[j*CountW+:CountW] <= counts_q[j*CountW+:CountW] + CountW'(1);
      end
    end
  end

  flitcast_clos_least_count #(.M(M), .R(R)) u_least (
    .unserved_i, .counts_i(counts_q), .avail_i, .store_i, .choice_o
  );

  assign done_o = done_q;

endmodule
