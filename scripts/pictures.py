# SPDX-License-Identifier: Apache-2.0
"""Pictures of the gallery, scripts/site/text/questions.md, by the plots of the Python package. See scripts/gallery."""
import dataclasses
import hashlib
import json
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "sim" / "examples"
sys.path.insert(0, str(ROOT / "sim" / "python"))
import flitcast  # noqa: E402

ACCEPTED = "accepted_flits_per_node_cycle.mean"
FLITS_PER_CYCLE = "flits per node and cycle"


@dataclasses.dataclass(frozen=True)
class Picture:
    """A plot of the figure `y` over the key or figure `x`, one curve for all rows with the same `by`; bars without `x`.
    `marked`: the least x that saturates is."""

    name: str
    title: str
    x: str
    x_text: str
    y: str
    y_text: str
    by: tuple
    logarithmic: str = ""  # Axes.
    marked: bool = False

    def curves(self, table):
        """Its points, by the label of their curve. Saturated runs have no points for latencies, which only measure the window."""
        shown = table.fine() if self.y.startswith("latency") else table
        return shown.curves(self.x or "name", self.y, self.by)

    def saturated(self, table):
        return table.saturation(self.x, self.y, self.by) if self.marked else {}

    def plot(self, table):
        shown = table.fine() if self.y.startswith("latency") else table
        words = {"by": self.by, "title": self.title, "y_text": self.y_text}
        if not self.x:
            return flitcast.plots.bars(shown, self.y, **words)
        return flitcast.plots.curves(shown, self.x, self.y, x_text=self.x_text, logarithmic=self.logarithmic,
                                     saturated=self.saturated(table), **words)

    def digest(self, table):
        """A digest of its points; it is stored in the picture, so that a test finds pictures that are out of date."""
        return "points " + hashlib.sha256(json.dumps([self.curves(table), self.saturated(table)]).encode()).hexdigest()[:16]


PICTURES = [
    Picture("topology_64", "64 nodes, uniform traffic", "workload.load", f"offered load ({FLITS_PER_CYCLE})", "latency_cycles.mean",
            "mean latency (cycles)", ("topology",), marked=True),
    Picture("switching", "8x8 mesh, load 0.05", "workload.packet_length", "flits in a packet", "latency_cycles.mean",
            "mean latency (cycles)", ("router.kind",), "x"),
    Picture("multicast_mesh", "one message to 12 nodes of an 8x8 mesh", "workload.length", "flits of the message",
            "collective.cycles", "time (cycles)", ("workload.algorithm",), "xy"),
    Picture("reduction_mesh", "64 contributions to one node", "workload.length", "flits of a contribution", "collective.cycles",
            "time (cycles)", ("workload.forwarding",), "xy"),
    Picture("all_reduce", "all-reduce of 16 nodes", "workload.length", "flits of a contribution", "collective.cycles",
            "time (cycles)", ("workload.algorithm",), "xy"),
    Picture("middle_switches", "v(m, 4, 4) under random multicasts", "topology.middle_switches", "m, middle switches",
            "circuit.blocked", "requests without a path", ("topology.nodes",)),
    Picture("adaptive_transpose", "transpose on an 8x8 mesh", "workload.load", f"offered load ({FLITS_PER_CYCLE})", ACCEPTED,
            f"accepted load ({FLITS_PER_CYCLE})", ("routing.kind",)),
    Picture("hot_spot", "a tenth of all packets to one node", "workload.load", f"offered load ({FLITS_PER_CYCLE})",
            "latency_cycles.p99", "latency of the slowest 1 % (cycles)", ("routing.kind",)),
    Picture("dragonfly_detours", "dragonfly of 9 groups, offered 0.25", "", "", ACCEPTED, f"accepted load ({FLITS_PER_CYCLE})",
            ("workload.pattern", "routing.kind")),
    Picture("energy", "4x4 mesh, 34 bits, 0.18 um cells, 1 mm links", ACCEPTED, f"accepted load ({FLITS_PER_CYCLE})",
            "energy.pj_per_flit_hop", "energy of a flit-hop without the clock (pJ)", ("router.kind",)),
    Picture("long_links", "two routers, 4 channels of a port, offered 0.9", "router.buffer_depth", "places of a channel (flits)", ACCEPTED,
            f"accepted load ({FLITS_PER_CYCLE})", ("link.latency",), "x"),
    Picture("failed_links", "8x8 mesh, uniform traffic", "workload.load", f"offered load ({FLITS_PER_CYCLE})", "latency_cycles.mean",
            "mean latency (cycles)", ("routing",), marked=True),
    Picture("four_dies", "8x8 mesh in four dies, by the links between them", "workload.load", f"offered load ({FLITS_PER_CYCLE})",
            "latency_cycles.mean", "mean latency (cycles)", ("link",), marked=True),
    Picture("oversubscribed", "8 leaves of 8 nodes, offered 0.9", "topology.spines", "spine switches", ACCEPTED,
            f"accepted load ({FLITS_PER_CYCLE})", ("routing.kind",)),
    Picture("one_more_channel", "4x4 mesh, channels of 2, 4 and 8 places, 0.18 um cells", "energy.area_um2", "area of all routers (um^2)",
            ACCEPTED, f"accepted load ({FLITS_PER_CYCLE})", ("router.virtual_channels",)),
    Picture("bus_bandwidth", "all-reduce of 16 nodes, links of 20 GB/s", "physical.bytes", "data of a rank (bytes)",
            "physical.bus_gb_per_s", "bus bandwidth (GB/s)", ("workload.algorithm",), "x"),
    Picture("bursts", "8x8 mesh, packets of 4 flits", "workload.burst_length", "length of a burst (cycles)", "latency_cycles.p99",
            "latency of the slowest 1 % (cycles)", ("router.arbitration", "workload.load"), "x"),
    Picture("crowd", "8x8 mesh, others offer 0.2: what arrives", "workload.classes[1].load", f"load for one node ({FLITS_PER_CYCLE})",
            "classes.others.accepted_flits_per_node_cycle", f"load of others ({FLITS_PER_CYCLE})", ("workload",)),
    Picture("loaded_all_reduce", "ring of 16 nodes on a torus, 1024 flits", "workload.workloads[0].load",
            f"load of others ({FLITS_PER_CYCLE})", "workloads.step.collective.cycles", "time (cycles)", ("workload",)),
    Picture("reply_channels", "8x8 mesh, reads of one flit answered by five", "workload.classes[0].load",
            f"load of reads ({FLITS_PER_CYCLE})", ACCEPTED, f"accepted load ({FLITS_PER_CYCLE})", ("workload",)),
]


def file_of(picture):
    return EXAMPLES / "pictures" / f"{picture.name}.svg"


def draw(picture):
    import matplotlib
    matplotlib.rcParams.update({"svg.hashsalt": "flitcast", "svg.fonttype": "none"})  # The same bytes every time.
    with tempfile.TemporaryDirectory() as folder:
        table = flitcast.sweep(EXAMPLES / f"{picture.name}.yaml", out=folder, jobs=2)
    file_of(picture).parent.mkdir(exist_ok=True)
    picture.plot(table).savefig(file_of(picture), metadata={"Date": None, "Description": picture.digest(table)})


def main(names):
    known = {picture.name: picture for picture in PICTURES}
    for name in names or known:
        if name not in known:
            sys.exit(f'flitcast: "{name}" is no picture of the gallery; take {", ".join(known)}')
        draw(known[name])


if __name__ == "__main__":
    main(sys.argv[1:])
