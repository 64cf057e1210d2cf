# SPDX-License-Identifier: Apache-2.0
"""GOAL of a schedule of this program: a message is sent when its sender has what it carries."""
import collections
from typing import NamedTuple

from ..chakra import MOST_BYTES
from ..dumps import read_dump


class Goal(NamedTuple):
    """A GOAL schedule, and the vector of a rank."""
    text: str
    messages: int
    blocks: int
    block_bytes: int


def goal_of(experiment, block_bytes, size, report, settings, point):
    """The Goal of an experiment; None, with a refusal, if there is none.

    @param block_bytes, size  Bytes of a block or of the whole vector; the other one is None.
    A send requires the receives of earlier rounds that brought its sender an item of the same number: the chunk, or another part of the sum.
    """
    dump = read_dump(experiment, report, settings, point)
    if dump is None:
        return None
    if block_bytes is None:
        block_bytes = size // dump.blocks
        if size % dump.blocks:
            report.refuse("--bytes", f"{size} bytes are no multiple of the {dump.blocks} blocks of the vector",
                          f"write a multiple, such as {max(block_bytes, 1) * dump.blocks}")
    most = max((len(message.items) for message in dump.messages), default=1)
    if most * block_bytes > MOST_BYTES:
        report.refuse(experiment, f"a message has {most} blocks of {block_bytes} bytes", f"write at most {MOST_BYTES // most} bytes for a block")
    lines = [[] for _ in range(dump.ranks)]
    known = [collections.defaultdict(list) for _ in range(dump.ranks)]  # By rank and number of an item: (round, label) of its receives.
    for number, message in enumerate(dump.messages):
        size = len(message.items) * block_bytes
        before = {label: None for item in message.items for round_, label in known[message.source][item.number] if round_ < message.round}
        lines[message.source].append(f"m{number}: send {size}b to {message.target} tag {number}")
        lines[message.source] += [f"m{number} requires {label}" for label in before]
        lines[message.target].append(f"m{number}: recv {size}b from {message.source} tag {number}")
        for item in message.items:
            known[message.target][item.number].append((message.round, f"m{number}"))
    ranks = "".join(f"rank {rank} {{\n" + "".join(f"{line}\n" for line in text) + "}\n" for rank, text in enumerate(lines))
    head = f"// {dump.operation} by {dump.algorithm}: python3 -m flitcast goal --from-schedule\nnum_ranks {dump.ranks}\n"
    return Goal(head + ranks, len(dump.messages), dump.blocks, block_bytes)
