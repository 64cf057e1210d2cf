# SPDX-License-Identifier: Apache-2.0
"""Random experiments over the catalogs of the program: each network is exported and equal to the model, or refused with a documented reason.

usage: FLITCAST=PROGRAM random_experiments.py [--count N] [--seed S] [--cycles N] [--only K...] [--keep FOLDER]
  --count   experiments (default: 20); each topology of the catalog is drawn as often as the others
  --seed    start of the random numbers (default: today as YYYYMMDD); printed first
  --cycles  of an experiment, whose packets are played (default: 40); one from each node to each follows
  --only    repeats experiments of the seed
  --vcs     of the channels between routers together, at most (default: 200)
  --keep    folder for the experiments that fail and for their RTL (default: out/random_experiments)

Exported means clean in `verilator --lint-only -Wall` and equal in every buffer and at every node. Refused means exit code 2, a line of REASONS
for each reason, and no folder. Anything else is a failure. Exit code 1 if an experiment fails, or if fewer than a third are exported.
"""
import argparse
import collections
import contextlib
import datetime
import io
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "sim" / "python"), str(ROOT / "testbenches" / "sim" / "experiments")]
from draw import applies, draw, nested, plain_rows, values  # noqa: E402
from flitcast.program import BAD_INPUT, FlitcastError, call, call_json  # noqa: E402
from flitcast.rtl import ExportError, make  # noqa: E402
from flitcast.rtl.command import main as export_command  # noqa: E402
from flitcast.rtl.simulation import SimulationError  # noqa: E402
from flitcast.rtl.verify import verify, visits_of_model  # noqa: E402

MOST_ROUTERS = 20
MOST_NODES = 24
TRIES = 400           # Topologies for an experiment that the program accepts.
DRAWS = 6             # The other keys are drawn as often for a topology and a routing.
LEAST_EXPORTED = 1 / 3
ICARUS_LIMIT = 80     # Input VCs, or slots for packets, of a network that is simulated in Icarus Verilog; for others the build in Verilator pays.

# Reasons of a refusal, behind the name of the file: those that the guide lists.
REASONS = [re.compile(reason) for reason in (
    r"router\.(kind|allocator|iterations|speculation|input_speedup|vc_reuse|arbitration|priority): .*; use ",
    r"router\.buffer_depth: a router has slots for \d+ packets",
    r"router\.pipeline: with route and vc_allocation 0 the model has no log",
    r"router\.virtual_channels: a side of a router has at most 128 together",
    r"link\.cycles_per_flit: routers in RTL whose packets choose among outputs",
    r"link\.(classes|exceptions)\S*: buffers of RTL are alike",
    r"node\.(ports|reply_queue): .*; use ",
    r"workload\.classes: sources that draw paths have one class of messages in RTL",
    r"routing\.selection: routers of the model draw",
    r"routing\.kind: (routers weigh their queues|the first router of a packet weighs|routers draw two parents)",
    r"routing\.kind: the phases on a \w+ draw among shortest paths",
    r"(\d+:\d+: )?routing\.\w+: .*(sources draw|several outputs at once|weigh outputs by their queues)",
    r"workload: packets go to several nodes")]


def _sizes(dice):
    return [dice.randint(1, 5) for _ in range(dice.choice([1, 2, 2, 3]))]


def _small(low, high):
    return lambda dice: dice.randint(low, high)


def _faults(dice):
    return dice.choice([[], [], [], [], [f"router {dice.randint(0, 8)}"], [f"link 0 {dice.randint(1, 3)}"]])


# Values of keys, by their names or the last words of these: networks stay small.
SMALL = {
    "sizes": _sizes, "nodes": _small(1, 6), "dragonfly nodes": lambda dice: dice.choice([1, 1, 2]), "dimension": _small(0, 4), "q": _small(3, 3), "degree": _small(3, 4), "seed": _small(1, 99),
    "tile": lambda dice: [dice.randint(1, 2) for _ in range(dice.randint(1, 2))], "copies": _small(1, 3), "nodes_per_router": _small(1, 2), "arity": _small(2, 3),
    "routers": lambda dice: dice.choice([0, 1, 2, 3, 6, 8, 10]), "global_links": _small(0, 2), "stages": _small(1, 3), "levels": _small(1, 3),
    "ports": _small(1, 3), "middle_switches": _small(1, 5), "switches": _small(1, 4), "leaves": _small(1, 4), "spines": _small(1, 4),
    "at": lambda dice: [dice.randint(0, 3) for _ in range(dice.choice([0, 1, 2, 2, 3, 4]))], "root": _small(0, 3), "faults": _faults, "threshold": _small(-2, 3), "file": lambda dice: "graph.txt",
    "routing.file": lambda dice: "table.csv", "escape_table": lambda dice: "table.csv",
    "virtual_channels": lambda dice: dice.choice([1, 1, 2, 2, 2, 3, 4, 4, 5, 6, 8, 9, 12]), "buffer_depth": _small(1, 8), "route": _small(0, 3),
    "vc_allocation": _small(0, 3), "switch_allocation": _small(1, 3), "traversal": _small(0, 2)}
