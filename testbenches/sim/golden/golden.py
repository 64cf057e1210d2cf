# SPDX-License-Identifier: Apache-2.0
"""The golden results under sim/expected: what the program said of every example and of random experiments.

usage: golden.py compare PROGRAM   names what PROGRAM says otherwise; exit code 1 if there is any
       golden.py rewrite PROGRAM   makes what PROGRAM says of the same cases, and of new examples, the expectation
       golden.py draw PROGRAM      draws the random experiments anew (SEED below), then rewrites
"""
import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "experiments"))
from draw import draw_cases  # noqa: E402
from observe import EXAMPLES, call, observe, write_inputs  # noqa: E402

EXPECTED = EXAMPLES.parent / "expected"
SEED, COUNT = 13, 200
MOST_CASES, MOST_FIGURES = 10, 5  # Limits of the differences that are named.


def example_cases(program):
    """A case for every point of every example."""
    for file in sorted(EXAMPLES.glob("*.yaml")):
        points = len(call(program, ".", "points", str(file))[1].splitlines())
        for point in range(points):
            number = {"point": point} if points > 1 else {}
            yield {"name": f"{file.stem}/{point}", "example": file.name, **number}


def observe_all(program, cases):
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        write_inputs(folder)
        return list(pool.map(lambda case: observe(program, case, folder), cases))


def text_of(entries):
    """JSON with a line for each part of a case, so that a difference is short."""
    def entry_text(entry):
        rows = [f'"{key}":' + json.dumps(part, separators=(",", ":")) for key, part in entry.items()]
        return "{\n" + ",\n".join(rows) + "\n}"

    return "[\n" + ",\n".join(map(entry_text, entries)) + "\n]\n"


def read(name):
    file = EXPECTED / name
    return json.loads(file.read_text()) if file.exists() else []


def write(name, cases, seen):
    EXPECTED.mkdir(exist_ok=True)
    (EXPECTED / name).write_text(text_of([{**case, **facts} for case, facts in zip(cases, seen)]))


def parts(value, path=""):
    """Pairs of a name and a fact, of anything observed."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, part in items:
            yield from parts(part, f"{path} {key}".strip())
    else:
        yield path, value


def differences(expected, seen):
    expected, seen = dict(parts(expected)), dict(parts(seen))
    for name in {**expected, **seen}:
        if name not in seen:
            yield f"{name}: expected {expected[name]!r}, got nothing"
        elif name not in expected:
            yield f"{name}: expected nothing, got {seen[name]!r}"
        elif expected[name] != seen[name]:
            yield f"{name}: expected {expected[name]!r}, got {seen[name]!r}"


def cases_of(entries):
    return [{key: entry[key] for key in ("name", "example", "config", "point") if key in entry} for entry in entries]


def compare(program):
    entries = read("examples.json") + read("random.json")
    cases = cases_of(entries)
    unknown = {case["name"] for case in example_cases(program)} - {case["name"] for case in cases}
    for name in sorted(unknown):
        print(f"{name}: no expectation; golden.py rewrite makes one")
    wrong = 0
    for case, entry, seen in zip(cases, entries, observe_all(program, cases)):
        found = list(differences({key: part for key, part in entry.items() if key not in case}, seen))
        wrong += bool(found)
        if found and wrong <= MOST_CASES:
            print(f"{case['name']}: {len(found)} differences", *found[:MOST_FIGURES], sep="\n  ")
    print(f"{len(cases) - wrong} cases as expected, {wrong} otherwise")
    return 1 if wrong or unknown or not cases else 0


def rewrite(program, cases):
    examples = list(example_cases(program))
    write("examples.json", examples, observe_all(program, examples))
    write("random.json", cases, observe_all(program, cases))
    return 0


def draw(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_inputs(folder)
        cases, missed = draw_cases(program, SEED, COUNT, folder)
    print(f"{len(cases)} experiments drawn; never accepted: {'; '.join(missed) or 'nothing'}")
    return rewrite(program, cases)


def main(arguments):
    if len(arguments) != 2 or arguments[0] not in ("compare", "rewrite", "draw"):
        print(__doc__)
        return 2
    program = os.path.abspath(arguments[1])
    if arguments[0] == "compare":
        return compare(program)
    return draw(program) if arguments[0] == "draw" else rewrite(program, cases_of(read("random.json")))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
