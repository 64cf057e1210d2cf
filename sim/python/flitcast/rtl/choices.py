# SPDX-License-Identifier: Apache-2.0
"""Answers of adaptive routings: several outputs, among which a router chooses in each clock."""
from typing import NamedTuple


class Choice(NamedTuple):
    """Answers in levels of priority, the lowest first: a tuple of tuples.

    A packet waits for the outputs of level 0, and takes those of the others only while they have space.
    """
    levels: tuple

    @property
    def options(self):
        """All Answers."""
        return tuple(answer for level in self.levels for answer in level)

    def word(self, outputs, vcs):
        """The sets of output VCs as a number, level 0 in the lowest bits; VC v of output p is bit p * vcs + v of a level."""
        word = 0
        for number, level in enumerate(self.levels):
            for answer in level:
                word |= answer.vcs << (number * outputs + answer.output) * vcs
        return word


def adaptive(text):
    """True if packets of a routing table in CSV choose among several outputs."""
    return "priority" in text.split("\n", 1)[0].split(",")


def choice_of(lines):
    """The Choice of lines (priority, Answer). In the model, too, packets wait for the lowest priority of their lines alone."""
    priorities = sorted({priority for priority, _ in lines})
    return Choice(tuple(tuple(answer for own, answer in lines if own == priority) for priority in priorities))


def levels_of(answers):
    """The most levels of some answers; 0 if each has one output."""
    return max((len(answer.levels) for answer in answers if isinstance(answer, Choice)), default=0)


def refusals_of_choices(file, config, texts, network):
    """Reasons why routers in RTL cannot choose as the model does among the outputs of tables in CSV; `network` is None where it has faults."""
    if not any(adaptive(text) for text in texts):
        return []
    slow = network is not None and any(link.cycles_per_flit > 1 for link in network.links)
    rules = (("routing.selection", config["routing"].get("selection") == "random",
              "routers of the model draw among open outputs, and those in RTL have no random numbers", "use free_credits or round_robin"),
             ("link.cycles_per_flit", slow, "routers in RTL whose packets choose among outputs send a flit in every cycle", "use 1"))
    return [f"{file}: {key}: {reason}; {hint}" for key, broken, reason, hint in rules if broken]
