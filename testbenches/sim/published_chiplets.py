# SPDX-License-Identifier: Apache-2.0
"""Networks of chiplets beside those of a published study, which sim/examples/published_chiplets.yaml names.

usage: published_chiplets.py PROGRAM     exit code 1 and a line for each thing that is not so

Two files in published_chiplets/ have figures of the study, read from the coordinates of its curves, beside ours:
  latencies.csv   mean latencies at the least load, in cycles: booksim2 by BookSim2, formula by the study's formula for idle networks,
                  flitcast by the points of the example, whose labels are the networks
  saturation.csv  the largest load, in steps of 0.001 flits a cycle of each unit, at which the mean latency is below five times that of
                  the idle network: of eight units a chiplet, four virtual channels of 16 flits, and shortest paths by the lowest
                  number, which can deadlock; a deadlock is beyond that load
deviation_percent is the relative difference between flitcast and booksim2.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "sim" / "examples"
FOLDER = EXAMPLES / "published_chiplets"
FROM_SIMULATION, FROM_FORMULA = 5, 1  # Per cent; a simulation at the least load has few packets, a formula no chance.
UNITS, STEP, FACTOR, DEADLOCK = 8, 0.001, 5, 4
PHYS = 24  # Cycles in the two PHYs of a link.
WIRES = {"mesh": 1, "torus": 1, "folded torus": 3}  # Cycles on the way between them.
ROUND = {4: 9, 7: 16}  # The same of the wrap-around links of a torus.
LOADED = {"routing": {"kind": "shortest_path"}, "router": {"virtual_channels": 4, "buffer_depth": 16, "pipeline": {"route": 0}},
          "link": {"credit_latency": 0}, "measure": {"warmup": 5300, "window": 5300, "drain_limit": 100000}}


def rows_of(name):
    with open(FOLDER / name, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def call(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    if done.returncode not in (0, 3, DEADLOCK):
        sys.exit(f"flitcast {' '.join(words)}: {done.stderr.strip()}")
    return done


def result_of(program, *words):
    """The result of a run, or nothing where packets deadlock."""
    done = call(program, "run", *words, "--quiet", "--json", "-")
    return None if done.returncode == DEADLOCK else json.loads(done.stdout)


def percent(ours, theirs):
    return 100 * (ours / theirs - 1)


def wrong_deviation(row, digits):
    deviation = percent(float(row["flitcast"]), float(row["booksim2"]))
    if f"{deviation:.{digits}f}" != row["deviation_percent"] or abs(deviation) > FROM_SIMULATION:
        yield f"the deviation is {deviation:.{digits}f} %, in the file {row['deviation_percent']} %, allowed are {FROM_SIMULATION} %"


def wrong_latency(program, point, row):
    ours = result_of(program, str(EXAMPLES / "published_chiplets.yaml"), "--point", str(point))["latency_cycles"]["mean"]
    if f"{ours:.3f}" != row["flitcast"]:
        yield f"the file has {row['flitcast']} cycles, a run gives {ours:.3f}"
    if abs(percent(ours, float(row["formula"]))) > FROM_FORMULA:
        yield f"{ours:.3f} cycles differ by more than {FROM_FORMULA} % from {row['formula']} by formula"
    yield from wrong_deviation(row, 2)


def pairs(family, size):
    """Pairs of neighbours in a row, with the cycles between their PHYs."""
    last = size - 1
    if family == "folded torus":
        return [(place, place + 2, WIRES[family]) for place in range(size - 2)] + [(0, 1, WIRES[family]), (last - 1, last, WIRES[family])]
    return [(place, place + 1, WIRES[family]) for place in range(last)] + ([(0, last, ROUND[size])] if family == "torus" else [])


def graph_text(family, size):
    """A network file of BookSim2 with the units of every chiplet, its neighbours in ascending order."""
    if family == "SID-mesh":
        text = (FOLDER / f"sid_mesh_{size}x{size}.anynet").read_text(encoding="utf-8")
        return re.sub(r" node (\d+)", lambda node: units_of(int(node[1])), text)
    links = {chiplet: [] for chiplet in range(size * size)}
    for a, b, cycles in pairs(family, size):
        for line in range(size):
            for one, other in ((line * size + a, line * size + b), (a * size + line, b * size + line)):
                links[one].append((other, PHYS + cycles))
                links[other].append((one, PHYS + cycles))
    return "".join(f"router {chiplet}{units_of(chiplet)}" + "".join(f" router {to} {cycles}" for to, cycles in sorted(links[chiplet])) + "\n"
                   for chiplet in links)


def units_of(chiplet):
    return "".join(f" node {UNITS * chiplet + unit}" for unit in range(UNITS))


def carries(program, folder, size, load, idle):
    """True if all units send the load to those of other chiplets; uniform traffic sends some to those of the same, too."""
    nodes = UNITS * size * size
    config = {"name": "loaded", "topology": {"kind": "custom", "file": str(folder / "chiplets.anynet")}, **LOADED,
              "workload": {"kind": "traffic", "include_self": False, "load": round(load * (nodes - 1) / (nodes - UNITS), 6), "packet_length": 1}}
    (folder / "loaded.json").write_text(json.dumps(config), encoding="utf-8")
    result = result_of(program, str(folder / "loaded.json"), "--unsafe")
    return result is not None and result["status"] == "ok" and result["latency_cycles"]["mean"] < FACTOR * idle


def wrong_saturation(program, row, idle):
    family, _, size = row["network"].rpartition(" ")
    size, load = int(size.partition("x")[0]), float(row["flitcast"])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "chiplets.anynet").write_text(graph_text(family, size), encoding="utf-8")
        if not carries(program, folder, size, load, idle):
            yield f"a load of {load} takes {FACTOR} times as long as in the idle network"
        if carries(program, folder, size, load + STEP, idle):
            yield f"a load of {load + STEP:.3f} takes less than {FACTOR} times as long as in the idle network"
    yield from wrong_deviation(row, 1)


def main(program):
    latencies, saturations = rows_of("latencies.csv"), rows_of("saturation.csv")
    points = json.loads(call(program, "points", str(EXAMPLES / "published_chiplets.yaml"), "--json").stdout)
    networks, labels = [row["network"] for row in latencies], [point["values"]["topology"] for point in points]
    faults = [] if networks == labels else [f"the points are {labels}, the rows {networks}"]
    for point, row in enumerate(latencies):
        faults += [f"{row['network']}: {fault}" for fault in wrong_latency(program, point, row)]
    idle = {row["network"]: float(row["formula"]) for row in latencies}
    for row in saturations:
        faults += [f"{row['network']}: {fault}" for fault in wrong_saturation(program, row, idle[row["network"]])]
    print(f"{len(latencies)} latencies, {len(saturations)} loads", *faults, sep="\n")
    return 0 if latencies and saturations and not faults else 1


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
