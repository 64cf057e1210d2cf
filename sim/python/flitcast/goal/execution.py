# SPDX-License-Identifier: Apache-2.0
"""The execution of a GOAL schedule by the recurrence of LogGOPS, without contention.

    calc t on CPU c:          s = max(r, cpu(c));            cpu(c) = s + t; done at s + t
    send of b on CPU c, NIC k: s = max(r, cpu(c), out(k));   cpu(c) = s + o + b' O; out(k) = s + g + b' G; at the target from s + o + L
                              done at cpu(c), or, for more than S bytes, when the receive is posted and the message is there
    message on c, k from a:   e = max(a, cpu(c), in(k));     cpu(c) = e + o + b' max(O, G); in(k) = e + g + b' G
    receive:                  posted at r; done at the end of its message's handling, but not before r

r is the time at which an operation is ready: all that it requires is done, and all that it irequires has begun. b' is b - 1, at least 0. CPUs
and NICs serve in the order of readiness. Posted receives are searched in the order of posting, messages in that of arrival.
Source: T. Hoefler, T. Schneider, A. Lumsdaine, LogGOPSim: simulating large-scale applications in the LogGOPS model (HPDC 2010).
"""
import collections
import heapq
from typing import NamedTuple

from ..cycles import cycle_of
from .schedule import ANY, CALC, RECEIVE, SEND

_ORDER = {SEND: 0, RECEIVE: 1, CALC: 2}  # In which operations begin that become ready together.


class Costs(NamedTuple):
    """The parameters of LogGOPS, in ns and ns for a byte; S in bytes, None: no message waits for its receive."""
    L: int = 0
    o: int = 0
    g: int = 0
    G: int = 0
    O: int = 0  # noqa: E741
    S: object = None

    def sending(self, size):
        return self.o + max(size - 1, 0) * self.O

    def handling(self, size):
        return self.o + max(size - 1, 0) * max(self.O, self.G)

    def gap(self, size):
        return self.g + max(size - 1, 0) * self.G

    def is_rendezvous(self, size):
        return self.S is not None and size > self.S


class Message:
    """A message in flight or waiting at its target."""
    __slots__ = ("source", "number", "target", "size", "tag", "cpu", "nic", "end")

    def __init__(self, source, number, send):
        self.source, self.number, self.target, self.size, self.tag = source, number, send.peer, send.size, send.tag
        self.cpu, self.nic, self.end = send.cpu, send.nic, None


