// SPDX-License-Identifier: Apache-2.0
// Claim: a controller does in every clock what clos_controller.sv says, with the middle switches
// of clos_pass, for any requests, stores and stalls.
//
// So it is ready when and only when it is idle, its beats wait until they are taken, and a request
// of P passes, c clocks each, shows its last beat 1 + P c clocks after it was taken.
//
// Store     Changes at any edge at which the controller is ready, that of a LOAD included.
module clos_controller_proof #(
  parameter int Design = 4,             // As in clos_search.sv.
  parameter int Scan = 0,               // Clocks of a pass before its UPDATE; not with Pruning.
  parameter int M = 4,
  parameter int R = 4,
  parameter int PassLimit = 2,          // 0: no limit.
  parameter bit StopWithoutProgress = 1'b1,
  parameter int RowsPerClock = 1,       // For seq_adder.
  parameter bit Pruning = 1'b0          // For seq_counter.
) (
  input logic           clk_i,
  input logic           rst_ni,

  input logic           req_valid_i,
  input logic [R-1:0]   req_set_i,
  input logic [M-1:0]   req_avail_i,
  input logic [M*R-1:0] store_i,
  input logic           beat_ready_i
);

  localparam int MiddleW = M > 1 ? $clog2(M) : 1;

  logic               req_valid, req_ready, beat_valid, beat_last, beat_fail;
  logic [MiddleW-1:0] beat_middle;
  logic [R-1:0]       beat_set;
  logic [M*R-1:0]     store_q;

  assign req_valid = req_valid_i && req_set_i != '0;
  always_ff @(posedge clk_i) if (req_ready) store_q <= store_i;

  flitcast_clos_controller #(
    .Design(Design), .M(M), .R(R), .PassLimit(PassLimit),
    .StopWithoutProgress(StopWithoutProgress), .Pruning(Pruning), .RowsPerClock(RowsPerClock)
  ) u_controller (
    .clk_i, .rst_ni, .req_valid_i(req_valid), .req_set_i, .req_avail_i, .req_ready_o(req_ready),
    .store_i(store_q), .beat_valid_o(beat_valid), .beat_middle_o(beat_middle),
    .beat_set_o(beat_set), .beat_last_o(beat_last), .beat_fail_o(beat_fail), .beat_ready_i
  );

  // Expected values.
  localparam int Longest = Pruning ? M * R : Scan;
  localparam int AgeW = $clog2(Longest + 2);
  localparam int PassW = $clog2(R + PassLimit + 1);

  logic               ready_q, busy_q, valid_q, last_q, fail_q;
  logic [R-1:0]       unserved_q, set_q, left;
  logic [M-1:0]       avail_q;
  logic [MiddleW-1:0] middle_q, middle;
  logic [AgeW-1:0]    age_q, scan;  // Clocks of the pass so far; those before its UPDATE.
  logic [PassW-1:0]   passes_q;
  logic               load, update, none, fail, last, busy_d;

  clos_pass #(.M(M), .R(R)) u_pass (
    .set_i(unserved_q), .avail_i(avail_q), .store_i(store_q),
    .none_o(none), .middle_o(middle), .left_o(left)
  );

  if (Pruning) begin : gen_pruned_scan
    // Bits of a set are looked at until it cannot win.
    logic         found, leave;
    logic [R-1:0] best;
    logic [R-1:0] seen;
    always_comb begin
      scan  = '0;
      found = 1'b0;
      best  = '0;
      for (int j = 0; j < M; j++) begin
        leave = 1'b0;
        seen  = '0;
        for (int b = 0; b < R; b++) begin
          seen[b] = store_q[j*R+b] && unserved_q[b];
          if (!leave) begin
            scan  = scan + AgeW'(1);
            leave = !avail_q[j] || (found && $countones(seen) >= $countones(best));
          end
        end
        if (!leave) begin
          found = 1'b1;
          best  = seen;
        end
      end
    end
  end else begin : gen_scan
    assign scan = AgeW'(Scan);
  end

  assign load   = ready_q && req_valid;
  assign update = busy_q && age_q == scan && (!valid_q || beat_ready_i);
  assign fail   = none || (StopWithoutProgress && left == unserved_q) ||
                  (PassLimit > 0 && left != '0 && passes_q == PassW'(PassLimit - 1));
  assign last   = fail || left == '0;
  assign busy_d = load || (busy_q && !(update && last));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ready_q <= 1'b0;
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      ready_q <= !busy_d;
      busy_q  <= busy_d;
      valid_q <= update || (valid_q && !beat_ready_i);
    end
  end

  always_ff @(posedge clk_i) begin
    if (load || update)     age_q <= '0;
    else if (age_q != scan) age_q <= age_q + AgeW'(1);
    if (load) begin
      unserved_q <= req_set_i;
      avail_q    <= req_avail_i;
      passes_q   <= '0;
    end else if (update) begin
      unserved_q <= left;
      passes_q   <= passes_q + PassW'(1);
      middle_q   <= middle;
      set_q      <= unserved_q & ~left;
      last_q     <= last;
      fail_q     <= fail;
    end
  end

  always_comb if (rst_ni) begin
    assert (req_ready == ready_q);
    assert (beat_valid == valid_q);
    if (valid_q) assert (beat_last == last_q && beat_fail == fail_q);
    if (valid_q && !fail_q) assert (beat_middle == middle_q && beat_set == set_q);
  end

endmodule
