# SPDX-License-Identifier: Apache-2.0
"""Compares the RTL of an experiment with the model: every flit in every buffer, its arrival and its departure, and all that nodes see.

    python3 -m flitcast.rtl.verify FILE [OPTIONS]
"""
import argparse
import pathlib
import sys
import tempfile
from typing import NamedTuple

from ..program import BAD_INPUT, DONE, FlitcastError
from . import CYCLES, ExportError, make
from .files import all_files, write_folder
from .simulation import SIMULATORS, SimulationError, simulate
from .testbench import ARRIVES, LEAVES, RETURNS, testbench_text
from .vectors import departures

DIFFERENT = 1


class Visit(NamedTuple):
    """A flit that comes into the buffer of an input VC, a credit of this buffer, or a flit at an output of a router that stores packets."""
    clock: int
    kind: int  # As in the log of the testbench.
    router: int
    port: int
    vc: int
    word: int = 0

    def __str__(self):
        what = (f"flit {self.word:x} arrives", "a credit returns", f"flit {self.word:x} leaves")[self.kind]
        return f"{what} at router {self.router}, port {self.port}, VC {self.vc} in clock {self.clock}"


def visits_of_model(exported):
    routers, traffic, shape = exported.design.routers, exported.traffic, exported.design.shape
    visits = [Visit(stay.arrived - 1, ARRIVES, stay.router, stay.port, stay.vc, traffic.words[stay.flit]) for stay in traffic.stays]
    visits += [Visit(token.clock, RETURNS, *port, token.vc) for port, tokens in traffic.returned.items() for token in tokens]
    if shape.longest:
        visits += [Visit(departure.clock, LEAVES, *departure.output, departure.vc, traffic.words[departure.flit])
                   for departure in departures(exported.network, traffic, shape.departure_cycles)]
    return sorted(visit for visit in visits if visit.router in routers and visit.clock < traffic.end)


def arrivals(visits):
    return sum(visit.kind == ARRIVES for visit in visits)


def visits_of_rtl(path, end):
    lines = (line.split() for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines())
    visits = (Visit(*map(_number, words[:5]), _number(words[5], 16)) for words in lines)
    return sorted(visit for visit in visits if visit.clock < end)


def _number(word, base=10):
    """A number, or -1 if bits of it are unknown."""
    return -1 if set(word.lower()) & set("xz") else int(word, base)


def first_difference(model, rtl):
    """A sentence on the first event that only one of the two has; None if there is none."""
    for ours, theirs in zip(model, rtl):
        if ours != theirs:
            return f"only in the model: {ours}" if ours < theirs else f"only in the RTL: {theirs}"
    if len(model) == len(rtl):
        return None
    return f"only in the model: {model[len(rtl)]}" if len(rtl) < len(model) else f"only in the RTL: {rtl[len(model)]}"


def verify(exported, folder, simulator, prefix=None, change=lambda files: files):
    """The first difference between an Exported and its model, or None; `change` may put faults into the files, {path: text}."""
    files = change(all_files(exported.design, prefix, exported.vectors, exported.facts))
    bench = f"{exported.design.name}_tb.sv"
    write_folder(folder, files | {bench: testbench_text(exported.design, exported.vectors, log=True)})
    said = simulate(folder, exported.design.name, simulator)
    found = first_difference(visits_of_model(exported), visits_of_rtl(pathlib.Path(folder) / "buffers.txt", exported.traffic.end))
    return found or (None if "PASS: " in said else said)


def _parser():
    parser = argparse.ArgumentParser(prog="scripts/verify-export", allow_abbrev=False, description=__doc__.splitlines()[0],
                                     epilog="Exit codes: 0 equal, 1 different, 2 not exported or not simulated.")
    parser.add_argument("file", metavar="FILE", help="experiment in YAML or JSON")
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="override a key of the file")
    parser.add_argument("--point", type=int, metavar="K", help="point of the file's sweep, from 0")
    parser.add_argument("--router", type=int, metavar="N", help="verify router N alone")
    parser.add_argument("--cycles", type=int, default=CYCLES, metavar="N", help=f"cycles of packets (default: {CYCLES})")
    parser.add_argument("--simulator", choices=SIMULATORS, default=SIMULATORS[0], help=f"default: {SIMULATORS[0]}")
    parser.add_argument("--out", metavar="DIR", help="empty or absent folder for the RTL; default: one that goes away again")
    return parser


def main(arguments):
    given = _parser().parse_args(arguments)
    try:
        exported = make(given.file, settings=given.set, point=given.point, router=given.router, cycles=given.cycles)
        with tempfile.TemporaryDirectory() as folder:
            difference = verify(exported, given.out or pathlib.Path(folder) / "rtl", given.simulator)
    except (ExportError, FlitcastError, SimulationError, OSError) as error:
        print(str(error).strip(), file=sys.stderr)
        return BAD_INPUT
    print(f"{given.file}: {difference or f'equal in all {arrivals(visits_of_model(exported))} visits of flits to buffers'}")
    return DIFFERENT if difference else DONE


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
