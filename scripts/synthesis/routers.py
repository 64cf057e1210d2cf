# SPDX-License-Identifier: Apache-2.0
"""Takes routers and sources through the tools, as far as they were not done before. See scripts/synth --routers."""
import argparse
import concurrent.futures
import pathlib
import signal
import sys

import blocks
import flow
import router_table
import sweep
from designs import RTL


def numbers(arguments):
    """Turns the texts of --limit and --jobs into numbers; the problems."""
    for name in ("limit", "jobs"):
        try:
            setattr(arguments, name, sweep.seconds(getattr(arguments, name)))
        except argparse.ArgumentTypeError as reason:
            yield f"--{name}: {reason}"


def problems(arguments):
    yield from (f"--configurations: {text}" for name in arguments.configurations for text in blocks.problems(name))
    if arguments.commit and arguments.configurations != blocks.NAMES:
        yield "--commit takes the rows of the table; leave --configurations out"
    yield from numbers(arguments)


def options():
    """The options; names all that is wrong with them, and ends with exit code 2."""
    parser = argparse.ArgumentParser(prog="scripts/synth --routers")
    parser.add_argument("--configurations", type=lambda text: list(dict.fromkeys(text.split(","))), default=blocks.NAMES)
    parser.add_argument("--out", type=pathlib.Path, default=sweep.ROOT / "build" / "routers")
    parser.add_argument("--limit", default="600")
    parser.add_argument("--jobs", default="2")
    parser.add_argument("--commit", action="store_true")
    parser.add_argument("--check-options", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    wrong = list(problems(arguments))
    if wrong:
        sweep.fail("\nflitcast: ".join(wrong))
    return arguments


def state(block):
    """Changes with the recipe, the RTL and the parameters of a block."""
    return sweep.hash_of(block.files(RTL), repr(block.parameters))


def map_and_time(block, cells, folder, limit):
    figures = flow.synthesize(block, RTL, cells, folder, limit)
    return {**figures, **router_table.details(folder)}


def row_of(block, cells, arguments):
    folder = arguments.out / block.name
    steps = [("mapping", lambda: map_and_time(block, cells, folder, arguments.limit))]
    done = sweep.do_steps(folder, state(block), steps, arguments.limit)
    return router_table.row(block, done["mapping"], state(block)[:16])


def main():
    arguments = options()
    if arguments.check_options:
        return
    arguments.out = arguments.out.resolve()
    cells = sweep.cell_library()
    chosen = [blocks.block_of(name) for name in arguments.configurations]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        rows = list(pool.map(lambda block: row_of(block, cells, arguments), chosen))
    router_table.write(rows, arguments.out)
    if arguments.commit:
        if any(row["not_done"] for row in rows):
            sys.exit("flitcast: --commit: a row is not done; give it a longer --limit")
        router_table.commit(rows)


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    signal.signal(signal.SIGINT, sweep.stop)
    main()
