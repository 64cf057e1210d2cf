// SPDX-License-Identifier: Apache-2.0
// Writes the drivers of a Clos network for the routes of its control unit, and takes them back.
//
// Connect     With connect_i the input and its outputs are stored; then come the legs of the route.
//             In the clock of commit_i, the unit's done_o, the drivers of all of it are written.
// Disconnect  With disconnect_i the input is stored. In each of the clocks that follow the unit is
//             told one leg, the middle switches rising, and the drivers of that leg become idle:
//             those of the links and outputs that have the input's connection.
// Timing      All outputs follow the registers. A disconnection of P legs has busy_o high for the
//             P clocks after disconnect_i, and then done_o for one.
// Tables      None: the drivers show which connection has a link. Numbers as in clos_data_path.sv.
// Reset       Synchronous; forgets a disconnection.
// Misuse      No output, a second connection of an input and the end of one that there is not fail
//             an assertion. Without assertions the last has one clock of busy_o, then done_o, and
//             takes nothing back.
module flitcast_clos_path_writer #(
  parameter int M  = 4,                             // Middle switches; this and all from 1 up.
  parameter int N1 = 2,                             // Inputs of an input switch.
  parameter int R1 = 2,                             // Input switches.
  parameter int N2 = 2,                             // Outputs of an output switch.
  parameter int R2 = 2,                             // Output switches.
  parameter int PortW   = N1 > 1 ? $clog2(N1) : 1,  // Derived, as all that follow.
  parameter int SwitchW = R1 > 1 ? $clog2(R1) : 1,
  parameter int MiddleW = M > 1 ? $clog2(M) : 1
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,  // Synchronous, active low.

  input  logic                         connect_i,
  input  logic                         disconnect_i,
  input  logic [SwitchW-1:0]           switch_i,   // The input is input port_i of switch switch_i.
  input  logic [PortW-1:0]             port_i,
  input  logic [R2*N2-1:0]             outputs_i,
  output logic                         busy_o,
  output logic                         done_o,

  input  logic                         leg_valid_i,
  input  logic [MiddleW-1:0]           leg_middle_i,
  input  logic [R2-1:0]                leg_set_i,
  input  logic                         commit_i,
  output logic                         rel_valid_o,
  output logic [SwitchW-1:0]           rel_switch_o,
  output logic [MiddleW-1:0]           rel_middle_o,
  output logic [R2-1:0]                rel_set_o,

  input  logic [R1*M*$clog2(N1+1)-1:0] a_driver_i,
  output logic [R1*M-1:0]              a_config_valid_o,
  output logic [R1*M*$clog2(N1+1)-1:0] a_config_driver_o,
  input  logic [M*R2*$clog2(R1+1)-1:0] b_driver_i,
  output logic [M*R2-1:0]              b_config_valid_o,
  output logic [M*R2*$clog2(R1+1)-1:0] b_config_driver_o,
  input  logic [R2*N2*$clog2(M+1)-1:0] out_driver_i,
  output logic [R2*N2-1:0]             out_config_valid_o,
  output logic [R2*N2*$clog2(M+1)-1:0] out_config_driver_o
);

  if (M < 1 || N1 < 1 || R1 < 1 || N2 < 1 || R2 < 1 || PortW != (N1 > 1 ? $clog2(N1) : 1) ||
      SwitchW != (R1 > 1 ? $clog2(R1) : 1) || MiddleW != (M > 1 ? $clog2(M) : 1))
  begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  localparam int ADriverW   = $clog2(N1 + 1);
  localparam int BDriverW   = $clog2(R1 + 1);
  localparam int OutDriverW = $clog2(M + 1);

  logic [SwitchW-1:0]    switch_q;
  logic [PortW-1:0]      port_q;
  logic [R2*N2-1:0]      outputs_q;
  logic [R2*MiddleW-1:0] middles_q;  // For each output switch of the next route.
  logic                  last;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_o <= 1'b0;
      done_o <= 1'b0;
    end else begin
      busy_o <= disconnect_i || (busy_o && !last);
      done_o <= busy_o && last;
    end
  end

  always_ff @(posedge clk_i) begin
    if (connect_i || disconnect_i) begin
      switch_q  <= switch_i;
      port_q    <= port_i;
      outputs_q <= outputs_i;
    end
    for (int k = 0; k < R2; k++) begin
      if (leg_valid_i && leg_set_i[k]) middles_q[k*MiddleW+:MiddleW] <= leg_middle_i;
    end
  end

  // The leg to take back: the first middle switch that the input has a link to.
  logic [M-1:0] legs, first;

  assign first = legs & -legs;
  assign last  = legs == first;

  always_comb begin
    legs = '0;
    for (int i = 0; i < R1; i++) begin
      for (int j = 0; j < M; j++) begin
        if (switch_q == SwitchW'(i) && a_driver_i[(i*M+j)*ADriverW+:ADriverW] == ADriverW'(port_q))
        begin
          legs[j] = 1'b1;
        end
      end
    end
  end

  always_comb begin
    rel_middle_o = '0;
    rel_set_o    = '0;
    for (int j = 0; j < M; j++) begin
      if (first[j]) begin
        rel_middle_o = MiddleW'(j);
        for (int k = 0; k < R2; k++) begin
          rel_set_o[k] = b_driver_i[(j*R2+k)*BDriverW+:BDriverW] == BDriverW'(switch_q);
        end
      end
    end
  end

  assign rel_valid_o  = busy_o && legs != '0;
  assign rel_switch_o = switch_q;

  // The links to these output switches are written, each by its middle switch.
  logic [R2-1:0]         served;
  logic [R2*MiddleW-1:0] middles;
  logic [M-1:0]          used;

  for (genvar k = 0; k < R2; k++) begin : gen_output_switch
    assign served[k] = commit_i ? outputs_q[k*N2+:N2] != '0 : busy_o && rel_set_o[k];
    assign middles[k*MiddleW+:MiddleW] = commit_i ? middles_q[k*MiddleW+:MiddleW] : rel_middle_o;

    for (genvar j = 0; j < M; j++) begin : gen_link_b
      assign b_config_valid_o[j*R2+k] = served[k] && middles[k*MiddleW+:MiddleW] == MiddleW'(j);
      assign b_config_driver_o[(j*R2+k)*BDriverW+:BDriverW] =
          commit_i ? BDriverW'(switch_q) : BDriverW'(R1);
    end

    for (genvar o = k * N2; o < (k + 1) * N2; o++) begin : gen_output
      assign out_config_valid_o[o] = served[k] && (commit_i ? outputs_q[o]
          : out_driver_i[o*OutDriverW+:OutDriverW] == OutDriverW'(rel_middle_o));
      assign out_config_driver_o[o*OutDriverW+:OutDriverW] =
          commit_i ? OutDriverW'(middles[k*MiddleW+:MiddleW]) : OutDriverW'(M);
    end
  end

  for (genvar j = 0; j < M; j++) begin : gen_middle_switch
    assign used[j] = b_config_valid_o[j*R2+:R2] != '0;
  end

  for (genvar i = 0; i < R1; i++) begin : gen_input_switch
    assign a_config_valid_o[i*M+:M] = switch_q == SwitchW'(i) ? used : '0;
    assign a_config_driver_o[i*M*ADriverW+:M*ADriverW] =
        {M{commit_i ? ADriverW'(port_q) : ADriverW'(N1)}};
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni) begin
    if (connect_i || disconnect_i) assert (32'(switch_i) < R1 && 32'(port_i) < N1);
    if (connect_i) assert (outputs_i != '0);
    if (commit_i) assert (legs == '0);
    if (busy_o) assert (legs != '0);
  end
`endif

endmodule
