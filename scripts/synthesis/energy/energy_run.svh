// SPDX-License-Identifier: Apache-2.0
// The cycles of a bench with energy_traffic.svh, check and log_cycle: of 10 ns, of which inputs
// change 0.2 ns after the rising edge, as registers of a neighbour would make them.
  int    cycles, warmup, log, differences;
  string log_file, dump_file;

  task differ;
    begin
      differences = differences + 1;
      if (differences < 4) $display("cycle %0d: the netlist differs from the RTL", $time / 10);
    end
  endtask

  initial begin
    differences = 0;
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 500;
    if (!$value$plusargs("warmup=%d", warmup)) warmup = 100;
    if (!$value$plusargs("log=%s", log_file)) log_file = "cycles.log";
    if (!$value$plusargs("dump=%s", dump_file)) dump_file = "gates.vcd";
    log = $fopen(log_file, "w");
    $dumpfile(dump_file);
    for (int cycle = 0; cycle < warmup + cycles; cycle++) begin
      if (cycle == warmup) $dumpvars(1, u_gates);
      clk = 1'b1;
      #0.2;
      if (cycle == 4) rst_n = 1'b1;
      if (cycle > 5) drive;
      #4.8 clk = 1'b0;
      #4.5;
      if (cycle > 5) begin
        check;
        take;
      end
      if (cycle >= warmup) log_cycle;
      #0.5;
    end
    $display("differences %0d", differences);
    $finish;
  end
