# SPDX-License-Identifier: Apache-2.0
"""Chakra traces of a GOAL schedule, written while it is executed without contention.

Nodes are written in the order in which the execution reaches them. So their ids decide, where the program has several that could take a CPU,
as the execution does: the one that was ready first goes first. A microsecond of the traces is a nanosecond of the schedule.
"""
import collections

from ..chakra import Traces
from .schedule import CALC, RECEIVE, SEND

_PARTS = 3  # Tags of a message: its own, and those of a request and an answer.
_DATA, _REQUEST, _ANSWER = range(_PARTS)


class TraceWriter:
    """An observer of an Execution that writes traces.

    A send becomes a time `o` on its CPU and then a message; a message that has arrived takes `o` of its receive's CPU, and then ends the
    receive. Where nothing on a CPU takes time, no node is written for it.
    """

    def __init__(self, schedule, costs):
        self._schedule, self._costs = schedule, costs
        self._traces = Traces(len(schedule.ranks))
        self._units = [_units(operations, costs) for operations in schedule.ranks]
        self._awaited = [{before for one in operations for before in one.irequires} for operations in schedule.ranks]
        self._begun, self._done = {}, {}         # By (rank, number): the nodes of the begin and of the end.
        self._arrived, self._requests = {}, {}   # By (source, number): the nodes of a message's handling, and of its request's arrival.
        self._sent = {}                          # By (source, number): the nodes of a send's overhead until its first byte leaves.
        self._last = collections.defaultdict(list)  # By (rank, CPU) of a CPU in a fixed order: its last node.
        self._gaps = {}                             # By (rank, NIC, direction): the begin of the last message, and the time till the next.
        self._tags, self.messages = {}, 0
        self.small_receives = 0

    def files(self, folder):
        return self._traces.files(folder)

    def chained(self):
        """Pairs of a rank and a CPU whose operations have a fixed order, since the program has two kinds of units."""
        return [(rank, cpu) for rank, units in enumerate(self._units) for cpu, unit in units.items() if unit is None]

    def begin(self, rank, number):
        one = self._schedule.ranks[rank][number]
        after = [node for before in one.requires for node in self._done[rank, before]]
        after += [node for before in one.irequires for node in self._begun[rank, before]]
        if one.kind not in (CALC, SEND):
            self._begun[rank, number] = after
            return
        is_gapped = one.kind == SEND and self._costs.gap(one.size) > 0
        if is_gapped:
            after = after + self._free(rank, one.nic, SEND)
        if is_gapped or number in self._awaited[rank]:
            after = self._compute(rank, one.cpu, after, 0)
        self._begun[rank, number] = after
        if one.kind == CALC:
            self._done[rank, number] = self._compute(rank, one.cpu, after, one.size)
        else:
            self._send(rank, number, one, after)

    def _send(self, rank, number, one, after):
        self._gaps[rank, one.nic, SEND] = after, self._costs.gap(one.size)
        self._tags[rank, number] = _PARTS * len(self._tags)
        self._sent[rank, number] = self._compute(rank, one.cpu, after, self._costs.o)
        self._done[rank, number] = self._compute(rank, one.cpu, self._sent[rank, number], self._costs.sending(one.size) - self._costs.o)
        if self._costs.is_rendezvous(one.size):
            self._requests[rank, number] = self._message(rank, number, _REQUEST, rank, one.peer, self._sent[rank, number], 0)
        else:
            self._arrived[rank, number] = self._message(rank, number, _DATA, rank, one.peer, self._sent[rank, number], one.size)

    def _message(self, rank, number, part, source, target, after, size):
        """The nodes of the target at the arrival of a message, or of an end of the handshake before it."""
        if source == target:
            return after
        self.messages += 1
        return self._traces.message(source, target, self._traces.wait(source, after, self._costs.L), self._tags[rank, number] + part, size)

    def _free(self, rank, nic, direction):
        """The nodes to wait for until a NIC is free again. They are only written when a message needs them: a rank does not end later."""
        after, gap = self._gaps.pop((rank, nic, direction), ([], 0))
        return self._traces.wait(rank, after, gap)

    def arrive(self, message, cpu, nic):
        if not self._costs.is_rendezvous(message.size):
            self._handle(message, cpu, nic)

    def _handle(self, message, cpu, nic):
        rank, key, gap = message.target, (message.source, message.number), self._costs.gap(message.size)
        after = self._arrived[key]
        if gap:
            after = self._compute(rank, cpu, after + self._free(rank, nic, RECEIVE), 0)
        self._gaps[rank, nic, RECEIVE] = after, gap
        self._arrived[key] = self._compute(rank, cpu, after, self._costs.handling(message.size))

    def match(self, message, rank, number):
        one, key = self._schedule.ranks[rank][number], (message.source, message.number)
        self.small_receives += one.size < message.size
        if self._costs.is_rendezvous(message.size):
            self._shake_hands(message, rank, number)
            self._handle(message, one.cpu, one.nic)
        self._done[rank, number] = self._traces.join(rank, self._arrived[key] + self._begun[rank, number])

    def _shake_hands(self, message, rank, number):
        """Sends the answer of a posted receive to a request, and then the message."""
        source, sent = message.source, message.number
        ready = self._traces.join(rank, self._requests[source, sent] + self._begun[rank, number])
        answered = self._message(source, sent, _ANSWER, rank, source, ready, 0)
        self._done[source, sent] = self._traces.join(source, answered + self._done[source, sent])
        self._arrived[source, sent] = self._message(source, sent, _DATA, source, rank, self._done[source, sent], message.size)

    def _compute(self, rank, cpu, after, duration):
        """A time of a CPU; nodes without a duration still wait until it is free."""
        units = self._units[rank]
        if cpu not in units:
            return after
        if units[cpu] is not None:
            return self._traces.compute(rank, after, duration, units[cpu])
        after = self._traces.join(rank, after + self._last[rank, cpu])
        self._last[rank, cpu] = self._traces.wait(rank, after, duration)
        return self._last[rank, cpu]


def _units(operations, costs):
    """By CPU of a rank on which something takes time: True for the program's CPU, False for its accelerator, None for a chain in a fixed order.

    The CPUs with the most operations have units.
    """
    uses = collections.Counter(one.cpu for one in operations)
    is_timed = {one.cpu for one in operations
                if (one.size if one.kind == CALC else costs.sending(one.size) + costs.handling(one.size)) > 0}
    order = sorted(is_timed, key=lambda cpu: (-uses[cpu], cpu))
    return {cpu: (True, False)[place] if place < 2 else None for place, cpu in enumerate(order)}
