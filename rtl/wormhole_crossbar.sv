// SPDX-License-Identifier: Apache-2.0
// The data path of wormhole_router: from the fronts of its buffers to its outputs, and the credits
// for the slots that become free.
//
// Timing    Credits in the cycle of the grant, flits DepartureCycles - 1 cycles later.
// Reset     Synchronous; what is under way is lost.
module wormhole_crossbar #(
  parameter int NumPorts        = 5,
  parameter int NumVcs          = 2,
  parameter int Width           = 34,
  parameter int DepartureCycles = 2,
  // The others follow from those above and are not to be set.
  parameter int VcWidth         = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  parameter int Num             = NumPorts * NumVcs
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,             // Synchronous, active low.
  input  logic [Num-1:0]                sends_i,            // Input VCs, one of a port at most.
  input  logic [NumPorts*NumPorts-1:0]  source_i,           // Input of each output, one-hot.
  input  logic [Num*Num-1:0]            held_i,             // Output VC of each input VC, one-hot.
  input  logic [Num*Width-1:0]          front_i,            // Flit at the front of each input VC.
  output logic [NumPorts-1:0]           in_credit_valid_o,
  output logic [NumPorts*VcWidth-1:0]   in_credit_vc_o,
  output logic [NumPorts-1:0]           out_valid_o,
  output logic [NumPorts*VcWidth-1:0]   out_vc_o,
  output logic [NumPorts*Width-1:0]     out_flit_o
);

  // What leaves an input port; all zero if nothing does.
  localparam int TokenWidth = 1 + VcWidth + Width;
  logic [NumPorts*TokenWidth-1:0] tokens;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_input
    logic [Num-1:0]     held;
    logic [VcWidth-1:0] out_vc, in_vc;
    logic [Width-1:0]   flit;

    always_comb begin
      held  = '0;
      in_vc = '0;
      flit  = '0;
      for (int v = 0; v < NumVcs; v++) begin
        if (sends_i[p*NumVcs+v]) begin
          held  = held_i[(p*NumVcs+v)*Num+:Num];
          in_vc = VcWidth'(v);
          flit  = front_i[(p*NumVcs+v)*Width+:Width];
        end
      end
    end
    always_comb begin
      out_vc = '0;
      for (int j = 0; j < Num; j++) if (held[j]) out_vc = out_vc | VcWidth'(j % NumVcs);
    end

    assign in_credit_valid_o[p]               = sends_i[p*NumVcs+:NumVcs] != '0;
    assign in_credit_vc_o[p*VcWidth+:VcWidth] = in_vc;
    assign tokens[p*TokenWidth+:TokenWidth]   = {in_credit_valid_o[p], out_vc, flit};
  end

  for (genvar o = 0; o < NumPorts; o++) begin : gen_output
    logic [TokenWidth-1:0] granted, departing;

    always_comb begin
      granted = '0;
      for (int p = 0; p < NumPorts; p++) begin
        if (source_i[o*NumPorts+p]) granted = tokens[p*TokenWidth+:TokenWidth];
      end
    end

    delay_line #(.Width(TokenWidth), .Cycles(DepartureCycles - 1)) u_departure (
      .clk_i, .rst_ni, .in_i(granted), .out_o(departing)
    );
    assign {out_valid_o[o], out_vc_o[o*VcWidth+:VcWidth], out_flit_o[o*Width+:Width]} =
        departing;
  end

endmodule
