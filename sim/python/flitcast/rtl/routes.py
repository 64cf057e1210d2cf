# SPDX-License-Identifier: Apache-2.0
"""The module with the routing of a router: a case for each of its tables."""
import textwrap


def route_module_name(design, router):
    return f"{design.family}_route_{router}"


def route_text(design, router):
    shape, ports, tables = design.shape, design.routers[router], design.tables[router]
    inputs, header = ports.inputs * shape.vcs, shape.flit.header
    answer = shape.vcs + ports.outputs
    name = route_module_name(design, router)
    lines = [
        f"// Routing of router {router}: the output and the VCs there of each packet, by its destination.",
        "//",
        "// Timing    No clock: the answer follows the header in the same cycle.",
        "// Misuse    A request for a destination whose packets never come to this input VC fails an assertion.",
        f"module {name} (",
        "  input  logic clk_i,  // For the assertion alone.",
        "  input  logic rst_ni,",
        f"  input  logic {_range(inputs)} request_i,  // For each input VC: a head is routed.",
        f"  input  logic {_range(inputs * header)} header_i,  // Its destination.",
        f"  output logic {_range(inputs * ports.outputs)} route_o,  // The output, one-hot,",
        f"  output logic {_range(inputs * shape.vcs)} vcs_o  // and the VCs there.",
        ");",
        "",
    ]
    for number, table in enumerate(tables.tables):
        lines += _function(number, table, _serves(tables, number, shape.vcs), header, answer, ports.outputs, shape.vcs)
    for i, table in enumerate(tables.of_input_vc):
        lines.append(f"  assign {{vcs_o{_bits(i, shape.vcs)}, route_o{_bits(i, ports.outputs)}}} = table_{table}(header_i{_bits(i, header)});")
    return "\n".join([*lines, "", *_assertion(name, inputs, shape.vcs, ports.outputs), "", "endmodule"]) + "\n"


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


def _function(number, table, comment, header, answer, outputs, vcs):
    """A function with a case: destinations of the same answer share a line, and all others may have any answer."""
    destinations = {}
    for destination, one in sorted(table.items()):
        destinations.setdefault(one, []).append(destination)
    lines = [*textwrap.wrap(comment, 100, initial_indent="  // ", subsequent_indent="  // "),
             f"  function automatic logic {_range(answer)} table_{number}(input logic {_range(header)} destination);",
             "    case (destination)"]
    for one, nodes in sorted(destinations.items()):
        labels = ", ".join(f"{header}'d{node}" for node in nodes)
        lines += textwrap.wrap(labels + ":", 100, initial_indent="      ", subsequent_indent="      ")
        lines.append(f"        table_{number} = {{{vcs}'b{one.vcs:0{vcs}b}, {outputs}'b{1 << one.output:0{outputs}b}}};  // Output {one.output}.")
    return [*lines, f"      default: table_{number} = {answer}'bx;", "    endcase", "  endfunction", ""]


def _assertion(name, inputs, vcs, outputs):
    return [
        "`ifdef SYNTHESIS",
        "  logic unused_inputs;",
        "  assign unused_inputs = ^{clk_i, rst_ni, request_i};",
        "`else",
        f"  for (genvar i = 0; i < {inputs}; i++) begin : gen_answer",
        f"    always @(posedge clk_i) if (rst_ni && request_i[i]) begin",
        f"      assert (^{{vcs_o[i*{vcs}+:{vcs}], route_o[i*{outputs}+:{outputs}]}} !== 1'bx) else",
        f"          $error(\"{name}: input %0d, VC %0d: no packet of this destination comes here\", i / {vcs}, i % {vcs});",
        "    end",
        "  end",
        "`endif",
    ]
