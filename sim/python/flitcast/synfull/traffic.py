# SPDX-License-Identifier: Apache-2.0
"""The messages of a SynFull model: drawn ahead of the run, with the message that each of them reacts to."""
import random
from typing import NamedTuple

from .sections import KINDS

REACTION = 1   # Cycles from the arrival of a message to its reaction.
MEMORY = 80    # Cycles from the arrival of a request to the data that its directory fetches from memory.
STEADY = 0.04  # Relative deviations from the shares in the long run at which the chain over macro classes counts as steady.


class Message(NamedTuple):
    """A message; its number is its place in the list of all."""
    kind: str       # WRITE, READ, PUTC, PUTD: requests of a cache; FORWARD, INV; DATA, ACK, WB_ACK, UNBLOCK.
    source: int     # Node of the model.
    target: int
    cause: object   # Number of the message whose arrival it reacts to; None: the clock.
    delay: int      # Cycles after the arrival of its cause.
    cycle: int      # The earliest cycle in which it can be created: that of a network without latency.

    @property
    def has_data(self):
        return self.kind in ("PUTD", "DATA")


class Step(NamedTuple):
    """A step of the chain over states: its cycle, and the macro class and state that hold from then on, from 0."""
    cycle: int
    macro: int
    state: int


def steps_of(model, stream, cycles, until_steady=False):
    """Yields each Step before `cycles`. Both chains start in their first state, that over states again with every span.

    @param stream        A random.Random; only its random() is used.
    @param until_steady  End as the published generator does on request: at the first end of a span after 30 % of the cycles by when the
                         shares of the macro classes are as in the long run, or at the first one after 70 %.
    Returns the cycle at which it has ended.
    """
    macro, state, next_span, next_step = 0, 0, 0, 0
    spans = [0] * len(model.classes)
    while (cycle := min(next_span, next_step)) < cycles:
        if cycle == next_span:
            next_span += model.span
            if cycle > 0:
                spans[macro] += 1
                macro, state = model.chain[macro].draw(stream), 0
                if until_steady and _is_steady(spans, model.steady, cycle / cycles):
                    return cycle
        if cycle == next_step:
            next_step += model.classes[macro].resolution
            if cycle > 0:
                state = model.classes[macro].chain[state].draw(stream)
            yield Step(cycle, macro, state)
    return cycles


def _is_steady(spans, steady, part):
    """True if the mean square deviation from the long run is that of a relative deviation of STEADY in each class, or less."""
    if part > 0.7 or part <= 0.3:
        return part > 0.7
    errors = [(count / sum(spans) - share) ** 2 for count, share in zip(spans, steady)]
    return all(spans) and sum(errors) < sum((STEADY * share) ** 2 for share in steady)


def messages_of(model, *, seed, cycles, memory=MEMORY, until_steady=False):
    """The list of Messages of all transactions that start before `cycles`, each transaction to its end; and the cycle at which the clock ended.

    @param memory  Cycles from the arrival of a request at a directory to the data from memory, at least 1.
    """
    stream = random.Random(seed)
    drawing = _Drawing(stream, memory)
    steps = steps_of(model, stream, cycles, until_steady)
    while True:
        try:
            step = next(steps)
        except StopIteration as end:
            return drawing.messages, end.value
        drawing.add_step(step, model.classes[step.macro], cycles)


class _Drawing:
    """Draws messages, in this order for each step and kind: their number; then for each cycle, cache, directory, reactions."""

    REQUESTS = {"WRITE": "WRITE", "READ": "READ", "CCR": "PUTC", "DCR": "PUTD"}

    def __init__(self, stream, memory):
        self.messages, self._stream, self._memory = [], stream, memory

    def add_step(self, step, part, cycles):
        for kind in KINDS:
            volume = part.volumes[kind][step.state]
            for _ in range(volume.draw(self._stream) if volume else 0):
                self._add_transaction(kind, step, part, cycles)

    def _add_transaction(self, kind, step, part, cycles):
        cycle = step.cycle + 2 * int(self._stream.random() * (part.resolution // 2))
        cache = part.sources[kind][step.state].draw(self._stream)
        directory = part.targets[kind][step.state, cache].draw(self._stream)
        if cycle >= cycles:
            return
        request = self._add(Message(self.REQUESTS[kind], cache, directory, None, 0, cycle))
        if kind in ("CCR", "DCR"):
            self._react(request, "WB_ACK", directory, cache)
            return
        chance = part.forwarded.get(directory, (0, 0))[KINDS.index(kind)]
        if self._stream.random() < chance:
            owner = part.forwards[step.state, directory].draw(self._stream)
            data = self._react(self._react(request, "FORWARD", directory, owner), "DATA", owner, cache)
            if kind == "WRITE":
                self._invalidate(request, (step.state, directory), owner, part)
        else:
            data = self._react(request, "DATA", directory, cache, self._memory)
        self._react(data, "UNBLOCK", cache, directory)

    def _invalidate(self, request, key, owner, part):
        """Invalidations, one of them for the cache that the write was forwarded to, and an acknowledgement for each."""
        number = part.invalidations[key].draw(self._stream) if key in part.invalidations else 0
        caches, others = [owner][:number], part.invalidated.get(key)
        while len(caches) < number:
            others = others.without(caches[-1])
            caches.append(others.draw(self._stream))
        directory, cache = self.messages[request].target, self.messages[request].source
        for target in sorted(caches):
            self._react(self._react(request, "INV", directory, target), "ACK", target, cache)

    def _react(self, cause, kind, source, target, delay=REACTION):
        return self._add(Message(kind, source, target, cause, delay, self.messages[cause].cycle + delay))

    def _add(self, message):
        self.messages.append(message)
        return len(self.messages) - 1
