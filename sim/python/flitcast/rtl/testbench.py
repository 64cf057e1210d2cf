# SPDX-License-Identifier: Apache-2.0
"""A testbench that plays the stimuli of a design and compares its outputs with what the model expects."""

HEAD = "clock kind port vc flit"
ARRIVES, RETURNS, LEAVES = range(3)  # In buffers.txt: a flit at an input of a router, a credit there, a flit at an output.
MARGIN = 20  # Clocks behind the last event, in which nothing may happen.


def events_text(events):
    """A line for each event: kind 0 is a flit, 1 a credit."""
    return "\n".join([HEAD, *(f"{event.clock} {event.kind} {event.port} {event.vc} {event.word:x}" for event in events)]) + "\n"


def testbench_text(design, vectors, log=False):
    """With `log` the flits and credits at all inputs of routers, and the flits at outputs of those that store packets, are written to buffers.txt
    too, and a difference does not end the simulation."""
    last = min(max((event.clock for event in [*vectors.stimuli, *vectors.expected]), default=0) + MARGIN, vectors.end - 1)
    parts = [_head(design, last), _instance(design), _stimuli(), _comparison(design)]
    return "\n".join([*parts, _play(design, log), "endmodule"]) + "\n"


def _head(design, last):
    return f"""\
// Plays stimuli.txt, the flits and credits that enter {design.name}, and compares what leaves with expected.txt, clock by clock.
// Both files come from the model. Prints PASS, or the first difference.
module {design.name}_tb;
  localparam int VcWidth    = {design.shape.vc_width};
  localparam int FlitWidth  = {design.shape.flit.width};
  localparam int NumInputs  = {len(design.inputs)};  // Ports of the network, not of a router.
  localparam int NumOutputs = {len(design.outputs)};
  localparam int LastClock  = {last};
  localparam int Flit       = 0;
  localparam int Credit     = 1;

  logic clk   = 1'b0;
  logic rst_n = 1'b0;
  always #5 clk = ~clk;

  logic [NumInputs-1:0]          in_valid, in_credit_valid;
  logic [NumInputs*VcWidth-1:0]  in_vc, in_credit_vc;
  logic [NumInputs*FlitWidth-1:0] in_flit;
  logic [NumOutputs-1:0]         out_valid, out_credit_valid;
  logic [NumOutputs*VcWidth-1:0] out_vc, out_credit_vc;
  logic [NumOutputs*FlitWidth-1:0] out_flit;
"""


def _instance(design):
    vc, flit = design.shape.vc_width, design.shape.flit.width
    pins = ["    .clk_i (clk)", "    .rst_ni(rst_n)"]
    for side, outsides in (("in", design.inputs), ("out", design.outputs)):
        toward, back = ("_i", "_o") if side == "in" else ("_o", "_i")
        for n, outside in enumerate(outsides):
            vcs, flits = f"[{n * vc + vc - 1}:{n * vc}]", f"[{n * flit + flit - 1}:{n * flit}]"
            pins += [f"    .{outside.name}_{side}_{pin}({side}_{net})" for pin, net in (
                (f"valid{toward}", f"valid[{n}]"), (f"vc{toward}", f"vc{vcs}"), (f"flit{toward}", f"flit{flits}"),
                (f"credit_valid{back}", f"credit_valid[{n}]"), (f"credit_vc{back}", f"credit_vc{vcs}"))]
    return f"  {design.name} u_design (\n" + ",\n".join(pins) + "\n  );\n"


def _stimuli():
    return """\
  int clock;
  int fields;
  logic [1023:0] heading;

  // The next line of each file; clock -1 behind the last.
  int                   stimuli, s_clock, s_kind, s_port, s_vc;
  int                   expected, e_clock, e_kind, e_port, e_vc;
  logic [FlitWidth-1:0] s_flit, e_flit;

  task next_stimulus;
    begin
      fields = $fscanf(stimuli, "%d %d %d %d %h", s_clock, s_kind, s_port, s_vc, s_flit);
      if (fields != 5) s_clock = -1;
    end
  endtask

  task next_expected;
    begin
      fields = $fscanf(expected, "%d %d %d %d %h", e_clock, e_kind, e_port, e_vc, e_flit);
      if (fields != 5) e_clock = -1;
    end
  endtask

  task drive;
    begin
      in_valid         = '0;
      out_credit_valid = '0;
      while (s_clock == clock) begin
        if (s_kind == Flit) begin
          in_valid[s_port]                     = 1'b1;
          in_vc[s_port*VcWidth+:VcWidth]       = s_vc[VcWidth-1:0];
          in_flit[s_port*FlitWidth+:FlitWidth] = s_flit;
        end else begin
          out_credit_valid[s_port]                = 1'b1;
          out_credit_vc[s_port*VcWidth+:VcWidth]  = s_vc[VcWidth-1:0];
        end
        next_stimulus;
      end
    end
  endtask
"""


