// SPDX-License-Identifier: Apache-2.0
// A mesh of wormhole routers delivers every packet once, complete, at its destination.
module mesh_tb;
  localparam int Size = 2;
  localparam int Ports = Size * Size;
  localparam int SlotWidth = 2;
  localparam int NumVcs = 2;
  localparam int Credits = 2;
  localparam bit CreditPerFlit = 1'b1;
  localparam int Packets = 30;

  function [SlotWidth-1:0] destination(input int p);
    destination = $random;
  endfunction

  function int leaves_by(input [SlotWidth-1:0] place);
    leaves_by = place;
  endfunction

  `include "packet_traffic.svh"

  flitcast_mesh #(.Size(Size), .NumVcs(NumVcs), .Depth(Credits), .Width(Width)) u_mesh (
    .clk_i(clk), .rst_ni(rst_n), .in_valid_i(in_valid), .in_vc_i(in_vc), .in_flit_i(in_flit),
    .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc), .out_valid_o(out_valid),
    .out_vc_o(out_vc), .out_flit_o(out_flit), .out_credit_valid_i(out_credit_valid),
    .out_credit_vc_i(out_credit_vc)
  );
endmodule
