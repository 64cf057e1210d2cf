# SPDX-License-Identifier: Apache-2.0
"""Coverage of the confidence intervals that the program states: see scripts/interval_coverage.

cases.csv has a row for each case: its name, the settings that differ from EXPERIMENT (separated by "; "), and the true mean latency
of all packets and of each class, in cycles, with its standard error, as "all 24.44 +- 0.01".
"""
import argparse
import csv
import json
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
CASES = HERE / "cases.csv"
PROGRAM = HERE.parents[2] / "build/release/sim/flitcast"
EXPERIMENT = "workload: {kind: traffic}\n"
TRUTH_RUNS, TRUTH_WINDOW, TRUTH_WARMUP, TRUTH_SEED = 16, 1_000_000, 50_000, 100_001
MOST_FALSE, LEAST_COVERED = 0.08, 0.91


def result_of(program, file, settings):
    """The result of a run, which may be saturated."""
    command = [program, "run", file, "--quiet", "--json", "-"]
    command += [word for setting in settings for word in ("--set", setting)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    return json.loads(done.stdout)


def latencies_of(result):
    """The latencies of all packets and of each class."""
    groups = {"all": result, **{one["name"]: one for one in result.get("classes", [])}}
    return {name: group.get("latency_cycles", {}) for name, group in groups.items()}


def read_cases(wanted):
    with open(CASES, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["list"] = row["settings"].split("; ")
        row["means"] = {name: (float(mean), float(error)) for name, mean, error in
                        re.findall(r"(\w+) ([\d.]+) \+- ([\d.]+)", row["truth"] or "")}
    return rows, [row for row in rows if re.search(wanted, row["name"])]


class Runs:
    """Runs a case with many seeds, some at a time."""

    def __init__(self, program, jobs, folder):
        self.program = program
        self.file = pathlib.Path(folder) / "case.yaml"
        self.file.write_text(EXPERIMENT, encoding="utf-8")
        self.pool = ThreadPoolExecutor(jobs)

    def of(self, case, seeds, measure):
        settings = case["list"] + [f"measure.{key}={value}" for key, value in measure.items()]
        return list(self.pool.map(lambda seed: result_of(self.program, self.file, settings + [f"seed={seed}"]), seeds))


def measure_truths(runs, all_cases, cases):
    """Writes the mean of long runs, which count alike, and its standard error."""
    for case in cases:
        seeds = range(TRUTH_SEED, TRUTH_SEED + TRUTH_RUNS)
        seen = runs.of(case, seeds, {"warmup": TRUTH_WARMUP, "window": TRUTH_WINDOW})
        truths = []
        for name in latencies_of(seen[0]):
            means = [latencies_of(result)[name]["mean"] for result in seen]
            error = statistics.stdev(means) / math.sqrt(len(means))
            truths.append(f"{name} {statistics.mean(means):.3f} +- {error:.3f}")
        case["truth"] = "; ".join(truths)
        print(case["name"], case["truth"], flush=True)
    with open(CASES, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["name", "settings", "truth"], extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(all_cases)


def row_of(latencies, truth):
    """The shares of a row, as numbers of runs, and its medians."""
    stated = [one for one in latencies if "mean_half_width_95" in one]
    covered = sum(abs(one["mean"] - truth) <= one["mean_half_width_95"] for one in stated)
    widths = [one["mean_half_width_95"] / one["mean"] for one in stated]
    hints = [one["sufficient_window"] for one in latencies if "sufficient_window" in one]
    return {"runs": len(latencies), "stated": len(stated), "covered": covered,
            "width": statistics.median(widths) if widths else None,
            "hint": statistics.median(hints) if hints else None}


def keeps_promise(row):
    """True if the shares are within the limits, or within two standard deviations of them."""
    def beyond(count, runs, share):
        return count > runs * share + 2 * math.sqrt(runs * share * (1 - share))

    false = row["stated"] - row["covered"]
    if beyond(false, row["runs"], MOST_FALSE):
        return False
    return 2 * row["stated"] < row["runs"] or not beyond(false, row["stated"], 1 - LEAST_COVERED)


def share(count, of):
    return f"{100 * count / of:.1f}" if of else "-"


def print_row(name, window, row, kept):
    false = row["stated"] - row["covered"]
    width = "-" if row["width"] is None else f"{100 * row['width']:.2f}"
    hint = "-" if row["hint"] is None else f"{row['hint']:.0f}"
    cells = [name, window, row["runs"], share(row["stated"], row["runs"]), share(row["covered"], row["stated"]),
             share(false, row["runs"]), width, hint]
    print("| " + " | ".join(map(str, cells)) + (" |" if kept else " | beyond the limits"), flush=True)


def measure_coverage(runs, cases, windows, seeds, precision):
    """Prints the table; returns the number of rows that are beyond the limits."""
    print("| case | window | runs | stated, % | of these cover, % | false, % of all | half-width, % | window asked for |")
    print("|---|---|---|---|---|---|---|---|")
    beyond, rows, stating = 0, 0, 0
    for case in cases:
        for window in windows:
            seen = runs.of(case, range(1, seeds + 1), {"window": window, "precision": precision})
            for name, (truth, _) in case["means"].items():
                row = row_of([latencies_of(result)[name] for result in seen], truth)
                kept = keeps_promise(row)
                print_row(case["name"] if name == "all" else f"{case['name']}: {name}", window, row, kept)
                rows, beyond = rows + 1, beyond + (not kept)
                stating += 2 * row["stated"] >= row["runs"]
    print(f"{stating} of {rows} rows state an interval in at least half of their runs; {beyond} rows are beyond the limits")
    return beyond


def main():
    parser = argparse.ArgumentParser(prog="scripts/interval_coverage", add_help=False)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--windows", default="10000,30000,100000")
    parser.add_argument("--cases", default="")
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--truth", action="store_true")
    parser.add_argument("--precision", type=float, default=0)
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    options = parser.parse_args()
    all_cases, cases = read_cases(options.cases)
    if not cases:
        parser.error(f"no case matches {options.cases}")
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(options.program, options.j, folder)
        if options.truth:
            measure_truths(runs, all_cases, cases)
            return 0
        beyond = measure_coverage(runs, cases, [int(window) for window in options.windows.split(",")], options.seeds,
                                  options.precision)
    return 1 if options.gate and beyond else 0


if __name__ == "__main__":
    sys.exit(main())
