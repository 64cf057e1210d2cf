// SPDX-License-Identifier: Apache-2.0
// The slot of one packet in a store-and-forward router: its flits, its output, its timing.
//
//   arrive_i, in_* --> [ flit | ... | flit ] --> out_flit_o
//
// Use       A packet has the slot from the arrival of its head until free_i. It joins the queue of
//           its output (join_o), waits there (waits_o) until take_i, is read flit by flit, gives up
//           the slot with done_i, and owes a credit (owed_o) until free_i.
// Timing    waits_o is high from DecisionCycles cycles after the arrival of the head on, where
//           packets come from a node or leave to one, otherwise from DecisionCycles + FlitTime
//           after that of the tail. A flit can be read in the cycle in which it arrives: has_o and
//           out_flit_o follow read_i and the flit inputs at once, as owed_o does done_i. All other
//           outputs follow registers alone, or with DecisionCycles 0 the inputs, too.
// Reset     Synchronous; the slot is free.
// Misuse    A head in a used slot and a flit out of order fail an assertion.
module flitcast_store_forward_slot #(
  parameter int NumOutputs     = 5,                // From 1 up.
  parameter int NumVcs         = 2,                // From 1 up.
  parameter int MaxLength      = 4,                // Flits, from 1 up.
  parameter int Width          = 32,               // Bits of a flit, from 1 up.
  parameter int PacketWidth    = 8,                // Bits of a packet number, from 1 up.
  parameter int DecisionCycles = 2,                // Route and VC allocation, from 0 up.
  parameter int FlitTime       = 1,                // From 1 up.
  parameter int AnyVc          = 0,                // 1: in_vcs_i is not read, vcs_o is all VCs.
  parameter bit FromNode       = 1'b0,             // Packets come from a node.
  parameter logic [NumOutputs-1:0] ToNode = '0,    // Outputs that lead to a node.
  parameter int LengthWidth    = (MaxLength > 1) ? $clog2(MaxLength) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,           // Synchronous, active low.
  input  logic                   arrive_i,         // A flit comes to this slot.
  input  logic                   in_head_i,
  input  logic [LengthWidth-1:0] in_remaining_i,   // Flits behind it, below MaxLength.
  input  logic [PacketWidth-1:0] in_packet_i,      // Counts with the head, as the next.
  input  logic [NumOutputs-1:0]  in_output_i,      // One-hot,
  input  logic [NumVcs-1:0]      in_vcs_i,         // and VCs there; both count with the head.
  input  logic [Width-1:0]       in_flit_i,
  output logic                   used_o,
  output logic                   filling_o,        // The tail is still to come.
  output logic                   join_o,
  output logic [NumOutputs-1:0]  waits_o,          // In the queue of this output, or zero.
  output logic [NumVcs-1:0]      vcs_o,            // VCs there that it may take.
  output logic [PacketWidth-1:0] packet_o,
  output logic [LengthWidth-1:0] length_o,         // Flits behind the head.
  input  logic                   take_i,           // The output takes it out of its queue.
  input  logic [LengthWidth-1:0] read_i,           // The flit with this many behind
  output logic                   has_o,            // it has arrived
  output logic [Width-1:0]       out_flit_o,       // and is this one.
  input  logic                   done_i,           // The tail leaves.
  output logic                   owed_o,
  input  logic                   free_i            // The credit goes back.
);

  if (NumOutputs < 1 || NumVcs < 1 || MaxLength < 1 || Width < 1 || PacketWidth < 1 ||
      DecisionCycles < 0 || FlitTime < 1 || AnyVc < 0 || AnyVc > 1 || LengthWidth != ((MaxLength > 1) ? $clog2(MaxLength) : 1))
  begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  localparam int TimerWidth = $clog2(DecisionCycles + FlitTime + 1);
  localparam logic [TimerWidth-1:0] Early = TimerWidth'(DecisionCycles);
  localparam logic [TimerWidth-1:0] Late  = TimerWidth'(DecisionCycles + FlitTime);

  logic [Width-1:0]       flits_q [MaxLength];     // The tail is the first.
  logic                   used_q, filling_q, waiting_q, owed_q;
  logic [TimerWidth-1:0]  timer_d, timer_q;
  logic [LengthWidth-1:0] missing_d, missing_q;
  logic [LengthWidth-1:0] length_q;
  logic [PacketWidth-1:0] packet_q;
  logic [NumOutputs-1:0]  output_d, output_q;
  logic                   head, tail, early, bypass;

  assign head   = arrive_i && in_head_i;
  assign tail   = arrive_i && in_remaining_i == '0;
  assign early  = FromNode || (output_d & ToNode) != '0;
  assign bypass = arrive_i && in_remaining_i == read_i;

  assign output_d  = head ? in_output_i : output_q;
  assign missing_d = arrive_i ? in_remaining_i : missing_q;

  always_comb begin
    timer_d = (timer_q == '0) ? '0 : timer_q - TimerWidth'(1);
    if (early ? head : tail) timer_d = early ? Early : Late;
  end

  if (DecisionCycles == 0) begin : gen_at_once
    assign join_o   = timer_q == TimerWidth'(1) || (early && head);
    assign waits_o  = (join_o || waiting_q) ? output_d : '0;
    assign packet_o = head ? in_packet_i : packet_q;
    assign length_o = head ? in_remaining_i : length_q;
  end else begin : gen_later
    assign join_o   = timer_q == TimerWidth'(1);
    assign waits_o  = (join_o || waiting_q) ? output_q : '0;
    assign packet_o = packet_q;
    assign length_o = length_q;
  end

  if (AnyVc == 1) begin : gen_any_vc
    logic unused_vcs;
    assign vcs_o      = '1;
    assign unused_vcs = ^in_vcs_i;
  end else begin : gen_vcs
    logic [NumVcs-1:0] vcs_q;
    always_ff @(posedge clk_i) if (head) vcs_q <= in_vcs_i;
    assign vcs_o = (DecisionCycles == 0 && head) ? in_vcs_i : vcs_q;
  end

  assign used_o     = used_q;
  assign filling_o  = filling_q;
  assign has_o      = read_i >= missing_d;
  assign out_flit_o = bypass ? in_flit_i : flits_q[read_i];
  assign owed_o     = owed_q || done_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q    <= 1'b0;
      filling_q <= 1'b0;
      waiting_q <= 1'b0;
      owed_q    <= 1'b0;
      timer_q   <= '0;
    end else begin
      used_q    <= (used_q || head) && !free_i;
      filling_q <= (filling_q || head) && !tail;
      waiting_q <= (waiting_q || join_o) && !take_i;
      owed_q    <= owed_o && !free_i;
      timer_q   <= timer_d;
    end
  end

  // Read only after a head has written it.
  always_ff @(posedge clk_i) begin
    missing_q <= missing_d;
    output_q  <= output_d;
    if (head) length_q <= in_remaining_i;
    if (head) packet_q <= in_packet_i;
    if (arrive_i) flits_q[in_remaining_i] <= in_flit_i;
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  always @(posedge clk_i) if (rst_ni && arrive_i) begin
    assert (in_head_i ? !used_q : filling_q) else
        $error("flitcast_store_forward_slot: %m: a head in a used slot, or a flit without a head");
    assert (in_head_i || in_remaining_i + LengthWidth'(1) == missing_q) else
        $error("flitcast_store_forward_slot: %m: a flit out of its packet's order");
  end
`endif
`endif

endmodule
