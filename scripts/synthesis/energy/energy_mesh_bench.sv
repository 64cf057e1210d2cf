// SPDX-License-Identifier: Apache-2.0
// A mesh of 4x4 routers under uniform traffic, and a netlist beside the one at (1,1) that is given
// the same inputs. Log and dump as in energy_router_bench.sv.
`timescale 1ns/10ps
module energy_mesh_bench;
  parameter int NumVcs      = 2;
  parameter int Depth       = 4;
  parameter int Width       = 34;
  parameter int WholePacket = 0;
  localparam int Sources    = 16;
  localparam int SlotWidth = 4;
  localparam int VcWidth    = NumVcs > 1 ? $clog2(NumVcs) : 1;
`ifdef STORE_FORWARD
  localparam bit PacketCredits = 1'b1;
  localparam int PacketWidth   = 8;
`else
  localparam bit PacketCredits = 1'b0;
  localparam int PacketWidth   = 0;
`endif
  localparam int Credits  = Depth;
  localparam int Ports    = 5;
  localparam int Observed = 5;

  function int destination(input int s);
    destination = (s + 1 + below(15)) % 16;
  endfunction

  `include "energy_traffic.svh"

  logic clk = 1'b0, rst_n = 1'b0;

  for (genvar n = 0; n < Sources; n++) begin : gen_node
    localparam int X = n % 4;
    localparam int Y = n / 4;
    logic [Ports-1:0]         r_in_valid, r_in_credit_valid, r_out_valid, r_out_credit_valid;
    logic [Ports*VcWidth-1:0] r_in_vc, r_in_credit_vc, r_out_vc, r_out_credit_vc;
    logic [Ports*Width-1:0]   r_in_flit, r_out_flit;

`ifdef STORE_FORWARD
    flitcast_store_forward_router #(.NumVcs(NumVcs), .NumSlots(Depth), .Width(Width)) u_rtl (
`else
    flitcast_wormhole_router #(.NumVcs(NumVcs), .Depth(Depth), .Width(Width),
                               .WholePacketCredit(WholePacket)) u_rtl (
`endif
      .clk_i(clk), .rst_ni(rst_n), .here_i(SlotWidth'(n)), .in_valid_i(r_in_valid),
      .in_vc_i(r_in_vc), .in_flit_i(r_in_flit), .in_credit_valid_o(r_in_credit_valid),
      .in_credit_vc_o(r_in_credit_vc), .out_valid_o(r_out_valid), .out_vc_o(r_out_vc),
      .out_flit_o(r_out_flit), .out_credit_valid_i(r_out_credit_valid),
      .out_credit_vc_i(r_out_credit_vc)
    );

    assign r_in_valid[4]                       = in_valid[n];
    assign r_in_vc[4*VcWidth+:VcWidth]         = in_vc[n*VcWidth+:VcWidth];
    assign r_in_flit[4*Width+:Width]           = in_flit[n*Width+:Width];
    assign r_out_credit_valid[4]               = out_credit_valid[n];
    assign r_out_credit_vc[4*VcWidth+:VcWidth] = out_credit_vc[n*VcWidth+:VcWidth];
    assign in_credit_valid[n]                  = r_in_credit_valid[4];
    assign in_credit_vc[n*VcWidth+:VcWidth]    = r_in_credit_vc[4*VcWidth+:VcWidth];
    assign out_valid[n]                        = r_out_valid[4];
    assign out_vc[n*VcWidth+:VcWidth]          = r_out_vc[4*VcWidth+:VcWidth];
    assign out_flit[n*Width+:Width]            = r_out_flit[4*Width+:Width];

    for (genvar p = 0; p < 4; p++) begin : gen_port
      localparam int Facing = p % 2 == 0 ? p + 1 : p - 1;
      localparam int Step   = (p < 2 ? 1 : 4) * (p % 2 == 0 ? 1 : -1);
      localparam int Place  = p < 2 ? X : Y;
      if (p % 2 == 0 ? Place < 3 : Place > 0) begin : gen_joined
        assign r_in_valid[p]               = gen_node[n+Step].r_out_valid[Facing];
        assign r_in_vc[p*VcWidth+:VcWidth] = gen_node[n+Step].r_out_vc[Facing*VcWidth+:VcWidth];
        assign r_in_flit[p*Width+:Width]   = gen_node[n+Step].r_out_flit[Facing*Width+:Width];
        assign r_out_credit_valid[p]       = gen_node[n+Step].r_in_credit_valid[Facing];
        assign r_out_credit_vc[p*VcWidth+:VcWidth] =
            gen_node[n+Step].r_in_credit_vc[Facing*VcWidth+:VcWidth];
      end else begin : gen_border
        assign r_in_valid[p]                       = 1'b0;
        assign r_in_vc[p*VcWidth+:VcWidth]         = '0;
        assign r_in_flit[p*Width+:Width]           = '0;
        assign r_out_credit_valid[p]               = 1'b0;
        assign r_out_credit_vc[p*VcWidth+:VcWidth] = '0;
      end
    end
  end

