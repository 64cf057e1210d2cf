// SPDX-License-Identifier: Apache-2.0
// A stream that breaks one rule, by the number Fault, or none with 0: see stream_checker_test.
module stream_checker_tb #(
  parameter int Fault = 0
);
  logic       clk = 1'b0;
  logic       rst_n = 1'b0;
  logic       tvalid = 1'b0;
  logic       tready = 1'b0;
  logic       tlast = 1'b0;
  logic [7:0] tdata = 8'h00;
  logic [1:0] tdest = 2'd1;

  always #5 clk = !clk;

  flitcast_stream_checker #(.DataWidth(8), .DestWidth(2), .MaxBeats(3)) u_checker (
    .clk_i(clk), .rst_ni(rst_n), .tvalid_i(tvalid), .tready_i(tready), .tdata_i(tdata),
    .tlast_i(tlast), .tdest_i(tdest)
  );

  // Shows a beat at two edges; it is accepted at the second.
  task beat(input logic [7:0] data, input logic last, input logic [1:0] dest);
    begin
      tvalid = 1'b1;
      tdata  = data;
      tlast  = last;
      tdest  = dest;
      tready = 1'b0;
      @(negedge clk);
      if (Fault == 1 && data == 8'h02) tvalid = 1'b0;
      if (Fault == 2 && data == 8'h02) tdata  = 8'h03;
      if (Fault == 3 && data == 8'h02) tlast  = !last;
      if (Fault == 4 && data == 8'h02) tdest  = ~dest;
      tready = 1'b1;
      @(negedge clk);
      tvalid = 1'b0;
    end
  endtask

  initial begin
    if (Fault == 5) tvalid = 1'b1;  // In reset.
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    if (Fault == 8) tready = 1'bx;
    if (Fault == 8) @(negedge clk);
    beat(8'h01, 1'b0, 2'd1);
    beat(8'h02, Fault != 6 && Fault != 7, 2'd1);  // 6 and 7: its last is lost.
    beat(8'h04, 1'b0, Fault == 6 ? 2'd2 : 2'd1);
    @(negedge clk);
    beat(8'h05, 1'b1, 2'd1);
    $display("end");
    $finish;
  end
endmodule
