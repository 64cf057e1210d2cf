// SPDX-License-Identifier: Apache-2.0
// Claim: passes of clos_pass, PassLimit of them at most, make a route or fail, and
//
//   route     Every output switch wanted is served once, by a middle switch that is available and
//             can reach it; no middle switch serves nothing, and none serves in two passes.
//   fail      Without an available middle switch or, after the passes, if something is left. A pass
//             without progress shows that early: no route exists then.
//   complete  What is fully served by some middle switches never fails with PassLimit >= R.
//   bound     With Bound available middle switches and every output switch out of reach of N - 1
//             middle switches at most, nothing fails. By Theorem 3 of the lecture any number above
//             (N - 1) R^(1 / PassLimit) is such a bound. 0: not claimed.
//
// Source    CS838 lecture notes (1999); Yang and Masson, IEEE Transactions on Computers 40 (1991).
module clos_route_proof #(
  parameter int M = 4,
  parameter int R = 4,
  parameter int PassLimit = 2,
  parameter int N = 4,          // Outputs of an output switch.
  parameter int Bound = 0
) (
  input logic           clk_i,
  input logic           rst_ni,

  input logic [R-1:0]   req_set_i,
  input logic [M-1:0]   req_avail_i,
  input logic [M*R-1:0] store_i
);

  localparam int MiddleW = M > 1 ? $clog2(M) : 1;

  // Row p: before pass p, from 0; the last row: after the passes.
  logic [(PassLimit+1)*R-1:0] unserved;
  logic [(PassLimit+1)*M-1:0] used;  // Middle switches.
  logic                       unused_clock;

  assign unused_clock    = clk_i;
  assign unserved[R-1:0] = req_set_i;
  assign used[M-1:0]     = '0;

  for (genvar p = 0; p < PassLimit; p++) begin : gen_passes
    logic [R-1:0]       wanted, left, reach;
    logic [M-1:0]       earlier;
    logic [MiddleW-1:0] middle;
    logic               none;

    clos_pass #(.M(M), .R(R)) u_pass (
      .set_i(wanted), .avail_i(req_avail_i), .store_i(store_i),
      .none_o(none), .middle_o(middle), .left_o(left)
    );
    assign wanted               = unserved[p*R+:R];
    assign earlier              = used[p*M+:M];
    assign reach                = ~store_i[32'(middle)*R+:R];
    assign unserved[(p+1)*R+:R] = none ? wanted : left;
    assign used[(p+1)*M+:M]     = wanted == '0 || none ? earlier : earlier | (M'(1) << middle);

    always_comb if (rst_ni && wanted != '0) begin
      assert (none == (req_avail_i == '0));
      if (!none) begin
        assert (req_avail_i[middle]);
        assert ((wanted & ~left & ~reach) == '0 && (left & ~wanted) == '0);
        for (int j = 0; j < M; j++) begin
          if (req_avail_i[j]) begin
            assert ($countones(left) <= $countones(store_i[j*R+:R] & wanted));
            if (j < 32'(middle)) begin
              assert ($countones(left) < $countones(store_i[j*R+:R] & wanted));
            end
          end
        end
        if (left != wanted) assert (!earlier[middle]);
        if (left == wanted) assert (!feasible && fails);
      end
    end
  end

  // Routes that are possible at all.
  logic         feasible, fails, is_within;
  logic [R-1:0] out_of_reach;
  always_comb begin
    out_of_reach = '1;
    for (int j = 0; j < M; j++) begin
      if (req_avail_i[j]) out_of_reach = out_of_reach & store_i[j*R+:R];
    end
  end
  assign feasible = (req_set_i & out_of_reach) == '0;
  assign fails    = unserved[PassLimit*R+:R] != '0;

  // Assumptions of the bound.
  int busy;
  always_comb begin
    is_within = $countones(req_avail_i) >= Bound;
    busy      = 0;
    for (int o = 0; o < R; o++) begin
      busy = 0;
      for (int j = 0; j < M; j++) busy = busy + 32'(store_i[j*R+o]);
      if (busy > N - 1) is_within = 1'b0;
    end
  end

  always_comb if (rst_ni && req_set_i != '0) begin
    assert ($countones(used[PassLimit*M+:M]) <= PassLimit);
    if (!feasible) assert (fails);
    if (PassLimit >= R) assert (fails == !feasible);
    if (Bound > 0 && is_within) assert (!fails);
  end

endmodule
