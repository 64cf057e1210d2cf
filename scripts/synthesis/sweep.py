# SPDX-License-Identifier: Apache-2.0
"""Takes every point through the tools, as far as it was not done before, and reports. See scripts/synth."""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

import flow
import report
from designs import DESIGNS, RTL, THEOREM_3, Point

ROOT = pathlib.Path(__file__).resolve().parents[2]


def fail(message):
    print(f"flitcast: {message}", file=sys.stderr)
    sys.exit(2)


def choices(kind, all_of):
    """An option's value: some of all_of, separated by commas."""
    def parse(text):
        try:
            chosen = [kind(word) for word in text.split(",")]
        except ValueError:
            raise argparse.ArgumentTypeError(f'"{text}" is no list of numbers, such as 4,8') from None
        for choice in chosen:
            if choice not in all_of:
                raise argparse.ArgumentTypeError(
                    f'"{choice}" is none of them; take from {", ".join(map(str, all_of))}')
        return chosen
    return parse


def seconds(text):
    if not text.isdigit() or int(text) < 1:
        raise argparse.ArgumentTypeError(f'"{text}" is not a whole number from 1 up')
    return int(text)


def options():
    parser = argparse.ArgumentParser(prog="scripts/synth")
    parser.add_argument("--designs", type=choices(str, DESIGNS), default=list(DESIGNS))
    parser.add_argument("--sizes", type=choices(int, THEOREM_3), default=[4, 8, 16])
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "synth")
    parser.add_argument("--limit", type=seconds, default=600)
    parser.add_argument("--jobs", type=seconds, default=2)
    parser.add_argument("--no-fpga", action="store_true")
    parser.add_argument("--check-options", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def cell_library():
    files = subprocess.run(["dpkg", "-L", "qflow-tech-osu018"], capture_output=True, text=True, check=False).stdout
    found = [line for line in files.splitlines() if line.endswith("stdcells.lib")]
    if not found:
        fail("no osu018 cells here; scripts/setup synth installs qflow-tech-osu018")
    return pathlib.Path(found[0])


def request_clocks(program, points):
    """(design, r) -> clocks of a dense random request on average, and of any at most, by the C++ models."""
    result = {}
    for r in sorted({point.r for point in points}):
        m, x = THEOREM_3[r]
        text = subprocess.run([program, str(m), str(r), str(x)], capture_output=True, text=True, check=True).stdout
        for design, average, worst in map(str.split, text.splitlines()):
            result[design, r] = float(average), int(worst)
    return result


def steps(point, cells, folder, arguments):
    """The steps of a point, the cheap one first."""
    yield "core", lambda: flow.split_parts(point, RTL, cells, folder, arguments.limit)
    if flow.has_reads(point, RTL):
        yield "period without reads", lambda: flow.time_without_reads(point, RTL, cells, folder, arguments.limit)
    yield "mapping", lambda: flow.synthesize(point, RTL, cells, folder, arguments.limit)
    if not arguments.no_fpga:
        yield "FPGA", lambda: flow.place(point, RTL, folder, arguments.limit)


def hash_of(files, text=""):
    """Changes when the recipe, one of the files or the text does."""
    recipe = pathlib.Path(flow.__file__)
    return hashlib.sha256(b"".join([*(file.read_bytes() for file in [*files, recipe]), text.encode()])).hexdigest()


def sources(design):
    """Changes when the recipe or the RTL of the design does."""
    return hash_of(flow.files_of(design, RTL))


def do_steps(folder, state, todo, limit):
    """Results of the steps (name, call); steps done before with the same state are not repeated."""
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    kept = folder / "result.json"
    result = json.loads(kept.read_text(encoding="utf-8")) if kept.exists() else {}
    if result.get("sources") != state:
        result = {"sources": state, "done": {}}
    for name, step in todo:
        earlier = result["done"].get(name)
        if earlier is not None and ("not_done" not in earlier or earlier["limit"] >= limit):
            continue
        try:
            result["done"][name] = step()
        except flow.NotDone as reason:
            result["done"][name] = {"not_done": str(reason), "limit": limit}
        draft = folder / "result.draft"  # The file appears whole or not at all, also if the run is stopped here.
        draft.write_text(json.dumps(result, indent=1), encoding="utf-8")
        draft.replace(kept)
    print(f"flitcast: {folder.name} done, {time.monotonic() - begun:.0f} s", file=sys.stderr)
    return result["done"]


def do_point(point, cells, arguments):
    """Results of the tools for a point."""
    folder = arguments.out / point.name
    return do_steps(folder, sources(point.design), steps(point, cells, folder, arguments), arguments.limit)


def stop(*_):
    """Exits at once, since threads would first finish their points."""
    print("flitcast: stopped; the steps that are done are kept, and another run goes on", file=sys.stderr)
    flow.stop_tools()
    os._exit(130)


def main():
    arguments = options()
    if arguments.check_options:
        return
    arguments.out = arguments.out.resolve()
    points = [Point(DESIGNS[name], r) for name in arguments.designs for r in arguments.sizes]
    points.sort(key=lambda point: point.m * point.r)
    cells = cell_library()
    clocks = request_clocks(ROOT / "build" / "release" / "testbenches" / "flitcast-controller-clocks", points)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = list(pool.map(lambda point: do_point(point, cells, arguments), points))
    rows = [report.row(point, result, *clocks[point.design.name, point.r]) for point, result in zip(points, results)]
    rows.sort(key=lambda row: arguments.designs.index(row["design"]))
    report.write(rows, arguments.out)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, stop)
    main()
