# SPDX-License-Identifier: Apache-2.0
"""Schedules of collectives as the program dumps them."""
import re
from typing import NamedTuple

from .program import call, no_answer, words_of

_HEAD = re.compile(r"[^\n]*: (?P<operation>\w+) by (?P<algorithm>\w+) on [^\n]*, (?P<switching>store-and-forward|wormhole|one message at a time)\b")
_ITEM = re.compile(r"(?P<sum>partial|result)(?::(?P<block>\d+))?|(?P<chunk>\d+)")


class Item(NamedTuple):
    """Data of a message: a chunk by its number, or a sum over ranks of a block, which is `partial` until it is the `result`."""
    kind: str    # chunk, partial or result.
    number: int


class Message(NamedTuple):
    round: int   # From 1.
    source: int
    target: int
    items: list


class Dump(NamedTuple):
    """The schedule of a collective: its messages by rounds."""
    name: str       # The experiment.
    operation: str
    algorithm: str
    ranks: int
    messages: list

    @property
    def numbers(self):
        """Numbers that items can have: from 0 to one below this."""
        return 1 + max((item.number for message in self.messages for item in message.items), default=0)

    @property
    def blocks(self):
        """The items of the vector of a rank, or of the rank that has the whole vector. Some of them may not be sent."""
        per_rank = -(-self.numbers // self.ranks)
        if self.operation == "all_to_all":
            return per_rank
        return per_rank * self.ranks if self.operation in ("all_gather", "gossip", "gather", "scatter") else self.numbers


def read_dump(experiment, report, settings=(), point=None):
    """The Dump of an experiment, from the program; None if its messages are not between two ranks each. Raises FlitcastError, OSError.

    @param settings, point  As of words_of().
    """
    named = words_of(experiment, settings, point)
    summary = call("schedule", *named)
    if not summary:
        raise no_answer("nothing")
    head = _HEAD.match(summary.split("\n", 1)[0])
    if head is None or head["switching"] == "wormhole":
        report.refuse(experiment, "the schedule is none of messages from one rank to another with their data",
                      "choose a collective and an algorithm between ranks, or one for store-and-forward")
        return None
    messages = []
    for line in call("schedule", *named, "--dump", "-").splitlines():
        words = line.split()
        if head["switching"] == "store-and-forward":
            words[2:] = words[3:4] + words[2:3]  # round from what to, without the sign of a link.
        items = [_ITEM.fullmatch(item) for item in words[2].split(",")] if len(words) == 4 else [None]
        if None in items:
            report.refuse(experiment, f"`{line}` is no message from one rank to another", "choose an algorithm without multicasts")
            return None
        messages.append(Message(int(words[0]), int(words[1]), int(words[3]), [_item(found) for found in items]))
    ranks = 1 + max((max(one.source, one.target) for one in messages), default=0)
    return Dump(str(experiment), head["operation"], head["algorithm"], ranks, messages)


def _item(found):
    return Item("chunk", int(found["chunk"])) if found["chunk"] else Item(found["sum"], int(found["block"] or 0))
