// SPDX-License-Identifier: Apache-2.0
// A channel between two routers whose clocks differ: flits one way, credits back.
//
//   in_valid_i, in_vc_i, in_flit_i     --> async_fifo --> out_valid_o, out_vc_o, out_flit_o
//   in_credit_valid_o, in_credit_vc_o  <-- async_fifo <-- out_credit_valid_i, out_credit_vc_i
//                           in_clk_i, the sender's | out_clk_i, the receiver's
//
// Use         In place of the wires of a channel, with the same rules: a flit moves at an edge where
//             valid is high, and so does a credit; there is no ready. The sender has a credit for
//             each flit, for the buffer of Credits flits of its VC in the receiver.
// Order       Nothing is lost, repeated or reordered, at any frequencies and phases.
// Space       All credits of the sender are as many as a FIFO may have to store, so that a FIFO
//             never is full: FifoDepth is at least NumVcs*Credits. The receiver takes every flit,
//             and the sender every credit, in the first cycle in which it can be seen.
// Latency     A flit sampled at an edge of in_clk_i is on the outputs after the second edge of
//             out_clk_i from there on, or after the third (synchronizer.sv), for one cycle if no
//             other follows it. A credit takes the same the other way, by edges of in_clk_i.
// Throughput  One flit per cycle of the slower clock, if the credits cover the round trip: 9 for
//             clocks of about one frequency (10 if their edges coincide), 6 at 2:1 and 4 at 10:1,
//             where a credit follows its flit in the next cycle; one more for each cycle later.
// Reset       Synchronous, of each side to its own clock; empties the channel. Both sides are reset
//             together: neither is released before both clocks had an edge with both in reset.
// Parity      parity_generator.sv and parity_checker.sv around it, with Width for one bit more.
// Misuse      A flit without space, which is one without a credit, a credit for no flit, and a VC
//             number from NumVcs up fail an assertion.
// Constraints README.md: the paths between the clocks.
module flitcast_async_link #(
  parameter int NumVcs    = 2,                                     // From 1 up.
  parameter int Credits   = 4,                                     // Flits that the receiver stores
                                                                   // of a VC, from 1 up.
  parameter int Width     = 34,                                    // Bits of a flit, from 1 up.
  parameter int FifoDepth = 2**$clog2((NumVcs*Credits > 1) ? NumVcs*Credits : 2),  // Slots of both FIFOs.
  localparam int VcWidth  = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  logic               in_clk_i,
  input  logic               in_rst_ni,                            // Synchronous, active low.
  input  logic               in_valid_i,
  input  logic [VcWidth-1:0] in_vc_i,
  input  logic [Width-1:0]   in_flit_i,
  output logic               in_credit_valid_o,
  output logic [VcWidth-1:0] in_credit_vc_o,                       // Counts only with a credit.
  input  logic               out_clk_i,
  input  logic               out_rst_ni,                           // Synchronous, active low.
  output logic               out_valid_o,
  output logic [VcWidth-1:0] out_vc_o,                             // Both count only with a flit.
  output logic [Width-1:0]   out_flit_o,
  input  logic               out_credit_valid_i,
  input  logic [VcWidth-1:0] out_credit_vc_i
);

  if (NumVcs < 1 || Credits < 1 || Width < 1) begin : gen_sizes
    num_vcs_credits_and_width_must_be_at_least_1 u_refused ();
  end
  if (FifoDepth < 2 || 2**$clog2(FifoDepth) != FifoDepth) begin : gen_power
    fifo_depth_must_be_a_power_of_two_from_2_up u_refused ();
  end
  if (FifoDepth < NumVcs*Credits) begin : gen_space
    fifo_depth_must_hold_all_credits u_refused ();
  end

  logic flit_ready, credit_ready;

  flitcast_async_fifo #(.Width(VcWidth + Width), .Depth(FifoDepth)) u_flits (
    .in_clk_i,
    .in_rst_ni,
    .in_valid_i,
    .in_data_i  ({in_vc_i, in_flit_i}),
    .in_ready_o (flit_ready),
    .out_clk_i,
    .out_rst_ni,
    .out_valid_o,
    .out_data_o ({out_vc_o, out_flit_o}),
    .out_ready_i(1'b1)
  );

  flitcast_async_fifo #(.Width(VcWidth), .Depth(FifoDepth)) u_credits (
    .in_clk_i   (out_clk_i),
    .in_rst_ni  (out_rst_ni),
    .in_valid_i (out_credit_valid_i),
    .in_data_i  (out_credit_vc_i),
    .in_ready_o (credit_ready),
    .out_clk_i  (in_clk_i),
    .out_rst_ni (in_rst_ni),
    .out_valid_o(in_credit_valid_o),
    .out_data_o (in_credit_vc_o),
    .out_ready_i(1'b1)
  );

`ifndef SYNTHESIS
  always @(posedge in_clk_i) if (in_rst_ni && in_valid_i) begin
    assert (flit_ready) else
        $error("flitcast_async_link: %m: VC %0d: a flit without a credit finds no space", in_vc_i);
    assert (32'(in_vc_i) < NumVcs) else
        $error("flitcast_async_link: %m: a flit on VC %0d, which does not exist", in_vc_i);
  end
  always @(posedge out_clk_i) if (out_rst_ni && out_credit_valid_i) begin
    assert (credit_ready) else
        $error("flitcast_async_link: %m: VC %0d: a credit for no flit finds no space",
               out_credit_vc_i);
    assert (32'(out_credit_vc_i) < NumVcs) else
        $error("flitcast_async_link: %m: there is no VC %0d for a credit", out_credit_vc_i);
  end
`else
  logic unused_ready;
  assign unused_ready = flit_ready && credit_ready;
`endif

endmodule
