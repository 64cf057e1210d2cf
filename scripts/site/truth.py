# SPDX-License-Identifier: Apache-2.0
"""Comparisons with what is not of this project: reference figures that are committed, formulas, and enumerations that know nothing of
the program; each beside what the program says now."""
import csv
import itertools
import json

from drawing import draw_curves
from pages import ROOT, figure, table

CURVES = ROOT / "testbenches" / "conformance" / "curves.csv"
# Words of the reference for routings that are the same here; the others are compared by stand-ins of flitcast-conform.
ROUTINGS = {"dor": {"kind": "dimension_order"}, "dim_order": {"kind": "dimension_order", "vc_classes": "dally_seitz_fixed"},
            "valiant": {"kind": "valiant"}}
SEEDS = 2


def run(program, config):
    done = program.case(["run"], config, "--quiet", "--json", "-")
    if done.returncode not in (0, 3):
        raise RuntimeError(f"the page of comparisons: {done.stderr.strip()}")
    return json.loads(done.stdout)


class Point:
    """A point of a curve of BookSim2, and the mean of the program over some seeds at the same load. Its latency is compared at the
    reference's mean number of hops, at five cycles for each hop, because the reference drew its destinations in short windows."""

    CYCLES_PER_HOP = 5

    def __init__(self, program, row):
        self.row, self.load, self.theirs = row, float(row["offered_flits_node_cycle"]), float(row["packet_latency"])
        results = [run(program, self.config(seed)) for seed in range(1, SEEDS + 1)]
        self.latency = sum(result["latency_cycles"]["mean"] for result in results) / SEEDS
        hops = sum(result["hops_mean"] for result in results) / SEEDS
        self.ours = self.latency + self.CYCLES_PER_HOP * (float(row["hops_avg"]) - hops)

    def config(self, seed):
        row = self.row
        return {"seed": seed, "topology": {"kind": row["topology"], "sizes": [int(row["k"])] * int(row["n"])},
                "routing": ROUTINGS[row["routing"]],
                "router": {"virtual_channels": int(row["num_vcs"]), "buffer_depth": int(row["vc_buf_size"])},
                "workload": {"kind": "traffic", "include_self": True, "load": self.load, "packet_length": int(row["packet_size"])},
                "measure": {"warmup": int(row["warmup_cycles"]), "window": int(row["measure_cycles"]), "drain_limit": 200000}}

    @property
    def allowed(self):
        """The relative difference that flitcast-conform allows at this point."""
        return 0.5 / self.theirs if self.row["point"] == "zero_load" else 0.05 if self.row["point"] == "load_0.80" else 0.02

    @property
    def difference(self):
        return self.ours / self.theirs - 1


