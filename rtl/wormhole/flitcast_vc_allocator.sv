// SPDX-License-Identifier: Apache-2.0
// Gives free output virtual channels to the input virtual channels whose heads wait for one.
//
// Rule      Separable, input first: a waiting input VC picks one of the free VCs of the output that
//           it is routed to, then each output VC picks one of the input VCs that picked it. Both by
//           round robin, in an order that moves on only with a grant (iSLIP; McKeown, "The iSLIP
//           Scheduling Algorithm for Input-Queued Switches", IEEE/ACM ToN 7(2), 1999).
// Numbers   VC v of port p is bit p*NumVcs+v, on both sides.
// Timing    Grants follow the requests in the same cycle.
// Reset     Synchronous; the lowest numbers go first after it.
// Model     VcCore::allocate_vcs() in models/router/vc_core.h.
module flitcast_vc_allocator #(
  parameter int NumPorts = 5,                               // From 1 up.
  parameter int NumVcs   = 2,                               // For each port, from 1 up.
  parameter int Num      = NumPorts * NumVcs                // Not to be set.
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,                   // Synchronous, active low.
  input  logic [Num-1:0]          waiting_i,
  input  logic [Num*NumPorts-1:0] route_i,                  // Output of each input VC, one-hot.
  input  logic [Num-1:0]          free_i,                   // Output VCs without a packet.
  output logic [Num-1:0]          granted_o,                // Input VCs that get an output VC,
  output logic [Num*NumVcs-1:0]   vc_o,                     // and which of their output.
  output logic [Num-1:0]          taken_o                   // Output VCs that are given away.
);

  if (NumPorts < 1 || NumVcs < 1 || Num != NumPorts * NumVcs) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [Num*Num-1:0] picks;    // Row i: the output VC that input VC i asks for.
  logic [Num*Num-1:0] winners;  // Row j: the input VC that gets output VC j.

  for (genvar i = 0; i < Num; i++) begin : gen_input
    logic [Num-1:0]    allowed, choices, pick;
    logic [NumVcs-1:0] vc;

    for (genvar p = 0; p < NumPorts; p++) begin : gen_port
      assign allowed[p*NumVcs+:NumVcs] = {NumVcs{route_i[i*NumPorts+p]}};
    end
    assign choices = waiting_i[i] ? free_i & allowed : '0;

    // The order runs over the VCs of all outputs: at another output it starts from VC 0.
    flitcast_rr_arbiter #(.NumReq(Num)) u_pick (
      .clk_i,
      .rst_ni,
      .req_i (choices),
      .take_i(granted_o[i]),
      .gnt_o (pick)
    );
    assign picks[i*Num+:Num] = pick;

    always_comb begin
      vc = '0;
      for (int p = 0; p < NumPorts; p++) vc = vc | pick[p*NumVcs+:NumVcs];
    end
    assign vc_o[i*NumVcs+:NumVcs] = granted_o[i] ? vc : '0;
  end

  flitcast_output_arbiters #(.Num(Num)) u_outputs (
    .clk_i, .rst_ni, .any_i(waiting_i != '0), .picks_i(picks), .grants_o(winners), .granted_o
  );
  for (genvar j = 0; j < Num; j++) begin : gen_output
    assign taken_o[j] = winners[j*Num+:Num] != '0;
  end

endmodule