ANY_ROUTING = {"routing": {"kind": "shortest_path", "vc_classes": "by_distance"}, "router": {"virtual_channels": 16},
               "workload": {"kind": "traffic", "load": 0.1, "packet_length": 1}}
COMMON = ("mesh", "ring", "hypercube", "complete", "crossbar", "dimension_order", "shortest_path", "up_down", "e_cube")
CLASSES = ("dimension_0", "dimension_1", "wrap", "global", "local", "up", "down", "die_to_die")  # Classes of channels.
SELDOM, OFTEN = 0.02, 0.4  # Probabilities that a key differs from its default.


class Catalog:
    """Draws sections of experiments by the table of parameters."""

    def __init__(self):
        self._rows = call_json("list", "parameters", "--json")["parameters"]

    def choices(self, key):
        return next(row["choices"] for row in self._rows if row["name"] == key)

    def _kinds_of_part(self, key):
        """The kinds of a part of a hierarchy; COMMON ones, which fit to many others, are drawn more often."""
        kinds = self.choices(key)
        return [*kinds, *(kind for kind in COMMON * 8 if kind in kinds)]

    def section(self, prefix, dice, chance=OFTEN, **chosen):
        """The section whose keys begin with `prefix`, such as `topology.`, with those that are chosen."""
        flat = {f"{prefix}{key}": value for key, value in chosen.items()}
        for row in plain_rows([row for row in self._rows if row["name"].startswith(prefix)]):
            if row["name"] not in flat and applies(row, flat):
                flat[row["name"]] = self._value(row, dice, chance)
        return nested({name[len(prefix):]: value for name, value in flat.items() if value is not None})

    def _value(self, row, dice, chance):
        """A value for a key; None if it is left out."""
        name, last = row["name"], row["name"].rpartition(".")[2]
        if row["type"] == "section":
            return self.section(f"{name}.", dice, chance, kind=dice.choice(self._kinds_of_part(f"{name}.kind")))
        small = SMALL.get(name) or SMALL.get(" ".join([*row["when"][0]["values"], last]) if row.get("when") else last) or SMALL.get(last)
        if small and (chance == OFTEN or last in ("virtual_channels", "buffer_depth") or ".pipeline." in name):
            return small(dice)
        if dice.random() < chance or not ("default" in row or row.get("optional")):
            return dice.choice(values(row))
        return row.get("default")


def graph_text(dice):
    """A connected graph: a tree whose links lead both ways, further links, and nodes at most routers."""
    routers = dice.randint(2, 7)
    links = {(dice.randrange(one), one): "" for one in range(1, routers)}
    for _ in range(dice.randint(0, routers)):
        first, second = sorted(dice.sample(range(routers), 2))
        links[first, second] = dice.choice(["", "", " latency 3"])
    lines = [f"router r{one}" for one in range(routers)]
    lines += [f"link r{first} r{second}{more}" for (first, second), more in links.items()]
    return "\n".join([*lines, *(f"terminal n{number} r{dice.randrange(routers)}" for number in range(dice.randint(2, 8)))]) + "\n"


def _router(catalog, dice):
    kind = dice.choice([*["wormhole", "virtual_cut_through"] * 4, "store_and_forward", "store_and_forward", *catalog.choices("router.kind")])
    stored = {"virtual_channels": dice.randint(1, 3), "buffer_depth": dice.randint(1, 2)}  # Larger ones take minutes to compile.
    return catalog.section("router.", dice, SELDOM, kind=kind, **(stored if kind == "store_and_forward" else {}))