def booksim_rows():
    with open(CURVES, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def booksim(program):
    return [Point(program, row) for row in booksim_rows() if row["routing"] in ROUTINGS and row["point"] != "saturation_3xT0"]


def geo_d_1(program):
    """Rows (load, length, formula, mean, half width): one link with packets of L flits created with probability p waits
    p L (L - 1) / (2 (1 - p L)) cycles on average."""
    for load, length in ((0.2, 4), (0.4, 4), (0.5, 8)):
        result = run(program, {"topology": {"kind": "ring", "nodes": 3}, "routing": {"kind": "shortest_path"},
                               "router": {"buffer_depth": 16, "virtual_channels": 8},
                               "workload": {"kind": "traffic", "pattern": "neighbour", "load": load, "packet_length": length},
                               "measure": {"warmup": 1000, "window": 60000}})
        formula = 2 + 2 * 4 + 1 + 1 + length - 1 + load * (length - 1) / (2 * (1 - load))
        latency = result["latency_cycles"]
        yield load, length, formula, latency["mean"], latency["mean_half_width_95"]


def steps(place, target, size, wraps):
    """The places of one dimension on the way from one to another; half way round a ring both ways count by half."""
    ahead = (target - place) % size
    if not wraps:
        return [(1, 1 if target > place else -1, abs(target - place))]
    if 2 * ahead == size:
        return [(0.5, 1, ahead), (0.5, -1, ahead)]
    return [(1, 1, ahead) if 2 * ahead < size else (1, -1, size - ahead)]


def enumerated_capacity(size, dimensions, wraps, destination):
    """The bound by walking every packet in dimension order, channel by channel; destination(source, to) is its share."""
    loads = {}
    places = list(itertools.product(range(size), repeat=dimensions))
    for source, to in itertools.product(places, repeat=2):
        share = destination(source, to)
        if not share:
            continue
        for dimension in range(dimensions):
            at = to[:dimension] + source[dimension:]
            for part, sign, distance in steps(source[dimension], to[dimension], size, wraps):
                for step in range(distance):
                    here = at[:dimension] + ((source[dimension] + sign * step) % size,) + at[dimension + 1:]
                    loads[here, dimension, sign] = loads.get((here, dimension, sign), 0) + share * part
    return min(1, 1 / max(loads.values()))


def capacities(program):
    """Rows (network, pattern, enumerated, stated by the program)."""
    cases = [("mesh", 8, 2, False, "uniform", lambda s, d: 8 ** -2), ("torus", 12, 2, True, "uniform", lambda s, d: 12 ** -2),
             ("mesh", 8, 2, False, "transpose", lambda s, d: d == s[::-1]),
             ("ring", 16, 1, True, "tornado", lambda s, d: d[0] == (s[0] + 7) % 16)]
    for kind, size, dimensions, wraps, pattern, destination in cases:
        sizes = {"nodes": size} if kind == "ring" else {"sizes": [size] * dimensions}
        result = run(program, {"topology": {"kind": kind, **sizes}, "routing": {"kind": "dimension_order"},
                               "workload": {"kind": "traffic", "pattern": pattern, "load": 0.01},
                               "measure": {"warmup": 10, "window": 100}})
        yield f"{kind} of {'x'.join([str(size)] * dimensions)}", pattern, enumerated_capacity(size, dimensions, wraps, destination), \
            result["capacity"]["flits_per_node_cycle"]


def statements(program):
    """The numbers of statements of each document, by the catalog."""
    return [line.split(", ") for line in program.output("claims").splitlines() if line[:1].isdigit()]


def proofs():
    """The number of rows of the list of proofs."""
    lines = (ROOT / "testbenches/formal/proofs").read_text(encoding="utf-8").splitlines()
    return sum("|" in line and not line.startswith("#") for line in lines)


class Truth:
    """All comparisons of the page, computed once."""

    def __init__(self, program):
        self.points, self.queues, self.bounds = booksim(program), list(geo_d_1(program)), list(capacities(program))
        self.statements, self.proofs = statements(program), proofs()

    def parts(self, pages, path):
        """The tables and pictures of the page, by the names that its text has for them."""
        curve = [point for point in self.points if point.row["curve"] == "C00"]
        picture = draw_curves({"BookSim2": [(point.load, point.theirs) for point in curve], "flitcast": [(point.load, point.ours) for point in curve]},
                              "offered load (flits per node and cycle)", "mean latency (cycles)")
        return {
            "booksim": figure(pages, path, "booksim", picture, "latency over load of a 4x4 mesh, BookSim2 and flitcast") + table(
                ("curve", "network", "load", "BookSim2", "flitcast", "difference"),
                [(p.row["curve"], f"{p.row['topology']} of {'x'.join([p.row['k']] * int(p.row['n']))}, {p.row['routing']}, {p.row['num_vcs']} VCs of "
                  f"{p.row['vc_buf_size']}, packets of {p.row['packet_size']}",
                  f"{p.load:.4f}", f"{p.theirs:.2f}", f"{p.ours:.2f}", f"{100 * p.difference:+.1f} %, allowed {100 * p.allowed:.1f} %")
                 for p in self.points]),
            "queues": table(("load", "flits of a packet", "formula", "flitcast"), [
                (load, length, f"{formula:.3f}", f"{mean:.3f} +- {half:.3f}") for load, length, formula, mean, half in self.queues]),
            "capacities": table(("network", "pattern", "enumerated", "flitcast"), [
                (network, pattern, f"{found:.4f}", f"{stated:.4f}") for network, pattern, found, stated in self.bounds]),
            "statements": table(("document", "statements"), [(document, number.split()[0]) for document, number in self.statements]),
            "proofs": str(self.proofs),
        }
