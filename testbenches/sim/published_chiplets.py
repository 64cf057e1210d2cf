# SPDX-License-Identifier: Apache-2.0
"""Latencies of networks of chiplets beside those of a published study: sim/examples/published_chiplets.yaml is run, each point
compared with its row of published_chiplets/latencies.csv.

usage: published_chiplets.py PROGRAM     exit code 1 and a line for each thing that is not so

Columns of the file: network is the label of the point; booksim2 and formula are the mean latencies that the study gives for the
network, in cycles, by BookSim2 and by its own formula for idle networks, read from the coordinates of its curves; flitcast is the
mean here, and deviation_percent its relative difference from that of BookSim2.
"""
import csv
import json
import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "sim" / "examples"
FROM_SIMULATION, FROM_FORMULA = 5, 1  # Per cent; a simulation at the least load has few packets, a formula no chance.


def measured(program, point):
    done = subprocess.run([program, "run", str(EXAMPLES / "published_chiplets.yaml"), "--quiet", "--point", str(point), "--json", "-"],
                          capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"point {point}: {done.stderr.strip()}")
    return json.loads(done.stdout)["latency_cycles"]["mean"]


def labels(program):
    done = subprocess.run([program, "points", str(EXAMPLES / "published_chiplets.yaml"), "--json"], capture_output=True, text=True, check=True)
    return [point["values"]["topology"] for point in json.loads(done.stdout)]


def percent(ours, theirs):
    return 100 * (ours / theirs - 1)


def faults_of(row, ours):
    if f"{ours:.3f}" != row["flitcast"]:
        yield f"the file has {row['flitcast']}, a run gives {ours:.3f}"
    deviation = percent(ours, float(row["booksim2"]))
    if f"{deviation:.2f}" != row["deviation_percent"]:
        yield f"the file has a deviation of {row['deviation_percent']} %, a run gives {deviation:.2f} %"
    for column, most in (("booksim2", FROM_SIMULATION), ("formula", FROM_FORMULA)):
        if abs(percent(ours, float(row[column]))) > most:
            yield f"{ours:.3f} differs by more than {most} % from {row[column]} by {column}"


def main(program):
    with open(EXAMPLES / "published_chiplets" / "latencies.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    networks = [row["network"] for row in rows]
    faults = [] if networks == labels(program) else [f"the points are {labels(program)}, the rows {networks}"]
    for point, row in enumerate(rows):
        faults += [f"{row['network']}: {fault}" for fault in faults_of(row, measured(program, point))]
    print(f"{len(rows)} networks", *faults, sep="\n")
    return 1 if faults or not rows else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
