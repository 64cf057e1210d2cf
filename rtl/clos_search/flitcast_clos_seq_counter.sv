// SPDX-License-Identifier: Apache-2.0
// Search unit "Seq./Counter": one counter looks at one bit of one destination set per clock,
// bit 0 first. In the clock of a set's last bit the comparator sees the count, that bit included.
//
//   m = 2, r = 2        scan                        | UPDATE
//   edge       1        2      3      4      5      | 6        7
//   looks at   LOAD     M_0.0  M_0.1  M_1.0  M_1.1  |          next pass
//   after it   U        count  best   count  best   | beat, U
//
// Timing    Clocks of a pass: M R + 1, however soon a count exceeds the best one.
//
// Pruning   The scan leaves a set in the first clock that shows that it cannot be selected: in that
//           of bit 0 if the middle switch is not available, else in that of the bit that makes the
//           count as large as the best one (bit 0 when that is 0). The next clock looks at bit 0
//           of the next set. The selection is the same; a pass takes 1 clock, and for each set 1
//           if not available, else the bits looked at: from M + 1 to M R + 1 clocks.
//
// Ports     As those of clos_search.sv.
// Source    CS838 lecture notes (1999), "designs of the controller".
module flitcast_clos_seq_counter #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int ChoiceW = 3 + (M > 1 ? $clog2(M) : 1) + R, // Derived.
  parameter bit Pruning = 1'b0
) (
  input  logic               clk_i,
  input  logic               begin_i,
  input  logic [R-1:0]       unserved_i,
  input  logic [M-1:0]       avail_i,
  input  logic [M*R-1:0]     store_i,
  output logic               done_o,
  output logic [ChoiceW-1:0] choice_o
);

  localparam int MiddleW = M > 1 ? $clog2(M) : 1;
  localparam int CountW = $clog2(R + 1);
  localparam int BitW = R > 1 ? $clog2(R) : 1;

  logic [R-1:0]       row, set;
  logic [M*(R+1)-1:0] sets;  // Each with its availability before it.
  logic               is_avail, unused_avail, is_busy, is_wanted, is_less;
  logic               is_last_bit, can_win, leave, all_served;

  logic               done_q, none_q;  // The scan is over; no available set was met.
  logic               stuck_q;         // No available set was seen to lack a wanted output.
  logic [MiddleW-1:0] j_q, ahead_q, best_q, j_read;
  logic [BitW-1:0]    bit_q;
  logic [CountW-1:0]  count_q, count, least_q;

  // While a set is counted the next one is read, and in UPDATE that of k.
  assign j_read = done_q ? best_q : ahead_q;
  for (genvar j = 0; j < M; j++) begin : gen_sets
    assign sets[j*(R+1)+:R+1] = {avail_i[j], store_i[j*R+:R]};
  end
  flitcast_clos_read_ahead #(.Num(M), .Width(R + 1)) u_read (
    .clk_i, .begin_i, .next_i(leave), .words_i(sets),
    .index_i(j_read), .read_o({unused_avail, row}), .word_o({is_avail, set})
  );
  flitcast_clos_read_port #(.Num(R), .Width(1)) u_busy (
    .words_i(set), .index_i(bit_q), .word_o(is_busy)
  );
  flitcast_clos_read_port #(.Num(R), .Width(1)) u_wanted (
    .words_i(unserved_i), .index_i(bit_q), .word_o(is_wanted)
  );

  flitcast_clos_less #(.Width(CountW)) u_less (.a_i(count), .b_i(least_q), .less_o(is_less));
  assign count       = count_q + CountW'(is_busy && is_wanted);
  assign is_last_bit = bit_q == BitW'(R - 1);
  assign can_win     = is_avail && (none_q || is_less);
  assign all_served  = least_q == '0;
  assign leave       = is_last_bit || (Pruning && !can_win);
  assign done_o      = done_q;
  assign choice_o    = {none_q, all_served, stuck_q, best_q, row};

  // A set that lacks a wanted output leaves less than U, and so does k then. k itself is looked at
  // to its last bit, with Pruning too: if it lacks one, that was seen.
  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      done_q  <= 1'b0;
      none_q  <= 1'b1;
      stuck_q <= 1'b1;
      j_q     <= '0;
      ahead_q <= MiddleW'(1);
      bit_q   <= '0;
      count_q <= '0;
    end else if (!done_q) begin
      bit_q   <= bit_q + BitW'(1);
      count_q <= count;
      stuck_q <= stuck_q && !(is_avail && is_wanted && !is_busy);
      if (leave) begin
        bit_q   <= '0;
        count_q <= '0;
        done_q  <= j_q == MiddleW'(M - 1);
        j_q     <= ahead_q;
        ahead_q <= ahead_q + MiddleW'(1);
        if (can_win) begin
          none_q  <= 1'b0;
          least_q <= count;
          best_q  <= j_q;
        end
      end
    end
  end

endmodule