def _link(catalog, dice):
    link = {"latency": dice.randint(1, 5), "credit_latency": dice.randint(0, 4)}
    if dice.random() < 0.3:
        link["classes"] = {dice.choice(CLASSES): {"latency": dice.randint(1, 9)}}
    if dice.random() < 0.2:
        link["exceptions"] = [{"from": 0, "to": dice.randint(1, 2), "latency": dice.randint(1, 9)}]
    return link | ({"cycles_per_flit": dice.randint(2, 4)} if dice.random() < 0.2 else {})


def _lengths(router, dice):
    """Packets that fit into a buffer where they must."""
    longest = router.get("buffer_depth", 8) if router["kind"] == "virtual_cut_through" else 9
    return [dice.randint(1, longest) for _ in range(dice.randint(1, 3))]


def _workload(catalog, router, dice):
    pattern = "uniform" if dice.random() < 0.6 else dice.choice(catalog.choices("workload.pattern"))
    traffic = {"kind": "traffic", "pattern": pattern, "load": dice.choice([0.02, 0.1, 0.3, 0.6, 1.0]), "packet_length": _lengths(router, dice)}
    vcs = router.get("virtual_channels", 1)
    if vcs < 2 or dice.random() > 0.25:
        return traffic
    part = dice.randint(1, vcs - 1)
    request = {"name": "request", "load": 0.2, "packet_length": _lengths(router, dice), "virtual_channels": [0, part - 1]}
    reply = {"name": "reply", "packet_length": _lengths(router, dice), "virtual_channels": [part, vcs - 1]}
    return {"kind": "traffic", "classes": dice.choice([[request | {"reply": "reply", "service": 3}, reply],
                                                       [request, reply | {"load": 0.1, "priority": 1}]])}


class Experiments:
    """The random experiments of a seed, in a folder with the files that they name."""

    def __init__(self, seed, folder, most_vcs):
        self._seed, self._folder, self._most_vcs, self._catalog = seed, folder, most_vcs, Catalog()
        self._topologies = list(self._catalog.choices("topology.kind"))
        random.Random(seed).shuffle(self._topologies)
        self._general = {entry["name"] for entry in call_json("list", "routings", "--json")["routings"] if "any topology" in entry["summary"]}

    def write(self, number):
        """The file of an experiment that the program accepts."""
        dice = random.Random(f"{self._seed}/{number}")
        kind = self._topologies[number % len(self._topologies)]
        for _ in range(TRIES):
            (self._folder / "graph.txt").write_text(graph_text(dice), encoding="utf-8")
            topology = self._catalog.section("topology.", dice, kind=kind)
            for routing in self._routings(dice) if self._is_small(topology, dice) else ():
                file = self._with_routing(topology, routing, dice)
                if file:
                    return file
        raise RuntimeError(f"experiment {number} of seed {self._seed}: the program accepts no {kind} in {TRIES} tries")

    def _routings(self, dice):
        """All routings in an order in which those of any topology, of which there are few, are seldom first."""
        names = dice.sample(self._catalog.choices("routing.kind"), len(self._catalog.choices("routing.kind")))
        return sorted(names, key=self._general.__contains__) if dice.random() < 0.7 else names

    def _is_small(self, topology, dice):
        """True for a topology with few routers and nodes; few of those that are accepted have less than three routers."""
        try:
            said = call("check", self._file({"topology": topology, **ANY_ROUTING}))
        except FlitcastError:
            return False
        nodes, routers = map(int, re.search(r"(\d+) nodes?, (\d+) routers?", said).groups())
        return 2 <= nodes <= MOST_NODES and routers <= MOST_ROUTERS and (routers > 2 or dice.random() < 0.2)

    def _with_routing(self, topology, kind, dice):
        """The file of an experiment with a routing; None if the program accepts none of some."""
        for _ in range(DRAWS):
            keys = self._keys(topology, self._catalog.section("routing.", dice, kind=kind), dice)
            words = self._refusal(keys)
            if not words:
                return self._file(keys)
            if re.search(r"routing\.kind: \w+ does not work on", words):
                break
        return None

    def _keys(self, topology, routing, dice):
        router = _router(self._catalog, dice)
        return {"seed": dice.randint(1, 10 ** 6), "flit_width": dice.choice([1, 8, 32, 40, 100]), "topology": topology, "routing": routing,
                "router": router, "link": _link(self._catalog, dice), "node": self._catalog.section("node.", dice, SELDOM),
                "workload": _workload(self._catalog, router, dice)}

    def _file(self, keys):
        file = self._folder / "drawn.json"
        file.write_text(json.dumps(keys, indent=1) + "\n", encoding="utf-8")
        return file

    def _refusal(self, keys):
        """The words by which the program refuses an experiment."""
        try:
            if "table.csv" in json.dumps(keys):  # A table of another routing.
                table = call("export", "routing", self._file({"topology": keys["topology"], **ANY_ROUTING}))
                (self._folder / "table.csv").write_text(table, encoding="utf-8")
            said = call("check", self._file(keys))
        except FlitcastError as error:
            return error.words
        vcs = re.search(r"routing +(\d+) virtual channels", said)
        return f"more than {self._most_vcs} virtual channels" if vcs and int(vcs[1]) > self._most_vcs else ""


