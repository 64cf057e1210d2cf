// SPDX-License-Identifier: Apache-2.0
// Claim: a parity_checker reports a flit from a parity_generator exactly if an odd number of its
// bits, those of the VC and the parity were changed in between, for one cycle in error_o and until
// it is cleared in failed_o; and its flit is the one that came.
module parity_proof #(
  parameter int VcWidth = 1,
  parameter int Width   = 2
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic               valid_i,
  input logic [VcWidth-1:0] vc_i,
  input logic [Width-1:0]   flit_i,
  input logic [VcWidth-1:0] wrong_vc_i,  // Bits that are changed.
  input logic [Width:0]     wrong_flit_i,
  input logic               clear_i
);

  logic [Width:0]   sent;
  logic [Width-1:0] came;
  logic             error, failed, due_q, failed_due_q, wrong;

  assign wrong = valid_i && ($countones(wrong_vc_i) + $countones(wrong_flit_i)) % 2 == 1;

  flitcast_parity_generator #(.VcWidth(VcWidth), .Width(Width)) u_generator (
    .vc_i, .flit_i, .flit_o(sent)
  );
  flitcast_parity_checker #(.VcWidth(VcWidth), .Width(Width)) u_checker (
    .clk_i, .rst_ni, .valid_i, .vc_i(vc_i ^ wrong_vc_i), .flit_i(sent ^ wrong_flit_i),
    .flit_o(came), .clear_i, .error_o(error), .failed_o(failed)
  );

  always_ff @(posedge clk_i) begin
    due_q        <= rst_ni && wrong;
    failed_due_q <= rst_ni && (wrong || (failed_due_q && !clear_i));
  end

  always_comb if (rst_ni) begin
    assert (error == due_q && failed == failed_due_q);
    assert (came == (flit_i ^ wrong_flit_i[Width-1:0]));
  end

endmodule
