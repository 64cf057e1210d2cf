// SPDX-License-Identifier: Apache-2.0
// The order in which entries wait in several queues: first come, first served, and of those that
// come in the same cycle the one with the smallest key.
//
// Use       An entry joins (join_i) and shows the queue it waits in from the same cycle on; it may
//           stop at any time, from any position, and has then to join again.
// Timing    first_o follows the inputs in the same cycle, those that join included.
// Cost      NumEntries * NumEntries registers, half as many comparators of keys.
module flitcast_store_forward_order #(
  parameter int NumEntries = 8,                        // From 1 up.
  parameter int NumQueues  = 5,                        // From 1 up.
  parameter int KeyWidth   = 8                         // From 1 up.
) (
  input  logic                            clk_i,
  input  logic [NumEntries-1:0]           join_i,
  input  logic [NumEntries*KeyWidth-1:0]  key_i,
  input  logic [NumQueues*NumEntries-1:0] waits_i,     // By queue; an entry is in one at most.
  output logic [NumQueues*NumEntries-1:0] first_o      // By queue: one-hot, or zero if empty.
);

  if (NumEntries < 1 || NumQueues < 1 || KeyWidth < 1) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  localparam int N = NumEntries;

  // Bit j of the row of i: j comes before i, if both wait.
  logic [N*N-1:0] smaller;           // Were both to join now.
  logic [N*N-1:0] before_d, before_q;

  for (genvar i = 0; i < N; i++) begin : gen_key
    for (genvar j = 0; j < N; j++) begin : gen_other
      if (j < i) begin : gen_lower
        assign smaller[i*N+j] = key_i[j*KeyWidth+:KeyWidth] <= key_i[i*KeyWidth+:KeyWidth];
      end else if (j > i) begin : gen_higher
        assign smaller[i*N+j] = key_i[j*KeyWidth+:KeyWidth] < key_i[i*KeyWidth+:KeyWidth];
      end else begin : gen_same
        assign smaller[i*N+j] = 1'b0;
      end
    end
  end

  for (genvar i = 0; i < N; i++) begin : gen_before
    assign before_d[i*N+:N] = join_i[i] ? ~join_i | smaller[i*N+:N] : before_q[i*N+:N] & ~join_i;
  end

  // Assigned bit by bit: an always_comb over all of them keeps Icarus Verilog 11 busy for ever.
  for (genvar q = 0; q < NumQueues; q++) begin : gen_queue
    for (genvar i = 0; i < N; i++) begin : gen_first
      assign first_o[q*N+i] = waits_i[q*N+i] && (waits_i[q*N+:N] & before_d[i*N+:N]) == '0;
    end
  end

  // No reset is needed: a waiting packet has joined after it.
  always_ff @(posedge clk_i) before_q <= before_d;

endmodule
