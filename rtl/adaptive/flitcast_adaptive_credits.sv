// SPDX-License-Identifier: Apache-2.0
// The credits of the output virtual channels of adaptive_router, and which of these have enough for
// the next flit of each input virtual channel: for the choice among outputs and for the switch.
//
// Space     A flit needs a credit; with WholePacketCredit a head needs one for each flit of its
//           packet.
// Timing    A credit sampled at an edge counts after it.
// Reset     Synchronous; every output VC has Depth credits after it.
// Misuse    A credit for a VC from NumVcs up, and more of them than Depth, fail an assertion.
module flitcast_adaptive_credits #(
  parameter int NumInputs         = 5,
  parameter int NumOutputs        = 5,
  parameter int NumVcs            = 2,
  parameter int Depth             = 4,
  parameter int RemainingWidth    = 4,
  parameter int WholePacketCredit = 0,
  localparam int VcWidth          = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  localparam int CountWidth       = $clog2(Depth + 1),
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
  output logic [NumOut*CountWidth-1:0]    credits_o,       // Credits of output VCs.
  output logic [NumIn*NumOut-1:0]         space_o,         // Row i: output VCs with space for the
                                                           // flit of input VC i.
  output logic [NumIn-1:0]                credited_o       // Input VCs whose flit may go.
);

  if (NumInputs < 1 || NumOutputs < 1 || NumVcs < 1 || RemainingWidth < 1 ||
      WholePacketCredit < 0 || WholePacketCredit > 1) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [NumOut-1:0] has_credit;

  for (genvar p = 0; p < NumOutputs; p++) begin : gen_port
`ifndef SYNTHESIS
    always @(posedge clk_i) if (rst_ni && return_valid_i[p]) begin
      assert (32'(return_vc_i[p*VcWidth+:VcWidth]) < NumVcs) else
          $error("flitcast_adaptive_credits: %m: port %0d: there is no VC %0d for a credit", p,
                 return_vc_i[p*VcWidth+:VcWidth]);
    end
`endif
  end

  for (genvar j = 0; j < NumOut; j++) begin : gen_output_vc
    localparam int Port = j / NumVcs;
    localparam int Vc   = j % NumVcs;
    flitcast_credit_counter #(.Depth(Depth)) u_credits (
      .clk_i,
      .rst_ni,
      .take_i      (sent_i[j]),
      .return_i    (return_valid_i[Port] &&
                    return_vc_i[Port*VcWidth+:VcWidth] == VcWidth'(Vc)),
      .credits_o   (credits_o[j*CountWidth+:CountWidth]),
      .has_credit_o(has_credit[j])
    );
  end

  for (genvar i = 0; i < NumIn; i++) begin : gen_input
    logic [NumOutputs-1:0]     route;
    logic [NumVcs-1:0]         held;
    logic [RemainingWidth-1:0] followers;
    logic [NumOut-1:0]         space;
    logic [NumOut-1:0]         holds;  // The output VC that it holds.

    assign route     = route_i[i*NumOutputs+:NumOutputs];
    assign held      = held_i[i*NumVcs+:NumVcs];
    assign followers = followers_i[i*RemainingWidth+:RemainingWidth];
    for (genvar j = 0; j < NumOut; j++) begin : gen_space
      assign holds[j] = route[j/NumVcs] && held[j%NumVcs];
      if (WholePacketCredit == 0) begin : gen_flit
        assign space[j] = has_credit[j];
      end else begin : gen_packet
        assign space[j] = 32'(credits_o[j*CountWidth+:CountWidth]) > 32'(followers);
      end
    end
    if (WholePacketCredit == 0) begin : gen_flits
      logic unused_followers;
      assign unused_followers = ^followers;
    end
    assign space_o[i*NumOut+:NumOut] = space;
    assign credited_o[i]             = (holds & space) != '0;
  end

  if (WholePacketCredit == 1) begin : gen_packets
    logic unused_credit;
    assign unused_credit = ^has_credit;
  end

endmodule
