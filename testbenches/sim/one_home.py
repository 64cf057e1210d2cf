# SPDX-License-Identifier: Apache-2.0
"""A kind that users choose by name has one home: its name stands, as a literal, in one file of models and sim.

usage: one_home.py PROGRAM     exit code 1 and a line for each name with several homes
"""
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = ["routings", "routers", "implementations", "workloads"]

# Statements of documents are about particular kinds, and their machines name these.
ABOUT_KINDS = ROOT / "sim/claims"

# Files in which the word has another meaning.
OTHERWISE = {
    "circuit": {"sim/results/summary.cpp"},                                         # Group of figures.
    # Meanings: a phase, a group of figures, a line of the summary.
    "collective": {"sim/commands/comparison.cpp", "sim/workloads/collective.h", "sim/workloads/collective_text.cpp",
                   "sim/workloads/several_collectives.cpp", "sim/workloads/trace.cpp"},
    "dimension_order": {"models/collective/broadcast/dimension_order_tree.cpp"},   # A collective.
    "hierarchical": {"models/collective/ranks/groups.cpp"},                         # A collective.
    # Meanings: a bound of Clos networks, a key, a choice, a phase, a group of figures.
    "permutation": {"models/clos/bounds/designs.cpp", "sim/clos/bound_command.cpp", "models/permutation/instance.cpp",
                    "models/permutation/randomised.cpp", "models/traffic/pattern.cpp", "sim/workloads/permutation.h", "sim/workloads/permutation_text.cpp"},
    "table": {"sim/energy/energy_plan.cpp"},                                # A key, and a choice of cells.
    "trace": {"sim/experiment/model.cpp", "sim/results/result_files.cpp", "sim/sweep/experiment_schema.cpp"},   # Section: waveforms.
    "traffic": {"sim/clos/traffic_command.cpp"},                            # A command.
    "wormhole": {"sim/workloads/collective_text.cpp"},                      # Discipline of rounds.
}


def names_of(program, listing):
    done = subprocess.run([program, "list", listing, "--json"], capture_output=True, text=True, check=True)
    return {entry["name"] for entry in json.loads(done.stdout)[listing]}


def main():
    names = {name for listing in LISTS for name in names_of(sys.argv[1], listing)}
    homes = {}
    for top in ("models", "sim"):
        for file in (ROOT / top).rglob("*.*"):
            if file.suffix in (".h", ".cpp") and ABOUT_KINDS not in file.parents:
                place = str(file.relative_to(ROOT))
                code = re.sub(r"//.*", "", file.read_text())
                for name in set(re.findall(r'"(\w+)"', code)) & names:
                    if place not in OTHERWISE.get(name, ()):
                        homes.setdefault(name, []).append(place)
    several = {name: files for name, files in homes.items() if len(files) > 1}
    print(f"{len(names)} names", *(f"{name}: {', '.join(sorted(files))}" for name, files in sorted(several.items())), sep="\n")
    return 1 if several or not homes else 0


if __name__ == "__main__":
    sys.exit(main())
