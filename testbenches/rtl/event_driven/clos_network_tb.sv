// SPDX-License-Identifier: Apache-2.0
// A Clos network connects random inputs to random idle outputs; each flit must arrive three clocks
// later at exactly the outputs of its connection. With the m of Theorem 3 no request is blocked.
module clos_network_tb #(
  parameter int Design = 4,
  parameter int M = 4,
  parameter int N = 2,
  parameter int R = 2
);
  localparam int Ports = N * R;
  localparam int Width = 8;
  localparam int Requests = 300;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  logic                   req_valid = 1'b0;
  logic                   req_connect, req_ready, done, blocked;
  logic [$clog2(R)-1:0]   req_switch;
  logic [$clog2(N)-1:0]   req_port;
  logic [Ports-1:0]       req_outputs;
  logic [Ports-1:0]       in_valid = '0;
  logic [Ports*Width-1:0] in_flit, out_flit;
  logic [Ports-1:0]       out_valid;

  flitcast_clos_network #(
    .Design(Design), .M(M), .N1(N), .R1(R), .N2(N), .R2(R), .Width(Width)
  ) u_network (
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(req_valid), .req_connect_i(req_connect),
    .req_switch_i(req_switch), .req_port_i(req_port), .req_outputs_i(req_outputs),
    .req_ready_o(req_ready), .done_o(done), .blocked_o(blocked), .in_valid_i(in_valid),
    .in_flit_i(in_flit), .out_valid_o(out_valid), .out_flit_o(out_flit)
  );

  logic [Ports-1:0]       outputs_of [0:Ports-1];  // Outputs by input; 0: no connection.
  logic [Ports-1:0]       idle = '1;  // Idle outputs.
  logic [Ports-1:0]       valid_due [0:2];  // Expected now, in one clock, in two clocks.
  logic [Ports*Width-1:0] flit_due [0:2];
  int                     input_of_request;
  int                     streamed = 0;

  task fail;
    begin
      $display("valid %b flits %h, not %b %h; blocked %b", out_valid, out_flit, valid_due[0],
               flit_due[0], blocked);
      $finish(1);
    end
  endtask

  // Runs one clock: compares the outputs with the expected flits and lets every connected input
  // send.
  task step(input bit sending);
    begin
      @(negedge clk);
      if (out_valid !== valid_due[0] || out_flit !== flit_due[0] || blocked !== 1'b0) fail;
      valid_due[0] = valid_due[1];
      flit_due[0]  = flit_due[1];
      valid_due[1] = valid_due[2];
      flit_due[1]  = flit_due[2];
      valid_due[2] = '0;
      flit_due[2]  = '0;
      for (int i = 0; i < Ports; i++) in_flit[i*Width+:Width] = $random;
      for (int i = 0; i < Ports; i++) begin
        in_valid[i] = sending && outputs_of[i] != '0;
        for (int o = 0; o < Ports; o++) begin
          if (in_valid[i] && outputs_of[i][o]) begin
            valid_due[2][o]              = 1'b1;
            flit_due[2][o*Width+:Width] = in_flit[i*Width+:Width];
            streamed                     = streamed + 1;
          end
        end
      end
    end
  endtask

  // Disconnects the input if it has a connection; otherwise connects it to some of the idle
  // outputs.
  task request(input int i);
    begin
      input_of_request = i;
      req_connect      = outputs_of[i] == '0;
      req_switch       = i / N;
      req_port         = i % N;
      req_outputs      = idle & $random;
      if (!req_connect || req_outputs != '0) begin
        req_valid = 1'b1;
        step(1'b0);
        req_valid = 1'b0;
        while (done !== 1'b1) step(1'b0);
        idle          = req_connect ? idle & ~req_outputs : idle | outputs_of[i];
        outputs_of[i] = req_connect ? req_outputs : '0;
      end
    end
  endtask

  initial begin
    for (int i = 0; i < Ports; i++) outputs_of[i] = '0;
    for (int t = 0; t < 3; t++) begin
      valid_due[t] = '0;
      flit_due[t]  = '0;
    end
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    while (req_ready !== 1'b1) @(negedge clk);
    repeat (Requests) begin
      request({$random} % Ports);
      repeat (4) step(1'b1);
      step(1'b0);
    end
    if (streamed > Requests) $display("passed");
    else $display("only %0d flits were due", streamed);
    $finish;
  end
endmodule
