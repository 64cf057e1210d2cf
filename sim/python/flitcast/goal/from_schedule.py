# SPDX-License-Identifier: Apache-2.0
"""GOAL of a schedule of this program: a message is sent when its sender has what it carries."""
import collections

from ..chakra import MOST_BYTES
from ..dumps import read_dump


def goal_of(experiment, block_bytes, report):
    """The text of the GOAL schedule and its number of messages.

    A send requires the receives of earlier rounds that brought its sender an item of the same number: the chunk, or another part of the sum.
    """
    dump = read_dump(experiment, report)
    if dump is None:
        return "", 0
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
    return f"// {dump.operation} by {dump.algorithm}: python3 -m flitcast goal --from-schedule\nnum_ranks {dump.ranks}\n{ranks}", len(dump.messages)
