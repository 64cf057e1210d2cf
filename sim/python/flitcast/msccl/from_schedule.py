# SPDX-License-Identifier: Apache-2.0
"""MSCCL algorithms of schedules of this program.

A GPU has a thread block for each GPU that it sends to, and one for each that it receives from, with their messages in the order of rounds. A
step waits for the steps of other blocks of its GPU that wrote what it reads, or used what it writes; a step `nop` before it has each
dependence beyond the last one.
"""
import collections
from xml.sax.saxutils import quoteattr

from ..dumps import read_dump

COLLECTIVES = {"all_reduce": "allreduce", "all_gather": "allgather", "gossip": "allgather", "reduce_scatter": "reducescatter",
               "broadcast": "broadcast", "all_to_all": "alltoall"}
_NAMES = {"reducescatter": "reduce_scatter"}


def algorithm_of(experiment, report, settings, point):
    """The text of the algorithm and its number of messages."""
    dump = read_dump(experiment, report, settings, point)
    if dump is None:
        return "", 0
    collective = COLLECTIVES.get(dump.operation)
    if collective is None:
        report.refuse(experiment, f"MSCCL has no {dump.operation}", f"choose one of {', '.join(COLLECTIVES)}, or write GOAL")
        return "", 0
    if collective == "alltoall" and any(len(message.items) > 1 or not _is_direct(message, dump.ranks) for message in dump.messages):
        report.refuse(experiment, "its messages go through other ranks, which would need scratch buffers",
                      "choose an algorithm whose messages go from their sources to their destinations, or write GOAL")
        return "", 0
    writer = _Writer(dump, collective)
    return writer.text(), writer.messages


def _is_direct(message, ranks):
    target, source = divmod(message.items[0].number, ranks)
    return (message.source, message.target) == (source, target)


class _Writer:
    def __init__(self, dump, collective):
        self._dump, self._collective, self._ranks = dump, collective, dump.ranks
        self._per_rank = 1 if collective == "alltoall" else -(-dump.numbers // self._ranks)
        self._chunks = dump.numbers if collective in ("allreduce", "broadcast") else self._ranks * self._per_rank
        self._gpus = [_Gpu() for _ in range(self._ranks)]
        self.messages = 0
        by_round = collections.defaultdict(list)
        for message in dump.messages:
            by_round[message.round].append((message, self._runs(message)))
        for _, messages in sorted(by_round.items()):
            self._round(messages)
        if collective == "alltoall":
            for rank, gpu in enumerate(self._gpus):
                gpu.add(("copy", -1), "cpy", ("i", rank), ("o", rank), 1)

    def _round(self, messages):
        for message, runs in messages:
            for kind, first, count in runs:
                self.messages += 1
                source, target = self._ends(first)
                self._gpus[message.source].add(("send", message.target), "s", source, target, count)
        for message, runs in messages:
            for kind, first, count in runs:
                source, target = self._ends(first)
                is_sum = kind == "partial"
                self._gpus[message.target].add(("recv", message.source), "rrc" if is_sum else "r", target if is_sum else source, target, count)

    def _ends(self, first):
        """The chunk at the sender and at the receiver. All but an all-to-all work in place."""
        if self._collective == "alltoall":
            target, source = divmod(first, self._ranks)
            return ("i", target), ("o", source)
        buffer = "o" if self._collective in ("allgather", "broadcast") else "i"
        return (buffer, first), (buffer, first)

    def _runs(self, message):
        """(kind, first chunk, chunks) of neighbouring chunks."""
        runs = []
        for kind, chunk in ((item.kind, self._chunk(item)) for item in message.items):
            if runs and runs[-1][0] == kind and sum(runs[-1][1:]) == chunk:
                runs[-1] = (kind, runs[-1][1], runs[-1][2] + 1)
            else:
                runs.append((kind, chunk, 1))
        return runs

    def _chunk(self, item):
        if self._collective == "allgather":
            index, origin = divmod(item.number, self._ranks)
            return origin * self._per_rank + index
        return item.number

    def text(self):
        sizes = {"allreduce": (self._chunks, self._chunks), "broadcast": (self._chunks, self._chunks), "alltoall": (self._chunks, self._chunks),
                 "allgather": (self._per_rank, self._chunks), "reducescatter": (self._chunks, self._per_rank)}[self._collective]
        name = quoteattr(f"{self._dump.operation}_{self._dump.algorithm}")
        gpus = "".join(gpu.text(number, sizes) for number, gpu in enumerate(self._gpus))
        return (f'<algo name={name} proto="Simple" nchannels="1" nchunksperloop="{self._chunks}" ngpus="{self._ranks}" '
                f'coll="{_NAMES.get(self._collective, self._collective)}" inplace="{int(self._collective != "alltoall")}">\n{gpus}</algo>\n')


class _Gpu:
    """The thread blocks of a GPU as they grow."""

    def __init__(self):
        self._blocks = {}  # By (direction, peer): the number of the block.
        self._steps = []   # By block: [type, source, target, count, (block, step) or None] of each step.
        self._writes, self._reads = {}, collections.defaultdict(list)  # By chunk: the last (block, step) that wrote it, those that read it since.
        self._awaited = set()

    def add(self, key, type_, source, target, count):
        block = self._blocks.setdefault(key, len(self._blocks))
        if block == len(self._steps):
            self._steps.append([])
        reads = [] if type_ == "r" else self._chunks(source, count)
        writes = [] if type_ == "s" else self._chunks(target, count)
        latest = {}
        for chunk in [*reads, *writes]:
            written = [self._writes[chunk]] if chunk in self._writes else []
            for other, step in written + (self._reads[chunk] if chunk in writes else []):
                if other != block:
                    latest[other] = max(step, latest.get(other, 0))
        depends = sorted(latest.items())
        self._awaited.update(depends)
        for one in depends[:-1]:
            self._steps[block].append(["nop", None, None, 0, one])
        self._steps[block].append([type_, source, target, count, depends[-1] if depends else None])
        here = (block, len(self._steps[block]) - 1)
        for chunk in reads:
            self._reads[chunk].append(here)
        for chunk in writes:
            self._writes[chunk], self._reads[chunk] = here, []

    @staticmethod
    def _chunks(end, count):
        return [(end[0], end[1] + k) for k in range(count)]

    def text(self, number, sizes):
        lines = [f' <gpu id="{number}" i_chunks="{sizes[0]}" o_chunks="{sizes[1]}" s_chunks="0">']
        for (direction, peer), block in self._blocks.items():
            send, receive = (peer if direction == way else -1 for way in ("send", "recv"))
            lines.append(f'  <tb id="{block}" send="{send}" recv="{receive}" chan="0">')
            lines += [self._line(block, step, *facts) for step, facts in enumerate(self._steps[block])]
            lines.append("  </tb>")
        return "\n".join([*lines, " </gpu>"]) + "\n"

    def _line(self, block, number, type_, source, target, count, depends):
        (from_, first), (to, second) = source or ("i", -1), target or ("o", -1)
        other, step = depends or (-1, -1)
        return (f'   <step s="{number}" type="{type_}" srcbuf="{from_}" srcoff="{first}" dstbuf="{to}" dstoff="{second}" cnt="{count}" '
                f'depid="{other}" deps="{step}" hasdep="{int((block, number) in self._awaited)}"/>')
