# SPDX-License-Identifier: Apache-2.0
"""The top module of a design: routers, their routing, delay lines for channels, and a group of ports for each node."""
from .answers import answer_form
from .network import Port
from .routers import router_block, router_parameters
from .routes import route_module_name


def top_text(design):
    sections = [_header(design), _ports(design), ");", "", *(_router(design, router) for router in design.routers)]
    sections += [_link(design, number, link) for number, link in enumerate(design.links)]
    sections += [_input(design, outside) for outside in design.inputs]
    sections += [_output(design, outside) for outside in design.outputs]
    return "\n".join([*sections, *_open_ends(design), "endmodule"]) + "\n"


def _header(design):
    what = "A port group for each node" if design.groups == "node" else "A port group for each port of the router"
    return "\n".join([
        f"// {what}; README.md explains the ports, the fields of a flit and the timing of credits.",
        "//",
        "// Use       A flit moves at an edge where valid is high; its sender has a credit for it. A credit moves likewise.",
        "// Reset     Synchronous; empties all buffers and makes all credits good.",
        f"module {design.name} (",
        "  input  logic clk_i,",
        "  input  logic rst_ni,  // Synchronous, active low.",
    ])


def _ports(design):
    vc, flit = f"[{design.name}_pkg::VcWidth-1:0]", f"[{design.name}_pkg::FlitWidth-1:0]"
    groups = []
    for side, outsides, flits, credits in (("in", design.inputs, "input ", "output"), ("out", design.outputs, "output", "input ")):
        for outside in outsides:
            name, toward, back = f"{outside.name}_{side}", "_i" if side == "in" else "_o", "_o" if side == "in" else "_i"
            groups.append(f"  {flits} logic {name}_valid{toward},\n  {flits} logic {vc} {name}_vc{toward},\n"
                          f"  {flits} logic {flit} {name}_flit{toward},\n  {credits} logic {name}_credit_valid{back},\n"
                          f"  {credits} logic {vc} {name}_credit_vc{back}")
    return ",\n".join(groups)


def _router(design, number):
    router = design.routers[number]
    vcs, flit, vc = design.shape.vcs, design.shape.flit, design.shape.vc_width
    lines = [f"  // Router {number}."]
    for side, count in (("in", router.inputs), ("out", router.outputs)):
        lines += [f"  logic [{count * width - 1}:0] r{number}_{side}_{name};" for name, width in
                  (("valid", 1), ("vc", vc), ("flit", flit.width), ("credit_valid", 1), ("credit_vc", vc))]
    answers = answer_form(design.shape, router).widths
    lines += [f"  logic r{number}_unused_idle;"]
    lines += [f"  logic [{router.inputs * vcs * width - 1}:0] r{number}_{name};" for name, width in
              (("request", 1), ("header", flit.header), *answers.items())]
    pins = [("in_valid_i", "in_valid"), ("in_vc_i", "in_vc"), ("in_flit_i", "in_flit"), ("in_credit_valid_o", "in_credit_valid"),
            ("in_credit_vc_o", "in_credit_vc"), ("request_o", "request"), ("header_o", "header"), *((f"{net}_i", net) for net in answers),
            ("out_valid_o", "out_valid"), ("out_vc_o", "out_vc"), ("out_flit_o", "out_flit"), ("out_credit_valid_i", "out_credit_valid"),
            ("out_credit_vc_i", "out_credit_vc"), ("idle_o", "unused_idle")]
    lines += [f"  {router_block(design.shape)} #(", _listed(router_parameters(design, number)), f"  ) u_router_{number} (", "    .clk_i,", "    .rst_ni,",
              _listed((pin, f"r{number}_{net}") for pin, net in pins), "  );",
              f"  {route_module_name(design, number)} u_route_{number} (", "    .clk_i,", "    .rst_ni,",
              _listed((pin, f"r{number}_{net}") for pin, net in (("request_i", "request"), ("header_i", "header"),
                                                                 *((f"{net}_o", net) for net in answers))), "  );", ""]
    return "\n".join(lines)


def _listed(pairs):
    return ",\n".join(f"    .{name}({value})" for name, value in pairs)


