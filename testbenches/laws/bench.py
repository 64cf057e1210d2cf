# SPDX-License-Identifier: Apache-2.0
"""Runs experiments for laws, and reads what the program says of them."""
import csv
import itertools
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sim" / "experiments"))
from draw import draw, nested, table_of  # noqa: E402
from observe import call, write_inputs  # noqa: E402

EXPECTED = pathlib.Path(__file__).resolve().parents[2] / "sim" / "expected"
PASSING = ("wall_seconds", "host", "version", "digest")


# Small networks of every kind.
TOPOLOGIES = {
    "mesh": [{"sizes": [4, 3]}, {"sizes": [3, 2, 3]}, {"sizes": 5}],
    "torus": [{"sizes": [4, 4]}, {"sizes": [5, 3]}, {"sizes": [3, 2, 4]}],
    "ring": [{"nodes": 2}, {"nodes": 7}, {"nodes": 8}],
    "hypercube": [{"dimension": 1}, {"dimension": 3}, {"dimension": 4}],
    "complete": [{"nodes": 2}, {"nodes": 6}],
    "crossbar": [{"nodes": 3}, {"nodes": 8}],
    "cmesh": [{"sizes": [3, 2], "tile": [2, 2]}, {"sizes": [3, 3], "tile": [2, 1]}],
    "flattened_butterfly": [{"sizes": [4, 3], "tile": [2, 1]}, {"sizes": [3, 3], "tile": [2, 2]}],
    "hyperx": [{"sizes": [4, 3], "nodes_per_router": 2}, {"sizes": [3, 2, 2]}],
    "slim_fly": [{"q": 3, "nodes_per_router": 1}, {"q": 3}],
    "xpander": [{"degree": 3, "copies": 2}, {"degree": 4, "copies": 2, "nodes_per_router": 2, "seed": 5}],
    "jellyfish": [{"routers": 8, "degree": 3, "nodes_per_router": 2}, {"routers": 13, "degree": 4, "seed": 5}],
    "dragonfly": [{"nodes": 1}, {"nodes": 2, "arrangement": "circulant"}, {"nodes": 2, "routers": 3, "global_links": 1}, {"nodes": 2, "leaves": 2}],
    "butterfly": [{"arity": 2, "stages": 3}, {"arity": 3, "stages": 2}],
    "clos": [{"ports": 2, "middle_switches": 4, "switches": 3}, {"ports": [2, 2], "middle_switches": [4, 4], "switches": 2}],
    "fat_tree": [{"arity": 2, "levels": 3}, {"arity": 3, "levels": 2}, {"arity": 4, "levels": 1}],
    "folded_clos": [{"nodes": 3, "leaves": 4, "spines": 2}, {"nodes": 2, "leaves": 3, "spines": 2}],
    "custom": [{"file": "tree.graph"}],
}
GRIDS = ["dimension_order", "o1turn", "valiant", "romm", "minimal_adaptive"]
MESHES = [*GRIDS, "y_x_y", "adaptive_xy_yx", "west_first", "north_last", "negative_first", "odd_even", "planar_adaptive",
          "dual_path", "multi_path", "column_path", "xy_tree"]
TREES = ["d_mod_k", "nearest_common_ancestor", "adaptive_ascent"]
# Routings that may fit; all take shortest_path and up_down, too.
ROUTINGS = {"mesh": MESHES, "cmesh": MESHES, "torus": GRIDS, "ring": GRIDS, "hypercube": ["e_cube"] * 3,
            "flattened_butterfly": ["e_cube", "valiant", "ugal"], "hyperx": ["e_cube", "valiant", "ugal"],
            "slim_fly": ["valiant", "ugal"], "jellyfish": ["valiant", "ugal"], "xpander": ["valiant", "ugal"], "dragonfly": ["dragonfly_minimal", "dragonfly_valiant", "ugal"],
            "butterfly": ["destination_tag"] * 3, "clos": ["middle_spread", "central_control"], "fat_tree": TREES,
            "folded_clos": TREES}
# Router options, each by itself; any number that has no divisor in common with the number of topologies.
WORMHOLE = {"router.kind": "wormhole"}
ROUTERS = [
    {}, {"router.kind": "store_and_forward"}, {"router.kind": "virtual_cut_through"},
    *({**WORMHOLE, **option} for option in (
        {"router.allocator": "output_first"}, {"router.allocator": "wavefront"}, {"router.iterations": 3},
        {"router.speculation": True}, {"router.input_speedup": 2}, {"router.vc_reuse": "tail_credit"},
        {"router.combine": 2}, {"router.copies": "synchronous"}, {"router.pipeline.route": 0},
        {"router.pipeline.traversal": 2}, {"router.pipeline.vc_allocation": 3})),
    {"router.kind": "circuit"},
]


class Dice(random.Random):
    """Random numbers of an experiment, whose number chooses what is taken in turn."""

    def __init__(self, seed, number):
        super().__init__(f"{seed}/{number}")
        self.number = number

    def in_turn(self, choices):
        return choices[self.number % len(choices)]


class Refused(Exception):
    """The program refuses an experiment, or it has no result; another is drawn."""


