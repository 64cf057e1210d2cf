// SPDX-License-Identifier: Apache-2.0
// The first half of the switch allocation, at one input port: picks the virtual channel that asks
// for its output.
//
// Rule      One of the outputs that ready VCs want, and one of the ready VCs that want it, both by
//           round robin. VC u goes before VC v if its output comes first in the order of outputs,
//           or if both want the same output and u comes first in the order of VCs. Whether it does
//           is known before ready_i, so that a VC only waits for ready_i of those before it.
// Timing    offer_o and pick_o follow ready_i in the same cycle; both orders move on at an edge with
//           take_i.
// Reset     Synchronous; the lowest numbers go first after it.
module flitcast_switch_input #(
  parameter int NumOutputs = 5,                         // From 1 up.
  parameter int NumVcs     = 2                          // From 1 up.
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,          // Synchronous, active low.
  input  logic [NumVcs-1:0]            ready_i,
  input  logic [NumVcs*NumOutputs-1:0] route_i,         // Output of each ready VC, one-hot.
  input  logic                         take_i,          // The output goes to this port.
  output logic [NumVcs-1:0]            offer_o,         // The VC: one-hot, or zero.
  output logic [NumOutputs-1:0]        pick_o           // Its output: one-hot, or zero.
);

  if (NumOutputs < 1 || NumVcs < 1) begin : gen_range
    a_parameter_is_out_of_its_range u_refused ();
  end

  // Selects the output of a VC. It is a function, since an always_comb here makes Icarus Verilog 11
  // loop on its own assignments.
  function automatic logic [NumOutputs-1:0] wanted(
    input logic [NumVcs-1:0]            selected,
    input logic [NumVcs*NumOutputs-1:0] of_vcs
  );
    wanted = '0;
    for (int v = 0; v < NumVcs; v++) begin
      wanted = wanted | (of_vcs[v*NumOutputs+:NumOutputs] & {NumOutputs{selected[v]}});
    end
  endfunction

  assign pick_o = wanted(offer_o, route_i);

  if (NumVcs == 1) begin : gen_one_vc
    logic unused_order;
    assign unused_order = clk_i && rst_ni && take_i;
    assign offer_o      = ready_i;
  end else begin : gen_order
    // Set for the outputs and VCs after those taken last: they go first. The bits above the lowest
    // one of x are x ^ -x.
    logic [NumOutputs-1:0]    later_outputs_q;
    logic [NumVcs-1:0]        later_vcs_q;
    logic [NumVcs-1:0]        later;  // VCs with an output of later_outputs_q.
    logic [NumVcs*NumVcs-1:0] ahead;  // Row v: VCs that go before VC v.

    for (genvar v = 0; v < NumVcs; v++) begin : gen_vc
      logic [NumOutputs-1:0] route;

      assign route             = route_i[v*NumOutputs+:NumOutputs];
      assign later[v]          = (route & later_outputs_q) != '0;
      assign ahead[v*NumVcs+v] = 1'b0;
      assign offer_o[v]        = ready_i[v] && (ready_i & ahead[v*NumVcs+:NumVcs]) == '0;

      for (genvar u = 0; u < v; u++) begin : gen_other
        logic [NumOutputs-1:0] other;
        logic                  lower, same;  // The output of u is lower, or is that of v.
        logic                  other_first;

        assign other = route_i[u*NumOutputs+:NumOutputs];
        assign lower = (route & (other ^ -other)) != '0;
        assign same  = (route & other) != '0;
        assign other_first = (later[u] && !later[v]) || (lower && (later[u] || !later[v])) ||
                             (same && (later_vcs_q[u] || !later_vcs_q[v]));
        assign ahead[v*NumVcs+u] = other_first;
        assign ahead[u*NumVcs+v] = !other_first;
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        later_outputs_q <= '0;
        later_vcs_q     <= '0;
      end else if (take_i) begin
        later_outputs_q <= pick_o ^ -pick_o;
        later_vcs_q     <= offer_o ^ -offer_o;
      end
    end
  end

endmodule
