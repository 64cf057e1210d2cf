// SPDX-License-Identifier: Apache-2.0
// Asserts the rules of AXI4-Stream at a port; it has no outputs and no gates.
//
// Use       Beside any port, for a simulation without SYNTHESIS. Each broken rule is an $error with
//           a text. A port without tdest has a constant there.
// Rules     While a beat waits for tready, tvalid stays high, and tdata, tlast and tdest keep their
//           values. tvalid is low at the first edge out of reset. tdest is the same in all beats of
//           a packet. A packet has at most MaxBeats beats: a lost tlast is seen there, or when
//           the next packet has another tdest.
// Timing    Signals are sampled at rising edges of clk_i. Unknown values of tvalid and tready break
//           a rule too.
// Reset     Synchronous; begins a new packet.
// Source    Arm, AMBA 4 AXI4-Stream Protocol Specification, IHI 0051A, sections 2.2 and 2.7.2.
module flitcast_stream_checker #(
  parameter int DataWidth = 32,                 // From 1 up.
  parameter int DestWidth = 4,                  // From 1 up.
  parameter int MaxBeats  = 0                   // Longest packet; 0: any length.
) (
  input logic                 clk_i,
  input logic                 rst_ni,           // Synchronous, active low.
  input logic                 tvalid_i,
  input logic                 tready_i,
  input logic [DataWidth-1:0] tdata_i,
  input logic                 tlast_i,
  input logic [DestWidth-1:0] tdest_i
);

  if (DataWidth < 1 || DestWidth < 1 || MaxBeats < 0) begin : gen_refused
    a_parameter_is_out_of_its_range u_refused ();
  end

`ifndef SYNTHESIS
  logic                 reset, waits;  // At the edge before: in reset; a beat not accepted.
  logic [DataWidth-1:0] data;          // Their values at the edge before.
  logic                 last;
  logic [DestWidth-1:0] dest;
  logic                 opened;        // A packet has begun and has not ended.
  logic [DestWidth-1:0] packet_dest;   // The tdest of its first beat.
  int                   beats;         // Its beats so far.

  // No names in _q: these are no registers of a block, and no faults are seeded in them.
  always_ff @(posedge clk_i) begin
    reset <= !rst_ni;
    data  <= tdata_i;
    last  <= tlast_i;
    dest  <= tdest_i;
    if (!rst_ni) begin
      waits  <= 1'b0;
      opened <= 1'b0;
      beats  <= 0;
    end else begin
      waits <= tvalid_i && !tready_i;
      if (tvalid_i && tready_i) begin
        opened <= !tlast_i;
        beats  <= tlast_i ? 0 : beats + 1;
      end
    end
    if (!opened) packet_dest <= tdest_i;
  end

`ifdef FORMAL
  always_comb if (rst_ni) begin
    assert (!(reset && tvalid_i));
    if (waits) assert (tvalid_i && tdata_i == data && tlast_i == last && tdest_i == dest);
    if (tvalid_i && opened) assert (tdest_i == packet_dest);
    if (tvalid_i) assert (MaxBeats == 0 || tlast_i || beats + 1 < MaxBeats);
  end
`else
  always @(posedge clk_i) if (rst_ni) begin
    assert ((tvalid_i ^ tready_i) !== 1'bx) else $error("tvalid or tready is unknown");
    assert (!(reset && tvalid_i)) else $error("tvalid is high at the first edge out of reset");
    if (waits) begin
      assert (tvalid_i) else $error("tvalid dropped before tready");
      assert (!tvalid_i || tdata_i === data) else $error("tdata changed while it waited");
      assert (!tvalid_i || tlast_i === last) else $error("tlast changed while it waited");
      assert (!tvalid_i || tdest_i === dest) else $error("tdest changed while it waited");
    end
    if (tvalid_i) begin
      assert (!opened || waits || tdest_i === packet_dest) else $error("tdest changed in a packet");
      assert (MaxBeats == 0 || tlast_i || beats + 1 < MaxBeats)
      else $error("a packet has more than %0d beats", MaxBeats);
    end
  end
`endif
`endif

endmodule
