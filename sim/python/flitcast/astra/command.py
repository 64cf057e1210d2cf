# SPDX-License-Identifier: Apache-2.0
"""The command line of the converter: the options of ASTRA-sim, and where to write."""
import argparse
import sys

from ..program import BAD_INPUT, DONE
from . import OPTIONS, ConversionError, convert


def _truth(word):
    if word.lower() in ("true", "1", "t"):
        return True
    if word.lower() in ("false", "0", "f"):
        return False
    raise argparse.ArgumentTypeError(f"{word} is neither true nor false")


def _gigahertz(word):
    if word.isdigit() and 1 <= int(word) <= 100:
        return int(word)
    raise argparse.ArgumentTypeError(f"{word} is not a whole number from 1 to 100")


def _parser():
    parser = argparse.ArgumentParser(
        prog="python3 -m flitcast astra", allow_abbrev=False, description="Converts the input files of ASTRA-sim into an experiment.",
        epilog="Notes name the keys without an equal effect. Exit code 2: nothing is written, and every reason is printed.")
    parser.add_argument("--workload-configuration", required=True, metavar="PREFIX", help="start of the names of traces PREFIX.RANK.et")
    parser.add_argument("--system-configuration", required=True, metavar="FILE", help="system.json")
    parser.add_argument("--network-configuration", required=True, metavar="FILE", help="network.yml of the analytical back end")
    parser.add_argument("--remote-memory-configuration", metavar="FILE", help="remote_memory.json")
    parser.add_argument("--comm-group-configuration", metavar="FILE", help="comm_group.json")
    parser.add_argument("--injection-scale", type=float, metavar="X", help="scale of endpoint-delay")
    for name in ("comm-scale", "compute-scale"):
        parser.add_argument(f"--{name}", type=float, metavar="X", help="refused unless 1 or accepted")
    parser.add_argument("--num-queues-per-dim", type=int, metavar="N", help="refused unless 1 or accepted")
    parser.add_argument("--rendezvous-protocol", nargs="?", const=True, type=_truth, metavar="BOOL",
                        help="refused unless false or accepted")
    for name in ("logging-configuration", "logging-folder"):
        parser.add_argument(f"--{name}", metavar="PATH", help="has no effect")
    parser.add_argument("--clock", type=_gigahertz, default=1, metavar="GHZ", help="clock of the network (default: 1)")
    parser.add_argument("--accept", action="append", default=[], metavar="KEY", help="keep the difference of a key that is refused")
    parser.add_argument("--out", required=True, metavar="FILE", help="experiment to write")
    return parser


def main(arguments):
    given = _parser().parse_args(arguments)
    options = {name: value for name in OPTIONS if (value := getattr(given, name.replace("-", "_"))) is not None}
    try:
        files, notes = convert(given.network_configuration, given.system_configuration, given.workload_configuration, out=given.out,
                               remote_memory=given.remote_memory_configuration, comm_group=given.comm_group_configuration,
                               clock=given.clock, accepted=given.accept, options=options)
        for path, text in files.items():
            path.write_text(text, encoding="utf-8")
    except (ConversionError, OSError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    return DONE
