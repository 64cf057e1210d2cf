// SPDX-License-Identifier: Apache-2.0
// The registers behind a Clos controller: which links of the network carry a connection.
//
//   take_switch_i, take_sets_i      -->  M_j, the output switches that middle  --> sets_o
//   rel_valid_i, rel_switch_i,           switch j cannot reach any more
//   rel_middle_i, rel_set_i,        -->  free links from the input switches    --> avail_o
//   rel_link_i
//   read_switch_i                   -->                                        --> read_avail_o
//
// Take      M_j gains row j of take_sets_i; the link from input switch take_switch_i to j is taken
//           for every row that is not empty. All rows can change in the same clock.
// Release   M_rel_middle_i loses rel_set_i; with rel_link_i the link from rel_switch_i to that
//           middle switch is free again. Freeing what is free, and switches that there are not,
//           change nothing.
// Read      sets_o and avail_o are the registers, all at once: a design that wants a row, a column
//           or a bit selects it. read_avail_o is the row of read_switch_i with what is released at
//           the coming edge.
// Timing    What is written at an edge is in the registers after it.
// Reset     Synchronous; frees all links.
// Misuse    Taking an output switch that a middle switch cannot reach fails an assertion.
// Model     DestinationStore of models/clos/controllers/control_unit.h, within
//           clos_control_unit.
//           available() there is avail_o, without what is released at the coming edge.
module flitcast_clos_destination_store #(
  parameter int M = 4,                               // Middle switches, from 1 up.
  parameter int R = 4,                               // Output switches, from 1 up.
  parameter int R1 = 4,                              // Input switches, from 1 up.
  parameter int MiddleW = M > 1 ? $clog2(M) : 1,     // Derived.
  parameter int SwitchW = R1 > 1 ? $clog2(R1) : 1    // Derived.
) (
  input  logic               clk_i,
  input  logic               rst_ni,         // Synchronous, active low.

  input  logic [SwitchW-1:0] take_switch_i,
  input  logic [M*R-1:0]     take_sets_i,    // Zero: nothing is taken.

  input  logic               rel_valid_i,
  input  logic [SwitchW-1:0] rel_switch_i,
  input  logic [MiddleW-1:0] rel_middle_i,
  input  logic [R-1:0]       rel_set_i,
  input  logic               rel_link_i,

  input  logic [SwitchW-1:0] read_switch_i,
  output logic [M-1:0]       read_avail_o,

  output logic [M*R-1:0]     sets_o,         // M_j is sets_o[j*R +: R].
  output logic [R1*M-1:0]    avail_o         // Input switch i: avail_o[i*M +: M].
);

  if (M < 1 || R < 1 || R1 < 1) begin : gen_refused
    m_r_and_r1_must_be_at_least_1 u_refused ();
  end

  logic [M-1:0]    taken, freed;  // Links, of the input switch in question.
  logic [R1*M-1:0] avail;         // Including the freed links.
  logic [R1-1:0]   read_select;

  for (genvar j = 0; j < M; j++) begin : gen_middle
    logic         is_released;
    logic [R-1:0] cleared;

    assign is_released = rel_valid_i && rel_middle_i == MiddleW'(j);
    assign cleared     = rel_set_i & {R{is_released}};
    assign freed[j]    = is_released && rel_link_i;
    assign taken[j]    = take_sets_i[j*R+:R] != '0;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) sets_o[j*R+:R] <= '0;
      else         sets_o[j*R+:R] <= (sets_o[j*R+:R] & ~cleared) | take_sets_i[j*R+:R];
    end
  end

  for (genvar i = 0; i < R1; i++) begin : gen_input
    logic takes, frees;

    assign takes            = take_switch_i == SwitchW'(i);
    assign frees            = rel_switch_i == SwitchW'(i);
    assign read_select[i]   = read_switch_i == SwitchW'(i);
    assign avail[i*M+:M]    = avail_o[i*M+:M] | (freed & {M{frees}});

    always_ff @(posedge clk_i) begin
      if (!rst_ni) avail_o[i*M+:M] <= '1;
      else         avail_o[i*M+:M] <= avail[i*M+:M] & ~(taken & {M{takes}});
    end
  end

  flitcast_clos_row_select #(.M(R1), .R(M)) u_read (
    .store_i(avail), .select_i(read_select), .row_o(read_avail_o)
  );

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) assert ((sets_o & take_sets_i) == '0);
`endif

endmodule
