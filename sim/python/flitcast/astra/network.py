# SPDX-License-Identifier: Apache-2.0
"""Networks of ASTRA-sim's analytical back end: a topology, timing and routers of ours."""
import itertools
import json
import math
from typing import NamedTuple

from .experiment import Setting
from .inputs import AMOUNT, COUNT, POSITIVE, TEXT, list_of

BYTES_PER_NS = 2 ** 30 / 1e9  # 1 GB/s of a network file.
KINDS = ("Ring", "FullyConnected", "Switch")
MOST_PORTS = 128              # A router's, and twice what node.ports may be.
MOST_VCS = 32
MOST_CYCLES_PER_FLIT = 64     # Wider flits represent bandwidths better and short messages worse.
CLOSE = 0.001                 # A bandwidth that differs by less is as given.
TOLERABLE = 0.01              # One that differs by more must be accepted.


class Dimension(NamedTuple):
    kind: str
    npus: int
    bandwidth: float  # Bytes per ns of a link, each way.
    latency: float    # ns of a link.

    @property
    def links(self):
        """Links of an NPU."""
        return {"Ring": 2, "FullyConnected": self.npus - 1, "Switch": 1}[self.kind]

    @property
    def hops(self):
        """Links of the longest path."""
        return {"Ring": self.npus // 2, "FullyConnected": 1, "Switch": 2}[self.kind]


class Timing(NamedTuple):
    """Flits of `width` bytes, one in `cycles[d]` cycles on a link of dimension d; `error` is the largest relative difference."""
    width: int
    cycles: list
    error: float


class Network(NamedTuple):
    dimensions: list
    timing: Timing
    settings: list
    graph: str  # Text of a graph file; empty if a kind of topology has the same links.

    @property
    def npus(self):
        return math.prod(dimension.npus for dimension in self.dimensions)


def read_network(source, clock, graph_file, report):
    """The Network of a network file at a clock in GHz, or None if its dimensions are unknown."""
    dimensions = _read_dimensions(source, report)
    if dimensions is None:
        return None
    timing = _timing(dimensions, clock)
    _report_rounding(source, dimensions, timing, clock, report)
    _report_limits(source, dimensions, report)
    topology, routing, graph = _topology(dimensions, timing, clock, graph_file)
    settings = [
        Setting("clock", f"{clock} GHz", "ASTRA-sim counts in ns." if clock == 1 else "By --clock."),
        Setting("flit_width", f"{timing.width} B", _about_width(source, dimensions, timing, clock)),
        Setting("topology", topology, f"{source.place('topology')}, npus_count"),
        Setting("routing", routing, "Shortest paths, as there."),
        *_router_settings(dimensions, timing, clock, graph),
        *_link_settings(source, dimensions, timing, graph),
        _ports(source, dimensions, report),
    ]
    return Network(dimensions, timing, settings, graph)


def _read_dimensions(source, report):
    before = len(report.refusals)
    kinds = source.take(report, "topology", list_of(TEXT), required=True)
    counts = source.take(report, "npus_count", list_of(COUNT), required=True)
    bandwidths = source.take(report, "bandwidth", list_of(POSITIVE), required=True)
    latencies = source.take(report, "latency", list_of(AMOUNT), required=True)
    source.refuse_rest(report)
    for kind in dict.fromkeys(kinds or []):
        if kind not in KINDS:
            report.refuse(source.place("topology"), f"{json.dumps(kind)} is no topology of the analytical back end",
                          f"write one of {', '.join(KINDS)}")
    for key, given in (("npus_count", counts), ("bandwidth", bandwidths), ("latency", latencies)):
        if kinds and given and len(given) != len(kinds):
            report.refuse(source.place(key), f"{len(given)} values for {len(kinds)} dimensions", "write one for each dimension")
    if counts and min(counts) < 2:
        report.refuse(source.place("npus_count"), "a dimension has less than 2 NPUs", "leave that dimension out")
    if len(report.refusals) > before:
        return None
    return [Dimension("FullyConnected" if kind == "Ring" and npus == 2 else kind, int(npus), bandwidth * BYTES_PER_NS, latency)
            for kind, npus, bandwidth, latency in zip(kinds, counts, bandwidths, latencies)]


def _timing(dimensions, clock):
    """The narrowest flits that represent all bandwidths well, or else the best."""
    rates = [dimension.bandwidth / clock for dimension in dimensions]  # Bytes per cycle.

    def at(fastest):
        width = min(max(round(fastest * max(rates)), 1), 65536)
        cycles = [min(max(round(width / rate), 1), 1024) for rate in rates]
        return Timing(width, cycles, max(abs(width / (count * rate) - 1) for count, rate in zip(cycles, rates)))

    tried = [at(fastest) for fastest in range(1, MOST_CYCLES_PER_FLIT + 1)]
    return next((timing for timing in tried if timing.error <= CLOSE), min(tried, key=lambda timing: timing.error))


def _cycles(latency, clock):
    """The cycles of a latency in ns; the program rounds up, and a link takes one at least."""
    return max(math.ceil(latency * clock - 1e-9), 1)


def _report_rounding(source, dimensions, timing, clock, report):
    finer = f"take shorter cycles, such as --clock {10 * clock}" if clock < 10 else "take another value"
    if timing.error > TOLERABLE:
        report.differ(source, "bandwidth", f"a bandwidth would be {timing.error:.1%} off: flits of {timing.width} bytes, one in "
                      f"{listed(timing.cycles)} cycles", finer)
    for latency in dict.fromkeys(dimension.latency for dimension in dimensions):
        cycles = _cycles(latency, clock)
        if cycles / clock > latency * (1 + TOLERABLE):
            report.differ(source, "latency", f"{latency} ns would be {cycles} cycles of {1 / clock:g} ns", finer)


def _report_limits(source, dimensions, report):
    widest = max([dimension.npus for dimension in dimensions if dimension.kind == "Switch"] + [_degree(dimensions) + 1])
    if widest > MOST_PORTS or (len(dimensions) == 1 and dimensions[0].kind != "Ring" and dimensions[0].npus > MOST_PORTS):
        report.refuse(source.place("npus_count"), f"a router would have {widest} ports, and {MOST_PORTS} is the most",
                      "take fewer NPUs in a FullyConnected or Switch dimension")
    if _is_graph(dimensions) and _diameter(dimensions) > MOST_VCS:
        report.refuse(source.place("npus_count"), f"paths of {_diameter(dimensions)} links need as many virtual channels, and "
                      f"{MOST_VCS} is the most", "take smaller rings")


def _degree(dimensions):
    return sum(dimension.links for dimension in dimensions)


def _diameter(dimensions):
    return sum(dimension.hops for dimension in dimensions)


def _is_torus(dimensions):
    return {dimension.kind for dimension in dimensions} == {"Ring"} and len({dimension[2:] for dimension in dimensions}) == 1


def _is_graph(dimensions):
    return len(dimensions) > 1 and not _is_torus(dimensions) and {dimension.kind for dimension in dimensions} != {"FullyConnected"}


def _topology(dimensions, timing, clock, graph_file):
    """The values of topology and routing, and the text of a graph file, which is empty if there is none."""
    sizes = [dimension.npus for dimension in dimensions]
    if len(dimensions) == 1:
        return {"Ring": (f"{{kind: ring, nodes: {sizes[0]}}}", "{kind: dimension_order}", ""),
                "FullyConnected": (f"{{kind: complete, nodes: {sizes[0]}}}", "{kind: shortest_path}", ""),
                "Switch": (f"{{kind: folded_clos, nodes: 1, leaves: {sizes[0]}, spines: 1}}", "{kind: d_mod_k}", ""),
                }[dimensions[0].kind]
    if _is_graph(dimensions):
        text = _graph(dimensions, timing, clock)
        return f"{{kind: custom, file: {json.dumps(graph_file)}}}", "{kind: shortest_path, vc_classes: by_distance}", text
    if _is_torus(dimensions):
        return f"{{kind: torus, sizes: {sizes}}}", "{kind: dimension_order}", ""
    return f"{{kind: hyperx, sizes: {sizes}}}", "{kind: e_cube}", ""


def _graph(dimensions, timing, clock):
    """A router for each NPU and each switch. NPU a0 + n0 (a1 + n1 (...)) has the coordinates (a0, a1, ...)."""
    sizes = [dimension.npus for dimension in dimensions]
    strides = [math.prod(sizes[:d]) for d in range(len(sizes))]
    npus = range(math.prod(sizes))
    lines = [f"# {' x '.join(f'{dimension.kind} of {dimension.npus}' for dimension in dimensions)}."]
    lines += [f"router npu{npu}" for npu in npus]
    lines += [f"terminal node{npu} npu{npu}" for npu in npus]
    for d, dimension in enumerate(dimensions):
        times = f"latency {_cycles(dimension.latency, clock)} cycles_per_flit {timing.cycles[d]}"
        firsts = [npu for npu in npus if npu // strides[d] % dimension.npus == 0]
        for first in firsts:
            row = [f"npu{first + i * strides[d]}" for i in range(dimension.npus)]
            if dimension.kind == "Switch":
                switch = f"switch{d}_{first}"
                lines.append(f"router {switch}")
                pairs = [(npu, switch) for npu in row]
            elif dimension.kind == "Ring":
                pairs = list(zip(row, row[1:] + row[:1]))
            else:
                pairs = list(itertools.combinations(row, 2))
            lines += [f"link {one} {other} {times}" for one, other in pairs]
    return "\n".join(lines) + "\n"


def _about_width(source, dimensions, timing, clock):
    rates = ", ".join(f"{dimension.bandwidth:.6g} bytes/ns ({timing.width * clock / cycles / dimension.bandwidth - 1:+.2%})"
                      for dimension, cycles in zip(dimensions, timing.cycles))
    return f"{source.place('bandwidth')} in 2^30 bytes/s: {rates}; narrower flits would be further off."


def _router_settings(dimensions, timing, clock, graph):
    # The credit of a flit is back after its flight, the credit's of one cycle, and the stages of the router.
    depth = max(math.ceil((_cycles(dimension.latency, clock) + 8) / cycles) + 2
                for dimension, cycles in zip(dimensions, timing.cycles))
    settings = [Setting("router.pipeline", "{route: 0, vc_allocation: 0, traversal: 0}",
                        "ASTRA-sim has no routers: the shortest pipeline."),
                Setting("router.buffer_depth", min(depth, 65535), "ASTRA-sim has no buffers: as many flits as keep a link busy.")]
    if graph:
        settings.append(Setting("router.virtual_channels", max(4, _diameter(dimensions)),
                                "As many as links on the longest path, which cannot deadlock."))
    return settings


def _link_settings(source, dimensions, timing, graph):
    def of(d):
        latency = f"{dimensions[d].latency:g} ns" if dimensions[d].latency > 0 else 1
        return latency, timing.cycles[d]

    origin = f"{source.place('latency')}, bandwidth"
    fastest = timing.cycles.index(min(timing.cycles))
    latency, cycles = of(fastest)
    settings = [Setting("link.latency", latency, origin), Setting("link.cycles_per_flit", cycles, "A flit of this width.")]
    if not graph and len({of(d) for d in range(len(dimensions))}) > 1:
        for d in range(len(dimensions)):
            latency, cycles = of(d)
            settings.append(Setting(f"link.classes.dimension_{d}", f"{{latency: {latency}, cycles_per_flit: {cycles}}}",
                                    f"Dimension {d}."))
    return settings


def _ports(source, dimensions, report):
    if 2 * _degree(dimensions) <= MOST_PORTS:
        return Setting("node.ports", "all", "An NPU uses all its links at once there.")
    report.note(source.place("npus_count"), f"an NPU sends to one of its {_degree(dimensions)} links at a time, since a router has "
                f"{MOST_PORTS} ports at most")
    return Setting("node.ports", "one", "There are not enough ports for as many as links.")


def listed(values):
    return ", ".join(map(str, values))
