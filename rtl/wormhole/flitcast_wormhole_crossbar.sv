// SPDX-License-Identifier: Apache-2.0
// The crossbar of vc_router and the stages behind it.
//
//   in_flit_i, in_vc_i --> | source_i | --> stages --> out_valid_o, out_vc_o, out_flit_o
//
// Timing    sent_o and freed_o follow the inputs, the flit DepartureCycles - 1 cycles later.
// Reset     Synchronous; what is in flight is lost. Without ResetFlits only valid is reset, so that
//           the VC and the flit are not zero at once.
module flitcast_wormhole_crossbar #(
  parameter int NumInputs       = 5,
  parameter int NumOutputs      = 5,
  parameter int NumVcs          = 2,
  parameter int RemainingBit    = 4,                   // Lowest bit of this field.
  parameter int RemainingWidth  = 4,
  parameter int Width           = 34,
  parameter int DepartureCycles = 2,
  parameter int ResetFlits      = 0,
  localparam int VcWidth        = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,      // Synchronous, active low.
  input  logic [NumOutputs*NumInputs-1:0] source_i,    // Input of each output: one-hot, or zero.
  input  logic [NumInputs*NumVcs-1:0]     in_vc_i,     // VC of the output, one-hot.
  input  logic [NumInputs*Width-1:0]      in_flit_i,
  output logic [NumOutputs*NumVcs-1:0]    sent_o,      // Output VCs that take a flit,
  output logic [NumOutputs*NumVcs-1:0]    freed_o,     // and those for which it is a tail.
  output logic [NumOutputs-1:0]           out_valid_o,
  output logic [NumOutputs*VcWidth-1:0]   out_vc_o,    // Zero without a flit, but see Reset.
  output logic [NumOutputs*Width-1:0]     out_flit_o
);

  for (genvar o = 0; o < NumOutputs; o++) begin : gen_output
    logic [NumInputs-1:0]   source;
    logic [NumVcs-1:0]      vc;
    logic [Width-1:0]       flit;
    logic [VcWidth-1:0]     number;  // The VC.
    logic [VcWidth+Width:0] departing;

    assign source = source_i[o*NumInputs+:NumInputs];
    always_comb begin
      vc   = '0;
      flit = '0;
      // Without a branch, which takes less area.
      for (int p = 0; p < NumInputs; p++) begin
        vc   = vc | (in_vc_i[p*NumVcs+:NumVcs] & {NumVcs{source[p]}});
        flit = flit | (in_flit_i[p*Width+:Width] & {Width{source[p]}});
      end
    end

    assign sent_o[o*NumVcs+:NumVcs]  = vc;
    assign freed_o[o*NumVcs+:NumVcs] =
        (flit[RemainingBit+:RemainingWidth] == '0) ? vc : '0;

    always_comb begin
      number = '0;
      for (int v = 0; v < NumVcs; v++) if (vc[v]) number = VcWidth'(v);
    end
    flitcast_delay_line #(
      .Width     (1 + VcWidth + Width),
      .Cycles    (DepartureCycles - 1),
      .ResetWidth((ResetFlits == 1) ? 1 + VcWidth + Width : 1)
    ) u_stages (
      .clk_i, .rst_ni, .in_i({source != '0, number, flit}), .out_o(departing)
    );
    assign {out_valid_o[o], out_vc_o[o*VcWidth+:VcWidth], out_flit_o[o*Width+:Width]} = departing;
  end

endmodule
