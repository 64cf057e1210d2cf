# SPDX-License-Identifier: Apache-2.0
"""The command line of MSCCL algorithms."""
import argparse

from ..arguments import add_experiment_options, count, refuse_options
from ..outputs import counted, run_conversion
from . import convert, from_schedule


def _rate(word):
    try:
        if (rate := float(word)) == 0 or 1e-6 <= rate <= 1e9:
            return rate
    except ValueError:
        pass
    raise argparse.ArgumentTypeError(f"{word} is not a number, 0 or from 1e-6 to 1e9")


def _parser():
    parser = argparse.ArgumentParser(
        prog="python3 -m flitcast msccl", allow_abbrev=False,
        description="Converts an MSCCL algorithm in XML into Chakra traces; with --from-schedule a collective into an algorithm.",
        epilog="Exit code 2: nothing is written, and the reasons are printed, the first 20 of them.")
    parser.add_argument("source", metavar="SOURCE", help="algorithm in XML, or with --from-schedule an experiment")
    parser.add_argument("target", metavar="TARGET", help="folder of the traces, empty or absent, or the algorithm to write")
    parser.add_argument("--bytes", type=count(0, 10 ** 15), metavar="N",
                        help="bytes of the vector, a multiple of nchunksperloop; needed unless --from-schedule")
    parser.add_argument("--combine", type=_rate, default=0.0, metavar="X", help="GB/s that a thread block combines (default: without time)")
    parser.add_argument("--experiment", metavar="FILE", help="also write an experiment that replays the traces on a mesh")
    parser.add_argument("--from-schedule", action="store_true", help="write the schedule of an experiment's collective as an algorithm")
    add_experiment_options(parser, "with --from-schedule: ")
    return parser


def main(arguments):
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.from_schedule == (given.bytes is not None):
        parser.error("give --bytes, or --from-schedule")
    if given.from_schedule:
        refuse_options(parser, {"--experiment": given.experiment is not None, "--combine": given.combine},
                       "no effect with --from-schedule, which writes an algorithm and no traces; leave it out")
    else:
        refuse_options(parser, {"--set": given.set, "--point": given.point is not None}, "only with --from-schedule; leave it out")
    return run_conversion(lambda: _made(given), lambda made: f"{given.target}: {counted(made.messages, 'message')}")


def _made(given):
    if given.from_schedule:
        return from_schedule(given.source, given.target, settings=given.set, point=given.point)
    return convert(given.source, given.target, size=given.bytes, combine=given.combine, experiment=given.experiment)
