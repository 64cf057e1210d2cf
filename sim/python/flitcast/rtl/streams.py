# SPDX-License-Identifier: Apache-2.0
"""A top module whose nodes have AXI4-Stream ports instead of flits and credits."""
from .classes import even_classes
from .stored import stores_packets

BLOCKS = ("flitcast_node_source", "flitcast_node_sink")


def refusals_of_streams(file, config, router):
    """Reasons why the nodes of a network cannot have streams."""
    if router is not None:
        return ["--streams: one router has no nodes; leave out --router"]
    if stores_packets(config):
        return [f"{file}: router.kind: --streams: sources of streams count credits in flits, and store_and_forward in packets; use wormhole or "
                "virtual_cut_through"]
    if config["routing"]["kind"] == "hierarchical":
        return ["--streams: sources of streams begin packets on any VC, and hierarchical has some for that; leave it out, or use up_down"]
    if even_classes(config) is None:
        return [f"{file}: workload.classes: with --streams class c has the VCs from c * virtual_channels / classes on; share them out like that"]
    return []


def streams_text(design):
    """The module; sources and sinks take the widths and parameters of the package."""
    pkg, nodes = f"{design.name}_pkg", range(len(design.inputs))
    dest = "header of README.md" if design.shape.flit.draws else "number of the node that it goes to"
    head = ["// The network with an AXI4-Stream into each node and one out of it, for each class of messages.", "//",
            f"// Use       node_source.sv and node_sink.sv: a packet is the beats up to tlast, tdest the {dest}.",
            "// Timing    Credits of the nodes return one clock later than in the model.", f"module {design.name}_streams (",
            "  input  logic clk_i,", "  input  logic rst_ni,  // Synchronous, active low."]
    ports = ",\n".join(_ports(f"node_{n}", pkg) for n in nodes)
    return "\n".join([*head, ports, ");", "", *(_nets(f"node_{n}", pkg) for n in nodes), _network(design), *(_node(f"node_{n}", pkg) for n in nodes),
                      "endmodule"]) + "\n"


def _ports(node, pkg):
    classes, data, dest = (f"[{pkg}::{name}-1:0]" for name in ("NumClasses", "StreamWidth", "StreamDestWidth"))
    return ",\n".join([f"  input  logic {classes} {node}_s_tvalid_i", f"  output logic {classes} {node}_s_tready_o",
                       f"  input  logic {data} {node}_s_tdata_i", f"  input  logic {classes} {node}_s_tlast_i",
                       f"  input  logic {dest} {node}_s_tdest_i", f"  output logic {classes} {node}_m_tvalid_o",
                       f"  input  logic {classes} {node}_m_tready_i", f"  output logic {data} {node}_m_tdata_o",
                       f"  output logic {classes} {node}_m_tlast_o"])


def _nets(node, pkg):
    return "\n".join(f"  logic {width}{node}_{side}_{name};" for side in ("in", "out") for width, name in (
        ("", "valid"), (f"[{pkg}::VcWidth-1:0] ", "vc"), (f"[{pkg}::FlitWidth-1:0] ", "flit"), ("", "credit_valid"),
        (f"[{pkg}::VcWidth-1:0] ", "credit_vc"))) + "\n"


def _network(design):
    pins = ["    .clk_i,\n    .rst_ni"]
    for side, outsides in (("in", design.inputs), ("out", design.outputs)):
        toward, back = ("_i", "_o") if side == "in" else ("_o", "_i")
        pins += [f"    .{outside.name}_{side}_{name}{toward if name in ('valid', 'vc', 'flit') else back}({outside.name}_{side}_{name})"
                 for outside in outsides for name in ("valid", "vc", "flit", "credit_valid", "credit_vc")]
    return f"  {design.name} u_network (\n" + ",\n".join(pins) + "\n  );\n"


def _node(node, pkg):
    shared = [("NumVcs", "NumVcs"), ("NumClasses", "NumClasses"), ("Depth", "Depth"), ("DataWidth", "PayloadWidth"), ("DestWidth", "HeaderWidth"),
              ("RemainingWidth", "RemainingWidth")]
    source = _instance("flitcast_node_source", f"u_{node}_source", [*shared, ("MaxFlits", "MaxFlits")], pkg,
                       [(f"s_{name}", f"{node}_s_{name}") for name in ("tvalid_i", "tready_o", "tdata_i", "tlast_i", "tdest_i")]
                       + [(f"out_{name}", f"{node}_in_{name[:-2]}") for name in ("valid_o", "vc_o", "flit_o", "credit_valid_i", "credit_vc_i")])
    sink = _instance("flitcast_node_sink", f"u_{node}_sink", shared, pkg,
                     [(f"in_{name}", f"{node}_out_{name[:-2]}") for name in ("valid_i", "vc_i", "flit_i", "credit_valid_o", "credit_vc_o")]
                     + [(f"m_{name}", f"{node}_m_{name}") for name in ("tvalid_o", "tready_i", "tdata_o", "tlast_o")])
    return source + "\n" + sink + "\n"


def _instance(module, name, parameters, pkg, pins):
    values = ",\n".join(f"    .{parameter}({pkg}::{value})" for parameter, value in parameters)
    wires = ",\n".join(f"    .{pin}({net})" for pin, net in pins)
    return f"  {module} #(\n{values}\n  ) {name} (\n    .clk_i,\n    .rst_ni,\n{wires}\n  );"
