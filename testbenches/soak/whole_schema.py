# SPDX-License-Identifier: Apache-2.0
"""Random experiment files over the whole schema, valid and invalid, each given to `check` and to `run`.

usage: whole_schema.py PROGRAM [--count N] [--seed S] [--only K] [--keep FOLDER] [--jobs J] [--self-test]
  PROGRAM      flitcast
  --seed       start of the random numbers (default: today as YYYYMMDD); printed first
  --only       repeats experiment K of the seed, and prints its file, its commands and what they say
  --keep       folder for the smallest file of every failure (default: out/whole_schema)
  --jobs       experiments at a time (default: one per processor)
  --self-test  takes every accepted experiment for a failure, which must be found, shrunk and repeated

Exit code 1 if an experiment broke one of these rules, or if too few were accepted:
  - the exit codes are 0, 2, 3, 4 and 5; 143 of a run that takes too long and is stopped
  - no signal ends the program, and no sanitizer or library reports an error
  - a command ends in bounded time and memory: a run within seconds of a SIGTERM
  - exit code 2 has a message, and leaves no file behind; other runs leave no temporary file, and JSON without NaN
  - `check` refuses an experiment if and only if `run` does
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import datetime
import json
import os
import pathlib
import random
import re
import shutil
import signal
import string
import subprocess
import sys
import tempfile
import time

from soak import KNOWN, ODD, flat_of, relative

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "sim" / "experiments"))
from draw import applies, draw, nested, plain_rows, rows_of, values  # noqa: E402
from observe import EXAMPLES, write_inputs  # noqa: E402

CODES = {0: "ok", 2: "bad input", 3: "saturated", 4: "deadlock", 5: "points missing"}
LEAST_ACCEPTED = 0.2        # Least share of experiments that must be accepted.
CHECK_SECONDS, RUN_SECONDS, STOP_SECONDS = 30, 4, 10
MEMORY = 1 << 30            # --memory-limit of every command, in bytes; the process may take some more.
SLACK = 1 << 29
MOST_SHRINKING, SHRINKING_SECONDS = 150, 60
REPORTS = re.compile(r"Sanitizer|runtime error:|terminate called|Assertion|internal error|std::|SystemC|Fatal:|(?<![.\"'\w])-?nan\b")

# Values for keys whose range does not suggest any that fit.
FILES = {
    "energy.table": ["table.yaml"] * 4 + ["tree.graph", "none.yaml"],
    "search.key": ["workload.load", "link.latency", "router.buffer_depth", "workload.packet_length", "no.key"],
    "workload.file": ["trace.csv", "trace.netrace", "none.csv", "tree.graph", "."],
    "routing.file": ["trace.csv", "none.csv", "."],
    "topology.file": ["tree.graph"] * 6 + ["trace.csv", "none.graph"],
    "workload.classes[].name": ["a", "b", "c"],
    "workload.classes[].reply": [""] * 4 + ["a", "b", "c"],
    "workload.classes[].load": [0.01, 0.1, 0.3],
    "workload.classes[].virtual_channels": [[], [], [], [0, 0], [0, 1], [1, 3], 2],
    "workload.groups[].name": ["a", "b"],
    "workload.groups[].ranks": [[0, 1], [3, 2, 1, 0], 5],
    "trace.signals": [[]] * 3 + [["router_0"]] * 3 + [["link_0", "node_0"], ["router_1", "node_1"], "router_99999"],
}
MORE_KNOWN = [
    {"topology.kind": "torus", "topology.sizes": [4, 4], "routing.kind": "dimension_order",
     "workload.kind": "several_collectives",
     "workload.operations": [{"operation": "all_gather", "algorithm": "ring", "nodes": [0, 1, 2, 3]},
                             {"operation": "broadcast", "algorithm": "binomial", "nodes": [4, 5, 6, 7], "source": 5},
                             {"operation": "reduce", "algorithm": "two_trees", "length": 8}]},
    {"topology.kind": "mesh", "topology.sizes": [4, 4], "routing.kind": "dimension_order",
     "workload.kind": "trace", "workload.format": "chakra", "workload.file": "step"},
    {"topology.kind": "torus", "topology.sizes": [4, 4], "routing.kind": "dimension_order", "workload.kind": "together",
     "workload.workloads": [{"name": "a", "kind": "traffic", "load": 0.1},
                            {"name": "b", "start": 50, "kind": "collective", "operation": "broadcast", "algorithm": "binomial"}]},
    {"topology.kind": "ring", "topology.nodes": 5, "routing.kind": "shortest_path", "router.virtual_channels": 4,
     "node.reply_queue": 2, "workload.kind": "traffic", "measure.window": 300, "measure.series": 10, "measure.buffers": 9,
     "workload.classes": [{"name": "a", "load": 0.1, "reply": "b", "virtual_channels": [0, 1], "priority": 1},
                          {"name": "b", "virtual_channels": [2, 3]}]},
]
LONG = {"repeat": [1, 2], "workload.runs": [1, 3], "search.precision": [0.1, 0.5], "measure.series": [1, 50],
        "measure.buffers": [1, 100], "run.threads": [1, 2, 3]}
MUTATIONS = [0] * 9 + [1] * 3 + [2, 3]
RAW = ["~", "", "0x10", "1e3", "1_000", "+3", "-0", ".inf", "-.inf", ".nan", '"5"', "'4'", "yes", "!!int 3", "!!str 3",
       "&a [1]", "*a", "2001-01-01", "{", "]", "- 1", "|\n  text", "0.1 # note", "[1, 2,]", "{a: 1, a: 2}", "%", "@",
       "99999999999999999999", "1e400", "-1e-400", "\t3", "[" * 200, "'", "a: b: c"]
EXTREME = [-(2**63), -(2**31), -1, 2**16, 2**24, 2**31 - 1, 2**32, 2**53, 2**63 - 1, 2**64, 1e-300, 1e308, 1e-9]


def value_of(row, dice):
    choices = FILES.get(row["name"]) or LONG.get(row["name"]) or values(row)
    return dice.choice(choices) if choices else {}


def edge_of(row, dice):
    """A value at a border of a row's range, or just beyond it."""
    borders = [row[name] for name in ("minimum", "maximum") if name in row] or [0]
    value = dice.choice(borders) + dice.choice([-1, 0, 1, 0.5])
    return int(value) if value == int(value) else value


