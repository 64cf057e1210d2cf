# SPDX-License-Identifier: Apache-2.0
"""The committed times of ASTRA-sim, testbenches/conformance/astra_sim.csv, each beside a run of the program on the same trace; the traces
are written from astra_traces.yaml there."""
import csv
import pathlib
import tempfile

import yaml

from booksim import FOLDER, run

# Types of nodes and of collectives in the schema of Chakra.
COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
COLLECTIVES = {"all_reduce": 0, "all_gather": 2, "broadcast": 5, "reduce_scatter": 7}
# Names of algorithms there, and here where they differ from the default, which is a ring.
ALGORITHMS = {"": {}, "ring": {}, "halving": {"all_reduce": "rabenseifner", "reduce_scatter": "recursive_halving", "all_gather": "recursive_doubling"}}


def varint(value):
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def field(number, value):
    """A field of a message of protocol buffers: a number, or bytes."""
    return varint(number << 3) + varint(value) if isinstance(value, int) else varint(number << 3 | 2) + varint(len(value)) + value


def delimited(message):
    return varint(len(message)) + message


def node_bytes(node):
    """A node of a trace; attributes are numbers, but for the name of the group."""
    kind, attributes = COMPUTE, {}
    for name, number in COLLECTIVES.items():
        if name in node:
            kind, attributes = COLLECTIVE, {"comm_type": number, "comm_size": node[name]}
    for name, number, end in (("send", SEND, "comm_dst"), ("receive", RECEIVE, "comm_src")):
        if name in node:
            kind, attributes = number, dict(zip((end, "comm_size", "comm_tag"), node[name]))
    fields = [field(1, node["id"]), field(3, kind), *(field(5, other) for other in node.get("after", ())), field(7, node.get("us", 0))]
    fields += [field(10, field(1, name.encode()) + field(9, value)) for name, value in attributes.items()]
    if "group" in node:
        fields.append(field(10, field(1, b"pg_name") + field(29, node["group"].encode())))
    return b"".join(fields)


class Traces:
    def __init__(self):
        self.all = yaml.safe_load((FOLDER / "astra_traces.yaml").read_text(encoding="utf-8"))

    def write(self, name, ranks, folder):
        """Writes a file for each rank; returns the start of their names."""
        for program in self.all["programs"][name]:
            for rank in program.get("ranks", range(ranks)):
                bytes_of_rank = delimited(field(1, b"0.0.4")) + b"".join(delimited(node_bytes(node)) for node in program["nodes"])
                pathlib.Path(folder, f"{name}.{rank}.et").write_bytes(bytes_of_rank)
        return str(pathlib.Path(folder, name))

    def groups(self, name):
        return [{"name": group, "ranks": ranks} for group, ranks in self.all["groups"].get(name, {}).items()]


class Replay:
    """A row of the table; `why` says that the times differ by more than is allowed (off), or that the program has no such run."""

    def __init__(self, row):
        self.row, self.theirs = row, int(row["astra_ns"])
        self.is_run, self.is_off = not row["why"].startswith("not run: "), row["why"].startswith("off: ")
        self.why = row["why"].partition(": ")[2]

    def config(self, traces, folder):
        row, ranks = self.row, int(self.row["ranks"])
        networks = {"ring": ({"kind": "torus", "sizes": [ranks]}, "dimension_order"), "full": ({"kind": "complete", "nodes": ranks}, "shortest_path")}
        topology, routing = networks[row["network"]]
        width = -int(-float(row["bytes_per_ns"]) // 1)
        workload = {"kind": "trace", "format": "chakra", "file": traces.write(row["trace"], ranks, folder), "flit_bytes": width, "mtu": 1000000,
                    "clock_mhz": 1000, "compute": {"memory": float(row["memory_bytes_per_ns"])}, "groups": traces.groups(row["trace"]),
                    "collectives": ALGORITHMS[row["algorithm"]]}
        return {"topology": topology, "routing": {"kind": routing}, "router": {"virtual_channels": 4, "buffer_depth": 2048},
                "link": {"latency": int(row["latency_ns"])}, "workload": {key: value for key, value in workload.items() if value}}

    def measure(self, program, traces):
        with tempfile.TemporaryDirectory() as folder:
            path = run(program, self.config(traces, folder))["critical_path"]
        self.ours, self.messages = path["cycles"], path["messages"]
        return self

    @property
    def difference(self):
        return self.ours / self.theirs - 1

    @property
    def allowed(self):
        """One in a hundred, and 15 cycles for each message on the critical path: a head, its routers, and the end points' delay there."""
        return 0.01 + 15 * self.messages / self.theirs


class Astra:
    def __init__(self, program):
        with open(FOLDER / "astra_sim.csv", newline="", encoding="utf-8") as file:
            rows, traces = [Replay(row) for row in csv.DictReader(file)], Traces()
        self.replays = [row.measure(program, traces) for row in rows if row.is_run]
        self.not_run = [row for row in rows if not row.is_run]

    def rows(self, off):
        """Rows of the table of replays that are, or are not, off."""
        for one in self.replays:
            if one.is_off == off:
                yield (one.row["id"], one.row["trace"], f"{one.row['network']} of {one.row['ranks']}, {one.row['algorithm']}", one.messages, one.theirs,
                       one.ours, f"{100 * one.difference:+.2f} %, " + (one.why if off else f"allowed {100 * one.allowed:.1f} %"))

    def reasons(self):
        """Rows (reason, number of settings, traces) of what was not run."""
        whys = {}
        for one in self.not_run:
            whys.setdefault(one.why, []).append(one.row["trace"])
        return [(why, len(traces), ", ".join(dict.fromkeys(traces))) for why, traces in whys.items()]
