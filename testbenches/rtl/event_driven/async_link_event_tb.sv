// SPDX-License-Identifier: Apache-2.0
// A link between two clocks delivers every flit and every credit once, unchanged, in order and after
// two edges of the clock at its end, or later. Both ends pause at random. All registers start
// unknown.
`timescale 1ps / 1ps
module async_link_event_tb #(
  parameter int InPeriod  = 1000,
  parameter int OutPeriod = 1000,
  parameter int Flits     = 2000
);
  localparam int NumVcs  = 2;
  localparam int Credits = 4;

  logic        in_clk = 1'b0, out_clk = 1'b0, in_rst_n = 1'b0, out_rst_n = 1'b0;
  logic        in_valid = 1'b0, in_vc = 1'b0, out_credit_valid = 1'b0, out_credit_vc = 1'b0;
  logic [31:0] in_flit;
  logic        in_credit_valid, in_credit_vc, out_valid, out_vc, error, failed;
  logic [31:0] out_flit;

  int credits [0:NumVcs-1];
  int sent [0:NumVcs-1];       // Flits of a VC that were sent, and that have arrived.
  int came [0:NumVcs-1];
  int stored [0:NumVcs-1];
  int given = 0, back = 0;     // Credits.
  int in_edges = 0, out_edges = 0;
  int flit_at [0:65535];       // Edges of the other clock at which a flit, or a credit, was sent.
  int credit_at [0:65535];

  initial #(100 + {$random} % InPeriod) forever #(InPeriod / 2) in_clk = !in_clk;
  initial #(100 + {$random} % OutPeriod) forever #(OutPeriod / 2) out_clk = !out_clk;

  async_link_tb #(.NumVcs(NumVcs), .Credits(Credits)) u_link (
    .in_clk_i(in_clk), .in_rst_ni(in_rst_n), .in_valid_i(in_valid), .in_vc_i(in_vc),
    .in_flit_i(in_flit), .in_credit_valid_o(in_credit_valid), .in_credit_vc_o(in_credit_vc),
    .out_clk_i(out_clk), .out_rst_ni(out_rst_n), .out_valid_o(out_valid), .out_vc_o(out_vc),
    .out_flit_o(out_flit), .out_credit_valid_i(out_credit_valid), .out_credit_vc_i(out_credit_vc),
    .wrong_i(1'b0), .clear_i(1'b0), .error_o(error), .failed_o(failed)
  );

  task fail(input [8*40-1:0] what);
    begin
      $display("%0s: flit %h, VC %b, credit of VC %b", what, out_flit, out_vc, in_credit_vc);
      $finish(1);
    end
  endtask

  // The sender: looks at the credits before its edge, and offers a flit after it.
  always @(posedge in_clk) if (in_rst_n) begin
    if (in_credit_valid === 1'bx) fail("an unknown credit");
    in_edges <= in_edges + 1;
    if (in_credit_valid) begin
      if (back == given) fail("a credit that was not given");
      if (in_edges - credit_at[back] < 2) fail("a credit too early");
      back = back + 1;
      credits[in_credit_vc] = credits[in_credit_vc] + 1;
    end
  end
  always @(negedge in_clk) if (in_rst_n) begin
    in_vc    = $random;
    in_valid = credits[in_vc] > 0 && {$random} % 4 != 0 && sent[0] + sent[1] < Flits;
    in_flit  = {in_vc, 31'(sent[in_vc] * 40503)};
    if (in_valid) begin
      credits[in_vc] = credits[in_vc] - 1;
      sent[in_vc]    = sent[in_vc] + 1;
    end
  end
  // A flit is counted from its edge on.
  always @(posedge in_clk) if (in_rst_n && in_valid) flit_at[sent[in_vc]*2 + in_vc - 2] = out_edges;

  // The receiver.
  always @(posedge out_clk) if (out_rst_n) begin
    if (out_valid === 1'bx) fail("an unknown flit");
    out_edges <= out_edges + 1;
    if (out_valid) begin
      if (came[out_vc] >= sent[out_vc]) fail("a flit that was not sent");
      if (out_flit !== {out_vc, 31'(came[out_vc] * 40503)}) fail("another flit");
      if (out_edges - flit_at[came[out_vc]*2 + out_vc] < 2) fail("a flit too early");
      came[out_vc]   = came[out_vc] + 1;
      stored[out_vc] = stored[out_vc] + 1;
    end
  end
  always @(negedge out_clk) if (out_rst_n) begin
    if (error !== 1'b0 || failed !== 1'b0) fail("an error of parity");
    out_credit_vc    = $random;
    out_credit_valid = stored[out_credit_vc] > 0 && {$random} % 4 != 0;
    if (out_credit_valid) stored[out_credit_vc] = stored[out_credit_vc] - 1;
  end
  always @(posedge out_clk) if (out_rst_n && out_credit_valid) begin
    credit_at[given] = in_edges;
    given            = given + 1;
  end

  initial begin
    for (int v = 0; v < NumVcs; v++) begin
      credits[v] = Credits;
      sent[v]    = 0;
      came[v]    = 0;
      stored[v]  = 0;
    end
    #(4 * (InPeriod + OutPeriod));
    @(negedge in_clk) in_rst_n = 1'b1;
    @(negedge out_clk) out_rst_n = 1'b1;
    #(20 * Flits * (InPeriod + OutPeriod));
    $display("%0d of %0d flits have arrived, and %0d credits", came[0] + came[1], Flits, back);
    $finish;
  end

  always @(negedge in_clk) if (back == Flits && came[0] + came[1] == Flits) begin
    $display("passed");
    $finish;
  end
endmodule
