# SPDX-License-Identifier: Apache-2.0
"""Comparisons with what is not of this project: reference figures that are committed, formulas, and enumerations that know nothing of
the program; each beside what the program says now."""
import csv
import itertools
import re

from astra import Astra
from booksim import OwnPoint, Point, Saturation, rows, run
from drawing import draw_bars, draw_curves
from pages import ROOT, figure, table
from reports import rules


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


def expected():
    """Rows (document, rows): the tables of expected values, which are worked out apart from the program."""
    for file in sorted((ROOT / "testbenches/claims").glob("expected_*.csv")):
        with open(file, newline="", encoding="utf-8") as rows_of_file:
            yield file.stem.removeprefix("expected_"), sum(1 for _ in csv.DictReader(rows_of_file))


def chiplets(name):
    """The rows of a file of a published study: network, figures there and here, difference; a test runs them anew."""
    with open(ROOT / f"sim/examples/published_chiplets/{name}.csv", newline="", encoding="utf-8") as file:
        return [(*list(row.values())[:-1], f"{float(row['deviation_percent']):+.1f} %") for row in csv.DictReader(file)]


def coverage_rows(name):
    """The rows of a table of scripts/interval_coverage."""
    with open(ROOT / f"testbenches/sim/coverage/{name}.csv", newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def percent(part, whole):
    return f"{100 * int(part) / int(whole):.1f} %" if int(whole) else "-"


def intervals():
    """Rows (case, window, runs, stated, covered, false, half-width): how often stated intervals contain the true mean."""
    for row in coverage_rows("measured"):
        case = row["case"] if row["group"] == "all" else f"{row['case']}: {row['group']}"
        yield case, row["window"], row["runs"], percent(row["stated"], row["runs"]), percent(row["covered"], row["stated"]), \
            percent(int(row["stated"]) - int(row["covered"]), row["runs"]), f"{row['half_width']} %" if row["half_width"] else "-"


def brackets():
    """Rows (search, truth, searches, covered, largest error, width): how often brackets of searches contain the true crossing."""
    for row in coverage_rows("brackets"):
        yield row["search"], row["truth"], row["searches"], percent(row["covered"], row["searches"]), f"{row['largest_error']} %", f"{row['width']} %"


def cosims():
    """Rows (block of the RTL, test): the blocks that run beside their models."""
    blocks = [file.stem for file in (ROOT / "rtl").rglob("*.sv")]
    for test in sorted((ROOT / "testbenches/cosim").glob("*_test.cpp")):
        name = f"flitcast_{test.stem.removesuffix('_test')}"
        if name in blocks:
            yield name, str(test.relative_to(ROOT))


def broken_rules():
    """Rows (rule of the base protocol of TLM-2.0, times that the test breaks it and demands its report)."""
    text = (ROOT / "testbenches/tlm/protocol_checker_test.cpp").read_text(encoding="utf-8")
    return [(name, text.count(f'"{name}"')) for name, _ in rules()]


def systemc_examples():
    """Names of the TLM-2.0 examples of the SystemC distribution that run over a network."""
    text = (ROOT / "testbenches/tlm/examples/CMakeLists.txt").read_text(encoding="utf-8")
    together = re.search(r"^foreach\(name (.*)\)$", text, re.M)[1].split()
    return sorted([*together, *re.findall(r"^flitcast_example\((\w+)", text, re.M)])


class Truth:
    """All comparisons of the page, computed once."""

    def __init__(self, program):
        reference = list(rows())
        points = [Point(row) for row in reference if row["point"] != "saturation_3xT0"]
        self.stand_ins = [point for point in points if point.stands_in]
        self.points = [point.measure(program) for point in points if not point.stands_in]
        self.own = [point.measure(program) for point in OwnPoint.rows(reference)]
        self.saturations = [Saturation(program, row) for row in reference if row["point"] == "saturation_3xT0"]
        self.astra, self.rules, self.examples = Astra(program), broken_rules(), systemc_examples()
        self.queues, self.bounds = list(geo_d_1(program)), list(capacities(program))
        self.statements, self.expected, self.proofs, self.cosims = statements(program), list(expected()), proofs(), list(cosims())

    def points_of(self, *files):
        return [(p.row["curve"], p.network, f"{p.row['num_vcs']} VCs of {p.row['vc_buf_size']}, packets of {p.row['packet_size']}, {p.row['traffic']}",
                 ", ".join(f"{key} {value}" for key, value in p.options.items() if key not in ("c", "x", "y", "xr", "yr")), f"{p.load:.4g}", f"{p.theirs:.2f}",
                 f"{p.ours:.2f}", f"{100 * p.difference:+.1f} %, allowed {100 * p.allowed:.1f} %") for p in self.points if p.row["file"] in files]

    def stood_in(self):
        """Rows of the curves that stand-ins replay: one for each curve."""
        curves = {}
        for point in self.stand_ins:
            curves.setdefault(point.row["curve"], []).append(point)
        for curve, points in curves.items():
            yield (curve, f"{points[0].network}, {points[0].row['traffic']}", f"`{points[0].routing['kind']}`",
                   ", ".join(f"{p.theirs:.1f} at {p.load:.4g}" for p in points), f"`{points[0].row['file']}.csv`")

    def with_own_routings(self):
        for point in self.own:
            routing = ", ".join(f"{key}: {str(value).rpartition('/')[2]}" for key, value in point.routing.items())
            yield (point.row["curve"], f"{point.network}, {point.row['traffic']}", f"`{routing}`", f"{point.load:.4g}", f"{point.theirs:.2f}",
                   f"{point.ours:.2f}", f"{100 * point.difference:+.1f} %, allowed {100 * point.allowed:.0f} %")

    def astra_parts(self, pages, path):
        near = [one for one in self.astra.replays if not one.is_off]
        picture = draw_bars([(f"{one.row['id']} {one.row['trace']}, {one.row['network']}", 100 * one.difference) for one in near], 2,
                            "flitcast against ASTRA-sim, %")
        head = ("number", "trace", "network and algorithm", "messages", "ASTRA-sim, ns", "flitcast, ns")
        return {
            "astra": figure(pages, path, "astra", picture, "times of traces, flitcast against ASTRA-sim") + table((*head, "difference"), self.astra.rows(False)),
            "astra_off": table((*head, "difference, and why"), self.astra.rows(True)),
            "astra_not": table(("why", "settings", "traces"), self.astra.reasons()),
        }

    def parts(self, pages, path):
        """The tables and pictures of the page, by the names that its text has for them."""
        curve = [point for point in self.points if point.row["curve"] == "C00"]
        picture = draw_curves({"BookSim2": [(point.load, point.theirs) for point in curve], "flitcast": [(point.load, point.ours) for point in curve]},
                              "offered load (flits per node and cycle)", "mean latency (cycles)")
        head = ("curve", "network", "router and traffic", "options", "load", "BookSim2", "flitcast", "difference")
        return {
            "booksim": figure(pages, path, "booksim", picture, "latency over load of a 4x4 mesh, BookSim2 and flitcast") + table(head, self.points_of("curves", "lengths")),
            "saturation": table(("curve", "network", "BookSim2", "flitcast", "allowed"), [
                (one.point.row["curve"], one.point.network, f"{one.low} to {one.high}", f"{one.ours:.4f}", f"{100 * one.ALLOWED:.0f} %") for one in self.saturations]),
            "zero_load": table(head, self.points_of("zero_load")),
            **self.astra_parts(pages, path),
            "tlm_rules": table(("rule", "reports that the test demands"), self.rules),
            "tlm_examples": ", ".join(f"`{name}`" for name in self.examples),
            "stand_ins": table(("curve", "network", "stand-in", "mean latency there, at the load", "in"), list(self.stood_in())),
            "own": table(("curve", "network", "routing here", "load", "BookSim2", "flitcast", "difference"), list(self.with_own_routings())),
            "chiplets": table(("network", "BookSim2 there", "formula there", "flitcast", "difference from BookSim2"), chiplets("latencies")),
            "chiplet_loads": table(("network", "BookSim2 there", "flitcast", "difference"), chiplets("saturation")),
            "queues": table(("load", "flits of a packet", "formula", "flitcast"), [
                (load, length, f"{formula:.3f}", f"{mean:.3f} +- {half:.3f}") for load, length, formula, mean, half in self.queues]),
            "capacities": table(("network", "pattern", "enumerated", "flitcast"), [
                (network, pattern, f"{found:.4f}", f"{stated:.4f}") for network, pattern, found, stated in self.bounds]),
            "statements": table(("document", "statements"), [(document, number.split()[0]) for document, number in self.statements]),
            "expected": table(("document", "rows of expected values"), self.expected),
            "means": table(("case", "experiment", "true mean latency"), [
                (row["name"], f"`{row['settings']}`", row["truth"]) for row in coverage_rows("cases")]),
            "intervals": table(("case", "window", "runs", "state an interval", "of these cover", "false, of all runs", "half-width"),
                               list(intervals())),
            "brackets": table(("search", "crossing in long runs", "searches", "of these contain it", "largest error", "width"), list(brackets())),
            "cosims": table(("block", "test"), [(f"`{block}`", f"`{test}`") for block, test in self.cosims]),
            "proofs": str(self.proofs),
        }
