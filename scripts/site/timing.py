# SPDX-License-Identifier: Apache-2.0
"""Runs of two packets over three routers, drawn flit by flit from the flit log of the program."""
import csv
import pathlib
import tempfile

from drawing import draw_flits
from pages import block, figure, table

PACKETS = "cycle,src,dst,flits\n0,0,2,3\n0,0,2,3\n"
ROUTERS = [0, 1, 2]
# Runs by name, with what is shown of their routers.
RUNS = {
    "pipeline": {"virtual_channels": 1, "buffer_depth": 8},
    "credits": {"virtual_channels": 1, "buffer_depth": 2},
    "two_vcs": {"virtual_channels": 2, "buffer_depth": 8},
}


class FlitRun:
    """The flit log of the packets under some router, in numbers."""

    def __init__(self, program, router):
        with tempfile.TemporaryDirectory() as folder:
            trace, log = pathlib.Path(folder, "packets.csv"), pathlib.Path(folder, "flits.csv")
            trace.write_text(PACKETS)
            done = program.case(["run"], {
                "topology": {"kind": "mesh", "sizes": [3, 1]}, "routing": {"kind": "dimension_order"}, "router": router,
                "workload": {"kind": "trace", "format": "csv", "file": str(trace)}, "trace": {"from": 0, "to": 100}},
                "--quiet", "--out", folder, "--flit-log", str(log))
            if done.returncode != 0:
                raise RuntimeError(f"the page of a router: {done.stderr.strip()}")
            with open(log, newline="", encoding="utf-8") as file:
                self.rows = [{key: value if key == "packet" else int(value) for key, value in row.items()} for row in csv.DictReader(file)]

    def row(self, packet, flit, router):
        return next(row for row in self.rows if (row["packet"], row["flit"], row["router"]) == (packet, flit, router))

    @property
    def packets(self):
        return sorted({row["packet"] for row in self.rows})

    @property
    def per_hop(self):
        """Cycles from the arrival of the first head in a router to its arrival in the next."""
        first = self.packets[0]
        return self.row(first, 0, 1)["arrived_cycle"] - self.row(first, 0, 0)["arrived_cycle"]

    @property
    def bubble(self):
        """Cycles between the tail of the first packet and the head of the second out of router 0."""
        return self.row(self.packets[1], 0, 0)["left_cycle"] - self.row(self.packets[0], 2, 0)["left_cycle"]


class Timing:
    def __init__(self, program):
        self.runs = {name: FlitRun(program, router) for name, router in RUNS.items()}

    def parts(self, pages, path):
        parts = {}
        for name, run in self.runs.items():
            router = ", ".join(f"{key}: {value}" for key, value in RUNS[name].items())
            parts[name] = (block(f"router: {{{router}}}", "yaml")
                           + figure(pages, path, f"flits_{name}", draw_flits(run.rows, ROUTERS), "flits in the buffers of three routers over cycles"))
        parts["packets"] = block("topology: {kind: mesh, sizes: [3, 1]}\nrouting: {kind: dimension_order}\n"
                                 "workload: {kind: trace, format: csv, file: packets.csv}", "yaml") + block(PACKETS)
        parts["times"] = table(("run", "cycles for a hop of a head", "cycles from a tail to the next head", "last flit leaves"), [
            (f"`{RUNS[name]}`".replace("'", ""), run.per_hop, run.bubble, max(row["left_cycle"] for row in run.rows)) for name, run in self.runs.items()])
        return parts
