// SPDX-License-Identifier: Apache-2.0
// An output port of a store-and-forward router: takes the first packet of its queue when it is idle
// and some VC has a credit, and sends it flit by flit.
//
//   first_i --> leaving slot  --> read, has, flit of it --> DepartureCycles registers --> out_*_o
//
// Channel   One flit in FlitTime cycles, none before it has arrived, and Pause cycles of rest after
//           each packet.
// Credits   Count packets: NumSlots for each VC after reset. One that comes back counts in the
//           same cycle. VCs with credit that the packet may take have turns (round robin).
// Timing    A flit is on the outputs DepartureCycles edges after has_i lets it leave. All out_*_o
//           are registers, zero in cycles without a flit.
// Reset     Synchronous; idle, all credits here.
// Misuse    A credit for no packet and one for a VC from NumVcs up fail an assertion.
module flitcast_store_forward_output #(
  parameter int NumStores       = 20,                      // Slots of all input ports.
  parameter int NumVcs          = 2,
  parameter int NumSlots        = 2,                       // Packets per VC downstream.
  parameter int LengthWidth     = 2,
  parameter int Width           = 32,
  parameter int DepartureCycles = 2,                       // From 1 up.
  parameter int FlitTime        = 1,                       // From 1 up.
  parameter int Pause           = 5,                       // From 0 up.
  parameter int VcWidth         = (NumVcs > 1) ? $clog2(NumVcs) : 1
) (
  input  logic                             clk_i,
  input  logic                             rst_ni,         // Synchronous, active low.
  output logic [NumVcs-1:0]                credited_o,     // VCs with a credit.
  input  logic [NumStores-1:0]             first_i,        // One-hot, or zero.
  input  logic [NumVcs-1:0]                vcs_i,          // VCs that it may take, one of them in
                                                           // credited_o if that is not zero.
  input  logic [NumStores*LengthWidth-1:0] length_i,
  output logic [NumStores-1:0]             take_o,
  output logic [NumStores-1:0]             leaving_o,      // The slot that is read,
  output logic [LengthWidth-1:0]           read_o,         // and where.
  input  logic [NumStores-1:0]             has_i,
  input  logic [NumStores*Width-1:0]       flit_i,
  output logic [NumStores-1:0]             done_o,         // The tail of the packet leaves.
  output logic                             busy_o,         // The channel rests after a flit.
  input  logic                             out_credit_valid_i,
  input  logic [VcWidth-1:0]               out_credit_vc_i,
  output logic                             out_valid_o,
  output logic [VcWidth-1:0]               out_vc_o,
  output logic [Width-1:0]                 out_flit_o
);

  if (NumStores < 1 || NumVcs < 1 || NumSlots < 1 || LengthWidth < 1 || Width < 1 ||
      DepartureCycles < 1 || FlitTime < 1 || Pause < 0 ||
      VcWidth != ((NumVcs > 1) ? $clog2(NumVcs) : 1))
  begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  localparam int CreditWidth = $clog2(NumSlots + 1);
  localparam int RestWidth   = (FlitTime + Pause > 1) ? $clog2(FlitTime + Pause) : 1;
  localparam logic [CreditWidth-1:0] AllCredits = CreditWidth'(NumSlots);
  localparam logic [RestWidth-1:0]   AfterFlit  = RestWidth'(FlitTime - 1);
  localparam logic [RestWidth-1:0]   AfterTail  = RestWidth'(FlitTime - 1 + Pause);

  logic [NumStores-1:0]   leaving_q;
  logic [LengthWidth-1:0] read_q;
  logic [RestWidth-1:0]   rest_q;
  logic [NumVcs-1:0]      vc_q;                            // One-hot.
  logic [NumVcs-1:0]      credited, vc_grant, vc;
  logic                   start, send, tail;

  assign credited_o = credited;
  assign busy_o     = rest_q != '0;

  // Starts a packet.
  assign start = rest_q == '0 && leaving_q == '0 && first_i != '0 && credited != '0;

  flitcast_rr_arbiter #(.NumReq(NumVcs)) u_vc (
    .clk_i, .rst_ni, .req_i(credited & vcs_i), .take_i(start), .gnt_o(vc_grant)
  );

  for (genvar v = 0; v < NumVcs; v++) begin : gen_credit
    logic [CreditWidth-1:0] credits_d, credits_q;
    logic                   back, spent;

    assign back        = out_credit_valid_i && out_credit_vc_i == VcWidth'(v);
    assign spent       = start && vc_grant[v];
    assign credited[v] = credits_q != '0 || back;

    always_comb begin
      credits_d = credits_q;
      if (back && !spent) credits_d = credits_q + CreditWidth'(1);
      if (spent && !back) credits_d = credits_q - CreditWidth'(1);
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) credits_q <= AllCredits;
      else         credits_q <= credits_d;
    end

`ifndef SYNTHESIS
`ifndef FORMAL
    always @(posedge clk_i) if (rst_ni) begin
      assert (!(back && credits_q == AllCredits)) else
          $error("flitcast_store_forward_output: %m: VC %0d: a credit for no packet", v);
    end
`endif
`endif
  end

`ifndef SYNTHESIS
`ifndef FORMAL
  always @(posedge clk_i) begin
    if (rst_ni && out_credit_valid_i) begin
      assert (32'(out_credit_vc_i) < NumVcs) else
          $error("flitcast_store_forward_output: %m: there is no VC %0d for a credit",
                 out_credit_vc_i);
    end
  end
`endif
`endif

  // Sends a flit.
  assign take_o    = start ? first_i : '0;
  assign leaving_o = start ? first_i : leaving_q;
  assign vc        = start ? vc_grant : vc_q;
  assign send      = rest_q == '0 && (leaving_o & has_i) != '0;
  assign tail      = read_o == '0;
  assign done_o    = (send && tail) ? leaving_o : '0;

  always_comb begin
    read_o = start ? '0 : read_q;
    for (int n = 0; n < NumStores; n++) begin
      if (take_o[n]) read_o = read_o | length_i[n*LengthWidth+:LengthWidth];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      leaving_q <= '0;
      rest_q    <= '0;
    end else begin
      leaving_q <= leaving_o & ~done_o;
      if (rest_q != '0) rest_q <= rest_q - RestWidth'(1);
      if (send)         rest_q <= tail ? AfterTail : AfterFlit;
    end
  end

  // Read only while a packet is leaving.
  always_ff @(posedge clk_i) begin
    read_q <= send ? read_o - LengthWidth'(1) : read_o;
    vc_q   <= vc;
  end

  // Values on the wires.
  logic [VcWidth-1:0] vc_number;
  logic [Width-1:0]   flit;

  always_comb begin
    vc_number = '0;
    for (int v = 0; v < NumVcs; v++) if (send && vc[v]) vc_number = vc_number | VcWidth'(v);
    flit = '0;
    for (int n = 0; n < NumStores; n++) begin
      if (send && leaving_o[n]) flit = flit | flit_i[n*Width+:Width];
    end
  end

  flitcast_delay_line #(.Width(1 + VcWidth + Width), .Cycles(DepartureCycles)) u_departure (
    .clk_i,
    .rst_ni,
    .in_i ({send, vc_number, flit}),
    .out_o({out_valid_o, out_vc_o, out_flit_o})
  );

endmodule
