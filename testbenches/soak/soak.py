# SPDX-License-Identifier: Apache-2.0
"""Random experiments, valid and nearly valid, each run by flitcast-soak in every implementation.

usage: soak.py PROGRAM CHECKER [--count N | --hours H] [--seed S] [--keep FOLDER] [--self-test]
  PROGRAM      flitcast, for the table of parameters
  CHECKER      flitcast-soak
  --seed       start of the random numbers (default: today as YYYYMMDD); printed first
  --keep       folder for the smallest experiment of every failure (default: out/soak)
  --self-test  runs an implementation that is broken on purpose, which must be found and shrunk

Exit code 1 if an experiment failed, or if too few were valid.
"""
import argparse
import collections
import concurrent.futures
import datetime
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sim" / "experiments"))
from draw import draw, nested, table_of, values  # noqa: E402
from observe import write_inputs  # noqa: E402

KNOWN = pathlib.Path(__file__).resolve().parents[2] / "sim" / "expected" / "random.json"

BATCH = 25
NEARLY_VALID = 0.3  # Share of the experiments.
REDRAWN = 0.15      # Probability that a section is drawn anew.
ADDED = 0.3         # Probability that a section that stays keeps a key that was drawn beside those of the base.
SECTIONS = ("topology", "router", "routing", "link", "node", "workload", "measure", "seed")
WATCHING = ("run", "trace", "search", "energy", "optimise")  # The checker varies these sections, or does not read them.
LEAST_RUN = 0.2              # Least share of experiments that must be valid.
# A failing experiment is shrunk to at most this number of keys and sections: a topology with its size, a routing, a
# trace with its file.
SMALLEST = 9
MOST_SHRINKING = 100
ODD = [0, -1, 1, 3, 2**31, 2**32, 2**63, 1e300, 0.5, -0.0, "", "none", "mesh", "\0", "a/b", "\u00e9", True, None, [], [0],
       [1, -1], [[1]], {}, {"kind": "mesh"}]


def text_of(flat):
    """An experiment as the text of a file, with a line for every section."""
    return "".join(f"{section}: {json.dumps(value)}\n" for section, value in nested(flat).items())


def mutated(flat, dice):
    """An experiment with one change, which may make it invalid."""
    flat = dict(flat)
    key = dice.choice(list(flat))
    change = dice.randrange(4)
    if change == 0:
        flat[key] = dice.choice(ODD)
    elif change == 1:
        del flat[key]
    elif change == 2:
        flat[key[:-1] + dice.choice("aeiou_.")] = flat.pop(key)
    else:
        flat[key] = flat[dice.choice(list(flat))]
    return flat


def flat_of(config):
    """A nested experiment as one dictionary of full names."""
    return {f"{section}.{key}" if isinstance(part, dict) else section: value
            for section, part in config.items()
            for key, value in (part.items() if isinstance(part, dict) else [("", part)])}


def relative(table, known, dice):
    """A relative of known experiments: most sections of one stay, the others are drawn anew. A new topology brings a
    routing along, and a new routing is one of those that fit the topology."""
    base = dice.choice(known)
    drop = {section for section in SECTIONS if dice.random() < REDRAWN}
    forced = {name: value for name, value in base.items() if name.split(".")[0] not in drop}
    if drop & {"topology", "routing"}:
        kind = dice.choice(known)["topology.kind"] if "topology" in drop else base["topology.kind"]
        kinds = [other["routing.kind"] for other in known
                 if other["topology.kind"] == kind and "routing.kind" in other]
        forced = {**{name: value for name, value in forced.items() if not name.startswith("routing.")},
                  "topology.kind": kind, "routing.kind": dice.choice(kinds)}
    flat = draw(table, forced, dice)
    return {name: value for name, value in flat.items()
            if name in forced or name.split(".")[0] in drop or dice.random() < ADDED}


def drawn(table, known, dice):
    flat = relative(table, known, dice)
    flat = {name: value for name, value in flat.items() if name.split(".")[0] not in WATCHING}
    return mutated(flat, dice) if dice.random() < NEARLY_VALID else flat


class Verifier:
    """Asks flitcast-soak about experiments, in a folder with the inputs that they name."""

    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        write_inputs(folder)

    def verify(self, experiments, tag):
        files = []
        for k, flat in enumerate(experiments):
            file = self.folder / f"{tag}-{k}.yaml"
            file.write_text(text_of(flat), errors="surrogatepass")
            files.append(file.name)
        done = subprocess.run([self.program, *files], cwd=self.folder, capture_output=True, text=True, check=False)
        lines = [json.loads(line) for line in done.stdout.splitlines()]
        for file in files:
            (self.folder / file).unlink()
        if len(lines) != len(files):
            raise RuntimeError(f"{self.program} ended with {done.returncode}: {done.stderr}")
        return lines

    def fails_alike(self, flat, verdict, tag):
        seen = self.verify([flat], tag)[0]
        return seen["outcome"] == "failed" and kind_of(seen) == kind_of(verdict)


