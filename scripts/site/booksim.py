# SPDX-License-Identifier: Apache-2.0
"""The committed figures of BookSim2, testbenches/conformance/*.csv, each beside a run of the program where both have the routing. How its
words are said here stands in testbenches/conformance/curve_point.cpp, which the tables are read from."""
import csv
import json
import re

import yaml

from pages import ROOT

FOLDER = ROOT / "testbenches" / "conformance"
FILES = ("curves", "zero_load", "lengths")
SOURCE = (FOLDER / "curve_point.cpp").read_text(encoding="utf-8")
# The routing here, or the stand-in of flitcast-conform, by topology and the word there.
ROUTINGS = {(topology, word): yaml.safe_load(text) for topology, word, text in re.findall(r'\{\{"(\w+)", "(\w+)"\}, "(\{.*?\})"\}', SOURCE)}
ALLOCATORS = dict(re.findall(r'\{"(\w+)", "(\w+_first|wavefront)"\},', SOURCE))
SEEDS = 2
# The program's own routing where flitcast-conform has a stand-in for curves of long links and UGAL, and the relative difference
# allowed below 0.8 of saturation; the page says why they differ.
OWN = {"reference_dragonfly_min": ({"kind": "dragonfly_minimal"}, 0.03),
       "reference_dragonfly_ugal": ({"kind": "ugal", "threshold": 30}, 0.12),
       "reference_flatfly_ugal": ({"kind": "ugal", "threshold": 2}, 0.03),
       "reference_least_latency": ({"kind": "table", "file": str(FOLDER / "irregular_routes.csv")}, 0.03)}


def run(program, config):
    done = program.case(["run"], config, "--quiet", "--point", "0", "--json", "-")
    if done.returncode not in (0, 3):
        raise RuntimeError(f"the page of comparisons: {done.stderr.strip()}")
    return json.loads(done.stdout)


def rows():
    for name in FILES:
        with open(FOLDER / f"{name}.csv", newline="", encoding="utf-8") as file:
            yield from ({**row, "file": name} for row in csv.DictReader(file))


