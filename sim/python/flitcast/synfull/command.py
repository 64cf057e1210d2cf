# SPDX-License-Identifier: Apache-2.0
"""The command line of SynFull models."""
import argparse

from ..arguments import count
from ..outputs import counted, run_conversion
from . import CYCLES, FORMATS, MEMORY, MOST_FLITS, convert


def _node(word):
    try:
        return count(0, 2 ** 24 - 1)(word)
    except argparse.ArgumentTypeError as error:
        raise argparse.ArgumentTypeError(f"{error}; name MODEL and TRACE before --nodes") from error


def _parser():
    parser = argparse.ArgumentParser(
        prog="python3 -m flitcast synfull", allow_abbrev=False,
        description="Makes a trace of a SynFull model: requests by a clock, and reactions that wait for what they react to.",
        epilog="The same seed makes the same bytes. Exit code 2: nothing is written, and the reasons are printed, the first 20 of them.")
    parser.add_argument("model", metavar="MODEL", help="model file of SynFull")
    parser.add_argument("trace", metavar="TRACE", help="trace to write: a file, or for chakra an empty or absent folder")
    parser.add_argument("--cycles", type=count(1, 10 ** 12), default=CYCLES, metavar="N",
                        help=f"cycles in which requests are sent (default: {CYCLES})")
    parser.add_argument("--until-steady", action="store_true",
                        help="end at the end of a TIME_SPAN of the model: at the first one after 30 %% of --cycles by when the phases have had their "
                             "shares of the long run, or at the first one after 70 %%; no effect if there is none before --cycles")
    parser.add_argument("--seed", type=count(0, 2 ** 63 - 1), default=1, metavar="S", help="seed of the random numbers (default: 1)")
    parser.add_argument("--flits-control", type=count(1, MOST_FLITS), default=1, metavar="F", help="flits of a control message (default: 1)")
    parser.add_argument("--flits-data", type=count(1, MOST_FLITS), default=5, metavar="F",
                        help="flits of a message with a cache line (default: 5)")
    parser.add_argument("--memory", type=count(1, 10 ** 6), default=MEMORY, metavar="N", help=f"cycles of an access to memory (default: {MEMORY})")
    parser.add_argument("--nodes", type=_node, nargs="+", metavar="NODE",
                        help="nodes of the network for node 0 of the model (a cache), node 1 (a directory) and so on (default: the same); "
                             "several may be at one; name MODEL and TRACE before it")
    parser.add_argument("--format", choices=FORMATS, default="csv", help="csv (default), or chakra, whose accesses to memory last exactly")
    parser.add_argument("--experiment", metavar="FILE", help="also write an experiment that replays the trace on a mesh")
    return parser


def main(arguments):
    given = _parser().parse_args(arguments)
    return run_conversion(lambda: _made(given), lambda made: f"{given.trace}: {counted(len(made.messages), 'message')}, "
                          f"{sum(message.cause is None for message in made.messages)} of which are requests of caches")


def _made(given):
    return convert(given.model, given.trace, cycles=given.cycles, seed=given.seed, control=given.flits_control, data=given.flits_data,
                   memory=given.memory, nodes=given.nodes, form=given.format, until_steady=given.until_steady, experiment=given.experiment)
