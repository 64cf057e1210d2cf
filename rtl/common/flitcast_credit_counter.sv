// SPDX-License-Identifier: Apache-2.0
// The sender's count of free slots in the buffer at the other end of a channel.
//
// Use       A flit is sent (take_i) only while has_credit_o is high; a credit comes back (return_i)
//           when its slot is free again. Both may happen in the same cycle.
// Timing    Registered: a credit returned at an edge can be taken at the next one.
// Reset     Synchronous; all Depth slots are free after it.
// Misuse    A take without credit and a return of a credit never taken fail an assertion.
module flitcast_credit_counter #(
  parameter int Depth = 4                        // Slots of the buffer, from 1 up.
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,     // Synchronous, active low.
  input  logic                       take_i,
  input  logic                       return_i,
  output logic [$clog2(Depth+1)-1:0] credits_o,
  output logic                       has_credit_o
);

  if (Depth < 1) begin : gen_refused
    depth_must_be_at_least_1 u_refused ();
  end

  localparam int CountWidth = $clog2(Depth + 1);
  localparam logic [CountWidth-1:0] All = CountWidth'(Depth);

  logic [CountWidth-1:0] credits_d, credits_q;

  assign credits_o    = credits_q;
  assign has_credit_o = credits_q != '0;

  always_comb begin
    credits_d = credits_q;
    if (take_i && !return_i) credits_d = credits_q - CountWidth'(1);
    if (return_i && !take_i) credits_d = credits_q + CountWidth'(1);
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) credits_q <= All;
    else         credits_q <= credits_d;
  end

`ifndef SYNTHESIS
  logic misused;
  assign misused = (take_i && credits_q == '0) || (return_i && credits_q == All);
`ifdef FORMAL
  // Without misuse every slot is a credit here or is held outside.
  logic                  misused_q;
  logic [CountWidth-1:0] held_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      misused_q <= 1'b0;
      held_q    <= '0;
    end else begin
      misused_q <= misused_q || misused;
      held_q    <= held_q + CountWidth'(take_i) - CountWidth'(return_i);
    end
  end
  always_comb if (rst_ni) begin
    assert (misused_q || credits_q <= All);
    assert (misused_q || credits_q == All - held_q);
    assert (misused_q || has_credit_o == (held_q != All));  // Even the last credit is offered.
  end
`else
  always @(posedge clk_i) if (rst_ni) begin
    assert (!misused) else
        $error("flitcast_credit_counter: %m: a flit without a credit, or a credit for no flit");
  end
`endif
`endif

endmodule
