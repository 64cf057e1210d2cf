// SPDX-License-Identifier: Apache-2.0
// A stage of a Clos network: Num multicast crossbars side by side, and the links that lead to it.
//
//   link i*Num + j of what was before --> input i of crossbar j --> output j*NumOut + k
//
// Links     With Crossed, input i of crossbar j is link i*Num + j: from the i-th of NumIn crossbars
//           before it, each with Num outputs. Else it is link j*NumIn + i, those of the network.
// Drivers   Of all outputs in their order, see multicast_crossbar.sv, also for timing, reset and
//           misuse.
module flitcast_clos_stage #(
  parameter int Num     = 4,     // Crossbars; this and the next three from 1 up.
  parameter int NumIn   = 2,     // Inputs of a crossbar.
  parameter int NumOut  = 2,     // Outputs of a crossbar.
  parameter int Width   = 32,    // Bits of a flit.
  parameter bit Crossed = 1'b1
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,  // Synchronous, active low.

  input  logic [Num*NumOut-1:0]                 config_valid_i,
  input  logic [Num*NumOut*$clog2(NumIn+1)-1:0] config_driver_i,
  output logic [Num*NumOut*$clog2(NumIn+1)-1:0] driver_o,

  input  logic [Num*NumIn-1:0]                  in_valid_i,
  input  logic [Num*NumIn*Width-1:0]            in_flit_i,
  output logic [Num*NumOut-1:0]                 out_valid_o,
  output logic [Num*NumOut*Width-1:0]           out_flit_o
);

  localparam int DriverW = NumOut * $clog2(NumIn + 1);
  localparam int FlitsW  = NumOut * Width;

  for (genvar j = 0; j < Num; j++) begin : gen_switch
    logic [NumIn-1:0]       in_valid;
    logic [NumIn*Width-1:0] in_flit;

    for (genvar i = 0; i < NumIn; i++) begin : gen_link
      localparam int Link = Crossed ? i * Num + j : j * NumIn + i;
      assign in_valid[i]             = in_valid_i[Link];
      assign in_flit[i*Width+:Width] = in_flit_i[Link*Width+:Width];
    end

    flitcast_multicast_crossbar #(.NumIn(NumIn), .NumOut(NumOut), .Width(Width)) u_crossbar (
      .clk_i, .rst_ni, .in_valid_i(in_valid), .in_flit_i(in_flit),
      .config_valid_i(config_valid_i[j*NumOut+:NumOut]),
      .config_driver_i(config_driver_i[j*DriverW+:DriverW]),
      .driver_o(driver_o[j*DriverW+:DriverW]),
      .out_valid_o(out_valid_o[j*NumOut+:NumOut]), .out_flit_o(out_flit_o[j*FlitsW+:FlitsW])
    );
  end

endmodule