class Reading:
    """The result of an experiment, and the rows of its packet log."""

    def __init__(self, result, log):
        self.result = {key: part for key, part in result.items() if key not in PASSING}
        self.log = log

    def arrived(self):
        return [row for row in self.log if row["arrived_cycle"] is not None]

    def measured(self, warmup):
        """Deliveries of packets of the window. A workload that ends is all window."""
        begin = 0 if "completion_cycle" in self.result else warmup
        end = begin + self.result["window_cycles"]
        return [row for row in self.arrived() if begin <= row["created_cycle"] < end]

    def deliveries(self):
        """Times and places of the packets that have arrived, whatever their numbers are."""
        return sorted((row["created_cycle"], row["source"], row["destination"], row["length_flits"], row["injected_cycle"],
                       row["arrived_cycle"], row["hops"]) for row in self.arrived())


def number(text):
    return int(text) if text else None


class Bench:
    """Runs experiments in a folder of their inputs. A spoiler changes every second reading, so that a law must fail."""

    def __init__(self, program, folder, spoil=None):
        self.program, self.folder, self.spoil = program, folder, spoil
        self.runs = itertools.count()
        self.table = table_of(program)
        self.known = [case["config"] for case in json.loads((EXPECTED / "random.json").read_text())]
        write_inputs(folder)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def run(self, config, text=None, spoilt=False):
        """Runs an experiment, or the text of a file."""
        k = next(self.runs)
        files = [self.folder / f"{k}{ending}" for ending in (".yaml", ".json", ".csv")]
        files[0].write_text(text or json.dumps(config))
        try:
            code, _, err = call(self.program, self.folder, "run", files[0].name, "--unsafe", "--quiet", "--json",
                                files[1].name, "--packet-log", files[2].name)
            if code not in (0, 3, 4):
                raise Refused(f"exit code {code}: {err.strip()[:300]}")
            result = json.loads(files[1].read_text())
            with files[2].open(encoding="utf-8") as file:
                log = [{name: number(value) if name not in ("packet", "class") else value for name, value in row.items()}
                       for row in csv.DictReader(file)]
        finally:
            for file in files:
                file.unlink(missing_ok=True)
        reading = Reading(result, log)
        if self.spoil and spoilt:
            self.spoil(reading)
        return reading

    def network(self, dice):
        """Sections that make a network. Topologies and router options take turns; all else is drawn, of known networks or
        of all values."""
        option = dice.in_turn(ROUTERS)
        if option.get("router.kind") == "circuit":
            return self.circuits(dice)
        kind = dice.in_turn(list(TOPOLOGIES))
        topology = dice.choice(TOPOLOGIES[kind])
        known = [config for config in self.known if config["topology"]["kind"] == kind]
        routing = dice.choice([*ROUTINGS.get(kind, []), "shortest_path", "up_down"])
        base = {"topology": {"kind": kind, **topology}, "routing": {"kind": routing}}
        if known and dice.random() < 0.3:
            base = dice.choice(known)
        kept = ("topology", "router", "routing", "link", "node")
        flat = {f"{section}.{key}": value for section in kept for key, value in base.get(section, {}).items()}
        flat = {**flat, "topology.faults": [], "node.reply_queue": 0, **option}
        rows = [row for row in self.table if row["name"].split(".")[0] in kept]
        return nested(draw(rows, flat, dice))

    def circuits(self, dice):
        """A network whose central control sets up circuits; links have no keys there."""
        flat = {"topology.kind": "clos", "router.kind": "circuit", "router.when_blocked": "retry",
                "routing.kind": "central_control",
                **{f"topology.{key}": value for key, value in dice.choice(TOPOLOGIES["clos"]).items()}}
        rows = [row for row in self.table if row["name"].split(".")[0] in ("topology", "router", "routing")]
        return nested(draw(rows, {**flat, "topology.faults": []}, dice))

    def experiment(self, dice):
        """A known experiment of any workload, with a network drawn partly anew."""
        base = dice.choice(self.known)
        measure = {"series": dice.choice([0, 1, 7, 100]), "distances": True, "fairness": dice.random() < 0.5}
        config = {**base, "seed": dice.randrange(10**6), "measure": {**base.get("measure", {}), **measure}}
        if dice.random() < 0.5:
            config["energy"] = {"cells": "osu018"}
        return config

    def nodes(self, network):
        """Nodes of a network, by a run of one packet."""
        self.write("one.csv", "cycle,src,dst,flits\n0,0,0,1\n")
        return self.run({**network, "workload": {"kind": "trace", "format": "csv", "file": "one.csv"}}).result["topology"]["nodes"]

    def replay(self, network, packets, name, spoilt=False, **more):
        """Runs packets, tuples of a cycle, a source, a destination and a length, on a network."""
        rows = "".join(f"{cycle},{source},{to},{length}\n" for cycle, source, to, length in packets)
        self.write(name, f"cycle,src,dst,flits\n{rows}")
        return self.run({**network, "workload": {"kind": "trace", "format": "csv", "file": name}, **more}, spoilt=spoilt)