class Point:
    """A row of BookSim2's figures: one network at one load."""

    def __init__(self, row):
        self.row, self.load, self.theirs = row, float(row["offered_flits_node_cycle"]), float(row["packet_latency"])
        self.options = dict(one.split("=") for one in row["other_params"].split(";") if one)
        self.routing = ROUTINGS[row["topology"], row["routing"]]
        self.ours = None

    @property
    def stands_in(self):
        """True if the routing here is one of flitcast-conform alone."""
        return self.routing["kind"].startswith("reference_")

    @property
    def network(self):
        size = "x".join([self.row["k"]] * int(self.row["n"])) if self.row["topology"] in ("mesh", "torus", "cmesh", "flatfly") else f"{self.row['nodes']} nodes"
        return f"{self.row['topology']} of {size}, {self.row['routing']}"

    def option(self, name, usual):
        return int(self.options.get(name, usual))

    def topology(self):
        kind, k, n = self.row["topology"], int(self.row["k"]), int(self.row["n"])
        tile = {"tile": [self.option("xr", 1), self.option("yr", 1)]}
        return {"fly": {"kind": "butterfly", "arity": k, "stages": n}, "fattree": {"kind": "fat_tree", "arity": k, "levels": n},
                "dragonflynew": {"kind": "dragonfly", "nodes": k}, "anynet": {"kind": "custom", "file": str(FOLDER / "irregular.anynet")},
                "cmesh": {"kind": "cmesh", "sizes": [k] * n, **tile}, "flatfly": {"kind": "flattened_butterfly", "sizes": [k] * n, **tile},
                }.get(kind, {"kind": kind, "sizes": [k] * n})

    def pipeline(self):
        return {"route": self.option("routing_delay", 1), "vc_allocation": self.option("vc_alloc_delay", 1),
                "switch_allocation": self.option("sw_alloc_delay", 1), "traversal": 1}

    def link(self):
        """Where links have lengths, credits take as long as flits; those of the dragonflies are 10 cycles in a group, 100 between them."""
        lengths = {"dragonflynew": {"classes": {"local": {"latency": 10}, "global": {"latency": 100}}}, "anynet": {}}
        if self.row["topology"] in lengths:
            return {"credit_latency": 0, **lengths[self.row["topology"]]}
        return {"credit_latency": 1 + self.option("credit_delay", 0)}

    def pattern(self):
        if self.row["traffic"] == "uniform":
            return {"pattern": "uniform", "include_self": True}
        if self.row["traffic"] != "bad_dragon":
            return {"pattern": self.row["traffic"]}
        # To any node of the next group, as a mix of permutations.
        nodes, group = int(self.row["nodes"]), 2 * int(self.row["k"]) ** 2
        ways = [[(node // group + 1) * group % nodes + (node + place) % group for node in range(nodes)] for place in range(group)]
        return {"pattern": "mix", "mix": [{"pattern": "permutation", "permutation": way} for way in ways]}

    @property
    def cycles_per_hop(self):
        """Cycles of a head in an idle router and the link behind it; a speculative switch allocation overlaps that of the VC."""
        stages = self.pipeline()
        allocations = [stages["vc_allocation"], stages["switch_allocation"]]
        return stages["route"] + (max(allocations) if "speculative" in self.options else sum(allocations)) + stages["traversal"] + 1

    def config(self, seed):
        row, allocator = self.row, self.options.get("sw_allocator", "separable_input_first")
        router = {"virtual_channels": int(row["num_vcs"]), "buffer_depth": int(row["vc_buf_size"]), "pipeline": self.pipeline(),
                  "allocator": ALLOCATORS[allocator], "speculation": "speculative" in self.options, "input_speedup": self.option("input_speedup", 1),
                  "vc_reuse": "tail_credit" if "wait_for_tail_credit" in self.options else "tail"}
        return {"seed": seed, "topology": self.topology(), "routing": self.routing, "router": router,
                "link": self.link(),
                "workload": {"kind": "traffic", **self.pattern(), "load": self.load, "packet_length": int(row["packet_size"])},
                "measure": {"warmup": int(row["warmup_cycles"]), "window": int(row["measure_cycles"]), "drain_limit": 200000}}

    def measure(self, program):
        """The mean over some seeds, at the reference's mean number of hops, because it drew its destinations in short windows."""
        results = [run(program, self.config(seed)) for seed in range(1, SEEDS + 1)]
        latency, hops = (sum(values) / SEEDS for values in zip(*((one["latency_cycles"]["mean"], one["hops_mean"]) for one in results)))
        self.ours = latency + self.cycles_per_hop * (float(self.row["hops_avg"]) - hops)
        return self

    @property
    def allowed(self):
        """The relative difference that flitcast-conform allows at this point; see testbenches/conformance/curves.h."""
        if self.row["point"] == "zero_load":
            return 0.5 / self.theirs
        if "-" in self.row["seed"]:
            return 0.03
        return 0.05 if self.row["point"] == "load_0.80" else 0.02

    @property
    def difference(self):
        return self.ours / self.theirs - 1


class OwnPoint(Point):
    """A row that a stand-in replays, with the program's own routing."""

    def __init__(self, row):
        super().__init__(row)
        self.routing, self.most = OWN[self.routing["kind"]]

    @classmethod
    def rows(cls, reference):
        """The loads of 0.2 to 0.6 of saturation of each such curve; traffic to the next group is in overload above 0.3."""
        for row in reference:
            if row["file"] == "lengths" and ROUTINGS[row["topology"], row["routing"]]["kind"] in OWN and re.fullmatch(r"load_0\.([246]0|14|27)", row["point"]):
                yield cls(row)

    def measure(self, program):
        self.ours = run(program, self.config(1))["latency_cycles"]["mean"]
        return self

    @property
    def allowed(self):
        return self.most


class Saturation:
    """The load at which the latency is three times that of an idle network: between two loads there, and by a search here."""

    def __init__(self, program, row):
        self.point, self.low, self.high = Point(row), float(row["sat_lo"]), float(row["sat_hi"])
        config = self.point.config(1)
        config["search"] = {"find": "saturation", "rule": "latency", "factor": 3, "from": 0.01, "confirm": 0}
        self.ours = run(program, config)["saturation"]["value"]

    ALLOWED = 0.05  # As flitcast-conform.
