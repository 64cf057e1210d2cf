// SPDX-License-Identifier: Apache-2.0
// A store-and-forward router forwards every packet once, complete, by the port that leads to its
// destination.
module store_forward_tb;
  localparam int Ports = 5;
  localparam int Local = 4;
  localparam int SlotWidth = 4;
  localparam int NumVcs = 2;
  localparam int Credits = 2;
  localparam bit CreditPerFlit = 1'b0;
  localparam int Packets = 40;
  localparam logic [3:0] Here = {2'd1, 2'd1};

  function int leaves_by(input [SlotWidth-1:0] place);
    if (place[1:0] != Here[1:0])      leaves_by = place[1:0] > Here[1:0] ? 0 : 1;
    else if (place[3:2] != Here[3:2]) leaves_by = place[3:2] > Here[3:2] ? 2 : 3;
    else                              leaves_by = Local;
  endfunction

  // Destinations follow dimension order and need no U-turn.
  function [SlotWidth-1:0] destination(input int p);
    begin
      destination = p == 2 || p == 3 ? {2'($random), Here[1:0]} : 4'($random);
      if (p != Local && leaves_by(destination) == p) destination = Here;
    end
  endfunction

  `include "packet_traffic.svh"

  flitcast_store_forward_router #(.NumVcs(NumVcs), .NumSlots(Credits), .Width(Width)) u_router (
    .clk_i(clk), .rst_ni(rst_n), .here_i(Here), .in_valid_i(in_valid), .in_vc_i(in_vc),
    .in_flit_i(in_flit), .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_flit_o(out_flit),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc)
  );
endmodule
