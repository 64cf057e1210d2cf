// SPDX-License-Identifier: Apache-2.0
// An input port of a store-and-forward router: slots for packets, and credits for the sender.
//
// Arrival   A head takes the lowest free slot of its VC, the flits after it follow.
// Credits   One for each packet, registered, from the edge at which the last flit leaves the slot.
//           The wires carry one per cycle: if several packets are done, VCs take turns (round
//           robin), and the others keep their slots.
// Slots     Slot p of VC v has bit or field v * NumSlots + p of the vectors. See
//           store_forward_slot.sv for what they mean and when.
// Sizes     As in packet_router.sv, which refuses others; DecisionCycles is its route and VC
//           allocation together.
// Reset     Synchronous; all slots are free.
// Misuse    A head without a free slot, a head inside a packet and a flit without a head, or for a
//           VC from NumVcs up, fail an assertion.
module flitcast_store_forward_input #(
  parameter int NumOutputs     = 5,
  parameter int NumVcs         = 2,
  parameter int NumSlots       = 2,                      // Packets per VC.
  parameter int MaxLength      = 4,
  parameter int Width          = 32,
  parameter int PacketWidth    = 8,
  parameter int DecisionCycles = 2,
  parameter int FlitTime       = 1,
  parameter int AnyVc          = 0,
  parameter bit FromNode       = 1'b0,
  parameter logic [NumOutputs-1:0] ToNode = '0,
  parameter int LengthWidth    = (MaxLength > 1) ? $clog2(MaxLength) : 1,
  parameter int VcWidth        = (NumVcs > 1) ? $clog2(NumVcs) : 1,
  parameter int N              = NumVcs * NumSlots
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,               // Synchronous, active low.
  input  logic                     in_valid_i,
  input  logic [VcWidth-1:0]       in_vc_i,
  input  logic                     in_head_i,
  input  logic [LengthWidth-1:0]   in_remaining_i,
  input  logic [PacketWidth-1:0]   in_packet_i,
  input  logic [NumOutputs-1:0]    in_output_i,          // One-hot.
  input  logic [NumVcs-1:0]        in_vcs_i,
  input  logic [Width-1:0]         in_flit_i,
  output logic                     in_credit_valid_o,
  output logic [VcWidth-1:0]       in_credit_vc_o,
  output logic [N-1:0]             join_o,
  output logic [N*NumOutputs-1:0]  waits_o,
  output logic [N*NumVcs-1:0]      vcs_o,
  output logic [N*PacketWidth-1:0] packet_o,
  output logic [N*LengthWidth-1:0] length_o,
  input  logic [N-1:0]             take_i,
  input  logic [N*LengthWidth-1:0] read_i,
  output logic [N-1:0]             has_o,
  output logic [N*Width-1:0]       flit_o,
  input  logic [N-1:0]             done_i,
  output logic                     busy_o                // A slot is used.
);

  if (NumVcs < 1 || NumSlots < 1 || VcWidth != ((NumVcs > 1) ? $clog2(NumVcs) : 1) ||
      LengthWidth != ((MaxLength > 1) ? $clog2(MaxLength) : 1) || N != NumVcs * NumSlots)
  begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [N-1:0]      used, filling, owed;
  logic [N-1:0]      arrive, free;
  logic [NumVcs-1:0] vc_owed, vc_credit;

  for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
    logic [NumSlots-1:0] vacant, of_vc, owed_here;

    assign vacant    = ~used[v*NumSlots+:NumSlots];
    assign owed_here = owed[v*NumSlots+:NumSlots];
    assign of_vc     = in_head_i ? vacant & -vacant : filling[v*NumSlots+:NumSlots];

    assign arrive[v*NumSlots+:NumSlots] =
        (in_valid_i && in_vc_i == VcWidth'(v)) ? of_vc : '0;
    assign vc_owed[v]                   = owed_here != '0;
    assign free[v*NumSlots+:NumSlots] = vc_credit[v] ? owed_here & -owed_here : '0;

`ifndef SYNTHESIS
`ifndef FORMAL
    always @(posedge clk_i) begin
      if (rst_ni && in_valid_i && in_vc_i == VcWidth'(v) && in_head_i) begin
        assert (filling[v*NumSlots+:NumSlots] == '0) else
            $error("flitcast_store_forward_input: %m: VC %0d: a head inside a packet", v);
      end
    end
`endif
`endif
  end

  for (genvar n = 0; n < N; n++) begin : gen_slot
    flitcast_store_forward_slot #(
      .NumOutputs(NumOutputs),
      .NumVcs(NumVcs),
      .MaxLength(MaxLength),
      .Width(Width),
      .PacketWidth(PacketWidth),
      .DecisionCycles(DecisionCycles),
      .FlitTime(FlitTime),
      .AnyVc(AnyVc),
      .FromNode(FromNode),
      .ToNode(ToNode)
    ) u_slot (
      .clk_i,
      .rst_ni,
      .arrive_i      (arrive[n]),
      .in_head_i,
      .in_remaining_i,
      .in_packet_i,
      .in_output_i,
      .in_vcs_i,
      .in_flit_i,
      .used_o        (used[n]),
      .filling_o     (filling[n]),
      .join_o        (join_o[n]),
      .waits_o       (waits_o[n*NumOutputs+:NumOutputs]),
      .vcs_o         (vcs_o[n*NumVcs+:NumVcs]),
      .packet_o      (packet_o[n*PacketWidth+:PacketWidth]),
      .length_o      (length_o[n*LengthWidth+:LengthWidth]),
      .take_i        (take_i[n]),
      .read_i        (read_i[n*LengthWidth+:LengthWidth]),
      .has_o         (has_o[n]),
      .out_flit_o    (flit_o[n*Width+:Width]),
      .done_i        (done_i[n]),
      .owed_o        (owed[n]),
      .free_i        (free[n])
    );
  end

  flitcast_rr_arbiter #(.NumReq(NumVcs)) u_credit (
    .clk_i, .rst_ni, .req_i(vc_owed), .take_i(1'b1), .gnt_o(vc_credit)
  );

  assign busy_o = used != '0;

  logic [VcWidth-1:0] credit_vc;

  always_comb begin
    credit_vc = '0;
    for (int v = 0; v < NumVcs; v++) if (vc_credit[v]) credit_vc = credit_vc | VcWidth'(v);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_credit_valid_o <= 1'b0;
      in_credit_vc_o    <= '0;
    end else begin
      in_credit_valid_o <= vc_owed != '0;
      in_credit_vc_o    <= credit_vc;
    end
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  always @(posedge clk_i) if (rst_ni && in_valid_i) begin
    assert (arrive != '0) else
        $error("flitcast_store_forward_input: %m: VC %0d: %s", in_vc_i, 32'(in_vc_i) >= NumVcs ?
               "there is no such VC" : in_head_i ? "no slot is free" : "a flit without a head");
  end
`endif
`endif

endmodule