class Execution:
    """Runs a schedule whose ranks and partners have been checked.

    `observer` gets every step in the order of time: begin(rank, number), arrive(message, cpu, nic), match(message, rank, number).
    """

    def __init__(self, schedule, costs, observer):
        self._schedule, self._costs, self._observer = schedule, costs, observer
        self._cpu, self._out, self._in = (collections.defaultdict(int) for _ in range(3))  # By (rank, number): when it is free.
        self._posted = [[] for _ in schedule.ranks]
        self._waiting = [[] for _ in schedule.ranks]  # Messages without a posted receive.
        self._events, self._created = [], 0
        self._after = [[[] for _ in operations] for operations in schedule.ranks]   # By operation: those that require it.
        self._iafter = [[[] for _ in operations] for operations in schedule.ranks]
        self._awaited = [[len(one.requires) + len(one.irequires) for one in operations] for operations in schedule.ranks]
        self._begun, self._done = ([bytearray(len(operations)) for operations in schedule.ranks] for _ in range(2))
        for rank, operations in enumerate(schedule.ranks):
            for number, one in enumerate(operations):
                for before in one.requires:
                    self._after[rank][before].append(number)
                for before in one.irequires:
                    self._iafter[rank][before].append(number)

    def run(self):
        """By rank: when its last CPU is free."""
        for rank, awaited in enumerate(self._awaited):
            self._ready(0, rank, [number for number, count in enumerate(awaited) if count == 0])
        while self._events:
            time, created, step, facts = heapq.heappop(self._events)
            step(time, created, *facts)
        ends = [0] * len(self._awaited)
        for (rank, _), time in self._cpu.items():
            ends[rank] = max(ends[rank], time)
        return ends

    def _push(self, time, step, *facts, created=None):
        if created is None:
            self._created += 1
            created = self._created
        heapq.heappush(self._events, (time, created, step, facts))

    def _ready(self, time, rank, numbers):
        operations = self._schedule.ranks[rank]
        for number in sorted(numbers, key=lambda one: (_ORDER[operations[one].kind], one)):
            self._push(time, self._begin, rank, number)

    def _satisfy(self, time, rank, successors):
        ready = []
        for number in successors:
            self._awaited[rank][number] -= 1
            if self._awaited[rank][number] == 0:
                ready.append(number)
        self._ready(time, rank, ready)

    def _begin(self, time, created, rank, number):
        one = self._schedule.ranks[rank][number]
        cpu, nic = (rank, one.cpu), (rank, one.nic)
        free = 0 if one.kind == RECEIVE else max(self._cpu[cpu], self._out[nic] if one.kind == SEND else 0)
        if free > time:
            self._push(free, self._begin, rank, number, created=created)
            return
        self._begun[rank][number] = 1
        self._observer.begin(rank, number)
        if one.kind == CALC:
            self._cpu[cpu] = time + one.size
            self._push(self._cpu[cpu], self._end, rank, number)
        elif one.kind == SEND:
            self._send(time, rank, number, one)
        else:
            self._post(time, rank, number, one)
        self._satisfy(time, rank, self._iafter[rank][number])

    def _send(self, time, rank, number, one):
        costs, cpu = self._costs, (rank, one.cpu)
        self._cpu[cpu] = time + costs.sending(one.size)
        self._out[rank, one.nic] = time + costs.gap(one.size)
        if not costs.is_rendezvous(one.size):
            self._push(self._cpu[cpu], self._end, rank, number)
        latency = costs.L if one.peer != rank else 0
        self._push(time + costs.o + latency, self._arrive, Message(rank, number, one))

    def _post(self, time, rank, number, one):
        for place, message in enumerate(self._waiting[rank]):
            if _fits(one, message):
                del self._waiting[rank][place]
                self._match(time, message, rank, number)
                return
        self._posted[rank].append(number)

    def _arrive(self, time, created, message):
        rank = message.target
        operations, posted = self._schedule.ranks[rank], self._posted[rank]
        place = next((place for place, number in enumerate(posted) if _fits(operations[number], message)), None)
        end = message if place is None else operations[posted[place]]
        cpu, nic = (rank, end.cpu), (rank, end.nic)
        free = max(self._cpu[cpu], self._in[nic])
        if free > time:
            self._push(free, self._arrive, message, created=created)
            return
        self._observer.arrive(message, end.cpu, end.nic)
        message.end = self._cpu[cpu] = time + self._costs.handling(message.size)
        self._in[nic] = time + self._costs.gap(message.size)
        if place is None:
            self._waiting[rank].append(message)
        else:
            self._match(time, message, rank, posted.pop(place))

    def _match(self, time, message, rank, number):
        self._observer.match(message, rank, number)
        self._push(max(time, message.end), self._end, rank, number)
        if self._costs.is_rendezvous(message.size):
            send = self._schedule.ranks[message.source][message.number]
            cpu, nic = (message.source, send.cpu), (message.source, send.nic)
            self._cpu[cpu], self._out[nic] = max(self._cpu[cpu], time), max(self._out[nic], time)
            self._push(self._cpu[cpu], self._end, message.source, message.number)

    def _end(self, time, _, rank, number):
        self._done[rank][number] = 1
        self._satisfy(time, rank, self._after[rank][number])

    def check_end(self, report):
        """Refuses operations that have not been done, and messages that no receive took."""
        left = {(rank, number) for rank, done in enumerate(self._done) for number, is_done in enumerate(done) if not is_done}
        cycle = cycle_of({end: self._awaits(*end, left) for end in sorted(left)})
        if cycle:
            chain = ", which waits for ".join(self._schedule.title(*end) for end in [*cycle, cycle[0]])
            report.refuse(self._schedule.place(*cycle[0]), f"deadlock: {chain}", "let one of them go on before")
            return
        for rank, number in sorted(left):
            if self._begun[rank][number]:
                partner = "send" if self._schedule.ranks[rank][number].kind == RECEIVE else "receive"
                report.refuse(self._schedule.place(rank, number), f"no {partner} is left for {self._schedule.title(rank, number)}",
                              "give both ranks sends and receives that match")
        for message in (one for waiting in self._waiting for one in waiting if (one.source, one.number) not in left):
            report.refuse(self._schedule.place(message.source, message.number), "no receive takes the message of "
                          + self._schedule.title(message.source, message.number), "give both ranks sends and receives that match")

    def _awaits(self, rank, number, left):
        """The operations among `left` that one of them waits for; for a partner, those that could be it."""
        one = self._schedule.ranks[rank][number]
        if not self._begun[rank][number]:
            return [(rank, before) for before in one.requires if (rank, before) in left] + [
                (rank, before) for before in one.irequires if not self._begun[rank][before]]
        sources = range(len(self._schedule.ranks)) if one.peer == ANY else [one.peer]
        return [(peer, other) for peer in sources for other, partner in enumerate(self._schedule.ranks[peer])
                if (peer, other) in left and not self._begun[peer][other] and _are_partners(rank, one, peer, partner)]


def _fits(receive, message):
    return receive.peer in (ANY, message.source) and receive.tag in (ANY, message.tag)


def _are_partners(rank, one, peer, partner):
    """True for a send and a receive that match, in either order."""
    if one.kind == RECEIVE:
        rank, one, peer, partner = peer, partner, rank, one
    return one.kind == SEND and partner.kind == RECEIVE and one.peer == peer and partner.peer in (ANY, rank) and partner.tag in (ANY, one.tag)
