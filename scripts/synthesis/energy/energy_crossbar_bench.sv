// SPDX-License-Identifier: Apache-2.0
// A multicast crossbar and its netlist side by side, under random flits: with REPLICATING one that
// copies flits as they come, else one of circuits, of which each output is joined and parted at
// random. Log and dump as in energy_router_bench.sv.
`timescale 1ns/10ps
module energy_crossbar_bench;
  parameter int NumIn  = 5;
  parameter int NumOut = 5;
  parameter int Width  = 34;
  localparam int DriverWidth = $clog2(NumIn + 1);
  localparam int Idle        = NumIn;

  logic clk = 1'b0, rst_n = 1'b0;
  logic [NumIn-1:0]        in_valid = '0;
  logic [NumIn*Width-1:0]  in_flit = '0;
  logic [NumOut-1:0]       out_valid, gates_valid;
  logic [NumOut*Width-1:0] out_flit, gates_flit;

  int seed, load, payload, change, outputs_of;
  logic [NumIn-1:0] from;
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("load=%d", load)) load = 100;            // Flits in 1000 cycles of an input.
    if (!$value$plusargs("payload=%d", payload)) payload = 0;     // 0 random, 1 zero, 2 or 3 eight or four bits.
    if (!$value$plusargs("change=%d", change)) change = 50;       // Circuits, or stalls, in 1000 cycles.
    if (!$value$plusargs("copies=%d", outputs_of)) outputs_of = 2;  // Mean number for a flit.
    if (!$value$plusargs("from=%b", from)) from = '1;
  end

  function int below(input int limit);
    below = $unsigned($random(seed)) % limit;
  endfunction

  function [Width-1:0] flit;
    logic [1023:0] bits;
    for (int w = 0; w < 32; w++) bits[w*32+:32] = $random(seed);
    if (payload == 1) bits = 1;
    if (payload == 2) bits = bits & 1024'hff;
    if (payload == 3) bits = bits & 1024'hf;
    flit = bits[Width-1:0];
  endfunction

`ifdef REPLICATING
  logic [NumIn*NumOut-1:0] in_outputs = '0;
  logic [NumOut-1:0]       out_ready = '1;
  logic [NumIn-1:0]        in_ready, gates_ready;
  logic [NumIn*NumOut-1:0] pairs;

  flitcast_replicating_crossbar #(.NumIn(NumIn), .NumOut(NumOut), .Width(Width)) u_rtl (
    .clk_i(clk), .rst_ni(rst_n), .in_valid_i(in_valid), .in_outputs_i(in_outputs),
    .in_flit_i(in_flit), .in_ready_o(in_ready), .out_valid_o(out_valid), .out_flit_o(out_flit),
    .out_ready_i(out_ready)
  );
  gates u_gates (
    .clk_i(clk), .rst_ni(rst_n), .in_valid_i(in_valid), .in_outputs_i(in_outputs),
    .in_flit_i(in_flit), .in_ready_o(gates_ready), .out_valid_o(gates_valid),
    .out_flit_o(gates_flit), .out_ready_i(out_ready)
  );

  logic [NumIn-1:0] taken;
  assign pairs = u_rtl.leaves;

  task take;
    taken = in_ready & in_valid;
  endtask

  task drive;
    for (int i = 0; i < NumIn; i++) if (!in_valid[i] || taken[i]) begin
      in_valid[i] = from[i] && below(1000) < load;
      in_flit[i*Width+:Width] = in_valid[i] ? flit() : '0;
      in_outputs[i*NumOut+:NumOut] = '0;
      if (in_valid[i]) begin
        for (int c = 0; c < outputs_of; c++) in_outputs[i*NumOut+below(NumOut)] = 1'b1;
      end
    end
    for (int o = 0; o < NumOut; o++) out_ready[o] = below(1000) >= change;
  endtask

  task check;
    if (gates_valid !== out_valid || gates_ready !== in_ready) differ;
    for (int o = 0; o < NumOut; o++) begin
      if (out_valid[o] && gates_flit[o*Width+:Width] !== out_flit[o*Width+:Width]) differ;
    end
  endtask
`else
  logic [NumOut-1:0]             config_valid = '0;
  logic [NumOut*DriverWidth-1:0] config_driver = '0;
  logic [NumOut*DriverWidth-1:0] driver, gates_driver;
  logic [NumIn*NumOut-1:0]       pairs;

  flitcast_multicast_crossbar #(.NumIn(NumIn), .NumOut(NumOut), .Width(Width)) u_rtl (
    .clk_i(clk), .rst_ni(rst_n), .in_valid_i(in_valid), .in_flit_i(in_flit),
    .config_valid_i(config_valid), .config_driver_i(config_driver), .driver_o(driver),
    .out_valid_o(out_valid), .out_flit_o(out_flit)
  );
  gates u_gates (
    .clk_i(clk), .rst_ni(rst_n), .in_valid_i(in_valid), .in_flit_i(in_flit),
    .config_valid_i(config_valid), .config_driver_i(config_driver), .driver_o(gates_driver),
    .out_valid_o(gates_valid), .out_flit_o(gates_flit)
  );

  always_comb begin
    pairs = '0;
    for (int o = 0; o < NumOut; o++) for (int i = 0; i < NumIn; i++) begin
      pairs[i*NumOut+o] = driver[o*DriverWidth+:DriverWidth] == i;
    end
  end

  task take;
    // The driven values follow the registers alone.
  endtask

  // A driver written in this cycle counts for the flits of the next ones.
  task drive;
    logic [NumIn-1:0] heard;
    heard = '0;
    for (int i = 0; i < NumIn; i++) for (int o = 0; o < NumOut; o++) heard[i] |= pairs[i*NumOut+o];
    for (int o = 0; o < NumOut; o++) begin
      config_valid[o] = below(1000) < change;
      config_driver[o*DriverWidth+:DriverWidth] =
          driver[o*DriverWidth+:DriverWidth] == Idle ? below(NumIn) : Idle;
      if (!config_valid[o]) config_driver[o*DriverWidth+:DriverWidth] = '0;
    end
    for (int i = 0; i < NumIn; i++) begin
      in_valid[i] = from[i] && heard[i] && below(1000) < load;
      in_flit[i*Width+:Width] = in_valid[i] ? flit() : '0;
    end
  endtask

  task check;
    if ({gates_valid, gates_flit, gates_driver} !== {out_valid, out_flit, driver}) differ;
  endtask
`endif

  `include "energy_run.svh"

  task log_cycle;
    $fdisplay(log, "%b 0 %h %b %h 0 0 0 0 0 %b %h", in_valid, in_flit, out_valid, out_flit, in_valid,
              pairs);
  endtask
endmodule