def elements(table, prefix, dice):
    """Values for a list of maps: its keys are the rows that begin with `prefix`."""
    rows = [row for row in table if row["name"].startswith(prefix)]
    found = []
    for _ in range(dice.choice([1, 2, 2, 3])):
        forced = {row["name"]: value_of(row, dice) for row in rows if row["name"] in FILES}
        flat = draw(rows, forced, dice)
        found.append(nested({name[len(prefix):]: value for name, value in flat.items()}))
    if dice.random() < 0.8:
        make_consistent(found)
    return found


def make_consistent(classes):
    """Gives elements names of their own, and to one that replies to another the keys that it may have."""
    names = string.ascii_lowercase[:len(classes)]
    for name, element in zip(names, classes):
        if "name" in element:
            element["name"] = name
        if element.get("reply", "") not in names[names.index(name) + 1:]:
            for key in "reply", "service":
                element.pop(key, None)
    answers = {element.get("reply") for element in classes}
    for element in classes:
        if element.get("name") in answers:
            for key in set(element) - {"name", "priority", "virtual_channels", "packet_length"}:
                del element[key]


def drawn(table, known, dice):
    """An experiment as pairs of a full name and a value; a valid one as often as not."""
    plain = plain_rows(table)
    flat = relative(plain, known, dice) if dice.random() < 0.2 else dict(dice.choice(dice.choice([known] * 5 + [MORE_KNOWN])))
    if flat.get("energy.cells") == "table":
        flat["energy.table"] = "table.yaml"
    for _ in range(dice.choice([0, 1, 1, 2, 3])):
        row = dice.choice([row for row in plain if applies(row, flat)])
        flat[row["name"]] = value_of(row, dice)
        name = row["name"]
        if row["type"] == "sections" and applies(row, flat) and dice.random() < 0.1:
            flat[name] = elements(table, f"{name}[].", dice)
            if name == "workload.classes":
                others = {other["name"] for other in plain if any(c["key"] == name for c in other.get("when", []))}
                flat = {key: value for key, value in flat.items() if key not in others}
    if dice.random() < 0.9:  # Most searches have too many runs.
        flat = {name: value for name, value in flat.items() if not name.startswith("search.")}
    if dice.random() < 0.1:
        flat["sweep"] = sweep(plain, flat, dice)
    pairs = list(flat.items())
    for _ in range(dice.choice(MUTATIONS)):
        mutate(pairs, plain, dice)
    return pairs


