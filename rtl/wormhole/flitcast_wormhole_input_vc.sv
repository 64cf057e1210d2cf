// SPDX-License-Identifier: Apache-2.0
// An input virtual channel of wormhole_router: its flits, and the way of the packet at their front.
//
// Timing    A flit pushed at an edge is at the front after it, if it is the only one. route_o is
//           that of the front's packet from the cycle after start_i on, held_o from the one after a
//           grant_i; from the very cycle where that stage takes none.
// Reset     Synchronous; empties the buffer.
// Misuse    A push to a full buffer and a pop from an empty one fail an assertion.
module flitcast_wormhole_input_vc #(
  parameter int Dimensions      = 2,
  parameter int CoordinateWidth = 2,
  parameter int Width           = 34,
  parameter int NumVcs          = 2,
  parameter int Depth           = 4,
  parameter int RouteCycles     = 1,                            // 0: see Timing.
  parameter int GrantCycles     = 1
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,         // Synchronous, active low.
  input  logic [Dimensions*CoordinateWidth-1:0] here_i,
  input  logic                                  push_i,
  input  logic [Width-1:0]                      flit_i,
  input  logic                                  start_i,        // A head is new at the front.
  input  logic [NumVcs-1:0]                     grant_i,        // VC of the output; or zero.
  input  logic                                  pop_i,
  output logic                                  occupied_o,
  output logic [Width-1:0]                      flit_o,         // The front.
  output logic [2*Dimensions:0]                 route_o,        // Output port, one-hot.
  output logic [NumVcs-1:0]                     held_o          // VC of the output, one-hot.
);

  if (NumVcs < 1 || RouteCycles < 0 || GrantCycles < 0) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [2*Dimensions:0]      route, route_q;
  logic [NumVcs-1:0]          held_q;
  logic                       ready;
  logic [$clog2(Depth+1)-1:0] unused_count;

  flitcast_flit_fifo #(.Width(Width), .Depth(Depth)) u_flits (
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

  flitcast_xy_route #(.Dimensions(Dimensions), .CoordinateWidth(CoordinateWidth)) u_route (
    .here_i,
    .destination_i(flit_o[Dimensions*CoordinateWidth-1:0]),
    .output_o     (route)
  );

  assign route_o = (RouteCycles == 0 && start_i) ? route : route_q;
  assign held_o  = (GrantCycles == 0 && grant_i != '0) ? grant_i : held_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      route_q <= '0;
      held_q  <= '0;
    end else begin
      if (start_i)       route_q <= route;
      if (grant_i != '0) held_q  <= grant_i;
    end
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) assert (!(push_i && !ready) && !(pop_i && !occupied_o));
`else
  logic unused_ready;
  assign unused_ready = ready;
`endif

endmodule
