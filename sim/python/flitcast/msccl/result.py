# SPDX-License-Identifier: Apache-2.0
"""The result of an algorithm: which contributions its chunks have in the end, and whether that depends on luck."""
import collections

from .algorithm import READS, RECEIVES, SENDS, WRITES

MOST_STEPS = 20_000  # For which races are looked for: their number enters squared.


class Buffers:
    """The chunks of all GPUs as (gpu, buffer, chunk), with one name for each where input and output share memory."""

    def __init__(self, algorithm):
        self._algorithm = algorithm
        self.inputs = self._inputs()

    def _inputs(self):
        """The chunks that a GPU contributes."""
        ranks, chunks = len(self._algorithm.gpus), self._algorithm.chunks
        return max(chunks // ranks, 1) if self._algorithm.collective == "allgather" else chunks

    def size(self, gpu, buffer):
        chunks = self._algorithm.gpus[gpu].chunks
        if not self._algorithm.is_in_place or buffer == "s":
            return chunks[buffer]
        ranks, most = len(self._algorithm.gpus), max(chunks["i"], chunks["o"])
        part = {"allgather": "i", "reducescatter": "o"}.get(self._algorithm.collective)
        return max(chunks[buffer], most // ranks) if buffer == part else most

    def name(self, gpu, buffer, chunk):
        if not self._algorithm.is_in_place or buffer == "s":
            return gpu, buffer, chunk
        is_part = (self._algorithm.collective, buffer) in (("allgather", "i"), ("reducescatter", "o"))
        return gpu, "i", chunk + gpu * (self._algorithm.chunks // len(self._algorithm.gpus)) if is_part else chunk

    def of(self, key, end):
        """The chunks of a step's source or target."""
        if end is None:
            return []
        return [self.name(key[0], end[0], end[1] + k) for k in range(self._algorithm.step(key).count)]


def check_chunks(algorithm, report):
    """Refuses steps beyond their buffers, copies onto themselves, and vectors that do not divide among the ranks."""
    buffers, ranks = Buffers(algorithm), len(algorithm.gpus)
    if algorithm.collective in ("allgather", "reducescatter", "alltoall") and algorithm.chunks % ranks:
        report.refuse(algorithm.file, f"nchunksperloop is {algorithm.chunks}, no multiple of the {ranks} GPUs", "write a multiple")
    for key in algorithm.steps():
        step = algorithm.step(key)
        for end in (step.source, step.target):
            if end is not None and end[1] + step.count > buffers.size(key[0], end[0]):
                report.refuse(algorithm.place(key), f"chunks {end[1]} to {end[1] + step.count - 1} of buffer {end[0]}, which has "
                              f"{buffers.size(key[0], end[0])} on GPU {key[0]}", f"raise {end[0]}_chunks, or correct the step")
        if step.source and step.target and step.type in ("cpy", "re"):
            source, target = buffers.of(key, step.source), buffers.of(key, step.target)
            if set(source) & set(target):
                report.refuse(algorithm.place(key), f"{step.type}: source and target overlap", "use chunks apart from each other")


def check_result(algorithm, order, report):
    """Plays the steps with sets of contributions: refuses chunks that are not what the collective promises, and data from nowhere."""
    player = _Player(algorithm, order, report)
    for key in order.steps:
        player.play(key)
    if not report.refusals:
        player.check_outputs()


class _Player:
    """A chunk's value is a set of contributions as the bits of a number: bit rank * inputs + chunk."""

    def __init__(self, algorithm, order, report):
        self._algorithm, self._order, self._report = algorithm, order, report
        self._buffers = Buffers(algorithm)
        inputs = self._buffers.inputs
        self._values = {self._buffers.name(rank, "i", chunk): 1 << rank * inputs + chunk
                        for rank in range(len(algorithm.gpus)) for chunk in range(inputs)}
        self._sent = {}

    def play(self, key):
        step = self._algorithm.step(key)
        values = self._sent.pop(self._order.sender[key], None) if step.type in RECEIVES else None
        if step.type in READS:
            own = [self._read(key, chunk) for chunk in self._buffers.of(key, step.source)]
            if step.type == "re":
                values = [self._read(key, chunk) for chunk in self._buffers.of(key, step.target)]
            values = own if values is None else [self._sum(key, *pair) for pair in zip(own, values)]
        if step.type in WRITES:
            self._values.update(zip(self._buffers.of(key, step.target), values))
        if step.type in SENDS:
            self._sent[key] = values

    def _read(self, key, chunk):
        if chunk not in self._values:
            self._report.refuse(self._algorithm.place(key), f"{self._algorithm.title(key)} reads chunk {chunk[2]} of buffer {chunk[1]}, which "
                                "has no data", "let a step before write it")
            self._values[chunk] = 0
        return self._values[chunk]

    def _sum(self, key, one, other):
        if one & other:
            rank = ((one & other).bit_length() - 1) // self._buffers.inputs
            self._report.refuse(self._algorithm.place(key), f"{self._algorithm.title(key)} adds the contribution of rank {rank} twice",
                                "combine each contribution once")
        return one | other

    def check_outputs(self):
        promise = self._promise()
        if promise is None:
            self._report.note(self._algorithm.file, f"the result of coll {self._algorithm.collective} is not checked")
            return
        for (rank, chunk), wanted in promise.items():
            value = self._values.get(self._buffers.name(rank, "o", chunk), 0)
            if value != wanted:
                wrong = [f"{word} {self._words(bits)}" for word, bits in (("lacks", wanted & ~value), ("has", value & ~wanted)) if bits]
                self._report.refuse(self._algorithm.file, f"output chunk {chunk} of GPU {rank} is wrong for coll {self._algorithm.collective}: "
                                    f"it {' and '.join(wrong)}", "correct the steps that lead to it")
                return

    def _words(self, bits):
        rank, chunk = divmod((bits & -bits).bit_length() - 1, self._buffers.inputs)
        return f"chunk {chunk} of rank {rank}"

    def _promise(self):
        """By (rank, output chunk): the value; None for a collective that is not known."""
        ranks, inputs = range(len(self._algorithm.gpus)), self._buffers.inputs
        part = inputs // len(ranks)
        collective = self._algorithm.collective
        if collective == "allreduce":
            return {(rank, chunk): sum(1 << one * inputs + chunk for one in ranks) for rank in ranks for chunk in range(inputs)}
        if collective == "allgather":
            return {(rank, one * inputs + chunk): 1 << one * inputs + chunk for rank in ranks for one in ranks for chunk in range(inputs)}
        if collective == "reducescatter":
            return {(rank, chunk): sum(1 << one * inputs + rank * part + chunk for one in ranks) for rank in ranks for chunk in range(part)}
        if collective == "alltoall":
            return {(rank, one * part + chunk): 1 << one * inputs + rank * part + chunk
                    for rank in ranks for one in ranks for chunk in range(part)}
        return None


def note_races(algorithm, order, report):
    """Notes the first two steps that touch a chunk, one of them writing, without an order between them."""
    if len(order.steps) > MOST_STEPS:
        report.note(algorithm.file, f"races are not looked for: there are more than {MOST_STEPS} steps")
        return
    buffers, bit, earlier = Buffers(algorithm), {}, {}
    uses = collections.defaultdict(list)  # By chunk: its steps, and whether they write.
    for number, key in enumerate(order.steps):
        bit[key] = 1 << number
        earlier[key] = 0
        for before in order.before[key]:
            earlier[key] |= earlier[before] | bit[before]
        step = algorithm.step(key)
        for end, writes in ((step.source, False), (step.target, True)):
            for chunk in buffers.of(key, end):
                for other, other_writes in uses[chunk]:
                    if (writes or other_writes) and other != key and not earlier[key] & bit[other]:
                        report.note(algorithm.place(key), f"race: {algorithm.title(key)} and {algorithm.title(other)} use chunk {chunk[2]} of "
                                    f"buffer {chunk[1]} without an order; add a dependence")
                        return
                uses[chunk].append((key, writes))
