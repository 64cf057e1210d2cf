# SPDX-License-Identifier: Apache-2.0
"""Sizes of networks: memory by the estimate of `flitcast check` beside that of a run, instructions of the committed benchmark, and
checksums of several numbers of threads."""
import csv
import json
import os
import re
import subprocess
import tempfile

from pages import ROOT, table

SIDES, THREADS = (8, 32, 64, 256), (1, 2, 4)
MEASURED = (64, 256)  # Sides of the networks that are run; smaller ones have less memory than the interpreter that starts them.
UNITS = {"KiB": 1 / 1024, "MiB": 1, "GiB": 1024}


def mesh(side, threads=1):
    return {"topology": {"kind": "mesh", "sizes": [side, side]}, "routing": {"kind": "dimension_order"}, "router": {"virtual_channels": 2},
            "workload": {"kind": "traffic", "load": 0.05}, "measure": {"warmup": 50, "window": 50, "drain_limit": 0}, "run": {"threads": threads}}


def estimate(program, side):
    """MiB by `flitcast check`."""
    amount, unit = re.search(r"memory +about ([\d.]+) (\w+)", program.case(["check"], mesh(side)).stdout).groups()
    return float(amount) * UNITS[unit]


def peak(program, side):
    """MiB that a run of a mesh had at most, the program included."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(mesh(side), file)
        file.flush()
        process = subprocess.Popen([program.path, "run", file.name, "--quiet", "--json", "-"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return os.wait4(process.pid, 0)[2].ru_maxrss / 1024


def benchmark():
    """Rows of the committed benchmark about networks."""
    with open(ROOT / "scripts" / "benchmark" / "rows.csv", newline="", encoding="utf-8") as file:
        return [row for row in csv.DictReader(file) if row["short"]]


def flit_hops():
    """Flit-hops of the first run of the quickstart, by its committed result."""
    cases = json.loads((ROOT / "sim" / "expected" / "examples.json").read_text(encoding="utf-8"))
    return next(case["figures"]["flits"]["hops"] for case in cases if case["example"] == "quickstart.yaml")


class Scale:
    def __init__(self, program):
        self.memory = [(side, estimate(program, side), peak(program, side) if side in MEASURED else None) for side in SIDES]
        self.checksums = [(threads, json.loads(program.case(["run"], mesh(32, threads), "--quiet", "--json", "-").stdout)["checksum"]) for threads in THREADS]
        self.benchmark, self.hops = benchmark(), flit_hops()

    @property
    def billions(self):
        """Instructions of the quickstart, by its flit-hops and the cost of one, in 10^9."""
        return self.hops * float(next(row["instructions"] for row in self.benchmark if row["row"] == "reference")) / 1e9

    def parts(self, _pages, _path):
        return {
            "memory": table(("mesh", "routers", "estimate of `check`, MiB", "a run of 100 cycles, MiB"), [
                (f"{side}x{side}", side * side, f"{guess:.1f}", f"{seen:.0f}" if seen else "") for side, guess, seen in self.memory]),
            "threads": table(("threads", "checksum"), [(threads, f"`{checksum}`") for threads, checksum in self.checksums]),
            "instructions": table(("row", "differs by", "instructions", "misses of the first level", "of the last level",
                                   "mispredictions"), [
                (row["row"], f"`{row['settings']}`" if row["settings"] else "", row["instructions"], row["first_level_misses"],
                 row["last_level_misses"], row["mispredictions"])
                for row in self.benchmark]),
            "run": f"The quickstart has {self.hops:,} flit-hops: {self.billions:.1f} x 10^9 instructions.",
        }
