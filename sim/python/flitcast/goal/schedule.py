# SPDX-License-Identifier: Apache-2.0
"""A GOAL schedule: the operations of ranks and what they require."""
import collections
import itertools
from typing import NamedTuple

from ..chakra import MOST_BYTES
from ..cycles import cycle_of

CALC, SEND, RECEIVE = "calc", "send", "recv"
ANY = -1               # As a source or a tag of a receive: any.
MOST_TIME = 10 ** 15   # Nanoseconds of a calc.
MOST_NUMBER = 255      # The highest CPU and NIC.
MOST_TAG = 2 ** 32 - 2
MOST_RANKS = 10 ** 6


class Operation(NamedTuple):
    """An operation of a rank."""
    kind: str         # CALC, SEND or RECEIVE.
    size: int         # Nanoseconds of a calc, else bytes.
    peer: int         # The target of a send, the source of a receive or ANY.
    tag: int          # ANY only in a receive.
    cpu: int
    nic: int
    line: int         # From 1; in a binary file the number of the operation in its rank, from 0.
    requires: list    # Operations of the rank that must be done, by their index.
    irequires: list   # Operations of the rank that must have begun.

    def name(self):
        """The operation in words."""
        if self.kind == CALC:
            return f"calc {self.size}"
        peer, tag = ("any" if number == ANY else number for number in (self.peer, self.tag))
        return f"{self.kind} {'to' if self.kind == SEND else 'from'} {peer}, tag {tag}"


class Schedule(NamedTuple):
    """The operations of all ranks."""
    file: str
    ranks: list      # By rank: a list of Operations.
    is_binary: bool

    def place(self, rank, number):
        line = self.ranks[rank][number].line
        return f"{self.file}: rank {rank}, operation {line}" if self.is_binary else f"{self.file}:{line}"

    def title(self, rank, number):
        """The operation for the middle of a sentence."""
        operation = self.ranks[rank][number]
        where = f"operation {operation.line}" if self.is_binary else f"line {operation.line}"
        return f"rank {rank} {where} ({operation.name()})"


def check(schedule, report):
    """Refuses numbers out of range, cycles of requirements within a rank, and sends and receives without each other."""
    for rank, operations in enumerate(schedule.ranks):
        for number, operation in enumerate(operations):
            for what, hint in _out_of_range(operation, len(schedule.ranks)):
                report.refuse(schedule.place(rank, number), what, hint)
        _check_cycles(schedule, rank, report)
    if not report.refusals:
        _check_partners(schedule, report)


def _out_of_range(operation, count):
    bounds = [(operation.cpu, MOST_NUMBER, "cpu"), (operation.nic, MOST_NUMBER, "nic")]
    if operation.kind == CALC:
        bounds.append((operation.size, MOST_TIME, "the time"))
    else:
        bounds += [(operation.size, MOST_BYTES, "the size"), (operation.tag, MOST_TAG, "the tag")]
        if operation.peer >= count:
            yield f"{operation.name()}: there are {count} ranks", f"write a rank from 0 to {count - 1}"
    for value, most, name in bounds:
        if value > most:
            yield f"{name} is {value}", f"write a number from 0 to {most}"


def _check_cycles(schedule, rank, report):
    after = {number: operation.requires + operation.irequires for number, operation in enumerate(schedule.ranks[rank])}
    cycle = cycle_of(after)
    if cycle:
        chain = ", which requires ".join(schedule.title(rank, number) for number in [*cycle, cycle[0]])
        report.refuse(schedule.place(rank, cycle[0]), f"operations that require each other: {chain}", "leave one of the requirements out")


def _check_partners(schedule, report):
    """Counts the sends and receives of each source, target and tag; of a target with receives from anywhere or of any tag, all together."""
    ends = {SEND: collections.defaultdict(list), RECEIVE: collections.defaultdict(list)}
    are_open = {rank for rank, operations in enumerate(schedule.ranks)
                if any(one.kind == RECEIVE and ANY in (one.peer, one.tag) for one in operations)}
    for rank, operations in enumerate(schedule.ranks):
        for number, one in enumerate(operations):
            if one.kind == CALC:
                continue
            source, target = (rank, one.peer) if one.kind == SEND else (one.peer, rank)
            ends[one.kind][(target,) if target in are_open else (target, source, one.tag)].append((rank, number))
    for key in sorted(set(ends[SEND]) | set(ends[RECEIVE])):
        sends, receives = ends[SEND][key], ends[RECEIVE][key]
        for kind, other, alone in (("receive", "send", receives[len(sends):]), ("send", "receive", sends[len(receives):])):
            for rank, number in itertools.islice(alone, 1):
                report.refuse(schedule.place(rank, number), f"no {other} for this {kind} of {schedule.title(rank, number)}: "
                              f"{_between(key)}, sends: {len(sends)}, receives: {len(receives)}", "give both ranks as many of them")


def _between(key):
    return f"for rank {key[0]}" if len(key) == 1 else f"from rank {key[1]} to rank {key[0]} with tag {key[2]}"
