// SPDX-License-Identifier: Apache-2.0
// First-in first-out storage between two clocks of any frequencies and phases.
//
//   in_valid_i, in_data_i --> [ slot | ... | slot ] --> out_valid_o, out_data_o
//   in_ready_o            <--   in_clk_i | out_clk_i <-- out_ready_i
//
// Transfer    At an edge of its side's clock where valid and ready are both high; out_data_o counts
//             only when valid. Nothing is lost, repeated or reordered.
// Pointers    Each side counts modulo 2*Depth in a Gray code, in a register; the other side sees the
//             count through synchronizer.sv, so that it is at most too old: a side sees too few
//             flits or too few free slots, never too many.
// Latency     out_valid_o rises after the second edge of out_clk_i from the edge of the acceptance
//             on, or after the third (synchronizer.sv). A slot is free for in_ready_o after the
//             second or third edge of in_clk_i from the edge on at which it was read.
// Throughput  One transfer per cycle of the slower clock, if Depth covers the round trip: 8 for
//             clocks of about one frequency, where a slot is used again after at most 7 cycles.
// Reset       Synchronous, of each side to its own clock; empties the storage. Both sides are reset
//             together: neither is released before both clocks had an edge with both in reset.
// Constraints The pointers are one cycle of the faster clock, at most, on their way to the first
//             flip-flop of a synchronizer, and so are the slots to out_data_o: see README.md.
module flitcast_async_fifo #(
  parameter int Width = 32,                // Bits, from 1 up.
  parameter int Depth = 8                  // Slots, a power of two from 2 up.
) (
  input  logic             in_clk_i,
  input  logic             in_rst_ni,      // Synchronous to in_clk_i, active low.
  input  logic             in_valid_i,
  input  logic [Width-1:0] in_data_i,
  output logic             in_ready_o,
  input  logic             out_clk_i,
  input  logic             out_rst_ni,     // Synchronous to out_clk_i, active low.
  output logic             out_valid_o,
  output logic [Width-1:0] out_data_o,
  input  logic             out_ready_i
);

  if (Width < 1) begin : gen_width
    width_must_be_at_least_1 u_refused ();
  end
  if (Depth < 2 || 2**$clog2(Depth) != Depth) begin : gen_depth
    depth_must_be_a_power_of_two_from_2_up u_refused ();
  end

  localparam int SlotWidth    = $clog2(Depth);
  localparam int PointerWidth = SlotWidth + 1;
  // A full store has the pointers half a turn apart, which is the two highest bits in Gray code.
  localparam logic [PointerWidth-1:0] HalfTurn = PointerWidth'(3) << (SlotWidth - 1);

  logic [Width-1:0]        slots_q [Depth];
  logic [PointerWidth-1:0] in_pointer_q, out_pointer_q;        // Gray codes.
  logic [PointerWidth-1:0] out_pointer_seen, in_pointer_seen;  // By the other side.
  logic                    push, pop;

  // The Gray code after this one.
  function automatic logic [PointerWidth-1:0] next_of(input logic [PointerWidth-1:0] code);
    logic [PointerWidth-1:0] count;
    count = code;
    for (int step = 1; step < PointerWidth; step = step * 2) count = count ^ (count >> step);
    count   = count + PointerWidth'(1);
    next_of = count ^ (count >> 1);
  endfunction

  // The slot of a pointer: the Gray code of its count modulo Depth.
  function automatic logic [SlotWidth-1:0] slot_of(input logic [PointerWidth-1:0] code);
    slot_of = code[SlotWidth-1:0] ^ (SlotWidth'(code[SlotWidth]) << (SlotWidth - 1));
  endfunction

  assign in_ready_o  = in_pointer_q != (out_pointer_seen ^ HalfTurn);
  assign out_valid_o = out_pointer_q != in_pointer_seen;
  assign out_data_o  = slots_q[slot_of(out_pointer_q)];
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;

  always_ff @(posedge in_clk_i) begin
    if (!in_rst_ni) in_pointer_q <= '0;
    else if (push)  in_pointer_q <= next_of(in_pointer_q);
  end

  always_ff @(posedge out_clk_i) begin
    if (!out_rst_ni) out_pointer_q <= '0;
    else if (pop)    out_pointer_q <= next_of(out_pointer_q);
  end

  always_ff @(posedge in_clk_i) begin
    if (push) slots_q[slot_of(in_pointer_q)] <= in_data_i;
  end

  flitcast_synchronizer #(.Width(PointerWidth)) u_to_out (
    .clk_i(out_clk_i), .rst_ni(out_rst_ni), .in_i(in_pointer_q), .out_o(in_pointer_seen)
  );
  flitcast_synchronizer #(.Width(PointerWidth)) u_to_in (
    .clk_i(in_clk_i), .rst_ni(in_rst_ni), .in_i(out_pointer_q), .out_o(out_pointer_seen)
  );

endmodule
