// SPDX-License-Identifier: Apache-2.0
// Claim: an arbiter grants to one of those who request, if anyone does. A requester that holds its
// request is served within NumReq taken grants, and no other is served twice meanwhile.
//
// The watched requester is any one, from any clock on: waiting starts whenever it requests.
module arbiter_fairness_proof #(
  parameter int NumReq = 4,
  parameter bit Matrix = 1'b0  // The matrix arbiter; else the round-robin one.
) (
  input logic              clk_i,
  input logic              rst_ni,

  input logic [NumReq-1:0] req_i,
  input logic              take_i,
  input logic [NumReq-1:0] watched_i  // In the first clock after reset; its lowest bit counts.
);

  localparam int CountW = $clog2(NumReq + 1);

  logic [NumReq-1:0] gnt, watched_q, served_q;  // Served since the watched one began to wait.
  logic [CountW-1:0] passed_q;                  // Grants taken since then.
  logic              waits, is_taken;

  if (Matrix) begin : gen_matrix
    flitcast_matrix_arbiter #(.NumReq(NumReq)) u_design (
      .clk_i, .rst_ni, .req_i, .take_i, .gnt_o(gnt)
    );
  end else begin : gen_rr
    flitcast_rr_arbiter #(.NumReq(NumReq)) u_design (
      .clk_i, .rst_ni, .req_i, .take_i, .gnt_o(gnt)
    );
  end

  assign waits    = (req_i & watched_q) != '0 && (gnt & watched_q) == '0;
  assign is_taken = take_i && gnt != '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      watched_q <= watched_i & -watched_i;
      served_q  <= '0;
      passed_q  <= '0;
    end else if ((req_i & watched_q) == '0 || (is_taken && !waits)) begin
      served_q  <= '0;
      passed_q  <= '0;
    end else if (is_taken) begin
      served_q  <= served_q | gnt;
      passed_q  <= passed_q + CountW'(1);
    end
  end

  always_comb if (rst_ni) begin
    assert ((gnt & (gnt - NumReq'(1))) == '0);
    assert ((gnt & ~req_i) == '0);
    assert ((gnt != '0) == (req_i != '0));
    assert (32'(passed_q) < NumReq);
    assert (!(waits && is_taken && 32'(passed_q) == NumReq - 1));
    assert (!(waits && is_taken && (served_q & gnt) != '0));
  end

endmodule
