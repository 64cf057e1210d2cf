// SPDX-License-Identifier: Apache-2.0
// Claim: a node_source whose stream keeps the rules sends every beat once, unchanged and in order,
// as the flits of its packet, which are whole, numbered, and in one VC; never without a credit; and
// a whole packet leaves while there are credits.
//
// The stream, and the router that returns credits, are free otherwise. The beats in the source are
// kept a second time.
module node_source_proof #(
  parameter int NumVcs         = 1,
  parameter int Depth          = 1,
  parameter int RemainingWidth = 1,
  parameter int MaxFlits       = 2,
  parameter int StoreFlits     = 2,
  parameter int StorePackets   = 1,
  // The others are derived.
  parameter int VcWidth        = NumVcs > 1 ? $clog2(NumVcs) : 1
) (
  input logic               clk_i,
  input logic               rst_ni,

  input logic               offer_i,       // A beat is offered, if none waits.
  input logic               data_i,
  input logic               last_i,
  input logic               dest_i,        // Counts with the first beat of a packet.
  input logic               return_i,      // The router has taken a flit out.
  input logic [VcWidth-1:0] return_vc_i
);

  localparam int Width  = 1 + RemainingWidth + 1 + 1;
  localparam int CountW = $clog2(Depth + 1);
  localparam int StoreW = $clog2(StoreFlits + 1);

  // The beat that waits, and the packet that it is of.
  logic                     waits_q, data_q, last_q, dest_q;
  logic [RemainingWidth-1:0] beats_q;
  logic                     tvalid, tready, tdata, tlast, tdest, accepted;
  // The beats in the source, {data, last, dest}, the oldest in the lowest bits; whole packets.
  logic [StoreFlits*3-1:0]  store_q;
  logic [StoreW-1:0]        count_q, place, whole_q;
  // The router: flits whose credits are not returned; the last flit of all.
  logic [NumVcs*CountW-1:0] taken_q;
  logic [RemainingWidth-1:0] due_q;
  logic [VcWidth-1:0]       vc_q;

  logic                      out_valid, credit_valid, head;
  logic [VcWidth-1:0]        out_vc;
  logic [Width-1:0]          flit;
  logic                      flit_data, flit_dest;
  logic [RemainingWidth-1:0] remaining;

  assign tvalid   = waits_q || offer_i;
  assign tdata    = waits_q ? data_q : data_i;
  assign tlast    = waits_q ? last_q : last_i || 32'(beats_q) == MaxFlits - 1;
  assign tdest    = waits_q || beats_q != '0 ? dest_q : dest_i;
  assign accepted = tvalid && tready;
  assign place    = count_q - StoreW'(out_valid);
  assign {flit_data, head, remaining, flit_dest} = flit;
  assign credit_valid = return_i && 32'(return_vc_i) < NumVcs &&
                        taken_q[32'(return_vc_i)*CountW+:CountW] != '0;

  flitcast_node_source #(
    .NumVcs(NumVcs), .Depth(Depth), .DataWidth(1), .DestWidth(1), .RemainingWidth(RemainingWidth),
    .MaxFlits(MaxFlits), .StoreFlits(StoreFlits), .StorePackets(StorePackets)
  ) u_source (
    .clk_i, .rst_ni, .s_tvalid_i(tvalid), .s_tready_o(tready), .s_tdata_i(tdata),
    .s_tlast_i(tlast), .s_tdest_i(tdest), .out_valid_o(out_valid), .out_vc_o(out_vc),
    .out_flit_o(flit), .out_credit_valid_i(credit_valid), .out_credit_vc_i(return_vc_i)
  );

  always_ff @(posedge clk_i) begin
    data_q <= tdata;
    last_q <= tlast;
    dest_q <= tdest;
    if (!rst_ni) begin
      waits_q <= 1'b0;
      beats_q <= '0;
      count_q <= '0;
      whole_q <= '0;
      taken_q <= '0;
      due_q   <= '0;
    end else begin
      waits_q <= tvalid && !tready;
      if (accepted) beats_q <= tlast ? '0 : beats_q + 1'b1;
      count_q <= count_q + StoreW'(accepted) - StoreW'(out_valid);
      whole_q <= whole_q + StoreW'(accepted && tlast) - StoreW'(out_valid && remaining == '0);
      for (int v = 0; v < NumVcs; v++) begin
        taken_q[v*CountW+:CountW] <= taken_q[v*CountW+:CountW] +
            CountW'(out_valid && 32'(out_vc) == v) - CountW'(credit_valid && 32'(return_vc_i) == v);
      end
      if (out_valid) due_q <= remaining;
    end
    if (out_valid) vc_q <= out_vc;
    for (int k = 0; k < StoreFlits; k++) begin
      if (accepted && 32'(place) == k) store_q[k*3+:3] <= {tdata, tlast, tdest};
      else if (out_valid && k + 1 < StoreFlits) store_q[k*3+:3] <= store_q[((k+1)%StoreFlits)*3+:3];
    end
  end

  always_comb if (rst_ni) begin
    assert (tready == (32'(count_q) < StoreFlits && 32'(whole_q) < StorePackets));
    if (out_valid) begin
      assert (whole_q != '0 && count_q != '0);
      assert (32'(out_vc) < NumVcs && 32'(taken_q[32'(out_vc)*CountW+:CountW]) < Depth);
      assert ({flit_data, remaining == '0, flit_dest} == store_q[2:0]);
      assert (head == (due_q == '0));
      if (!head) assert (remaining == due_q - 1'b1 && out_vc == vc_q);
    end
    if (whole_q != '0 && taken_q == '0) assert (out_valid);
  end

endmodule
