# SPDX-License-Identifier: Apache-2.0
"""The output of a program for one experiment, reduced to what must be equal everywhere and stays short.

A case is a dictionary:
  name     text, unique
  example  file under sim/examples, or
  config   a whole experiment
  point    of the example's sweep, if it has one

An observation is a dictionary, too:
  exit     exit code of `run`
  figures  the result without times, host, version and configuration, whose hash is `id`; of a long list, such as
           the loads of all links, its length and a digest, unless its parts have names
  summary  the lines of `run`, without the speed
  check    exit code and lines of `check`, where the case is no further point of a sweep; without the memory
  schedule of a collective what `schedule --json` says otherwise than the result, or its exit code
"""
import hashlib
import json
import os
import pathlib
import struct
import subprocess

EXAMPLES = pathlib.Path(__file__).resolve().parents[3] / "sim" / "examples"
LONGEST_LIST = 60  # Characters.
PASSING = {"wall_seconds", "host", "version", "config", "digest"}
DRAWN = {"layout"}  # Not measured: the topology alone determines it.
PASSING_LINES = ("  speed ", "  memory ", "  files ")
SECONDS = 120

TREE = """# Two nodes at a, one at b, two at c, none at the hub.
router hub
router a
router b
router c
link hub a
link hub b latency 3
link c hub
terminal a0 a
terminal a1 a
terminal b0 b
terminal c0 c
terminal c1 c
"""

# Columns: cycle, source, destination, flits, number, numbers of the messages that it depends on.
MESSAGES = [(0, 0, 3, 9, 1, []), (0, 3, 0, 5, 2, [1]), (3, 3, 1, 1, 3, [1]), (5, 1, 2, 2, 4, [2, 3]),
            (100, 0, 2, 2, 5, [4]), (101, 0, 1, 1, 6, []), (120, 2, 3, 7, 7, [])]


def csv_trace():
    rows = [f"{cycle},{source},{to},{flits},{number},{';'.join(map(str, after))}"
            for cycle, source, to, flits, number, after in MESSAGES]
    return "\n".join(["cycle,src,dst,flits,id,deps", *rows, ""])


def netrace():
    """The messages in the layout that models/traffic/netrace.cpp gives; types 1 and 2 are short and long."""
    data = struct.pack("<If30sHQQIIQ", 0x484A5455, 1.0, b"", 4, MESSAGES[-1][0], len(MESSAGES), 0, 0, 0)
    for cycle, source, to, flits, number, _ in MESSAGES:
        waiting = [m[4] for m in MESSAGES if number in m[5]]
        data += struct.pack("<QII5B", cycle, number, 0, 1 + flits % 2, source, to, 2, len(waiting))
        data += struct.pack(f"<{len(waiting)}I", *waiting)
    return data


def write_inputs(folder):
    """The files that random configurations name, and the examples by a path that is equal everywhere."""
    if not (folder / "examples").exists():
        (folder / "examples").symlink_to(EXAMPLES)
    (folder / "tree.graph").write_text(TREE)
    (folder / "trace.csv").write_text(csv_trace())
    (folder / "trace.netrace").write_bytes(netrace())


def digest(value):
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def reduced(value):
    """The value with every long list cut down to its length and a digest, but for lists of parts with names, such as classes."""
    if isinstance(value, dict):
        return {key: reduced(part) for key, part in value.items()}
    if isinstance(value, list) and all(isinstance(part, dict) and "name" in part for part in value):
        return [reduced(part) for part in value]
    if isinstance(value, list) and len(json.dumps(value)) > LONGEST_LIST:
        return f"{len(value)} entries, {digest(value)}"
    return value


def figures_of(file):
    """The result in a file, as far as it is equal everywhere."""
    if not file.exists():
        return {}
    result = {key: part for key, part in json.loads(file.read_text()).items() if key not in PASSING | DRAWN}
    return reduced(result)


def call(program, folder, *arguments):
    """Exit code, standard output and standard error; a run that does not end has exit code "timeout"."""
    environment = {**os.environ, "NO_COLOR": "1"}
    try:
        done = subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True, text=True,
                              timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "timeout", "", ""
    return done.returncode, done.stdout, done.stderr


def lines(text):
    return [line for line in text.splitlines() if not line.startswith(PASSING_LINES)]


def file_of(case, folder):
    if "example" in case:
        return f"examples/{case['example']}"
    file = folder / f"{case['name'].replace('/', '_')}.yaml"
    file.write_text(json.dumps(case["config"]))
    return file.name


def point_of(case):
    return ["--point", str(case["point"])] if "point" in case else []


def observe_run(program, case, folder):
    file, result = file_of(case, folder), folder / (case["name"].replace("/", "_") + ".json")
    result.unlink(missing_ok=True)
    code, out, err = call(program, folder, "run", file, *point_of(case), "--unsafe", "--json", str(result))
    return {"exit": code, "figures": figures_of(result), "summary": lines(out) + lines(err)}


def observe_check(program, case, folder):
    code, out, _ = call(program, folder, "check", file_of(case, folder))
    told = lines(out)
    return [code, *(told if len(told) < 10 else [f"{len(told)} lines, {digest(told)}"])]


def observe_schedule(program, case, folder, collective):
    """The differences between `schedule` and the run, or its exit code."""
    code, out, _ = call(program, folder, "schedule", file_of(case, folder), *point_of(case), "--json")
    if code != 0:
        return code
    return {key: part for key, part in reduced(json.loads(out)).items() if collective.get(key) != part}


def observe(program, case, folder):
    """Everything about a case. `folder` holds the inputs and takes the results; cases may share it."""
    seen = observe_run(program, case, folder)
    if case.get("point", 0) == 0:
        seen["check"] = observe_check(program, case, folder)
    if "collective" in seen["figures"]:
        seen["schedule"] = observe_schedule(program, case, folder, seen["figures"]["collective"])
    return seen
