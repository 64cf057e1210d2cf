# SPDX-License-Identifier: Apache-2.0
"""usage: python3 -m flitcast PICTURE PATH FILE
       python3 -m flitcast astra OPTIONS        converts files of ASTRA-sim; --help names the options
       python3 -m flitcast goal FILE DIR        makes Chakra traces of a GOAL schedule; --help names the options
       python3 -m flitcast msccl FILE DIR       makes Chakra traces of an MSCCL algorithm; --help names the options
       python3 -m flitcast rtl FILE DIR         exports the network of an experiment as SystemVerilog; --help names the options
       python3 -m flitcast synfull MODEL TRACE  makes a trace of a SynFull model; --help names the options

Draws a picture of the results at PATH, a folder or a file, into FILE (.svg, .png, .pdf):
  latency_over_load, accepted_over_load, time_over_length   of a folder
  histogram, links                                          of a result
  curves X Y                                                of a folder: the figure Y over the key X
"""
import importlib
import os
import sys

from . import load

COMMANDS = {"astra", "goal", "msccl", "rtl", "synfull"}
PICTURES = {"latency_over_load", "accepted_over_load", "time_over_length", "histogram", "links"}


def main(arguments):
    if arguments[:1] and arguments[0] in COMMANDS:
        return importlib.import_module(f".{arguments[0]}.command", __package__).main(arguments[1:])
    axes = arguments[1:3] if arguments[:1] == ["curves"] else []
    if len(arguments) != 3 + len(axes) or arguments[0] not in PICTURES | {"curves"}:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        from . import plots
    except ImportError as missing:
        print(f"pictures need matplotlib, from Debian's python3-matplotlib or from PyPI: {missing}", file=sys.stderr)
        return 2
    path, file = arguments[-2:]
    getattr(plots, arguments[0])(load(path), *axes).savefig(file)
    return 0


if __name__ == "__main__":
    try:
        code = main(sys.argv[1:])
        sys.stdout.flush()
        sys.exit(code)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python would flush again, and fail, at its end.
        print(f"{error.filename or 'standard output'}: {error.strerror}", file=sys.stderr)
        sys.exit(2)
