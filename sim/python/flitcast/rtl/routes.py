# SPDX-License-Identifier: Apache-2.0
"""The module with the routing of a router: a case for each of its tables."""
import textwrap

from .tables import ANY


def route_module_name(design, router):
    return f"{design.family}_route_{router}"


def route_text(design, router):
    shape, ports, tables = design.shape, design.routers[router], design.tables[router]
    inputs, header, drawn = ports.inputs * shape.vcs, shape.flit.header, bool(shape.flit.draws)
    answer = shape.vcs + ports.outputs
    name = route_module_name(design, router)
    lines = [
        f"// Routing of router {router}: the output and the VCs there of each packet, by its {'header' if drawn else 'destination'}.",
        "//",
        "// Timing    No clock: the answer follows the header in the same cycle.",
        f"// Misuse    A request for a {'header' if drawn else 'destination'} whose packets never come to this input VC fails an assertion.",
        f"module {name} (",
        "  input  logic clk_i,  // For the assertion alone.",
        "  input  logic rst_ni,",
        f"  input  logic {_range(inputs)} request_i,  // For each input VC: a head is routed.",
        f"  input  logic {_range(inputs * header)} header_i,  // {'Destination and, above it, draws of the source.' if drawn else 'Its destination.'}",
        f"  output logic {_range(inputs * ports.outputs)} route_o,  // The output, one-hot,",
        f"  output logic {_range(inputs * shape.vcs)} vcs_o  // and the VCs there.",
        ");",
        "",
    ]
    for number, table in enumerate(tables.tables):
        lines += _function(number, table, _serves(tables, number, shape.vcs), shape.flit, answer, ports.outputs, shape.vcs)
    for i, table in enumerate(tables.of_input_vc):
        lines.append(f"  assign {{vcs_o{_bits(i, shape.vcs)}, route_o{_bits(i, ports.outputs)}}} = table_{table}(header_i{_bits(i, header)});")
    return "\n".join([*lines, "", *_assertion(name, inputs, shape.vcs, ports.outputs, "header" if drawn else "destination"), "", "endmodule"]) + "\n"


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


def _function(number, table, comment, flit, answer, outputs, vcs):
    """A function with a case: keys of the same answer share a line, and all others may have any answer."""
    keys, argument = {}, "header" if flit.draws else "destination"
    for key, one in sorted(table.items()):
        keys.setdefault(one, []).append(key)
    lines = [*textwrap.wrap(comment, 100, initial_indent="  // ", subsequent_indent="  // "),
             f"  function automatic logic {_range(answer)} table_{number}(input logic {_range(flit.header)} {argument});",
             f"    {'casez' if flit.draws else 'case'} ({argument})"]
    for one, of_one in sorted(keys.items()):
        labels = ", ".join(_label(flit, key) for key in of_one)
        lines += textwrap.wrap(labels + ":", 100, initial_indent="      ", subsequent_indent="      ")
        lines.append(f"        table_{number} = {{{vcs}'b{one.vcs:0{vcs}b}, {outputs}'b{1 << one.output:0{outputs}b}}};  // Output {one.output}.")
    return [*lines, f"      default: table_{number} = {answer}'bx;", "    endcase", "  endfunction", ""]


def _label(flit, key):
    """A key as a number; with draws in binary digits, their fields parted by _, and ? for all that does not matter."""
    if not flit.draws:
        return f"{flit.header}'d{key[0]}"
    digits = ["?" * width if value == ANY else f"{value:0{width}b}" for value, width in zip(key, flit.fields)]
    return f"{flit.header}'b{'_'.join(reversed(digits))}"


def _assertion(name, inputs, vcs, outputs, key):
    return [
        "`ifdef SYNTHESIS",
        "  logic unused_inputs;",
        "  assign unused_inputs = ^{clk_i, rst_ni, request_i};",
        "`else",
        f"  for (genvar i = 0; i < {inputs}; i++) begin : gen_answer",
        f"    always @(posedge clk_i) if (rst_ni && request_i[i]) begin",
        f"      assert (^{{vcs_o[i*{vcs}+:{vcs}], route_o[i*{outputs}+:{outputs}]}} !== 1'bx) else",
        f"          $error(\"{name}: input %0d, VC %0d: no packet of this {key} comes here\", i / {vcs}, i % {vcs});",
        "    end",
        "  end",
        "`endif",
    ]
