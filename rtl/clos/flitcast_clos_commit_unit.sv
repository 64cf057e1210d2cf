// SPDX-License-Identifier: Apache-2.0
// Holds the beats of a request until the last one, then has the store take the route as a whole, or
// nothing of it.
//
//   edge     1 + c    ..   1 + P c     2 + P c
//   before            beats 1 .. P-1   beat P: take_sets_o
//   at it             held             COMMIT
//
// Beats     Always taken at once. They serve disjoint sets, so that the middle switch of each
//           output switch says it all: R (MiddleW + 1) registers, whatever the number of passes.
//           A beat with beat_fail_i makes the unit forget what it holds.
// Commit    While the last beat is there take_sets_o is the route: row j has the output switches
//           that middle switch j serves. It is zero at all other times.
// Timing    take_sets_o follows the beat in the same clock; done_o is high in the clock after
//           COMMIT.
// Reset     Synchronous; forgets the beats.
// Misuse    An output switch served twice fails an assertion.
// Model     CommitUnit of models/clos/controllers/control_unit.h, within clos_control_unit.
module flitcast_clos_commit_unit #(
  parameter int M = 4,                           // Middle switches, from 1 up.
  parameter int R = 4,                           // Output switches, from 1 up.
  parameter int MiddleW = M > 1 ? $clog2(M) : 1  // Derived.
) (
  input  logic               clk_i,
  input  logic               rst_ni,  // Synchronous, active low.

  input  logic               beat_valid_i,
  input  logic [MiddleW-1:0] beat_middle_i,
  input  logic [R-1:0]       beat_set_i,
  input  logic               beat_last_i,
  input  logic               beat_fail_i,

  output logic [M*R-1:0]     take_sets_o,
  output logic               done_o
);

  if (M < 1 || R < 1) begin : gen_refused
    m_and_r_must_be_at_least_1 u_refused ();
  end

  logic [R-1:0]         held_q;     // Output switches served by the beats before this one,
  logic [R*MiddleW-1:0] middles_q;  // and by which middle switch.
  logic [R*MiddleW-1:0] middles;
  logic                 commit;

  assign commit = beat_valid_i && beat_last_i && !beat_fail_i;

  for (genvar k = 0; k < R; k++) begin : gen_output
    assign middles[k*MiddleW+:MiddleW] = beat_set_i[k] ? beat_middle_i
                                                       : middles_q[k*MiddleW+:MiddleW];
    for (genvar j = 0; j < M; j++) begin : gen_middle
      assign take_sets_o[j*R+k] = commit && (held_q[k] || beat_set_i[k]) &&
                                  middles[k*MiddleW+:MiddleW] == MiddleW'(j);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || (beat_valid_i && beat_last_i)) held_q <= '0;
    else if (beat_valid_i)                        held_q <= held_q | beat_set_i;
  end

  always_ff @(posedge clk_i) begin
    if (beat_valid_i) middles_q <= middles;
    done_o <= rst_ni && commit;
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) begin
    if (rst_ni && beat_valid_i && !beat_fail_i) assert ((held_q & beat_set_i) == '0);
  end
`endif

endmodule
