// SPDX-License-Identifier: Apache-2.0
// The credits of the output virtual channels of vc_router, and which input VCs have enough.
//
// Timing    A credit sampled at an edge counts after it.
// Reset     Synchronous; every output VC has Depth credits after it.
// Misuse    A credit for a VC from NumVcs up, and more of them than Depth, fail an assertion.
module flitcast_wormhole_credits #(
  parameter int NumInputs         = 5,
  parameter int NumOutputs        = 5,
  parameter int NumVcs            = 2,
  parameter int Depth             = 4,
  parameter int RemainingWidth    = 4,
  parameter int WholePacketCredit = 0,
  localparam int VcWidth          = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  localparam int NumIn            = NumInputs * NumVcs,
  localparam int NumOut           = NumOutputs * NumVcs
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,          // Synchronous, active low.
  input  logic [NumOutputs-1:0]           return_valid_i,
  input  logic [NumOutputs*VcWidth-1:0]   return_vc_i,
  input  logic [NumOut-1:0]               sent_i,          // Output VCs that take a flit.
  input  logic [NumIn*NumOutputs-1:0]     route_i,         // Each input VC: its output,
  input  logic [NumIn*NumVcs-1:0]         held_i,          // the VC there that it holds,
  input  logic [NumIn*RemainingWidth-1:0] followers_i,     // and, of a head, its remaining.
  output logic [NumIn-1:0]                credited_o       // Input VCs whose flit may go.
);

  if (NumInputs < 1 || NumOutputs < 1 || NumVcs < 1 || WholePacketCredit < 0 ||
      WholePacketCredit > 1) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  localparam int CountWidth = $clog2(Depth + 1);

  logic [NumOut-1:0]            has_credit;
  logic [NumOut*CountWidth-1:0] credits;

  for (genvar p = 0; p < NumOutputs; p++) begin : gen_port
`ifndef SYNTHESIS
    always @(posedge clk_i) begin
      if (rst_ni && return_valid_i[p]) begin
        assert (32'(return_vc_i[p*VcWidth+:VcWidth]) < NumVcs) else
            $error("flitcast_wormhole_credits: %m: port %0d: there is no VC %0d for a credit", p,
                   return_vc_i[p*VcWidth+:VcWidth]);
      end
    end
`endif
    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      flitcast_credit_counter #(.Depth(Depth)) u_credits (
        .clk_i,
        .rst_ni,
        .take_i      (sent_i[p*NumVcs+v]),
        .return_i    (return_valid_i[p] && return_vc_i[p*VcWidth+:VcWidth] == VcWidth'(v)),
        .credits_o   (credits[(p*NumVcs+v)*CountWidth+:CountWidth]),
        .has_credit_o(has_credit[p*NumVcs+v])
      );
    end
  end

  for (genvar i = 0; i < NumIn; i++) begin : gen_input
    logic [NumOutputs-1:0] route;
    logic [NumVcs-1:0]     held;

    assign route = route_i[i*NumOutputs+:NumOutputs];
    assign held  = held_i[i*NumVcs+:NumVcs];

    if (WholePacketCredit == 0) begin : gen_flits
      logic [NumVcs-1:0] available;
      logic              unused_inputs;

      always_comb begin
        available = '0;
        // Without a branch, which simulates faster.
        for (int p = 0; p < NumOutputs; p++) begin
          available = available | (has_credit[p*NumVcs+:NumVcs] & {NumVcs{route[p]}});
        end
      end
      assign credited_o[i] = (held & available) != '0;
      assign unused_inputs = ^{credits, followers_i[i*RemainingWidth+:RemainingWidth]};
    end else begin : gen_packets
      logic [CountWidth-1:0] available;
      logic                  unused_inputs;

      always_comb begin
        available = '0;
        for (int j = 0; j < NumOut; j++) begin
          if (route[j/NumVcs] && held[j%NumVcs]) available = credits[j*CountWidth+:CountWidth];
        end
      end
      assign credited_o[i] = 32'(available) > 32'(followers_i[i*RemainingWidth+:RemainingWidth]);
      assign unused_inputs = ^has_credit;
    end
  end

endmodule