def kind_of(verdict):
    """The implementation and the first words of a failure; a smaller experiment must fail alike."""
    return " ".join(verdict["what"].split()[:4])


def smaller(flat, key):
    """The experiment with less said of a key: its default, or a smaller value."""
    value = flat[key]
    yield {name: other for name, other in flat.items() if name != key}
    if isinstance(value, int) and not isinstance(value, bool) and value > 1:
        yield {**flat, key: value // 2}
    if isinstance(value, list) and len(value) > 1:
        yield {**flat, key: value[:-1]}


def shrunk(verify, flat, verdict, tag):
    """The smallest experiment found that fails alike."""
    tries, changed = 0, True
    while changed:
        changed = False
        for key in list(flat):
            for candidate in smaller(flat, key):
                tries += 1
                if tries > MOST_SHRINKING:
                    return flat
                if verify.fails_alike(candidate, verdict, f"{tag}-shrink"):
                    flat, changed = candidate, True
                    break
    return flat


class Tally:
    def __init__(self):
        self.outcomes, self.statuses = collections.Counter(), collections.Counter()
        self.flits = self.runs = 0

    def add(self, verdict):
        self.outcomes[verdict["outcome"]] += 1
        self.runs += verdict.get("runs", 0)
        self.flits += verdict.get("flits", 0) * verdict.get("runs", 0)
        if "status" in verdict:
            self.statuses[verdict["status"]] += 1

    def total(self):
        return sum(self.outcomes.values())

    def text(self):
        outcomes, statuses = (", ".join(f"{n} {name}" for name, n in sorted(counter.items()))
                              for counter in (self.outcomes, self.statuses))
        return (f"{self.total()} experiments: {outcomes}; {self.runs} runs ({statuses} by experiment); "
                f"{self.flits} flits delivered")


def report(verify, flat, verdict, tag, keep):
    small = shrunk(verify, flat, verdict, tag)
    keep.mkdir(parents=True, exist_ok=True)
    file = keep / f"{tag}.yaml"
    file.write_text(f"# {verdict['what']}\n".replace("\0", "\\0") + text_of(small), errors="surrogatepass")
    print(f"failed: {verdict['what'][:300]}\n  shrunk to {file}:\n{text_of(small)}", flush=True)


def soak(options, verify, table):
    dice = random.Random(options.seed)
    known = [flat_of(case["config"]) for case in json.loads(KNOWN.read_text())]
    tally, end = Tally(), time.monotonic() + 3600 * options.hours if options.hours else None
    workers = os.cpu_count() or 1

    def wanted():
        return time.monotonic() < end if end else tally.total() < options.count

    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        while wanted():
            rest = workers * BATCH if end else options.count - tally.total()
            flats = [drawn(table, known, dice) for _ in range(min(workers * BATCH, rest))]
            batches = [flats[k:k + BATCH] for k in range(0, len(flats), BATCH)]
            tags = [f"{options.seed}-{tally.total() + k * BATCH}" for k in range(len(batches))]
            for tag, batch, verdicts in zip(tags, batches, pool.map(verify.verify, batches, tags)):
                for k, (flat, verdict) in enumerate(zip(batch, verdicts)):
                    tally.add(verdict)
                    if verdict["outcome"] == "failed":
                        report(verify, flat, verdict, f"{tag}.{k}", options.keep)
    print(tally.text())
    return tally


def self_test(options, verify, table):
    """An implementation that loses its seed must be found, and its experiment shrunk to few keys."""
    os.environ["FLITCAST_SOAK_BREAK"] = "1"
    options.count, options.hours = 6, None
    with tempfile.TemporaryDirectory() as name:
        options.keep = pathlib.Path(name)
        tally = soak(options, verify, table)
        kept = [file.read_text().splitlines() for file in options.keep.iterdir()]
    smallest = min((sum(line.count(":") for line in lines[1:]) for lines in kept), default=99)
    print(f"{len(kept)} failures, the smallest with {smallest} keys and sections")
    return tally.outcomes["failed"] > 0 and smallest <= SMALLEST


def main():
    today = int(datetime.date.today().strftime("%Y%m%d"))
    parser = argparse.ArgumentParser(description="Random experiments in every implementation")
    parser.add_argument("program")
    parser.add_argument("verify")
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--hours", type=float)
    parser.add_argument("--seed", type=int, default=today)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("out/soak"))
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as name:
        verify, table = Verifier(os.path.abspath(options.verify), pathlib.Path(name)), table_of(options.program)
        if options.self_test:
            return 0 if self_test(options, verify, table) else 1
        tally = soak(options, verify, table)
    ran = tally.outcomes["same"]
    if ran < LEAST_RUN * tally.total():
        print(f"only {ran} of {tally.total()} experiments were run: too few of the generated experiments are valid")
        return 1
    return 1 if tally.outcomes["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
