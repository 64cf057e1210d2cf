// SPDX-License-Identifier: Apache-2.0
// First-in first-out storage for flits.
//
//   in_valid_i, in_flit_i --> [ slot | ... | slot ] --> out_valid_o, out_flit_o
//   in_ready_o            <--                       <-- out_ready_i
//
// Transfer  At an edge where valid and ready are both high; out_flit_o counts only when valid.
// Timing    One cycle from acceptance to out_valid_o. One flit per cycle for Depth >= 2, one per
//           two cycles for Depth 1: ready follows the registered count, not out_ready_i.
// Reset     Synchronous; empties the storage, so a transfer at that edge is lost.
// Slots     With Ram they are a memory with one write port and one read port, which has a register:
//           block RAM of an FPGA, or a macro. It is read in the cycle before, at the slot of the
//           next front, and a flit that is written there at that edge passes it by; the ports
//           behave the same in every cycle. A read and a write of one slot at one edge may give
//           anything. Without Ram the slots are registers, or RAM that is read at once (LUTRAM).
module flitcast_flit_fifo #(
  parameter int Width = 32,                      // From 1 up.
  parameter int Depth = 4,                       // Slots, from 1 up; no power of two is needed.
  parameter int Ram   = 0                        // 1: see Slots.
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,     // Synchronous, active low.
  input  logic                       in_valid_i,
  input  logic [Width-1:0]           in_flit_i,
  output logic                       in_ready_o,
  output logic                       out_valid_o,
  output logic [Width-1:0]           out_flit_o,
  input  logic                       out_ready_i,
  output logic [$clog2(Depth+1)-1:0] count_o     // Flits stored.
);

  if (Width < 1 || Depth < 1) begin : gen_refused
    width_and_depth_must_be_at_least_1 u_refused ();
  end
  if (Ram < 0 || Ram > 1) begin : gen_ram
    ram_must_be_0_or_1 u_refused ();
  end

  localparam int SlotWidth  = (Depth > 1) ? $clog2(Depth) : 1;
  localparam int CountWidth = $clog2(Depth + 1);
  localparam logic [SlotWidth-1:0]  LastSlot = SlotWidth'(Depth - 1);
  localparam logic [CountWidth-1:0] Full     = CountWidth'(Depth);

  logic [Width-1:0]      slots_q [Depth];
  logic [SlotWidth-1:0]  head_q, tail_q, second;  // The slot after the head.
  logic [CountWidth-1:0] count_d, count_q;
  logic                  push, pop;

  assign in_ready_o  = count_q != Full;
  assign out_valid_o = count_q != '0;
  assign count_o     = count_q;
  assign push        = in_valid_i && in_ready_o;
  assign pop         = out_valid_o && out_ready_i;
  assign second      = (head_q == LastSlot) ? '0 : head_q + SlotWidth'(1);

  if (Ram == 0 && Depth <= 256) begin : gen_registers
    logic [Depth*Width-1:0] slots;

    for (genvar i = 0; i < Depth; i++) begin : gen_slot
      assign slots[i*Width+:Width] = slots_q[i];
    end

    // Written out, since for slots_q[head_q] Yosys copies head_q and selects in a chain; up to a
    // depth of which Verilator unrolls the loop. It is a function, since an always_comb here makes
    // Icarus Verilog 11 loop on its own assignments.
    function automatic logic [Width-1:0] front(
      input logic [Depth*Width-1:0] of_slots,
      input logic [SlotWidth-1:0]   at
    );
      front = '0;
      for (int n = 0; n < Depth; n++) begin
        front = front | (of_slots[n*Width+:Width] & {Width{at == SlotWidth'(n)}});
      end
    endfunction

    assign out_flit_o = front(slots, head_q);
  end else if (Ram == 0) begin : gen_array
    assign out_flit_o = slots_q[head_q];
  end else begin : gen_memory
    logic [SlotWidth-1:0] head_d;
    logic [Width-1:0]     read_q, passing_q;
    logic                 passes_q;  // The front is passing_q.

    assign head_d     = pop ? second : head_q;
    assign out_flit_o = passes_q ? passing_q : read_q;

    always_ff @(posedge clk_i) begin
      read_q   <= slots_q[head_d];
      passes_q <= push && tail_q == head_d;
      if (push) passing_q <= in_flit_i;
    end
  end

  always_comb begin
    count_d = count_q;
    if (push && !pop) count_d = count_q + CountWidth'(1);
    if (pop && !push) count_d = count_q - CountWidth'(1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (push) tail_q <= (tail_q == LastSlot) ? '0 : tail_q + SlotWidth'(1);
      if (pop)  head_q <= second;
      count_q <= count_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (push) slots_q[tail_q] <= in_flit_i;
  end

`ifdef FORMAL
  always_comb if (rst_ni) begin
    assert (count_q <= Full);
    assert (!(push && count_q == Full));
    assert (!(pop && count_q == '0));
    assert (head_q <= LastSlot && tail_q <= LastSlot);
    // The slots from head to tail, round the end, are those counted.
    if (tail_q > head_q) assert (32'(count_q) == 32'(tail_q) - 32'(head_q));
    if (tail_q < head_q) assert (32'(count_q) == 32'(tail_q) - 32'(head_q) + Depth);
    if (tail_q == head_q) assert (count_q == '0 || count_q == Full);
  end
`endif

endmodule
