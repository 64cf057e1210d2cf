// SPDX-License-Identifier: Apache-2.0
// An input virtual channel of vc_router: its flits, and the way of the packet at their front.
//
// Timing    A flit pushed at an edge is at the front after it, if it is the only one. route_o and
//           vcs_o are those of the front's packet from the cycle after start_i on, held_o from the
//           one after a grant_i; from the very cycle where that stage takes none. restart_o follows
//           start_i and route_i at once.
// Reset     Synchronous; empties the buffer.
// Misuse    A push to a full buffer and a pop from an empty one fail an assertion.
module flitcast_wormhole_input_vc #(
  parameter int NumOutputs  = 5,
  parameter int Width       = 34,
  parameter int NumVcs      = 2,
  parameter int Depth       = 4,
  parameter int RouteCycles = 1,                    // 0: see Timing.
  parameter int GrantCycles = 1,
  parameter int AnyVc       = 0,                    // 1: vcs_o is all VCs, vcs_i is not read.
  parameter int Ram         = 0                     // 1: flits in a memory, see flit_fifo.sv.
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,             // Synchronous, active low.
  input  logic                  push_i,
  input  logic [Width-1:0]      flit_i,
  input  logic                  start_i,            // A head is new at the front: with it
  input  logic [NumOutputs-1:0] route_i,            // its output port, one-hot,
  input  logic [NumVcs-1:0]     vcs_i,              // and the VCs there that it may take.
  input  logic                  grant_i,            // It gets an output VC: with it
  input  logic [NumVcs-1:0]     vc_i,               // which one, one-hot.
  input  logic                  pop_i,
  output logic                  occupied_o,
  output logic [Width-1:0]      flit_o,             // The front.
  output logic                  restart_o,          // A head starts to another output than that
                                                    // of the packet before it.
  output logic [NumOutputs-1:0] route_o,            // Output port, one-hot.
  output logic [NumVcs-1:0]     vcs_o,              // VCs of the output that it may take.
  output logic [NumVcs-1:0]     held_o              // VC of the output, one-hot.
);

  if (NumOutputs < 1 || NumVcs < 1 || RouteCycles < 0 || GrantCycles < 0) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [NumOutputs-1:0]      route_q;
  logic [NumVcs-1:0]          held_q;
  logic                       ready;
  logic [$clog2(Depth+1)-1:0] unused_count;

  flitcast_flit_fifo #(.Width(Width), .Depth(Depth), .Ram(Ram)) u_flits (
    .clk_i,
    .rst_ni,
    .in_valid_i (push_i),
    .in_flit_i  (flit_i),
    .in_ready_o (ready),
    .out_valid_o(occupied_o),
    .out_flit_o (flit_o),
    .out_ready_i(pop_i),
    .count_o    (unused_count)
  );

  assign route_o = (RouteCycles == 0 && start_i) ? route_i : route_q;
  assign held_o  = (GrantCycles == 0 && grant_i) ? vc_i : held_q;

  assign restart_o = start_i && (route_i & route_q) == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      route_q <= '0;
      held_q  <= '0;
    end else begin
      if (start_i) route_q <= route_i;
      if (grant_i) held_q  <= vc_i;
    end
  end

  if (AnyVc == 1) begin : gen_any_vc
    logic unused_vcs;
    assign vcs_o      = '1;
    assign unused_vcs = ^vcs_i;
  end else begin : gen_vcs
    logic [NumVcs-1:0] vcs_q;  // Counts only with a route.
    assign vcs_o = (RouteCycles == 0 && start_i) ? vcs_i : vcs_q;
    always_ff @(posedge clk_i) if (start_i) vcs_q <= vcs_i;
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    assert (!push_i || ready) else
        $error("flitcast_wormhole_input_vc: %m: a flit without a credit");
    assert (!pop_i || occupied_o) else
        $error("flitcast_wormhole_input_vc: %m: an empty VC sends a flit");
  end
`else
  logic unused_ready;
  assign unused_ready = ready;
`endif

endmodule
