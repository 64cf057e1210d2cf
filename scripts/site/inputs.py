# SPDX-License-Identifier: Apache-2.0
"""Files that experiments of effects.csv name and that no example has: tables, trees, and traces of parallel programs.

usage: inputs.py FOLDER     writes them, and those of the committed random experiments
"""
import pathlib
import sys

from pages import ROOT

sys.path.insert(0, str(ROOT / "testbenches" / "sim" / "experiments"))
import observe  # noqa: E402

# Output ports of a mesh of 2x2; from router 0 to node 1 directly, or around the other two routers.
TABLE = "router,destination,output\n0,3,0\n0,2,2\n1,0 2,1\n1,3,2\n2,3,0\n2,1,0\n2,0,3\n3,0 2,1\n3,1,3\n"
ENERGIES = """technology: round numbers
caveat: of no silicon
volts: 2
wire_pf_per_mm: 0.1
rows:
  - {{router: wormhole, ports: 5, virtual_channels: 4, buffer_depth: 8, departure: 2, width: 34, input_pin_pf: 0.01, leakage_uw: 3, clock_pj: 19,
     area_um2: {{a: 100}}, parts: {{a: {{flits_in: {}, flits_out: 2, packets: 3}}}}}}
"""
TEXTS = {
    "line.graph": "router a\nrouter b\nrouter c\nterminal s a\nterminal t c\nlink a b\nlink b c\n",
    "direct.csv": TABLE + "0,1,0\n",
    "detour.csv": TABLE + "0,1,2\n",
    "flows.csv": "source,destination,rate\n0,15,0.4\n3,1,0.2\n",
    "flow.csv": "source,destination,rate\n5,6,0.3\n",
    "pair.csv": "cycle,src,dst,flits,id,deps\n3,0,15,9,1,\n3,1,2,1,2,1\n",
    "two.csv": "cycle,src,dst,flits\n0,0,1,2\n50,2,3,4\n",
    "kernels": "cycle,src,dst,flits\n0,0,1,2\n",  # As the trace of this name in another format.
    "cells.yaml": ENERGIES.format(1),
    "dearer.yaml": ENERGIES.format(9),
}

# Types of the nodes of a Chakra trace, and the numbers of its collectives.
COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
OPERATIONS = {"reduce": 1, "all_gather": 2, "gather": 3, "scatter": 4, "broadcast": 5, "all_to_all": 6, "reduce_scatter": 7, "barrier": 9}


def varint(value):
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def field(number, value):
    """A field of a protocol buffer: an integer, or bytes with their length."""
    return varint(number << 3) + varint(value) if isinstance(value, int) else varint(number << 3 | 2) + varint(len(value)) + value


def delimited(message):
    return varint(len(message)) + message


def node(number, kind, after=(), micros=0, group=None, **attributes):
    """A node of a trace: it waits for those in `after`, computes for `micros`, and has attributes that are integers."""
    message = field(1, number) + field(3, kind) + field(5, b"".join(map(varint, after))) + field(7, micros)
    for name, value in attributes.items():
        message += field(10, field(1, name.encode()) + field(9, value))
    if group:
        message += field(10, field(1, b"pg_name") + field(29, group.encode()))
    return delimited(message)


def collective(name, group=None):
    return node(1, COLLECTIVE, comm_type=OPERATIONS[name], comm_size=64, group=group)


def two_ranks(*works):
    """Rank 0 does the works and then sends 150 bytes to rank 1."""
    sent = node(9, SEND, range(1, len(works) + 1), comm_size=150, comm_dst=1, comm_tag=0)
    return [b"".join((*works, sent)), node(1, RECEIVE, comm_size=150, comm_src=0, comm_tag=0)]


TRACES = {
    **{name: [collective(name)] * 4 for name in OPERATIONS},
    "groups": [collective("broadcast", group) for group in "aabb"],
    "kernel": two_ranks(node(1, COMPUTE, micros=1, num_ops=2_000_000_000, tensor_size=3_000_000)),
    "kernels": two_ranks(node(1, COMPUTE, micros=1), node(2, COMPUTE, micros=1)),
    "on_cpu": two_ranks(node(1, COMPUTE, micros=1, is_cpu_op=1), node(2, COMPUTE, micros=1, is_cpu_op=1)),
}


def write(folder):
    """Writes all of them; a trace of a parallel program has a file for each rank."""
    observe.write_inputs(pathlib.Path(folder))
    for name, text in TEXTS.items():
        pathlib.Path(folder, name).write_text(text, encoding="utf-8")
    for name, ranks in TRACES.items():
        for rank, nodes in enumerate(ranks):
            pathlib.Path(folder, f"{name}.{rank}.et").write_bytes(delimited(field(1, b"0.0.4")) + nodes)


# As experiments have them.
NAMES = (*TEXTS, *(f"file: {name}" for name in TRACES), "tree.graph", "trace.csv", "trace.netrace")

if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).mkdir(exist_ok=True)
    write(sys.argv[1])