def documented(line, file):
    """True for a line of the refusal of a file that has one of the REASONS."""
    return any(reason.match(line.removeprefix(f"{file}:").strip()) for reason in REASONS)


def refused(file, folder, cycles):
    """The fault of a refusal; None if it is as documented."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        code = export_command([str(file), str(folder), "--cycles", str(cycles)])
    others = [line for line in said.getvalue().splitlines() if not documented(line, file)]
    if code != BAD_INPUT or others or folder.exists():
        return f"exit code {code}, folder {'written' if folder.exists() else 'absent'}, reasons that are not documented: {others}"
    return None


def lint(folder, name):
    done = subprocess.run(["verilator", "--lint-only", "-Wall", "--top-module", name, "-f", f"{name}.f"], cwd=folder, text=True,
                          capture_output=True, check=False)
    return f"verilator -Wall: {done.stderr}" if done.stderr or done.returncode else None


def simulator_of(exported):
    shape, routers = exported.design.shape, exported.design.routers.values()
    buffers = sum(router.inputs for router in routers) * shape.vcs * (shape.depth if shape.longest else 1)
    return "icarus" if buffers <= ICARUS_LIMIT else "verilator"


def verdict(file, folder, cycles):
    """(exported or refused, how many flits have visited buffers, what is wrong or None) of an experiment."""
    try:
        exported = make(file, cycles=cycles)
    except ExportError:
        return "refused", 0, refused(file, folder, cycles)
    try:
        wrong = verify(exported, folder, simulator_of(exported)) or lint(folder, exported.design.name)
    except SimulationError as error:
        wrong = str(error)
    return "exported", len(visits_of_model(exported)) // 2, wrong


def run(options, experiments, folder):
    """The numbers of experiments by what has become of them; failures are kept."""
    tally, visits = collections.Counter(), 0
    for number in options.only if options.only else range(options.count):
        file = experiments.write(number)
        done, flits, wrong = verdict(file, folder / "rtl", options.cycles)
        tally["failed" if wrong else done] += 1
        visits += flits
        print(f"{number}: {described(file)}: {wrong or done}", flush=True)
        if wrong:
            keep(folder, options.keep / f"{options.seed}-{number}")
        shutil.rmtree(folder / "rtl", ignore_errors=True)
    print(f"{sum(tally.values())} experiments: {dict(tally)}; {visits} visits of flits to buffers are equal")
    return tally


def described(file):
    keys = json.loads(file.read_text(encoding="utf-8"))
    topology = " ".join(str(value) for value in keys["topology"].values() if value != [])
    router = keys["router"]
    return f"{topology}, {keys['routing']['kind']}, {router['kind']}, {router.get('virtual_channels', 1)} VCs"


def keep(folder, place):
    """Copies an experiment, the files that it names and its RTL."""
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(folder, place, ignore=shutil.ignore_patterns("obj_dir"))
    print(f"  kept in {place}", flush=True)


def main():
    parser = argparse.ArgumentParser(description="Random experiments, exported and compared with the model")
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--seed", type=int, default=int(datetime.date.today().strftime("%Y%m%d")))
    parser.add_argument("--cycles", type=int, default=40)
    parser.add_argument("--vcs", type=int, default=200)
    parser.add_argument("--only", type=int, nargs="+")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("out/random_experiments"))
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        tally = run(options, Experiments(options.seed, pathlib.Path(name), options.vcs), pathlib.Path(name))
    few = not options.only and tally["exported"] < LEAST_EXPORTED * sum(tally.values())
    return 1 if tally["failed"] or few else 0


if __name__ == "__main__":
    sys.exit(main())
