// SPDX-License-Identifier: Apache-2.0
// A node of the network of mesh_proof or ring_proof. It sends and takes flits when it likes, but:
//
//   1  It sends with a credit only, and the flits of a packet one after another on one VC.
//   2  A packet has one flit or two. Once the head is sent, the other flit follows as soon as there
//      is a credit, or one clock later if the other VC is served first.
//   3  It gives the credit for a flit back after 1 to 1 + Hold clocks.
//
// A buffer has one flit.
module network_node #(
  parameter int NumVcs      = 1,                // 1 or 2.
  parameter int HeaderWidth = 2,
  parameter int MaxFlits    = 2,                // 1 or 2.
  parameter int Hold        = 0,
  localparam int Width      = HeaderWidth + 2,  // From the highest bit: head, remaining, header.
  localparam int WaitW      = $clog2(Hold + 2)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // Free in every clock.
  input  logic                   send_i,
  input  logic                   vc_i,
  input  logic [HeaderWidth-1:0] header_i,
  input  logic                   long_i,
  input  logic                   return_i,
  input  logic                   return_vc_i,
  // The network.
  output logic                   in_valid_o,
  output logic                   in_vc_o,
  output logic [Width-1:0]       in_flit_o,
  input  logic                   in_credit_valid_i,
  input  logic                   in_credit_vc_i,
  input  logic                   out_valid_i,
  input  logic                   out_vc_i,
  input  logic [Width-1:0]       out_flit_i,
  output logic                   out_credit_valid_o,
  output logic                   out_credit_vc_o,
  // State of the node by VC: credits, stored flits, and what the last flit on either side said.
  output logic [NumVcs-1:0]      credits_o,
  output logic [NumVcs-1:0]      stored_o,
  output logic [NumVcs-1:0]      in_due_o,
  output logic [NumVcs-1:0]      out_due_o,
  output logic                   sound_o     // No flit waits too long in the node.
);

  logic [NumVcs-1:0]       credits_q, stored_q, in_due_q, out_due_q;
  logic [NumVcs*WaitW-1:0] waits_q;
  logic [NumVcs-1:0]       owed, late, in_vc, out_vc, taken, back;
  logic                    head, remaining;

  assign credits_o = credits_q;
  assign stored_o  = stored_q;
  assign in_due_o  = in_due_q;
  assign out_due_o = out_due_q;

  // The VCs of the flits and credits, one-hot.
  assign owed   = in_due_q & credits_q;
  assign in_vc  = (owed & (NumVcs'(1) << vc_i)) != '0 ? NumVcs'(1) << vc_i :
                  owed != '0 ? owed : (NumVcs'(1) << vc_i) & credits_q & {NumVcs{send_i}};
  assign out_vc = out_valid_i ? NumVcs'(1) << out_vc_i : '0;
  assign back   = late != '0 ? late : (NumVcs'(1) << return_vc_i) & stored_q & {NumVcs{return_i}};
  assign taken  = in_credit_valid_i ? NumVcs'(1) << in_credit_vc_i : '0;

  assign head               = (in_vc & in_due_q) == '0;
  assign remaining          = head && long_i && MaxFlits == 2;
  assign in_valid_o         = in_vc != '0;
  assign in_vc_o            = NumVcs > 1 && in_vc[NumVcs-1];
  assign in_flit_o          = {head, remaining, head ? header_i : HeaderWidth'(0)};
  assign out_credit_valid_o = back != '0;
  assign out_credit_vc_o    = NumVcs > 1 && back[NumVcs-1];

  for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
    logic [WaitW-1:0] wait_q;
    assign waits_q[v*WaitW+:WaitW] = wait_q;
    assign late[v]                 = stored_q[v] && 32'(wait_q) >= Hold;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        credits_q[v] <= 1'b1;
        stored_q[v]  <= 1'b0;
        in_due_q[v]  <= 1'b0;
        out_due_q[v] <= 1'b0;
        wait_q       <= '0;
      end else begin
        credits_q[v] <= (credits_q[v] && !in_vc[v]) || taken[v];
        stored_q[v]  <= (stored_q[v] && !back[v]) || out_vc[v];
        wait_q       <= stored_q[v] && !back[v] ? wait_q + 1'b1 : '0;
        if (in_vc[v])  in_due_q[v]  <= remaining;
        if (out_vc[v]) out_due_q[v] <= out_flit_i[HeaderWidth];
      end
    end
  end

  // Flits of two VCs came one after another, so that only one is late.
  assign sound_o = (late & (late - 1'b1)) == '0 && 32'(waits_q[WaitW-1:0]) <= Hold &&
                   32'(waits_q[(NumVcs-1)*WaitW+:WaitW]) <= Hold && (stored_q != '1 || NumVcs == 1 ||
                   waits_q[WaitW-1:0] != waits_q[(NumVcs-1)*WaitW+:WaitW]);

endmodule