def sweep(table, flat, dice):
    rows = [row for row in table if applies(row, flat) and row["name"] != "repeat"]
    swept = {}
    for row in dice.sample(rows, dice.choice([1, 1, 2])):
        swept[row["name"]] = [value_of(row, dice) for _ in range(dice.choice([1, 2, 3]))]
        if dice.random() < 0.1:
            swept[row["name"]] = {"from": dice.choice([-1, 0, 0.1, 1]), "to": 2, "step": dice.choice([1, 0.5, 0.01, 0, -1, 1e-9])}
    return {"zip": swept} if dice.random() < 0.2 else swept


class Raw(str):
    """A value that stands in the file as it is."""


def mutate(pairs, table, dice):
    """Changes one thing, which may make the experiment invalid."""
    place = dice.randrange(len(pairs))
    name, value = pairs[place]
    rows = [row for row in table if row["name"] == name]
    change = dice.randrange(11)
    if change == 0:
        pairs[place] = name, dice.choice(ODD)
    elif change == 1:
        pairs[place] = name, edge_of(dice.choice(rows), dice) if rows else 0
    elif change == 2:
        pairs[place] = name, dice.choice(EXTREME)
    elif change == 3:
        pairs[place] = name, Raw(dice.choice(RAW))
    elif change == 4:
        if len(pairs) > 1:
            del pairs[place]
    elif change == 5:  # A key that is there already, or that means nothing here.
        row = dice.choice(rows or table) if dice.random() < 0.5 else dice.choice(table)
        pairs.insert(dice.randrange(len(pairs) + 1), (row["name"], value_of(row, dice)))
    elif change == 6:
        pairs[place] = name[:-1] + dice.choice("aeiou_.X-"), value
    elif change == 7:
        pairs[place] = name, dice.choice(pairs)[1]
    elif change == 8:
        section = dice.choice(pairs)[0].split(".")[0]
        pairs[place] = f"{section}.{name.split('.')[-1]}", value
    elif change == 9:
        pairs[place] = name, [value] * dice.choice([0, 1, 2, 500])
    else:
        pairs[place] = name, str(value) if not isinstance(value, list) else dict(enumerate(map(str, value)))


def text_of(pairs):
    """The file of an experiment: JSON where it is one, else YAML in blocks. A name may be there twice."""
    def block(items, indent):
        groups = collections.OrderedDict()
        for path, value in items:
            head, _, rest = path.partition(".")
            groups.setdefault((head, bool(rest)), []).append((rest, value))
        for (head, deep), rows in groups.items():
            key = head if re.fullmatch(r"\w+", head) else json.dumps(head)
            if deep:
                yield f"{indent}{key}:\n" + "".join(block(rows, indent + "  "))
                continue
            for _, value in rows:
                yield f"{indent}{key}: {value if isinstance(value, Raw) else json.dumps(value)}\n"

    return "".join(block(pairs, ""))


