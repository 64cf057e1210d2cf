// SPDX-License-Identifier: Apache-2.0
// All designs of the Clos controller serve random requests; the bench compares each beat with the
// algorithm.
module clos_controllers_event_tb #(
  parameter int Designs = 5  // Designs of clos_search.sv; two more have an option.
);
  localparam int M = 5;
  localparam int R = 4;
  localparam int PassLimit = 3;
  localparam int MiddleW = 3;
  localparam int Num = Designs + 2;
  localparam int Requests = 150;

  logic clk = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = !clk;

  logic [Num-1:0]             req_valid = '0;
  logic [Num-1:0]             beat_ready = '0;
  logic [R-1:0]               req_set;
  logic [M-1:0]               req_avail;
  logic [M*R-1:0]             store;
  logic [Num-1:0]             req_ready, beat_valid, beat_last, beat_fail;
  logic [Num*MiddleW-1:0]     beat_middle;
  logic [Num*R-1:0]           beat_set;

  clos_controllers_tb #(
    .Designs(Designs), .M(M), .R(R), .PassLimit(PassLimit), .RowsPerClock(2)
  ) u_designs (
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(req_valid), .req_set_i(req_set),
    .req_avail_i(req_avail), .req_ready_o(req_ready), .store_i(store), .beat_valid_o(beat_valid),
    .beat_middle_o(beat_middle), .beat_set_o(beat_set), .beat_last_o(beat_last),
    .beat_fail_o(beat_fail), .beat_ready_i(beat_ready)
  );

  // Unserved part of the request and number of passes, by controller.
  logic [R-1:0]       unserved [0:Num-1];
  int                 passes [0:Num-1];
  logic [Num-1:0] busy = '0;

  // The algorithm's choice for the next pass: middle switch k with the least count, and its set
  // M_k.
  int                 least;
  logic [MiddleW-1:0] middle;
  logic [R-1:0]       row;

  int served = 0;
  int blocked = 0;

  task choose(input int d);
    int count;
    begin
      least = R + 1;
      for (int j = 0; j < M; j++) begin
        count = 0;
        for (int k = 0; k < R; k++) count = count + (store[j*R+k] && unserved[d][k] ? 1 : 0);
        if (req_avail[j] && count < least) begin
          least  = count;
          middle = j;
          row    = store[j*R+:R];
        end
      end
    end
  endtask

  task check_beat(input int d);
    reg [R-1:0] set;
    reg         fails, last;
    begin
      choose(d);
      set         = unserved[d] & ~row;
      passes[d]   = passes[d] + 1;
      fails       = least > R || set == '0 || (least > 0 && passes[d] == PassLimit);
      last        = fails || least == 0;
      unserved[d] = unserved[d] & row;
      if (beat_fail[d] !== fails || beat_last[d] !== last ||
          (!fails && (beat_middle[d*MiddleW+:MiddleW] !== middle || beat_set[d*R+:R] !== set)))
      begin
        $display("controller %0d: wrong beat: middle %b set %b last %b fail %b", d,
                 beat_middle[d*MiddleW+:MiddleW], beat_set[d*R+:R], beat_last[d], beat_fail[d]);
        $finish(1);
      end
      busy[d] = !last;
      served  = served + (last ? 1 : 0);
      blocked = blocked + (fails ? 1 : 0);
    end
  endtask

  // Records the transfers of the coming edge.
  task look;
    begin
      if (^{req_ready, beat_valid} === 1'bx) begin
        $display("a handshake is unknown: ready %b, valid %b", req_ready, beat_valid);
        $finish(1);
      end
      for (int d = 0; d < Num; d++) begin
        if (beat_valid[d] && beat_ready[d]) check_beat(d);
        if (req_valid[d] && req_ready[d]) begin
          unserved[d] = req_set;
          passes[d]   = 0;
          busy[d]     = 1'b1;
        end
      end
    end
  endtask

  task serve_request;
    begin
      store     = $random | $random;
      req_set   = 1 + {$random} % 15;
      req_avail = $random | $random;
      req_valid = '1;
      while (req_valid != '0 || busy != '0) begin
        beat_ready = $random;
        #1 look;
        @(negedge clk);
        req_valid = req_valid & ~busy;
      end
    end
  endtask

  initial begin
    repeat (2) @(negedge clk);
    rst_n = 1'b1;
    repeat (Requests) @(negedge clk) serve_request;
    if (served == Num * Requests && blocked > 0) $display("passed");
    else $display("%0d of %0d requests served, %0d blocked", served, Num * Requests, blocked);
    $finish;
  end
endmodule