def _comparison(design):
    return f"""\
  logic failed   = 1'b0;
  int   compared = 0;

  // The expected event of this clock, or its absence.
  task show_expected;
    begin
      if (e_clock != clock) $display("  expected nothing more in this clock");
      else if (e_kind == Flit) $display("  expected at {design.groups} %0d: VC %0d flit %h", e_port, e_vc, e_flit);
      else $display("  expected at {design.groups} %0d: credit for VC %0d", e_port, e_vc);
    end
  endtask

  task show(input int kind, input int port, input logic [VcWidth-1:0] vc, input logic [FlitWidth-1:0] flit);
    begin
      if (kind == Flit) $display("FAIL: {design.name}: clock %0d, {design.groups} %0d: VC %0d flit %h", clock, port, vc, flit);
      else $display("FAIL: {design.name}: clock %0d, {design.groups} %0d: credit for VC %0d", clock, port, vc);
    end
  endtask

  // The flit of a credit is 0 in expected.txt, too.
  task saw(input int kind, input int port, input logic [VcWidth-1:0] vc, input logic [FlitWidth-1:0] flit);
    begin
      if (!failed && (e_clock != clock || e_kind != kind || e_port != port || vc !== e_vc[VcWidth-1:0] || flit !== e_flit)) begin
        failed = 1'b1;
        show(kind, port, vc, flit);
        show_expected;
      end else if (!failed) begin
        compared = compared + 1;
        next_expected;
      end
    end
  endtask

  task compare;
    begin
      for (int p = 0; p < NumOutputs; p++) begin
        if (out_valid[p] !== 1'b0) saw(Flit, p, out_vc[p*VcWidth+:VcWidth], out_flit[p*FlitWidth+:FlitWidth]);
      end
      for (int p = 0; p < NumInputs; p++) begin
        if (in_credit_valid[p] !== 1'b0) saw(Credit, p, in_credit_vc[p*VcWidth+:VcWidth], '0);
      end
      if (!failed && e_clock == clock) begin
        failed = 1'b1;
        $display("FAIL: {design.name}: clock %0d, {design.groups} %0d: nothing", clock, e_port);
        show_expected;
      end
    end
  endtask
"""


def _play(design, log):
    step, goes_on, end = ("      compare;\n" + _log(design), "", "$finish") if log else (
        "      compare;", " && !failed", f'$fatal(1, "{design.name} differs from its model")')
    opened = '    log = $fopen("buffers.txt", "w");\n' if log else ""
    return f"""\
{'  int log;' if log else ''}
  initial begin
    stimuli  = $fopen("stimuli.txt", "r");
    expected = $fopen("expected.txt", "r");
{opened}    if (stimuli == 0 || expected == 0) $fatal(1, "stimuli.txt and expected.txt must be in the working directory");
    if ({design.name}_pkg::VcWidth != VcWidth || {design.name}_pkg::FlitWidth != FlitWidth) begin
      $display("FAIL: {design.name}: its flits or VCs have other widths than those of the files");
      $fatal(1, "{design.name} differs from its model");
    end
    fields = $fgets(heading, stimuli);
    fields = $fgets(heading, expected);
    next_stimulus;
    next_expected;
    in_vc            = '0;
    in_flit          = '0;
    out_credit_vc    = '0;
    in_valid         = '0;
    out_credit_valid = '0;
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (clock = 0; clock <= LastClock{goes_on}; clock = clock + 1) begin
      drive;
      #1;
{step}
      @(negedge clk);
    end
    if (failed) {end};
    else $display("PASS: {design.name}: %0d flits and credits in %0d clocks as in the model", compared, LastClock + 1);
    $finish;
  end
"""


def _log(design):
    vc, flit = design.shape.vc_width, design.shape.flit.width
    lines = []
    for number, router in design.routers.items():
        lines += _log_of(f"u_design.r{number}_in", ARRIVES, number, router.inputs, vc, flit)
        base = f"u_design.r{number}_in_credit"
        lines += [f"      for (int p = 0; p < {router.inputs}; p++) if ({base}_valid[p] !== 1'b0)",
                  f"        $fwrite(log, \"%0d {RETURNS} {number} %0d %0d 0\\n\", clock, p, {base}_vc[p*{vc}+:{vc}]);"]
        if design.shape.longest:
            lines += _log_of(f"u_design.r{number}_out", LEAVES, number, router.outputs, vc, flit)
    return "\n".join(lines)


def _log_of(base, kind, number, ports, vc, flit):
    """Writes the flits at the ports of a side of a router."""
    return [f"      for (int p = 0; p < {ports}; p++) if ({base}_valid[p] !== 1'b0)",
            f"        $fwrite(log, \"%0d {kind} {number} %0d %0d %h\\n\", clock, p, {base}_vc[p*{vc}+:{vc}], {base}_flit[p*{flit}+:{flit}]);"]
