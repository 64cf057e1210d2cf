# SPDX-License-Identifier: Apache-2.0
"""The files of a trace and of the experiment that replays it."""
import contextlib
import json
import os
import pathlib
import tempfile
from typing import NamedTuple

from ..astra.experiment import Setting, experiment_text

MEMORY_NODE, SEND, RECEIVE = 2, 5, 6  # Types of nodes of Chakra, whose memory nodes take time, and no unit of a rank.
FLIT_BYTES = 1                        # Chakra gives sizes in bytes: here one for each flit behind the head flit.


class Layout(NamedTuple):
    """By node of the model: the node of the network; and the flits of messages without and with data."""
    places: list
    control: int
    data: int

    def flits(self, message):
        return self.data if message.has_data else self.control


def csv_trace(messages, layout):
    """The text of a trace of format csv. Cycles are the earliest ones, and dependencies the causes; there are no delays."""
    lines = ["cycle,src,dst,flits,class,id,deps"]
    for number, message in enumerate(messages):
        cause = "" if message.cause is None else message.cause
        lines.append(f"{message.cycle},{layout.places[message.source]},{layout.places[message.target]},{layout.flits(message)},{message.kind},"
                     f"{number},{cause}")
    return "\n".join(lines) + "\n"


def chakra_trace(messages, layout):
    """The Chakra execution trace by rank, a list of bytes; rank r is the r-th of the network's nodes in use.

    A microsecond is a cycle. A message is a send of its source and a receive of its target with its number as tag. A memory node of its
    source takes the cycles of its delay beyond one, or for a message of the clock those since the last one of that node.
    """
    ranks = {place: rank for rank, place in enumerate(sorted(set(layout.places)))}
    chakra = _Chakra(len(ranks))
    of_clock = sorted((message.cycle, number) for number, message in enumerate(messages) if message.cause is None)
    begins = {number: chakra.timer(ranks[layout.places[messages[number].source]], cycle) for cycle, number in of_clock}
    received = {}
    for number, message in enumerate(messages):
        source, target = (ranks[layout.places[node]] for node in (message.source, message.target))
        after = begins[number] if message.cause is None else chakra.wait(source, received[message.cause], message.delay - 1)
        received[number] = chakra.message(source, target, after, number, (layout.flits(message) - 1) * FLIT_BYTES)
    return [b"".join(parts) for parts in chakra.ranks]


class _Chakra:
    """Chakra traces that grow."""

    def __init__(self, count):
        self.ranks = [[_delimited(_text(1, "0.0.4"))] for _ in range(count)]
        self._ids, self._timers = [0] * count, [(0, [])] * count

    def timer(self, rank, cycle):
        """The nodes to depend on for a begin at `cycle`, which is no earlier than the rank's last one."""
        last, nodes = self._timers[rank]
        if cycle > last:
            self._timers[rank] = (cycle, self.wait(rank, nodes, cycle - last))
        return self._timers[rank][1]

    def wait(self, rank, after, cycles):
        """The nodes to depend on for a begin some cycles after the end of others."""
        return after if cycles == 0 else [self._add(rank, MEMORY_NODE, after, _number(7, cycles))]

    def message(self, source, target, after, tag, size):
        """The nodes of the target to depend on for the arrival of a message."""
        facts = _attribute("comm_tag", tag) + _attribute("comm_size", size)
        self._add(source, SEND, after, _attribute("comm_dst", target) + facts)
        return [self._add(target, RECEIVE, [], _attribute("comm_src", source) + facts)]

    def _add(self, rank, kind, after, more):
        self._ids[rank] += 1
        number = self._ids[rank]
        depends = b"".join(_number(5, other) for other in after)
        self.ranks[rank].append(_delimited(_number(1, number) + _number(3, kind) + depends + more))
        return number


def _varint(number):
    parts = bytearray()
    while number > 0x7f:
        parts.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes([*parts, number])


def _delimited(data):
    return _varint(len(data)) + data


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _text(field, value):
    data = value if isinstance(value, bytes) else value.encode()
    return _varint(field << 3 | 2) + _delimited(data)


def _attribute(name, value):
    """An attribute of a node: a name and an int64."""
    return _text(10, _text(1, name) + _number(9, value))


def experiment(head, trace, form, layout):
    """The text of an experiment that replays a trace on a mesh, as square as its number of nodes allows.

    @param trace  The file or folder as the experiment names it.
    @param form   csv or chakra.
    """
    count = max(max(layout.places) + 1, 2)
    rows = next(rows for rows in range(int(count ** 0.5), 0, -1) if count % rows == 0)
    settings = [Setting("topology.kind", "mesh", f"{count} nodes. Any other topology with as many will do."),
                Setting("topology.sizes", [rows, count // rows] if rows > 1 else [count], ""),
                Setting("routing.kind", "dimension_order", ""),
                Setting("workload.kind", "trace", ""), Setting("workload.format", form, ""), Setting("workload.file", json.dumps(str(trace)), "")]
    if form == "chakra":
        settings += [Setting("workload.clock_mhz", 1, "A microsecond of the trace is a cycle, and a byte a flit behind the head flit."),
                     Setting("workload.flit_bytes", FLIT_BYTES, ""), Setting("workload.mtu", max(layout.data, layout.control), "")]
        if (places := sorted(set(layout.places))) != list(range(len(places))):
            settings.append(Setting("workload.nodes", places, ""))
    return experiment_text(head, settings)


def write_all(files):
    """Writes all files, {path: bytes}, or none of them: beside their places first. Folders are made."""
    with contextlib.ExitStack() as stack:
        moves = []
        for path, data in files.items():
            path = pathlib.Path(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent))) / path.name
            beside.write_bytes(data)
            moves.append((beside, path))
        for beside, path in moves:
            os.replace(beside, path)
