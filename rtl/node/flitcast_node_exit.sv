// SPDX-License-Identifier: Apache-2.0
// The stream of one message class at a node_sink: its packets, one after another.
//
// Rule      Between packets it takes, by round robin, the next VC with a flit, and keeps it to its
//           tail, also while no flit of it is there.
// Timing    A flit is offered in the first cycle in which it is at the front of the chosen VC. All
//           outputs but pop_o follow registers.
// Reset     Synchronous; the first packet is that of the first VC with a flit.
module flitcast_node_exit #(
  parameter int NumVcs    = 2,                    // VCs of the class, from 1 up.
  parameter int DataWidth = 32
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,      // Synchronous, active low.
  input  logic [NumVcs-1:0]               occupied_i,  // VCs with a flit.
  input  logic [NumVcs*(DataWidth+1)-1:0] fronts_i,    // For each: data, tail in the lowest bit.
  output logic [NumVcs-1:0]               pop_o,       // VC whose flit leaves; or zero.
  output logic                            m_tvalid_o,
  input  logic                            m_tready_i,
  output logic [DataWidth-1:0]            m_tdata_o,
  output logic                            m_tlast_o
);

  if (NumVcs < 1 || DataWidth < 1) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  logic [NumVcs-1:0] choice, vc;
  logic [NumVcs-1:0] held_q;  // VC of the packet; zero between packets.
  logic              leaves;

  flitcast_rr_arbiter #(.NumReq(NumVcs)) u_choice (
    .clk_i,
    .rst_ni,
    .req_i (occupied_i),
    .take_i(held_q == '0),
    .gnt_o (choice)
  );

  assign vc         = (held_q != '0) ? held_q : choice;
  assign m_tvalid_o = (vc & occupied_i) != '0;
  assign leaves     = m_tvalid_o && m_tready_i;
  assign pop_o      = leaves ? vc : '0;

  always_comb begin
    {m_tdata_o, m_tlast_o} = '0;
    for (int v = 0; v < NumVcs; v++) begin
      {m_tdata_o, m_tlast_o} = {m_tdata_o, m_tlast_o} |
                               (fronts_i[v*(DataWidth+1)+:DataWidth+1] & {(DataWidth+1){vc[v]}});
    end
  end

  // A beat that waits keeps its VC: another flit that arrives must not take its turn.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= '0;
    else         held_q <= (leaves && m_tlast_o) ? '0 : vc;
  end

endmodule
