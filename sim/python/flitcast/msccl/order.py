# SPDX-License-Identifier: Apache-2.0
"""The partners of steps, and the order in which the steps of an algorithm can be done."""
import collections
import itertools

from ..cycles import cycle_of
from .algorithm import RECEIVES, SENDS


class Order:
    """The order of an algorithm's steps, each (gpu, block, step).

    A step begins when the one before in its block is done, and the one that it depends on. Its receive ends when the matching send has begun
    and its message has arrived: the k-th message from a GPU to another on a channel belongs to the k-th receiving step there.
    """

    def __init__(self, algorithm, report):
        self._algorithm, self._report = algorithm, report
        self.sender = {}  # By receiving step: the sending one.
        refused = len(report.refusals)
        self._check_blocks()
        self._match()
        self.before = {key: self._before(key) for key in algorithm.steps()}
        self._check_dependences()
        self.steps = self._sorted() if len(report.refusals) == refused else []

    def _check_blocks(self):
        for g, gpu in enumerate(self._algorithm.gpus):
            taken = {}
            for b, block in enumerate(gpu.blocks):
                for way, peer, types in (("send", block.send, SENDS), ("recv", block.receive, RECEIVES)):
                    place = f"{self._algorithm.file}:{block.line}"
                    if peer == g:
                        self._report.refuse(place, f"{way} is the GPU itself", "use a step cpy")
                    if peer >= 0 and (other := taken.setdefault((way, peer, block.channel), b)) != b:
                        self._report.refuse(place, f"block {other} has {way}={peer} on channel {block.channel}, too", "use another channel")
                    for s, step in enumerate(block.steps):
                        if step.type in types and peer < 0:
                            self._report.refuse(self._algorithm.place((g, b, s)), f"{step.type} in a block with {way}=-1",
                                                f"name the other GPU in {way}")

    def _match(self):
        ends = collections.defaultdict(lambda: ([], []))
        for key in self._algorithm.steps():
            block, type_ = self._algorithm.gpus[key[0]].blocks[key[1]], self._algorithm.step(key).type
            if type_ in SENDS and block.send >= 0:
                ends[key[0], block.send, block.channel][0].append(key)
            if type_ in RECEIVES and block.receive >= 0:
                ends[block.receive, key[0], block.channel][1].append(key)
        for (source, target, channel), (sends, receives) in sorted(ends.items()):
            between = f"from GPU {source} to GPU {target} on channel {channel}"
            for send, receive in zip(sends, receives):
                self.sender[receive] = send
                counts = [self._algorithm.step(key).count for key in (send, receive)]
                if counts[0] != counts[1]:
                    self._report.refuse(self._algorithm.place(receive), f"{self._algorithm.title(receive)} receives {counts[1]} chunks, and "
                                        f"{self._algorithm.title(send)} sends {counts[0]}", "write the same cnt")
            for kind, other, alone in (("receive", "sends", receives[len(sends):]), ("send", "receives", sends[len(receives):])):
                for key in itertools.islice(alone, 1):
                    self._report.refuse(self._algorithm.place(key), f"no step {other} the message of {self._algorithm.title(key)}: {between}, "
                                        f"sends: {len(sends)}, receives: {len(receives)}", f"leave the {kind} out, or add its partner")

    def _before(self, key):
        gpu, block, step = key
        found = [(gpu, block, step - 1)] if step else []
        if depends := self._algorithm.step(key).depends:
            found.append((gpu, *depends))
        return found + ([self.sender[key]] if key in self.sender else [])

    def _check_dependences(self):
        known, awaited = set(self.before), set()
        for key in self.before:
            if depends := self._algorithm.step(key).depends:
                before = (key[0], *depends)
                awaited.add(before)
                if before not in known:
                    self._report.refuse(self._algorithm.place(key), f"GPU {key[0]} has no step {depends[1]} in a block {depends[0]}, which "
                                        f"{self._algorithm.title(key)} depends on", "correct depid and deps")
                elif not self._algorithm.step(before).has_dependent:
                    self._report.refuse(self._algorithm.place(before), f"hasdep is 0, and {self._algorithm.title(key)} waits for this step",
                                        'write hasdep="1": an interpreter would not report the step')
        idle = [key for key in self.before if self._algorithm.step(key).has_dependent and key not in awaited]
        if idle:
            self._report.note(self._algorithm.place(idle[0]), f"steps with hasdep that no step waits for: {len(idle)}")

    def _sorted(self):
        """The steps in an order that they can be done in; refuses those that wait for each other."""
        after, count = collections.defaultdict(list), {}
        for key, before in self.before.items():
            count[key] = len(before)
            for one in before:
                after[one].append(key)
        order = collections.deque(key for key, missing in count.items() if not missing)
        done = []
        while order:
            done.append(order.popleft())
            for key in after[done[-1]]:
                count[key] -= 1
                if count[key] == 0:
                    order.append(key)
        if len(done) < len(count):
            cycle = cycle_of({key: self.before[key] for key, missing in count.items() if missing})
            chain = ", which waits for ".join(self._algorithm.title(key) for key in [*cycle, cycle[0]])
            self._report.refuse(self._algorithm.place(cycle[0]), f"deadlock: {chain}", "change the order of the steps, or leave a dependence out")
        return done
