# SPDX-License-Identifier: Apache-2.0
"""The program and a netlist are given the same packets in a mesh of 4x4: the energies of router 5 agree.

usage: energy_of_program.py PROGRAM OUT [CONFIGURATION]     exit code 1 if they do not
"""
import json
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "scripts" / "synthesis" / "energy"))
import energy  # noqa: E402
from subjects import Run, subject_of  # noqa: E402

# Packets are created in the first cycles, and all have arrived well before the last.
CREATED, CYCLES = 200, 300
LIMIT = 0.10
EXPERIMENT = """
topology: {{kind: mesh, sizes: [4, 4]}}
router: {{kind: {router}, virtual_channels: {virtual_channels}, buffer_depth: {buffer_depth}}}
routing: {{kind: dimension_order}}
workload: {{kind: trace, format: csv, file: {trace}}}
energy: {{cells: osu018, payload: {payload}}}
"""


def packets(load, seed):
    """(cycle, source, destination, flits): about `load` flits per node and cycle, 1 to 4 in a packet."""
    draw = random.Random(seed)
    return [(cycle, source, (source + 1 + draw.randrange(15)) % 16, 1 + draw.randrange(4))
            for cycle in range(CREATED) for source in range(16) if draw.random() < load / 2.5]


def predicted(program, subject, folder, sent, payload):
    """Row of router 5 in the program's result, and the flits of the run."""
    trace = folder / "packets.csv"
    trace.write_text("cycle,src,dst,flits\n" + "".join(",".join(map(str, one)) + "\n" for one in sent), encoding="utf-8")
    experiment = folder / "experiment.yaml"
    experiment.write_text(EXPERIMENT.format(trace=trace, payload=payload, **subject.key), encoding="utf-8")
    done = subprocess.run([program, "run", experiment, "--json", "-", "--quiet"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["energy"]["routers"][5]


def measured(bench, folder, sent, payload):
    """pJ and flits of the netlist at the same position."""
    lines = "".join(" ".join(map(str, one)) + "\n" for one in sent)
    file = folder / f"packets-{energy.hash_of([], lines)}.txt"
    file.write_text(lines, encoding="utf-8")
    kind = {"random": 0, "zero": 1}[payload]
    run = Run(f"program {payload}", f"+packets={file.name} +payload={kind} +warmup=7", mesh=True, cycles=CYCLES)
    happened, spent = bench.measure(run)
    return energy.dynamic(spent), sum(happened["flits_out"])


def main():
    program, out, name = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), (sys.argv[3:] or ["wormhole-2x4x34"])[0]
    subject, folder = subject_of(name), out / f"program-{name}"
    bench = energy.Bench(subject, folder, energy.Library(energy.package_file("stdcells.lib")), 600)
    failed = 0
    for load, payload in ((0.12, "random"), (0.2, "zero")):
        sent = packets(load, seed=7)
        row, (due, flits) = predicted(program, subject, folder, sent, payload), measured(bench, folder, sent, payload)
        error = row["dynamic_pj"] / due - 1
        print(f"{name}, load {load}, payload {payload}: {row['flits']:g} flits, {row['dynamic_pj']:.0f} pJ; "
              f"netlist {flits} flits, {due:.0f} pJ: {100 * error:+.1f} %")
        failed += abs(error) > LIMIT or row["flits"] != flits
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
