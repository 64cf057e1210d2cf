// SPDX-License-Identifier: Apache-2.0
// A router and its netlist side by side, at (1,1) of a mesh of 4x4: the same packets, a cycle of 10
// ns. Each cycle is a line of +log=: what was at the ports and inside at its end. The netlist's
// changes go to +dump= from cycle +warmup= on. Every output is compared in every cycle.
`timescale 1ns/10ps
module energy_router_bench;
  parameter int NumVcs      = 2;
  parameter int Depth       = 4;
  parameter int Width       = 34;
  parameter int WholePacket = 0;
  localparam int Sources    = 5;
  localparam int SlotWidth = 4;
  localparam int VcWidth    = NumVcs > 1 ? $clog2(NumVcs) : 1;
`ifdef STORE_FORWARD
  localparam bit PacketCredits = 1'b1;
  localparam int PacketWidth   = 8;
`else
  localparam bit PacketCredits = 1'b0;
  localparam int PacketWidth   = 0;
`endif
  localparam int Credits = Depth;
  localparam [SlotWidth-1:0] Here = 4'b0101;

  // XY: what comes along Y does not turn into X, and nothing goes back.
  function int destination(input int s);
    int x, y;
    x = s == 0 ? below(2) : s == 1 ? 1 + below(3) : s == 4 ? below(4) : 1;
    y = s == 2 ? below(2) : s == 3 ? 1 + below(3) : below(4);
    destination = x + 4*y;
    if (s == 4 && destination == 5) destination = 6;
  endfunction

  `include "energy_traffic.svh"

  logic clk = 1'b0, rst_n = 1'b0;
  logic [Sources-1:0]         gates_credit_valid, gates_valid;
  logic [Sources*VcWidth-1:0] gates_credit_vc, gates_vc;
  logic [Sources*Width-1:0]   gates_flit;

`ifdef STORE_FORWARD
  flitcast_store_forward_router #(.NumVcs(NumVcs), .NumSlots(Depth), .Width(Width)) u_rtl (
`else
  flitcast_wormhole_router #(.NumVcs(NumVcs), .Depth(Depth), .Width(Width),
                             .WholePacketCredit(WholePacket)) u_rtl (
`endif
    .clk_i(clk), .rst_ni(rst_n), .here_i(Here), .in_valid_i(in_valid), .in_vc_i(in_vc),
    .in_flit_i(in_flit), .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_valid_o(out_valid), .out_vc_o(out_vc), .out_flit_o(out_flit),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc)
  );

  gates u_gates (
    .clk_i(clk), .rst_ni(rst_n), .here_i(Here), .in_valid_i(in_valid), .in_vc_i(in_vc),
    .in_flit_i(in_flit), .in_credit_valid_o(gates_credit_valid), .in_credit_vc_o(gates_credit_vc),
    .out_valid_o(gates_valid), .out_vc_o(gates_vc), .out_flit_o(gates_flit),
    .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc)
  );

  `include "energy_run.svh"

  task check;
    if ({gates_credit_valid, gates_credit_vc, gates_valid, gates_vc, gates_flit} !==
        {in_credit_valid, in_credit_vc, out_valid, out_vc, out_flit}) differ;
  endtask

  task log_cycle;
`ifdef STORE_FORWARD
    $fdisplay(log, "%b %h %h %b %h %b %b %b %b %b %b %h", in_valid, in_vc, in_flit, out_valid,
              out_flit, in_credit_valid, out_credit_valid, u_rtl.u_router.waits,
              u_rtl.u_router.joins, u_rtl.u_router.take, u_rtl.u_router.done,
              u_rtl.u_router.leaving);
`else
    $fdisplay(log, "%b %h %h %b %h %b %b %b %b %b %b %h", in_valid, in_vc, in_flit, out_valid,
              out_flit, in_credit_valid, out_credit_valid, u_rtl.u_router.waiting,
              u_rtl.u_router.starting, u_rtl.u_router.granted, u_rtl.u_router.sends,
              u_rtl.u_router.sources);
`endif
  endtask
endmodule