@dataclasses.dataclass
class Experiment:
    pairs: list
    options: list   # For both commands.
    outputs: list   # For `run` alone.
    cut: int = -1   # The file ends after this share of its bytes, in thousandths.

    def text(self):
        text = text_of(self.pairs)
        return text if self.cut < 0 else text[:len(text) * self.cut // 1000]


def experiment(seed, number, table, known):
    dice = random.Random(f"{seed}/{number}")
    pairs = drawn(table, known, dice)
    dice.shuffle(pairs)
    options, outputs = [], []
    if dice.random() < 0.5:
        options.append("--unsafe")
    if dice.random() < 0.15:
        row = dice.choice(plain_rows(table))
        value = dice.choice([value_of(row, dice), dice.choice(ODD), dice.choice(EXTREME)])
        options += ["--set", f"{row['name']}={json.dumps(value)}".replace("\\u0000", "")]
    if dice.random() < 0.4:
        some = [["--json", "r.json"], ["--packet-log", "p.csv"], ["--flit-log", "f.csv"], ["--timeline", "t.json"], ["--fst"],
                ["--quiet"], ["--point", "0"], ["--point", "1"], ["--json", "no/r.json"]]
        outputs = sum(dice.sample(some, dice.choice([1, 2, 3])), [])
    return Experiment(pairs, options, outputs, dice.randrange(1000) if dice.random() < 0.02 else -1)


def seconds_of(pid):
    """Time of processors that a process has taken."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@dataclasses.dataclass
class End:
    code: int       # Minus the number of a signal.
    text: str       # Standard output and error.
    stopped: bool   # It took too long and was sent a SIGTERM.
    memory: int     # The most that it took, in bytes.


class Judge:
    """Gives experiments to the program, and says which rule one breaks."""

    def __init__(self, program, inputs, sabotage=False):
        self.program, self.inputs, self.sabotage = program, inputs, sabotage
        self.limited = b"__asan_init" not in pathlib.Path(program).read_bytes()
        write_inputs(inputs)
        shutil.copy(EXAMPLES.parent / "energy" / "osu018.yaml", inputs / "table.yaml")
        shutil.copytree(EXAMPLES / "training_step", inputs / "step")

    def command(self, words, seconds, folder):
        log = folder.with_suffix(".log")
        environment = {**os.environ, "NO_COLOR": "1"}
        with open(log, "wb") as out:
            process = subprocess.Popen([self.program, *words], cwd=self.inputs, env=environment, stdout=out,
                                       stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
        code, memory = self.wait(process, seconds)
        stopped = code is None
        if stopped:
            os.kill(process.pid, signal.SIGTERM)
            code, memory = self.wait(process, STOP_SECONDS)
        if code is None:
            os.kill(process.pid, signal.SIGKILL)
            code, memory = self.wait(process, STOP_SECONDS)
        return End(code, log.read_bytes()[:100_000].decode(errors="replace"), stopped, memory)

    @staticmethod
    def wait(process, seconds):
        """Exit code and memory, or None of a process that has taken so long: seconds of a processor, or ten times as many."""
        end, pause = time.monotonic() + 10 * seconds, 0.002
        seconds += seconds_of(process.pid)
        while True:
            done, status, usage = os.wait4(process.pid, os.WNOHANG)
            if done:
                process.returncode = os.waitstatus_to_exitcode(status)
                return process.returncode, usage.ru_maxrss * 1024
            if time.monotonic() > end or seconds_of(process.pid) > seconds:
                return None, 0
            time.sleep(pause)
            pause = min(2 * pause, 0.1)

    def complaint_of(self, end, name):
        if report := REPORTS.search(end.text):
            line = end.text[end.text.rfind("\n", 0, report.start()) + 1:].split("\n")[0]
            return f"{name} says: {line[:200]}"
        if end.stopped:
            if end.code == -signal.SIGKILL:
                return f"{name} does not end {STOP_SECONDS} s after a SIGTERM"
            if name != "run":
                return f"{name} takes longer than {CHECK_SECONDS} s"
        elif end.code not in CODES:
            return f"{name} has exit code {end.code}" if end.code > 0 else f"{name} ends by {signal.Signals(-end.code).name}"
        if end.memory > MEMORY + SLACK and self.limited:
            return f"{name} takes {end.memory >> 20} MiB"
        if end.code == 2 and not end.text.strip():
            return f"{name} refuses without a word"
        return None

    @staticmethod
    def complaint_of_files(folder, code):
        files = [file for file in folder.rglob("*") if file.is_file()]
        left = [file.name for file in files if file.name.endswith(".tmp")]
        if left:
            return f"run leaves {left[0]}"
        if code == 2 and files:
            return f"run with exit code 2 leaves {files[0].name}"
        for file in files:
            if file.suffix == ".json":
                try:
                    json.loads(file.read_text(), parse_constant=refuse)
                except ValueError as error:
                    return f"run writes {file.name} that is no JSON: {error}"
        return None

    def verdict(self, case, tag):
        """The ends of both commands, and the first rule that the experiment breaks."""
        folder = self.inputs / tag
        folder.mkdir()
        file = self.inputs / f"{tag}.yaml"
        try:
            file.write_text(case.text(), errors="surrogatepass")
            options = [*case.options, "--memory-limit", str(MEMORY)]
            check = self.command(["check", file.name, *options], CHECK_SECONDS, folder)
            outputs = [word if word.startswith("--") or word.isdigit() else f"{tag}/{word}" for word in case.outputs]
            run = self.command(["run", file.name, *options, "--out", tag, *outputs], RUN_SECONDS, folder)
            return check, run, self.first_complaint(case, check, run, folder)
        finally:
            shutil.rmtree(folder)
            file.unlink(missing_ok=True)
            folder.with_suffix(".log").unlink(missing_ok=True)

    def first_complaint(self, case, check, run, folder):
        found = (self.complaint_of(check, "check") or self.complaint_of(run, "run") or
                 self.complaint_of_files(folder, run.code))
        if found:
            return found
        # All points of a sweep may be refused, and one point does not look at the others; a run may also be refused for an
        # output of its own.
        if check.code == 2 and run.code not in (2, 5) and "--point" not in case.outputs or not case.outputs and check.code != 2 and run.code == 2:
            said = next(iter((check if check.code == 2 else run).text.strip().splitlines()), "")
            return f"check has exit code {check.code}, run {run.code}: {said[:200]}"
        if self.sabotage and run.code == 0:
            return "run accepts this"
        return None


def refuse(word):
    raise ValueError(f"it has {word}")


def kind_of(complaint):
    """The first words, without numbers; a smaller experiment must fail alike."""
    return " ".join(re.sub(r"\d+|\S+\.\w+:?", "", complaint).split()[:7])


def shrunk(judge, case, complaint, tag):
    """The smallest experiment found that fails alike."""
    tries, changed, end = 0, True, time.monotonic() + SHRINKING_SECONDS
    while changed:
        changed = False
        smaller = [dataclasses.replace(case, pairs=case.pairs[:k] + case.pairs[k + 1:]) for k in range(len(case.pairs))]
        smaller += [dataclasses.replace(case, outputs=[])] if case.outputs else []
        for candidate in smaller:
            if (tries := tries + 1) > MOST_SHRINKING or time.monotonic() > end:
                return case
            seen = judge.verdict(candidate, f"{tag}-smaller")[2]
            if seen and kind_of(seen) == kind_of(complaint):
                case, changed = candidate, True
                break
    return case


def report(judge, options, case, complaint, number):
    small = shrunk(judge, case, complaint, str(number))
    options.keep.mkdir(parents=True, exist_ok=True)
    file = options.keep / f"{options.seed}-{number}.yaml"
    words = " ".join([*case.options, *small.outputs])
    again = f"{sys.argv[0]} {options.program} --seed {options.seed} --only {number}"
    head = f"# {complaint}\n# flitcast run FILE {words}\n# again: {again}\n"
    file.write_text(head.replace("\0", "\\0") + small.text(), errors="surrogatepass")
    print(f"failed: {complaint}\n  again: {again}\n  shrunk to {file}, options {words}:\n{small.text()}", flush=True)


def soak(options, judge, table, known):
    """Numbers of exit codes, and of failures."""
    codes, failures = collections.Counter(), 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        def one(number):
            case = experiment(options.seed, number, table, known)
            return number, case, *judge.verdict(case, str(number))

        for number, case, _, run, complaint in pool.map(one, range(options.count)):
            codes[CODES.get(run.code, "too long" if run.stopped else f"exit code {run.code}")] += 1
            if complaint:
                failures += 1
                report(judge, options, case, complaint, number)
    print(f"{options.count} experiments: " + ", ".join(f"{n} {code}" for code, n in codes.most_common()) +
          f"; {failures} failures")
    return codes, failures


def repeat(options, judge, table, known):
    case = experiment(options.seed, options.only, table, known)
    check, run, complaint = judge.verdict(case, str(options.only))
    print(case.text(), f"options of both: {case.options}; of run: {case.outputs}", sep="\n")
    for name, end in ("check", check), ("run", run):
        print(f"{name}: exit code {end.code}{' after SIGTERM' if end.stopped else ''}\n{end.text}")
    print(f"failed: {complaint}" if complaint else "as it should be")
    return 1 if complaint else 0


def self_test(options, judge, table, known):
    """Accepted experiments count as failures: they must be found, shrunk, and fail again by their number."""
    judge.sabotage, options.count = True, 12
    with tempfile.TemporaryDirectory() as name:
        options.keep = pathlib.Path(name)
        failures = soak(options, judge, table, known)[1]
        kept = list(options.keep.iterdir())
        shortest = min((len(file.read_text().splitlines()) for file in kept), default=99)
        options.only = int(kept[0].stem.rpartition("-")[2]) if kept else 0
    return failures > 0 and len(kept) == failures and shortest < 15 and repeat(options, judge, table, known) == 1


def main():
    parser = argparse.ArgumentParser(description="Random experiment files over the whole schema")
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=int(datetime.date.today().strftime("%Y%m%d")))
    parser.add_argument("--only", type=int)
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("out/whole_schema"))
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    options.program = os.path.abspath(options.program)
    table = rows_of(options.program)
    known = [flat_of(case["config"]) for case in json.loads(KNOWN.read_text())]
    with tempfile.TemporaryDirectory() as name:
        judge = Judge(options.program, pathlib.Path(name))
        if options.self_test:
            return 0 if self_test(options, judge, table, known) else 1
        if options.only is not None:
            return repeat(options, judge, table, known)
        codes, failures = soak(options, judge, table, known)
    accepted = codes["ok"] + codes["saturated"]
    if accepted < LEAST_ACCEPTED * options.count:
        print(f"only {accepted} of {options.count} experiments were accepted: too few of the generated files are valid")
        return 1
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