`define SEEN gen_node[Observed]

  // As late as registers of the neighbours would be.
  wire [Ports-1:0]         #0.2 g_in_valid = `SEEN.r_in_valid;
  wire [Ports*VcWidth-1:0] #0.2 g_in_vc = `SEEN.r_in_vc;
  wire [Ports*Width-1:0]   #0.2 g_in_flit = `SEEN.r_in_flit;
  wire [Ports-1:0]         #0.2 g_credit_valid = `SEEN.r_out_credit_valid;
  wire [Ports*VcWidth-1:0] #0.2 g_credit_vc = `SEEN.r_out_credit_vc;
  wire                     #0.2 g_rst_n = rst_n;

  logic [Ports-1:0]         gates_credit_valid, gates_valid;
  logic [Ports*VcWidth-1:0] gates_credit_vc, gates_vc;
  logic [Ports*Width-1:0]   gates_flit;
  gates u_gates (
    .clk_i(clk), .rst_ni(g_rst_n), .here_i(SlotWidth'(Observed)), .in_valid_i(g_in_valid),
    .in_vc_i(g_in_vc), .in_flit_i(g_in_flit), .in_credit_valid_o(gates_credit_valid),
    .in_credit_vc_o(gates_credit_vc), .out_valid_o(gates_valid), .out_vc_o(gates_vc),
    .out_flit_o(gates_flit), .out_credit_valid_i(g_credit_valid), .out_credit_vc_i(g_credit_vc)
  );

  `include "energy_run.svh"

  task check;
    if ({gates_credit_valid, gates_credit_vc, gates_valid, gates_vc, gates_flit} !==
        {`SEEN.r_in_credit_valid, `SEEN.r_in_credit_vc, `SEEN.r_out_valid, `SEEN.r_out_vc,
         `SEEN.r_out_flit}) differ;
  endtask

  task log_cycle;
`ifdef STORE_FORWARD
    $fdisplay(log, "%b %h %h %b %h %b %b %b %b %b %b %h", `SEEN.r_in_valid, `SEEN.r_in_vc,
              `SEEN.r_in_flit, `SEEN.r_out_valid, `SEEN.r_out_flit, `SEEN.r_in_credit_valid,
              `SEEN.r_out_credit_valid, `SEEN.u_rtl.u_router.waits,
              `SEEN.u_rtl.u_router.joins, `SEEN.u_rtl.u_router.take, `SEEN.u_rtl.u_router.done,
              `SEEN.u_rtl.u_router.leaving);
`else
    $fdisplay(log, "%b %h %h %b %h %b %b %b %b %b %b %h", `SEEN.r_in_valid, `SEEN.r_in_vc,
              `SEEN.r_in_flit, `SEEN.r_out_valid, `SEEN.r_out_flit, `SEEN.r_in_credit_valid,
              `SEEN.r_out_credit_valid, `SEEN.u_rtl.u_router.waiting,
              `SEEN.u_rtl.u_router.starting, `SEEN.u_rtl.u_router.granted,
              `SEEN.u_rtl.u_router.sends, `SEEN.u_rtl.u_router.sources);
`endif
  endtask
endmodule
