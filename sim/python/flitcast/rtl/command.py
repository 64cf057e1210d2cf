# SPDX-License-Identifier: Apache-2.0
"""The command line of the export."""
import argparse
import sys

from ..arguments import add_experiment_options, count
from ..program import BAD_INPUT, DONE, FlitcastError
from . import CYCLES, ExportError, export


def _parser():
    parser = argparse.ArgumentParser(
        prog="python3 -m flitcast rtl", allow_abbrev=False,
        description="Exports the network of an experiment as SystemVerilog that needs no other file, with a testbench from the model.",
        epilog="Exit code 2: nothing is written, and every reason is printed.")
    parser.add_argument("file", metavar="FILE", help="experiment in YAML or JSON")
    parser.add_argument("folder", metavar="DIR", help="folder to write, which must be empty or absent")
    add_experiment_options(parser)
    parser.add_argument("--prefix", metavar="NAME",
                        help="first part of the names of all modules (default: the experiment's name, and blocks keep theirs)")
    parser.add_argument("--router", type=int, metavar="N", help="export router N with its routing alone")
    parser.add_argument("--streams", action="store_true", help="also write a top module with AXI4-Stream ports at the nodes")
    parser.add_argument("--cycles", type=count(1, 100_000), default=CYCLES, metavar="N",
                        help=f"cycles of the experiment whose packets the testbench plays (default: {CYCLES})")
    return parser


def main(arguments):
    given = _parser().parse_args(arguments)
    try:
        exported = export(given.file, given.folder, settings=given.set, point=given.point, prefix=given.prefix, router=given.router,
                          streams=given.streams, cycles=given.cycles)
    except (ExportError, FlitcastError, OSError) as error:
        print(str(error).strip(), file=sys.stderr)
        return BAD_INPUT
    vectors = exported.vectors
    routers = len(exported.design.routers)
    print(f"{given.folder}: {exported.design.name} with {routers} router{'s' if routers != 1 else ''}; its testbench compares "
          f"{len(vectors.expected)} flits and credits")
    return DONE
