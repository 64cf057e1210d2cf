# SPDX-License-Identifier: Apache-2.0
"""The command line of GOAL schedules."""
import argparse

from ..arguments import add_experiment_options, count, refuse_options
from ..chakra import MOST_BYTES
from ..outputs import counted, run_conversion
from . import Costs, convert, from_schedule

COSTS = {"L": "ns of latency between sender and receiver", "o": "ns of a CPU for a message, at each end", "g": "ns between messages of a NIC",
         "G": "ns of a NIC for a byte, which the receiving CPU spends, too", "O": "ns of a CPU for a byte"}


def _parser():
    parser = argparse.ArgumentParser(
        prog="python3 -m flitcast goal", allow_abbrev=False,
        description="Converts a GOAL schedule, in text or binary, into Chakra traces; with --from-schedule a collective into GOAL.",
        epilog="L, o, g, G, O and S are those of LogGOPSim, charged beside the network: leave out what it stands for (L, G). "
               "Exit code 2: nothing is written, and the reasons are printed, the first 20 of them.")
    parser.add_argument("source", metavar="SOURCE", help="GOAL schedule, or with --from-schedule an experiment")
    parser.add_argument("target", metavar="TARGET", help="folder of the traces, empty or absent, or the GOAL schedule to write")
    parser.add_argument("--experiment", metavar="FILE", help="also write an experiment that replays the traces on a mesh")
    for name, words in COSTS.items():
        parser.add_argument(f"-{name}", type=count(0, 10 ** 9), default=0, metavar="N", help=f"{words} (default: 0)")
    parser.add_argument("-S", type=count(0, MOST_BYTES), metavar="N", help="bytes above which a message waits for its receive (default: none)")
    parser.add_argument("--from-schedule", action="store_true", help="write the messages of an experiment's collective as GOAL")
    parser.add_argument("--bytes", type=count(0, 10 ** 15), metavar="N",
                        help="with --from-schedule: bytes of the vector of a rank, a multiple of its blocks, whose number depends on the algorithm")
    parser.add_argument("--block-bytes", type=count(0, MOST_BYTES), metavar="N",
                        help="with --from-schedule, instead of --bytes: bytes of a block of the vector")
    add_experiment_options(parser, "with --from-schedule: ")
    return parser


def _check_options(parser, given):
    sizes = {"--bytes": given.bytes is not None, "--block-bytes": given.block_bytes is not None}
    if not given.from_schedule:
        refuse_options(parser, {**sizes, "--set": given.set, "--point": given.point is not None}, "only with --from-schedule; leave it out")
        return
    costs = {f"-{name}": getattr(given, name) for name in COSTS} | {"-S": given.S is not None}
    refuse_options(parser, {"--experiment": given.experiment is not None, **costs},
                   "no effect with --from-schedule, which writes GOAL and no traces; leave it out")
    if sum(sizes.values()) != 1:
        parser.error("--from-schedule needs one of --bytes and --block-bytes")


def main(arguments):
    parser = _parser()
    given = parser.parse_args(arguments)
    _check_options(parser, given)
    return run_conversion(lambda: _made(given), lambda made: f"{given.target}: {counted(made.messages, 'message')}, {_more(made)}")


def _made(given):
    if given.from_schedule:
        return from_schedule(given.source, given.target, block_bytes=given.block_bytes, size=given.bytes, settings=given.set, point=given.point)
    costs = Costs(given.L, given.o, given.g, given.G, given.O, given.S)
    return convert(given.source, given.target, costs=costs, experiment=given.experiment)


def _more(made):
    if made.ends:
        return f"{max(made.ends)} ns without contention"
    return f"the vector of a rank has {counted(made.blocks, 'block')}, {made.size} bytes"
