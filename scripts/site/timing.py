# SPDX-License-Identifier: Apache-2.0
"""Runs of a few packets over three routers, drawn flit by flit from the flit log of the program, and pin by pin from runs of the RTL."""
import csv
import pathlib
import tempfile

from drawing import draw_flits, draw_wires
from pages import block, figure, table
from waveforms import LOCAL, ROUTERS, RUNS, committed

# Pins of each run that are drawn, as (router, wire, port): the link from router 0 to router 1, or what meets in router 1.
LINK = [(0, "out_valid_o", 0), (1, "in_valid_i", 1), (1, "in_credit_valid_o", 1), (0, "out_credit_valid_i", 0)]
THROUGH = [(1, "in_valid_i", 1), (1, "in_credit_valid_o", 1), (1, "out_valid_o", 0), (1, "out_credit_valid_i", 0)]
MEETING = [(1, "in_valid_i", 0), (1, "in_valid_i", LOCAL), (1, "in_credit_valid_o", 0), (1, "in_credit_valid_o", LOCAL), (1, "out_valid_o", 1)]
PINS = {"pipeline": THROUGH, "credits": LINK, "two_vcs": THROUGH, "arbiters": MEETING}


def packets_file(run):
    return "cycle,src,dst,flits\n" + "".join(",".join(map(str, packet)) + "\n" for packet in run.packets)


class FlitRun:
    """The flit log of a run, in numbers."""

    def __init__(self, program, run):
        with tempfile.TemporaryDirectory() as folder:
            trace, log = pathlib.Path(folder, "packets.csv"), pathlib.Path(folder, "flits.csv")
            trace.write_text(packets_file(run))
            done = program.case(["run"], {
                "topology": {"kind": "mesh", "sizes": [len(ROUTERS)]}, "routing": {"kind": "dimension_order"}, "router": router_of(run),
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


def router_of(run):
    return {"virtual_channels": run.virtual_channels, "buffer_depth": run.buffer_depth}


class Timing:
    def __init__(self, program):
        self.runs = {name: FlitRun(program, run) for name, run in RUNS.items()}
        self.rtl_state, self.events = committed()

    def parts(self, pages, path):
        parts = {}
        for name, run in self.runs.items():
            router = ", ".join(f"{key}: {value}" for key, value in router_of(RUNS[name]).items())
            shown = [1] if name == "arbiters" else list(ROUTERS)
            rows = [row for row in run.rows if row["router"] in shown]
            parts[name] = (block(f"router: {{{router}}}", "yaml")
                           + figure(pages, path, f"flits_{name}", draw_flits(rows, shown), "flits in the buffers of routers over cycles"))
            parts[f"{name}_pins"] = figure(pages, path, f"pins_{name}", draw_wires(self.events[name], PINS[name]), "pins of routers in RTL over cycles")
        for name, words in (("packets", "pipeline"), ("meeting", "arbiters")):
            parts[name] = block(packets_file(RUNS[words]))
        parts["network"] = block("topology: {kind: mesh, sizes: [3]}\nrouting: {kind: dimension_order}\n"
                                 "workload: {kind: trace, format: csv, file: packets.csv}", "yaml")
        two = {name: run for name, run in self.runs.items() if name != "arbiters"}
        parts["times"] = table(("run", "cycles for a hop of a head", "cycles from a tail to the next head", "last flit leaves"), [
            (f"`{router_of(RUNS[name])}`".replace("'", ""), run.per_hop, run.bubble, max(row["left_cycle"] for row in run.rows)) for name, run in two.items()])
        parts["rtl_state"] = f"`{self.rtl_state}`"
        return parts
