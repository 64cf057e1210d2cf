# SPDX-License-Identifier: Apache-2.0
"""Coverage of the confidence intervals that the program states: see scripts/interval_coverage.

cases.csv has a row for each case: its name, the settings that differ from EXPERIMENT (separated by "; "), and the true mean latency
of all packets and of each class, in cycles, with its standard error, as "all 24.44 +- 0.01".
searches.csv has the same for searches for saturation; its truth is the load at which the mean latency of long runs is
search.factor times that of an idle network, as "0.7035 +- 0.0002".
measured.csv and brackets.csv have what --record measured: numbers of runs, and medians of half-widths and widths in percent.
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
SEARCHES = HERE / "searches.csv"
MEASURED = HERE / "measured.csv"
BRACKETS = HERE / "brackets.csv"
PROGRAM = HERE.parents[2] / "build/release/sim/flitcast"
EXPERIMENT = "workload: {kind: traffic}\n"
TRUTH_RUNS, TRUTH_WINDOW, TRUTH_WARMUP, TRUTH_SEED = 16, 1_000_000, 50_000, 100_001
IDLE_LOAD, FACTOR = 0.01, 3.0  # The usual values of search.from and search.factor.
LOAD_STEP = 0.01  # Distance of the loads between which the true crossing is interpolated, as a share of the load.
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


def read_rows(path, wanted):
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["list"] = row["settings"].split("; ")
    return rows, [row for row in rows if re.search(wanted, row["name"])]


def write_rows(path, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ["name", "settings", "truth"], extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def record(path, key, row):
    """Puts a row into a table of measured figures, in place of an earlier one with the same key."""
    rows = list(csv.DictReader(path.open(encoding="utf-8"))) if path.exists() else []
    row = {name: str(value) for name, value in row.items()}
    same = [at for at, other in enumerate(rows) if all(other[name] == row[name] for name in key)]
    if same:
        rows[same[0]] = row
    else:
        rows.append(row)
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def read_cases(wanted):
    rows, chosen = read_rows(CASES, wanted)
    for row in rows:
        row["means"] = {name: (float(mean), float(error)) for name, mean, error in
                        re.findall(r"(\w+) ([\d.]+) \+- ([\d.]+)", row["truth"] or "")}
    return rows, chosen


class Runs:
    """Runs a case with many seeds, some at a time."""

    def __init__(self, program, jobs, folder):
        self.program = program
        self.folder = folder
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
    write_rows(CASES, all_cases)


def long_mean(runs, case, load):
    """The mean latency of long runs at a load, and its standard error."""
    seeds = range(TRUTH_SEED, TRUTH_SEED + TRUTH_RUNS)
    at_load = dict(case, list=case["list"] + [f"workload.load={load:.6f}"])
    means = [result["latency_cycles"]["mean"] for result in
             runs.of(at_load, seeds, {"warmup": TRUTH_WARMUP, "window": TRUTH_WINDOW})]
    return statistics.mean(means), statistics.stdev(means) / math.sqrt(len(means))


def measure_crossings(runs, all_cases, cases):
    """Writes the load at which the mean latency of long runs crosses the limit. It is interpolated between two loads on both
    sides of it, at first on both sides of where a search found it; its error is that of the means over the slope."""
    for case in cases:
        limit = FACTOR * long_mean(runs, case, IDLE_LOAD)[0]
        low = search_result(runs.program, runs.file, case, TRUTH_SEED, runs.folder)["below"]
        high = low * (1 + LOAD_STEP)
        below, above = long_mean(runs, case, low), long_mean(runs, case, high)
        while below[0] > limit:
            (high, above), low = (low, below), low * (1 - LOAD_STEP)
            below = long_mean(runs, case, low)
        while above[0] <= limit:
            (low, below), high = (high, above), high * (1 + LOAD_STEP)
            above = long_mean(runs, case, high)
        # Latencies near saturation grow like 1 / (capacity - load), so their inverse is interpolated.
        share = (1 / below[0] - 1 / limit) / (1 / below[0] - 1 / above[0])
        error = max(below[1], above[1]) * (high - low) / (above[0] - below[0])
        case["truth"] = f"{low + share * (high - low):.5f} +- {error:.5f}"
        print(case["name"], case["truth"], flush=True)
    write_rows(SEARCHES, all_cases)


def search_result(program, file, case, seed, folder):
    """The figures of a search: a row of the table that the program writes."""
    out = pathlib.Path(folder) / f"{case['name']}-{seed}"
    command = [program, "run", file, "--quiet", "--out", out, "--set", "search.find=saturation", "--set", f"seed={seed}"]
    command += [word for setting in case["list"] for word in ("--set", setting)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stderr}")
    with open(out / "results.csv", encoding="utf-8") as table:
        row = next(csv.DictReader(table))
    return {key: float(row[f"saturation.{key}"]) for key in ("below", "value", "above")}


def measure_brackets(runs, cases, seeds, recorded):
    """Prints how often the bracket of a search contains the true crossing; returns the number of cases beyond the limits."""
    print("| search | truth | searches | of these cover, % | largest error, % | median width, % |")
    print("|---|---|---|---|---|---|")
    beyond = 0
    for case in cases:
        truth, error = map(float, re.fullmatch(r"([\d.]+) \+- ([\d.]+)", case["truth"]).groups())
        found = list(runs.pool.map(lambda seed: search_result(runs.program, runs.file, case, seed, runs.folder),
                                   range(1, seeds + 1)))
        outside = [max(one["below"] - truth, truth - one["above"], 0) for one in found]
        missed = sum(distance > 2 * error for distance in outside)
        row = {"search": case["name"], "truth": case["truth"], "searches": seeds, "covered": seeds - missed,
               "largest_error": f"{100 * max(outside) / truth:.2f}",
               "width": f"{100 * statistics.median((one['above'] - one['below']) / truth for one in found):.2f}"}
        kept = missed <= seeds * MOST_FALSE + 2 * math.sqrt(seeds * MOST_FALSE * (1 - MOST_FALSE))
        cells = {**row, "covered": share(seeds - missed, seeds)}
        print("| " + " | ".join(map(str, cells.values())) + (" |" if kept else " | beyond the limits"), flush=True)
        if recorded:
            record(BRACKETS, ["search"], row)
        beyond += not kept
    return beyond


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


def measure_coverage(runs, cases, windows, options):
    """Prints the table; returns the number of rows that are beyond the limits."""
    print("| case | window | runs | stated, % | of these cover, % | false, % of all | half-width, % | window asked for |")
    print("|---|---|---|---|---|---|---|---|")
    beyond, rows, stating = 0, 0, 0
    for case in cases:
        for window in windows:
            seen = runs.of(case, range(1, options.seeds + 1), {"window": window, "precision": options.precision})
            for name, (truth, _) in case["means"].items():
                row = row_of([latencies_of(result)[name] for result in seen], truth)
                kept = keeps_promise(row)
                print_row(case["name"] if name == "all" else f"{case['name']}: {name}", window, row, kept)
                if options.record:
                    width = "" if row["width"] is None else f"{100 * row['width']:.2f}"
                    record(MEASURED, ["case", "group", "window"], {"case": case["name"], "group": name, "window": window,
                           **{key: row[key] for key in ("runs", "stated", "covered")}, "half_width": width})
                rows, beyond = rows + 1, beyond + (not kept)
                stating += 2 * row["stated"] >= row["runs"]
    print(f"{stating} of {rows} rows state an interval in at least half of their runs; {beyond} rows are beyond the limits")
    return beyond


def window_named(result):
    """The window that an imprecise run says would do, or None."""
    found = re.search(r"set measure\.window to (\d+)", result.get("reason", ""))
    return int(found[1]) if found and result["status"] == "imprecise" else None


def measure_advice(runs, cases, windows, options):
    """Prints how often the window that an imprecise run names is long enough for another seed."""
    print("| case | window | runs | imprecise | named window suffices, % | named window, median |")
    print("|---|---|---|---|---|---|")
    for case in cases:
        for window in windows:
            seen = runs.of(case, range(1, options.seeds + 1), {"window": window, "precision": options.precision})
            named = [(seed, window_named(result)) for seed, result in enumerate(seen, options.seeds + 1) if window_named(result)]
            again = [runs.of(case, [seed], {"window": wider, "precision": options.precision})[0] for seed, wider in named]
            enough = sum(result["status"] == "ok" for result in again)
            median = f"{statistics.median(wider for _, wider in named):.0f}" if named else "-"
            print(f"| {case['name']} | {window} | {len(seen)} | {len(named)} | {share(enough, len(named))} | {median} |", flush=True)
    return 0


def main():
    parser = argparse.ArgumentParser(prog="scripts/interval_coverage", add_help=False)
    parser.add_argument("--seeds", type=int, default=40)
    parser.add_argument("--windows", default="10000,30000,100000")
    parser.add_argument("--cases", default="")
    parser.add_argument("--gate", action="store_true")
    parser.add_argument("--truth", action="store_true")
    parser.add_argument("--searches", action="store_true")
    parser.add_argument("--advice", action="store_true")
    parser.add_argument("--precision", type=float, default=0)
    parser.add_argument("--record", action="store_true")
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("-j", type=int, default=os.cpu_count())
    options = parser.parse_args()
    all_cases, cases = read_rows(SEARCHES, options.cases) if options.searches else read_cases(options.cases)
    if options.record and options.precision:
        parser.error("--record takes no runs that end by their precision")
    if options.advice and not options.precision:
        parser.error("--advice needs a --precision that runs miss")
    if not cases:
        parser.error(f"no case matches {options.cases}")
    with tempfile.TemporaryDirectory() as folder:
        runs = Runs(options.program, options.j, folder)
        if options.truth:
            (measure_crossings if options.searches else measure_truths)(runs, all_cases, cases)
            return 0
        if options.searches:
            beyond = measure_brackets(runs, cases, options.seeds, options.record)
        else:
            windows = [int(window) for window in options.windows.split(",")]
            beyond = (measure_advice if options.advice else measure_coverage)(runs, cases, windows, options)
    return 1 if options.gate and beyond else 0


if __name__ == "__main__":
    sys.exit(main())
