// SPDX-License-Identifier: Apache-2.0
// Matrix arbiter: offers a grant to that one of NumReq requesters which was served least recently.
//
// Fairness  A requester that holds its request is served within NumReq taken grants, and no
//           other is served twice before it.
// Timing    gnt_o follows req_i in the same cycle; the order changes at an edge with take_i.
// Reset     Synchronous; the order is 0, 1, ... after it.
// Cost      NumReq * (NumReq - 1) / 2 registers, one for each pair of requesters.
// Source    Dally and Towles, Principles and Practices of Interconnection Networks, section 18.5.
module flitcast_matrix_arbiter #(
  parameter int NumReq = 4           // From 1 up.
) (
  input  logic              clk_i,
  input  logic              rst_ni,  // Synchronous, active low.
  input  logic [NumReq-1:0] req_i,
  input  logic              take_i,  // The granted requester's transfer happens in this cycle.
  output logic [NumReq-1:0] gnt_o    // One-hot, or zero without requests.
);

  // Bit b of the row of a: b goes before a.
  logic [NumReq*NumReq-1:0] ahead;

  if (NumReq < 1) begin : gen_refused
    num_req_must_be_at_least_1 u_refused ();
  end

  for (genvar a = 0; a < NumReq; a++) begin : gen_row
    assign ahead[a*NumReq+a] = 1'b0;
    assign gnt_o[a] = req_i[a] && (req_i & ahead[a*NumReq+:NumReq]) == '0;

    for (genvar b = a + 1; b < NumReq; b++) begin : gen_pair
      logic swapped_q;  // The one of the two that was served goes last.
      always_ff @(posedge clk_i) begin
        if (!rst_ni)                  swapped_q <= 1'b0;
        else if (take_i && gnt_o[a])  swapped_q <= 1'b1;
        else if (take_i && gnt_o[b])  swapped_q <= 1'b0;
      end
      assign ahead[a*NumReq+b] = swapped_q;
      assign ahead[b*NumReq+a] = !swapped_q;
    end
  end

endmodule