def _flight(design, end, side):
    """Wires of a flit at a port of a router, and `_credit` those of a credit."""
    vc, flit, port = design.shape.vc_width, design.shape.flit.width, end.port
    base = f"r{end.router}_{side}"
    return (f"{{{base}_valid[{port}], {base}_vc[{port * vc + vc - 1}:{port * vc}], "
            f"{base}_flit[{port * flit + flit - 1}:{port * flit}]}}")


def _credit(design, end, side):
    vc, port = design.shape.vc_width, end.port
    base = f"r{end.router}_{side}_credit"
    return f"{{{base}_valid[{port}], {base}_vc[{port * vc + vc - 1}:{port * vc}]}}"


def _delay(design, name, width, cycles, source, target):
    return "\n".join([
        f"  flitcast_delay_line #(.Width({design.name}_pkg::{width}), .Cycles({cycles}), .ResetWidth(1)) u_{name} (",
        "    .clk_i,", "    .rst_ni,", f"    .in_i ({source}),", f"    .out_o({target})", "  );"])


def _link(design, number, link):
    return "\n".join([
        f"  // From output {link.source.port} of router {link.source.router} to input {link.target.port} of router {link.target.router}.",
        _delay(design, f"link_{number}", "FlightWidth", link.latency, _flight(design, link.source, "out"), _flight(design, link.target, "in")),
        _delay(design, f"link_{number}_credits", "CreditWidth", link.credit_latency, _credit(design, link.target, "in"),
               _credit(design, link.source, "out")), ""])


def _input(design, outside):
    name, end = f"{outside.name}_in", outside.port
    return "\n".join([
        f"  // Into input {end.port} of router {end.router}.",
        _delay(design, name, "FlightWidth", outside.latency, f"{{{name}_valid_i, {name}_vc_i, {name}_flit_i}}", _flight(design, end, "in")),
        _delay(design, f"{name}_credits", "CreditWidth", outside.credit_latency, _credit(design, end, "in"),
               f"{{{name}_credit_valid_o, {name}_credit_vc_o}}"), ""])


def _output(design, outside):
    name, end = f"{outside.name}_out", outside.port
    return "\n".join([
        f"  // Out of output {end.port} of router {end.router}.",
        _delay(design, name, "FlightWidth", outside.latency, _flight(design, end, "out"), f"{{{name}_valid_o, {name}_vc_o, {name}_flit_o}}"),
        _delay(design, f"{name}_credits", "CreditWidth", outside.credit_latency, f"{{{name}_credit_valid_i, {name}_credit_vc_i}}",
               _credit(design, end, "out")), ""])


def _open_ends(design):
    """Ports of routers that lead nowhere, such as those at the border of a mesh."""
    fed = {link.target for link in design.links} | {outside.port for outside in design.inputs}
    led = {link.source for link in design.links} | {outside.port for outside in design.outputs}
    for number, router in design.routers.items():
        inputs = [end for end in (Port(number, port) for port in range(router.inputs)) if end not in fed]
        outputs = [end for end in (Port(number, port) for port in range(router.outputs)) if end not in led]
        unused = [_credit(design, end, "in") for end in inputs] + [_flight(design, end, "out") for end in outputs]
        if unused:
            yield f"  // Ports of router {number} without a channel."
            yield from (f"  assign {_flight(design, end, 'in')} = '0;" for end in inputs)
            yield from (f"  assign {_credit(design, end, 'out')} = '0;" for end in outputs)
            yield f"  logic r{number}_unused;"
            yield f"  assign r{number}_unused = ^{{{', '.join(unused)}}};"
            yield from _no_flit(design, outputs)
            yield ""


def _no_flit(design, outputs):
    if outputs:
        yield "`ifndef SYNTHESIS"
        yield "  always @(posedge clk_i) if (rst_ni) begin"
        for end in outputs:
            yield f"    assert (!r{end.router}_out_valid[{end.port}]) else"
            yield f"        $error(\"{design.name}: router {end.router}: a flit leaves by output {end.port}, which has no channel\");"
        yield "  end"
        yield "`endif"
