# SPDX-License-Identifier: Apache-2.0
"""Chakra execution traces, one for each rank, as the program replays them (`workload: {kind: trace, format: chakra}`).

A microsecond of such a trace stands for whatever unit of time its writer chose: `workload.clock_mhz` is the cycles of one.
"""
import json
import pathlib

from .astra.experiment import Setting
from .outputs import Refused

METADATA_NODE, MEMORY_NODE, COMPUTE_NODE, SEND, RECEIVE = 1, 2, 4, 5, 6  # Types of nodes of Chakra.
MOST_BYTES = 2 ** 32 - 1  # The program's longest message.
MOST_PACKETS = 65_536     # The most packets of a message.
LONGEST = 10 ** 15        # Microseconds of a node; the program refuses what no simulation reaches.


class Traces:
    """Chakra traces that grow. A node is added after those that it depends on; ids of a rank count from 1 in that order.

    Methods return the id of a node in a list, so that results can be the `after` of others: lists of ids of the same rank.
    """

    def __init__(self, count):
        self._parts = [[_delimited(_text(1, "0.0.4"))] for _ in range(count)]
        self._ids = [0] * count

    def texts(self):
        """By rank: the bytes of its trace."""
        return [b"".join(parts) for parts in self._parts]

    def files(self, folder):
        """The bytes by path: NAME.RANK.et in a folder, with the folder's name."""
        folder = pathlib.Path(folder)
        return {folder / f"{folder.name}.{rank}.et": data for rank, data in enumerate(self.texts())}

    def wait(self, rank, after, duration):
        """A time in microseconds, at least 0, which takes no unit of the rank."""
        return after if duration == 0 else self._add(rank, MEMORY_NODE, after, _duration(duration))

    def compute(self, rank, after, duration, on_cpu):
        """A computation of `duration` microseconds, which takes a stream of the rank's CPU or of its accelerator."""
        # A node of metadata takes no time, by the format; the program counts other nodes without a duration in a note.
        kind = METADATA_NODE if duration == 0 and on_cpu else COMPUTE_NODE
        more = (_duration(duration) if duration else b"") + (_text(10, _text(1, "is_cpu_op") + _number(27, 1)) if on_cpu else b"")
        return self._add(rank, kind, after, more)

    def join(self, rank, after):
        """At most one node: the end of all of `after`, without a time of its own."""
        after = list(dict.fromkeys(after))
        return after if len(after) < 2 else self._add(rank, METADATA_NODE, after, b"")

    def send(self, rank, after, target, tag, size):
        """A message of `size` bytes, at most MOST_BYTES. The node ends with the arrival."""
        return self._add(rank, SEND, after, _attribute("comm_dst", target) + _attribute("comm_tag", tag) + _attribute("comm_size", size))

    def receive(self, rank, after, source, tag, size):
        return self._add(rank, RECEIVE, after, _attribute("comm_src", source) + _attribute("comm_tag", tag) + _attribute("comm_size", size))

    def message(self, source, target, after, tag, size):
        """A send, and the receive of the target, whose nodes this returns; the send depends on `after`, the receive on nothing else."""
        self.send(source, after, target, tag, size)
        return self.receive(target, [], source, tag, size)

    def _add(self, rank, kind, after, more):
        self._ids[rank] += 1
        number = self._ids[rank]
        depends = b"".join(_number(5, other) for other in after)
        self._parts[rank].append(_delimited(_number(1, number) + _number(3, kind) + depends + more))
        return [number]


def _duration(duration):
    if duration > LONGEST:
        raise Refused([f"a computation or a message takes {duration} units of time, and no simulation more than {LONGEST}; make it shorter"])
    return _number(7, duration)


def replay_settings(trace, clock_mhz, clock_origin):
    """The settings of a workload that replays a trace.

    @param trace  The folder as the experiment names it.
    """
    return [Setting("workload.kind", "trace", ""), Setting("workload.format", "chakra", ""),
            Setting("workload.file", json.dumps(str(trace), ensure_ascii=False), ""),
            Setting("workload.clock_mhz", clock_mhz, clock_origin)]


def packet_settings(largest):
    """The settings for messages of up to `largest` bytes: the default packets, or longer ones if these would be too many."""
    return [Setting("workload.flit_bytes", 16, "Payload of a flit; with the clock, the bandwidth of a channel."),
            Setting("workload.mtu", max(4096, -(-largest // MOST_PACKETS)), "")]


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
