// SPDX-License-Identifier: Apache-2.0
// Multicast crossbar: every output is driven by one input or none, an input drives any outputs.
//
//   in_valid_i, in_flit_i -->|   driver of every output   |--> out_valid_o, out_flit_o
//   config_valid_i, config_driver_i, one for each output ^
//
// Timing    A flit sampled at an edge is on the outputs of its input after that edge. A driver
//           written at an edge holds for flits that are sampled at later edges.
// Outputs   Registers; the flit of an output without a valid one is zero.
// Reset     Synchronous; makes all outputs idle.
// Misuse    A driver for an output that has one, an idle output made idle, a driver beyond NumIn
//           and a flit at an input that drives nothing fail an assertion.
// Model     models/network/pins/crossbars.h with stage_cycles = 1, in lock-step in
//           testbenches/cosim/multicast_crossbar_test.cpp; driver_o is driver() there.
module flitcast_multicast_crossbar #(
  parameter int NumIn  = 4,                                    // From 1 up.
  parameter int NumOut = 4,                                    // From 1 up.
  parameter int Width  = 32                                    // Bits of a flit, from 1 up.
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,            // Synchronous, active low.
  input  logic [NumIn-1:0]                  in_valid_i,
  input  logic [NumIn*Width-1:0]            in_flit_i,
  input  logic [NumOut-1:0]                 config_valid_i,
  input  logic [NumOut*$clog2(NumIn+1)-1:0] config_driver_i,   // NumIn makes an output idle.
  output logic [NumOut*$clog2(NumIn+1)-1:0] driver_o,          // The drivers written last.
  output logic [NumOut-1:0]                 out_valid_o,
  output logic [NumOut*Width-1:0]           out_flit_o
);

  if (NumIn < 1 || NumOut < 1 || Width < 1) begin : gen_refused
    num_in_num_out_and_width_must_be_at_least_1 u_refused ();
  end

  localparam int DriverWidth = $clog2(NumIn + 1);
  localparam logic [DriverWidth-1:0] Idle = DriverWidth'(NumIn);

  // The flit of each output by its driver; none when idle. One selection is faster to simulate
  // than an AND with every input.
  (* mem2reg *) logic [Width-1:0] flits[NumIn+1];
  for (genvar i = 0; i < NumIn; i++) begin : gen_input
    assign flits[i] = in_flit_i[i*Width+:Width] & {Width{in_valid_i[i]}};
  end
  assign flits[NumIn] = '0;

  for (genvar o = 0; o < NumOut; o++) begin : gen_output
    logic [DriverWidth-1:0] driver_q;
    logic                   valid_d, valid_q;
    logic [Width-1:0]       flit_d, flit_q;

    assign valid_d = 1'(in_valid_i >> driver_q);
    assign flit_d  = flits[driver_q];

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        driver_q <= Idle;
        valid_q  <= 1'b0;
        flit_q   <= '0;
      end else begin
        if (config_valid_i[o]) driver_q <= config_driver_i[o*DriverWidth+:DriverWidth];
        valid_q <= valid_d;
        flit_q  <= flit_d;
      end
    end

    assign driver_o[o*DriverWidth+:DriverWidth] = driver_q;
    assign out_valid_o[o]                       = valid_q;
    assign out_flit_o[o*Width+:Width]           = flit_q;

`ifdef FORMAL
    logic             any_valid;
    logic [Width-1:0] any_flit;
    always_comb begin
      any_valid = 1'b0;
      any_flit  = '0;
      for (int i = 0; i < NumIn; i++) begin
        if (driver_q == DriverWidth'(i) && in_valid_i[i]) begin
          any_valid = 1'b1;
          any_flit  = any_flit | in_flit_i[i*Width+:Width];
        end
      end
      if (rst_ni && driver_q <= Idle) assert (valid_d == any_valid && flit_d == any_flit);
    end
`elsif SYNTHESIS
`else
    logic [DriverWidth-1:0] written;
    assign written = config_driver_i[o*DriverWidth+:DriverWidth];
    always @(posedge clk_i) begin
      if (rst_ni && config_valid_i[o]) begin
        assert (32'(written) <= NumIn);
        assert ((written == Idle) != (driver_q == Idle));
      end
    end
`endif
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  logic [NumIn-1:0] heard;  // Inputs that drive an output.
  always_comb begin
    heard = '0;
    for (int o = 0; o < NumOut; o++) begin
      heard = heard | NumIn'({NumIn'(0), 1'b1} << driver_o[o*DriverWidth+:DriverWidth]);
    end
  end
  always @(posedge clk_i) if (rst_ni) assert ((in_valid_i & ~heard) == '0);
`endif
`endif

endmodule
