// SPDX-License-Identifier: Apache-2.0
// An input port of vc_router: its virtual channels, and the flit of the one that sends.
//
// Timing    As wormhole_input_vc.sv. What leaves follows offer_i at once, before it is known whether
//           it leaves; the credit for it follows send_i at once.
// Reset     Synchronous; empties all buffers.
// Misuse    A flit for a VC from NumVcs up fails an assertion, and so does one out of its packet's
//           order: a head before the tail of the packet before it, another flit without a head, one
//           whose remaining is not one less than that of the flit before it.
module flitcast_wormhole_input #(
  parameter int NumOutputs     = 5,
  parameter int NumVcs         = 2,
  parameter int Depth          = 4,
  parameter int HeaderWidth    = 4,
  parameter int RemainingWidth = 4,
  parameter int Width          = 34,
  parameter int RouteCycles    = 1,
  parameter int GrantCycles    = 1,
  parameter int AnyVc          = 0,
  parameter int Ram            = 0,
  localparam int VcWidth       = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,             // Synchronous, active low.
  input  logic                             in_valid_i,
  input  logic [VcWidth-1:0]               in_vc_i,
  input  logic [Width-1:0]                 in_flit_i,
  output logic                             in_credit_valid_o,
  output logic [VcWidth-1:0]               in_credit_vc_o,     // Zero without a credit.
  input  logic [NumVcs-1:0]                start_i,            // VCs with a head new at the front:
  input  logic [NumVcs*NumOutputs-1:0]     route_i,            // for each, its output, and the VCs
  input  logic [NumVcs*NumVcs-1:0]         vcs_i,              // there that it may take.
  input  logic [NumVcs-1:0]                grant_i,            // VCs that get an output VC, and
  input  logic [NumVcs*NumVcs-1:0]         granted_vc_i,       // which one.
  input  logic [NumVcs-1:0]                offer_i,            // The VC that may send; or zero.
  input  logic [NumVcs-1:0]                send_i,             // The same if it sends; or zero.
  // For each VC: a flit is present; a head starts to another output than that of the packet before
  // it; the flit at the front is a tail; its header; the number of flits after it if it is a head;
  // its output, the VCs that it may take there, and its VC.
  output logic [NumVcs-1:0]                occupied_o,
  output logic [NumVcs-1:0]                restart_o,
  output logic [NumVcs-1:0]                tail_o,
  output logic [NumVcs*HeaderWidth-1:0]    header_o,
  output logic [NumVcs*RemainingWidth-1:0] followers_o,
  output logic [NumVcs*NumOutputs-1:0]     route_o,
  output logic [NumVcs*NumVcs-1:0]         vcs_o,
  output logic [NumVcs*NumVcs-1:0]         held_o,
  output logic [NumVcs-1:0]                vc_o,               // VC of the output, one-hot, and
  output logic [Width-1:0]                 flit_o              // flit of the VC in offer_i.
);

  logic [NumVcs*Width-1:0] fronts;

  for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
    logic [RemainingWidth-1:0] remaining;

    flitcast_wormhole_input_vc #(
      .NumOutputs (NumOutputs),
      .NumVcs     (NumVcs),
      .Depth      (Depth),
      .Width      (Width),
      .RouteCycles(RouteCycles),
      .GrantCycles(GrantCycles),
      .AnyVc      (AnyVc),
      .Ram        (Ram)
    ) u_vc (
      .clk_i,
      .rst_ni,
      .push_i    (in_valid_i && in_vc_i == VcWidth'(v)),
      .flit_i    (in_flit_i),
      .start_i   (start_i[v]),
      .route_i   (route_i[v*NumOutputs+:NumOutputs]),
      .vcs_i     (vcs_i[v*NumVcs+:NumVcs]),
      .grant_i   (grant_i[v]),
      .vc_i      (granted_vc_i[v*NumVcs+:NumVcs]),
      .pop_i     (send_i[v]),
      .occupied_o(occupied_o[v]),
      .restart_o (restart_o[v]),
      .flit_o    (fronts[v*Width+:Width]),
      .route_o   (route_o[v*NumOutputs+:NumOutputs]),
      .vcs_o     (vcs_o[v*NumVcs+:NumVcs]),
      .held_o    (held_o[v*NumVcs+:NumVcs])
    );

    assign header_o[v*HeaderWidth+:HeaderWidth] = fronts[v*Width+:HeaderWidth];
    assign remaining = fronts[v*Width+HeaderWidth+:RemainingWidth];
    assign tail_o[v] = remaining == '0;
    assign followers_o[v*RemainingWidth+:RemainingWidth] =
        fronts[v*Width+HeaderWidth+RemainingWidth] ? remaining : '0;

`ifndef SYNTHESIS
    logic                      head_in;
    logic [RemainingWidth-1:0] remaining_in, due;  // Flits of a packet still to arrive.
    // Not named due_q: it is no register of the router, and no faults are seeded in it.
    assign head_in      = in_flit_i[HeaderWidth+RemainingWidth];
    assign remaining_in = in_flit_i[HeaderWidth+:RemainingWidth];
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                                   due <= '0;
      else if (in_valid_i && in_vc_i == VcWidth'(v)) due <= remaining_in;
    end
    always @(posedge clk_i) if (rst_ni && in_valid_i && in_vc_i == VcWidth'(v)) begin
      assert (!head_in || due == '0) else
          $error("flitcast_wormhole_input: %m: VC %0d: a head before the last tail", v);
      assert (head_in || due != '0) else
          $error("flitcast_wormhole_input: %m: VC %0d: a flit of no packet", v);
      assert (head_in || remaining_in == due - RemainingWidth'(1)) else
          $error("flitcast_wormhole_input: %m: VC %0d: remaining is out of order", v);
    end
`endif
  end

  assign in_credit_valid_o = send_i != '0;

  // Selects the flit of a VC. It is a function, since an always_comb here makes Icarus Verilog 11
  // loop on its own assignments.
  function automatic logic [NumVcs+Width-1:0] leaving(
    input logic [NumVcs-1:0]        vc_offers,
    input logic [NumVcs*NumVcs-1:0] vc_out,
    input logic [NumVcs*Width-1:0]  vc_flit
  );
    leaving = '0;
    for (int v = 0; v < NumVcs; v++) begin
      leaving = leaving | ({vc_out[v*NumVcs+:NumVcs], vc_flit[v*Width+:Width]} &
                           {(NumVcs + Width){vc_offers[v]}});
    end
  endfunction

  assign {vc_o, flit_o} = leaving(offer_i, held_o, fronts);

  always_comb begin
    in_credit_vc_o = '0;
    for (int v = 0; v < NumVcs; v++) if (send_i[v]) in_credit_vc_o = VcWidth'(v);
  end

`ifndef SYNTHESIS
  always @(posedge clk_i) if (rst_ni && in_valid_i) begin
    assert (32'(in_vc_i) < NumVcs) else
        $error("flitcast_wormhole_input: %m: a flit on VC %0d, which does not exist", in_vc_i);
  end
`endif

endmodule
