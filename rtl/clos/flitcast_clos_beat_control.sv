// SPDX-License-Identifier: Apache-2.0
// A Clos controller without its search: it takes the request, keeps U, and makes the beats.
// clos_controller.sv has its contract and the meaning of its ports; a controller of your own only
// adds a search.
//
// Search    Starts anew at an edge with search_begin_o, and looks at unserved_o (U) and avail_o.
//           While search_done_i is high, choice_i is good, as in clos_search.sv; both stay so until
//           the next such edge.
// Timing    All outputs are registers but search_begin_o, which follows req_valid_i, beat_ready_i
//           and search_done_i in the same clock.
// Refused   M or R below 1, PassLimit below 0, and PassLimit 0 without StopWithoutProgress.
module flitcast_clos_beat_control #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int PassLimit = 2,
  parameter bit StopWithoutProgress = 1'b1,
  parameter int MiddleW = M > 1 ? $clog2(M) : 1  // Derived.
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,  // Synchronous, active low.

  output logic                   search_begin_o,
  output logic [R-1:0]           unserved_o,
  output logic [M-1:0]           avail_o,
  input  logic                   search_done_i,
  input  logic [3+MiddleW+R-1:0] choice_i,

  input  logic                   req_valid_i,
  input  logic [R-1:0]           req_set_i,
  input  logic [M-1:0]           req_avail_i,
  output logic                   req_ready_o,

  input  logic                   beat_ready_i,
  output logic                   beat_valid_o,
  output logic [MiddleW-1:0]     beat_middle_o,
  output logic [R-1:0]           beat_set_o,
  output logic                   beat_last_o,
  output logic                   beat_fail_o
);

  if (M < 1 || R < 1) begin : gen_refused_size
    m_and_r_must_be_at_least_1 u_refused ();
  end
  if (PassLimit < 0) begin : gen_refused_limit
    pass_limit_must_be_at_least_0 u_refused ();
  end
  if (PassLimit == 0 && !StopWithoutProgress) begin : gen_refused_no_end
    pass_limit_0_needs_stop_without_progress u_refused ();
  end

  localparam int PassW = PassLimit > 1 ? $clog2(PassLimit) : 1;

  logic             busy_d, busy_q;
  logic [PassW-1:0] passes_q;  // Passes that have done UPDATE.
  logic             load, update, out_of_passes, fail, last;

  logic               none, all_served, stuck;
  logic [MiddleW-1:0] middle;
  logic [R-1:0]       row;

  assign {none, all_served, stuck, middle, row} = choice_i;

  assign load           = req_ready_o && req_valid_i;
  assign update         = busy_q && search_done_i && (!beat_valid_o || beat_ready_i);
  assign search_begin_o = load || update;

  assign out_of_passes  = PassLimit > 0 && !all_served && passes_q == PassW'(PassLimit - 1);
  assign fail           = none || (StopWithoutProgress && stuck) || out_of_passes;
  assign last           = all_served || fail;
  assign busy_d         = load || (busy_q && !(update && last));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q       <= 1'b0;
      req_ready_o  <= 1'b0;
      beat_valid_o <= 1'b0;
    end else begin
      busy_q       <= busy_d;
      req_ready_o  <= !busy_d;
      beat_valid_o <= update || (beat_valid_o && !beat_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (load) begin
      unserved_o <= req_set_i;
      avail_o    <= req_avail_i;
      passes_q   <= '0;
    end else if (update) begin
      unserved_o    <= unserved_o & row;
      passes_q      <= passes_q + PassW'(1);
      beat_middle_o <= middle;
      beat_set_o    <= unserved_o & ~row;
      beat_last_o   <= last;
      beat_fail_o   <= fail;
    end
  end

endmodule
