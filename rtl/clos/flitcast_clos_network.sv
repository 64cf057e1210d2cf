// SPDX-License-Identifier: Apache-2.0
// A circuit-switched multicast Clos network v(M, N1, R1, N2, R2): the data path, the control unit
// that finds the routes, and what writes the crossbars for them.
//
//   req_*, done_o, blocked_o <--> clos_control_unit <-- legs --> clos_path_writer
//                                                                   | drivers
//   in_valid_i, in_flit_i ------------------------------------> clos_data_path --> out_*
//
// Request     Accepted at an edge where req_valid_i and req_ready_o are high.
//               connect     req_connect_i high: input req_port_i of input switch req_switch_i,
//                           which has no connection, to req_outputs_i, idle ones, at least one.
//                           Output o of output switch k is number k*N2 + o.
//               disconnect  req_connect_i low: its connection ends; req_outputs_i is unused.
// Answer      done_o, or for a connect that finds no route blocked_o, for one clock, and with it
//             req_ready_o. A blocked request changes nothing.
// Timing      Clocks from the one in which a request is accepted to the one that shows the answer:
//             done 2 + P c and blocked 1 + P c, for P passes of c clocks each (clos_controller.sv);
//             disconnect 1 + P, for P middle switches in the route.
// Flits       From the clock after done_o on, one in each clock in which in_valid_i is high; three
//             clocks later they are on all outputs of the connection. A disconnect may follow from
//             the clock after the last flit on. The flit of an output without a valid one is zero.
// Reset       Synchronous; ends all connections. The next edge raises req_ready_o.
// Misuse      Requests that the above does not allow, and flits without a connection, fail an
//             assertion. Without assertions a disconnect of an idle input is answered with done_o
//             after two clocks and frees nothing.
// Model       CircuitNetwork with request_cycles 0, configuration_cycles 1 and stage_cycles 1,
//             beside this in testbenches/cosim/clos_network_model_test.cpp. Teardown
//             differs in time: its teardown_cycles are the same for every route. The parts are in
//             lock-step in clos_network_test.cpp there.
module flitcast_clos_network #(
  parameter int Design = 4,                         // This and the next two: see clos_search.sv.
  parameter bit Pruning = 1'b0,
  parameter int RowsPerClock = 1,
  parameter int PassLimit = 2,                      // Most passes of a request; 0: no limit.
  parameter bit StopWithoutProgress = 1'b1,         // A pass that serves nothing is blocked.
  parameter int M      = 4,                         // Middle switches; this and all others from 1.
  parameter int N1     = 2,                         // Inputs of an input switch.
  parameter int R1     = 2,                         // Input switches.
  parameter int N2     = 2,                         // Outputs of an output switch.
  parameter int R2     = 2,                         // Output switches.
  parameter int Width  = 32,                        // Bits of a flit.
  parameter int SwitchW = R1 > 1 ? $clog2(R1) : 1,  // Derived.
  parameter int PortW   = N1 > 1 ? $clog2(N1) : 1   // Derived.
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,  // Synchronous, active low.

  input  logic [R1*N1-1:0]       in_valid_i,
  input  logic [R1*N1*Width-1:0] in_flit_i,
  output logic [R2*N2-1:0]       out_valid_o,
  output logic [R2*N2*Width-1:0] out_flit_o,

  input  logic                   req_valid_i,
  input  logic                   req_connect_i,
  input  logic [SwitchW-1:0]     req_switch_i,
  input  logic [PortW-1:0]       req_port_i,
  input  logic [R2*N2-1:0]       req_outputs_i,
  output logic                   req_ready_o,
  output logic                   done_o,
  output logic                   blocked_o
);

  localparam int MiddleW = M > 1 ? $clog2(M) : 1;

  logic                         connect, disconnect;
  logic                         unit_ready, connected, disconnecting, disconnected;
  logic                         leg_valid, rel_valid;
  logic [SwitchW-1:0]           rel_switch;
  logic [MiddleW-1:0]           leg_middle, rel_middle;
  logic [R2-1:0]                wanted, leg_set, rel_set;

  logic [R1*M-1:0]              a_config_valid;
  logic [R1*M*$clog2(N1+1)-1:0] a_config_driver, a_driver;
  logic [M*R2-1:0]              b_config_valid;
  logic [M*R2*$clog2(R1+1)-1:0] b_config_driver, b_driver;
  logic [R2*N2-1:0]             out_config_valid;
  logic [R2*N2*$clog2(M+1)-1:0] out_config_driver, out_driver;

  assign req_ready_o = unit_ready && !disconnecting;
  assign connect     = req_ready_o && req_valid_i && req_connect_i;
  assign disconnect  = req_ready_o && req_valid_i && !req_connect_i;
  assign done_o      = connected || disconnected;

  for (genvar k = 0; k < R2; k++) begin : gen_wanted
    assign wanted[k] = req_outputs_i[k*N2+:N2] != '0;
  end

  // The drivers say which links are taken.
  logic [M*R2-1:0] unused_sets;
  logic [R1*M-1:0] unused_avail;

  flitcast_clos_control_unit #(
    .Design(Design), .M(M), .R(R2), .R1(R1), .PassLimit(PassLimit),
    .StopWithoutProgress(StopWithoutProgress), .Pruning(Pruning), .RowsPerClock(RowsPerClock)
  ) u_control (
    .clk_i, .rst_ni,
    .ready_o(unit_ready),
    .req_valid_i(connect), .req_switch_i, .req_set_i(wanted), .req_held_i(M'(0)), .req_link_i(1'b1),
    .rel_valid_i(rel_valid), .rel_switch_i(rel_switch), .rel_middle_i(rel_middle),
    .rel_set_i(rel_set), .rel_link_i(1'b1),
    .leg_valid_o(leg_valid), .leg_middle_o(leg_middle), .leg_set_o(leg_set),
    .done_o(connected), .blocked_o,
    .sets_o(unused_sets), .avail_o(unused_avail)
  );

  flitcast_clos_path_writer #(.M(M), .N1(N1), .R1(R1), .N2(N2), .R2(R2)) u_writer (
    .clk_i, .rst_ni,
    .connect_i(connect), .disconnect_i(disconnect),
    .switch_i(req_switch_i), .port_i(req_port_i), .outputs_i(req_outputs_i),
    .busy_o(disconnecting), .done_o(disconnected),
    .leg_valid_i(leg_valid), .leg_middle_i(leg_middle), .leg_set_i(leg_set), .commit_i(connected),
    .rel_valid_o(rel_valid), .rel_switch_o(rel_switch), .rel_middle_o(rel_middle),
    .rel_set_o(rel_set),
    .a_driver_i(a_driver), .a_config_valid_o(a_config_valid), .a_config_driver_o(a_config_driver),
    .b_driver_i(b_driver), .b_config_valid_o(b_config_valid), .b_config_driver_o(b_config_driver),
    .out_driver_i(out_driver), .out_config_valid_o(out_config_valid),
    .out_config_driver_o(out_config_driver)
  );

  flitcast_clos_data_path #(.M(M), .N1(N1), .R1(R1), .N2(N2), .R2(R2), .Width(Width)) u_data_path (
    .clk_i, .rst_ni,
    .in_valid_i, .in_flit_i, .out_valid_o, .out_flit_o,
    .a_config_valid_i(a_config_valid), .a_config_driver_i(a_config_driver), .a_driver_o(a_driver),
    .b_config_valid_i(b_config_valid), .b_config_driver_i(b_config_driver), .b_driver_o(b_driver),
    .out_config_valid_i(out_config_valid), .out_config_driver_i(out_config_driver),
    .out_driver_o(out_driver)
  );

endmodule
