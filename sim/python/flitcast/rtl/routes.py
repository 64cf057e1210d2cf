# SPDX-License-Identifier: Apache-2.0
"""The module with the routing of a router: a case for each of its tables."""
import textwrap

from .answers import answer_form
from .tables import ANY


def route_module_name(design, router):
    return f"{design.family}_route_{router}"


def route_text(design, router):
    shape, ports, tables = design.shape, design.routers[router], design.tables[router]
    inputs, header, drawn = ports.inputs * shape.vcs, shape.flit.header, bool(shape.flit.draws)
    form, name = answer_form(shape, ports), route_module_name(design, router)
    lines = [
        f"// Routing of router {router}: {form.what}, by its {'header' if drawn else 'destination'}.",
        "//",
        "// Timing    No clock: the answer follows the header in the same cycle.",
        f"// Misuse    A request for a {'header' if drawn else 'destination'} whose packets never come to this input VC fails an assertion.",
        f"module {name} (",
        "  input  logic clk_i,  // For the assertion alone.",
        "  input  logic rst_ni,",
        f"  input  logic {_range(inputs)} request_i,  // For each input VC: a head is routed.",
        f"  input  logic {_range(inputs * header)} header_i,  // {'Destination and, above it, draws of the source.' if drawn else 'Its destination.'}",
        *_outputs(form, inputs),
        ");",
        "",
    ]
    for number, table in enumerate(tables.tables):
        lines += _function(number, table, _serves(tables, number, shape.vcs), shape.flit, form)
    for i, table in enumerate(tables.of_input_vc):
        nets = ", ".join(f"{net}_o{_bits(i, width)}" for net, width in reversed(form.widths.items()))
        lines.append(f"  assign {{{nets}}} = table_{table}(header_i{_bits(i, header)});")
    return "\n".join([*lines, "", *_assertion(name, inputs, shape.vcs, form, "header" if drawn else "destination"), "", "endmodule"]) + "\n"


def _outputs(form, inputs):
    """The ports with the answers."""
    last = list(form.widths)[-1]
    for net, width in form.widths.items():
        yield f"  output logic {_range(inputs * width)} {net}_o{'' if net == last else ','}  // {form.comments[net]}"


def _range(width):
    return f"[{width - 1}:0]"


def _bits(index, width):
    return f"[{index * width + width - 1}:{index * width}]"


def _serves(tables, number, vcs):
    """A comment on the input VCs of a table."""
    served = [divmod(i, vcs) for i, table in enumerate(tables.of_input_vc) if table == number]
    if len(served) == len(tables.of_input_vc):
        return "All input VCs."
    return "Input VCs (input.VC) " + ", ".join(f"{port}.{vc}" for port, vc in served) + "."


def _function(number, table, comment, flit, form):
    """A function with a case: keys of the same answer share a line, and all others may have any answer."""
    keys, argument, width = {}, "header" if flit.draws else "destination", sum(form.widths.values())
    for key, one in sorted(table.items()):
        keys.setdefault(one, []).append(key)
    lines = [*textwrap.wrap(comment, 100, initial_indent="  // ", subsequent_indent="  // "),
             f"  function automatic logic {_range(width)} table_{number}(input logic {_range(flit.header)} {argument});",
             f"    {'casez' if flit.draws else 'case'} ({argument})"]
    for one, of_one in sorted(keys.items()):
        labels = ", ".join(_label(flit, key) for key in of_one)
        lines += textwrap.wrap(labels + ":", 100, initial_indent="      ", subsequent_indent="      ")
        lines.append(f"        table_{number} = {form.literal(one)};  // {form.remark(one)}")
    return [*lines, f"      default: table_{number} = {width}'bx;", "    endcase", "  endfunction", ""]


def _label(flit, key):
    """A key as a number; with draws in binary digits, their fields parted by _, and ? for all that does not matter."""
    if not flit.draws:
        return f"{flit.header}'d{key[0]}"
    digits = ["?" * width if value == ANY else f"{value:0{width}b}" for value, width in zip(key, flit.fields)]
    return f"{flit.header}'b{'_'.join(reversed(digits))}"


def _assertion(name, inputs, vcs, form, key):
    answer = ", ".join(f"{net}_o[i*{width}+:{width}]" for net, width in reversed(form.widths.items()))
    return [
        "`ifdef SYNTHESIS",
        "  logic unused_inputs;",
        "  assign unused_inputs = ^{clk_i, rst_ni, request_i};",
        "`else",
        f"  for (genvar i = 0; i < {inputs}; i++) begin : gen_answer",
        f"    always @(posedge clk_i) if (rst_ni && request_i[i]) begin",
        f"      assert (^{{{answer}}} !== 1'bx) else",
        f"          $error(\"{name}: input %0d, VC %0d: no packet of this {key} comes here\", i / {vcs}, i % {vcs});",
        "    end",
        "  end",
        "`endif",
    ]
