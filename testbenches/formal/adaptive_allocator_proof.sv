// SPDX-License-Identifier: Apache-2.0
// adaptive_allocator grants what the plain rule grants, in every cycle, whatever is offered, free
// and credited: an input VC asks for the open output VC of the greatest preference, which is a
// number as in models/router/adaptive_core.h, and none that is not open.
module adaptive_allocator_proof #(
  parameter int NumInputs  = 1,
  parameter int NumOutputs = 2,
  parameter int NumVcs     = 2,
  parameter int NumLevels  = 2,
  parameter int ByCredits  = 1,
  parameter int Depth      = 2,
  localparam int CountW    = $clog2(Depth + 1),
  localparam int NumIn     = NumInputs * NumVcs,
  localparam int NumOut    = NumOutputs * NumVcs
) (
  input logic                              clk_i,
  input logic                              rst_ni,

  input logic [NumIn-1:0]                  waiting_i,
  input logic [NumIn*NumLevels*NumOut-1:0] options_i,
  input logic [NumOut-1:0]                 free_i,
  input logic [NumIn*NumOut-1:0]           space_i,
  input logic [NumOut*CountW-1:0]          credits_i
);

  logic [NumIn-1:0]            granted, granted_due;
  logic [NumIn*NumOutputs-1:0] route;
  logic [NumIn*NumVcs-1:0]     vc;
  logic [NumOut-1:0]           taken;
  logic [NumIn*NumOut-1:0]     picks;
  logic [NumOut*NumIn-1:0]     winners;

  flitcast_adaptive_allocator #(
    .NumInputs(NumInputs), .NumOutputs(NumOutputs), .NumVcs(NumVcs), .NumLevels(NumLevels),
    .ByCredits(ByCredits), .Depth(Depth)
  ) u_allocator (
    .clk_i, .rst_ni, .waiting_i, .options_i, .free_i, .space_i, .credits_i,
    .granted_o(granted), .route_o(route), .vc_o(vc), .taken_o(taken)
  );

  function automatic logic [7:0] credits_of(input int j);
    credits_of = 8'(credits_i[j*CountW+:CountW]);
  endfunction

  for (genvar i = 0; i < NumIn; i++) begin : gen_input
    logic [7:0]        last_q, last_d;  // The output VC granted last.
    logic [NumOut-1:0] pick;
    logic              is_open;
    logic [7:0]        sum, behind;
    logic [31:0]       most, its;

    always_comb begin
      most   = '0;
      pick   = '0;
      last_d = last_q;
      for (int l = 0; l < NumLevels; l++) begin
        for (int j = 0; j < NumOut; j++) begin
          is_open = waiting_i[i] && options_i[(i*NumLevels+l)*NumOut+j] && free_i[j] &&
                    (l == 0 || space_i[i*NumOut+j]);
          sum = '0;
          for (int v = 0; v < NumVcs; v++) sum = sum + credits_of((j / NumVcs) * NumVcs + v);
          behind = (8'(j) > last_q) ? 8'(j) - last_q - 8'd1 : 8'(j) + 8'(NumOut) - last_q - 8'd1;
          its = {8'(l + 1), (ByCredits == 1) ? sum : 8'd0, 16'(8'hff - behind)};
          if (is_open && its > most) begin
            most   = its;
            pick   = NumOut'(1) << j;
            last_d = 8'(j);
          end
        end
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni)             last_q <= 8'(NumOut - 1);
      else if (granted_due[i]) last_q <= last_d;
    end
    assign picks[i*NumOut+:NumOut] = pick;

    for (genvar j = 0; j < NumOut; j++) begin : gen_output_vc
      always_comb if (rst_ni) begin
        assert ((granted[i] && route[i*NumOutputs+j/NumVcs] && vc[i*NumVcs+j%NumVcs]) ==
                (granted_due[i] && pick[j]));
      end
    end
    always_comb if (rst_ni) begin
      assert (granted[i] == granted_due[i]);
      assert (granted[i] || (route[i*NumOutputs+:NumOutputs] == '0 &&
                             vc[i*NumVcs+:NumVcs] == '0));
    end
  end

  flitcast_output_arbiters #(.NumRequesters(NumIn), .NumOutputs(NumOut)) u_outputs (
    .clk_i, .rst_ni, .picks_i(picks), .grants_o(winners), .granted_o(granted_due)
  );
  for (genvar j = 0; j < NumOut; j++) begin : gen_taken
    always_comb if (rst_ni) assert (taken[j] == (winners[j*NumIn+:NumIn] != '0));
  end

endmodule
