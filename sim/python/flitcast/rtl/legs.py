# SPDX-License-Identifier: Apache-2.0
"""Routings without draws, from which those with draws are composed: each a table of the program, on some of the virtual channels."""
import json
import pathlib
import re
from typing import NamedTuple

from ..program import call
from .network import Port

ONE_CLASS = {"kind": "traffic", "load": 0.0, "packet_length": 1}  # Packets that fit into any buffer.


def exported_table(experiment, config, count, folder, routing=None):
    """The routing table in CSV of a network with `count` virtual channels, and with another routing than its own."""
    return call("export", "routing", alone_file(experiment, config, count, folder, routing))


def alone_file(experiment, config, count, folder, routing=None):
    """The file of an experiment with that network."""
    alone = experiment.with_paths({key: config[key] for key in ("topology", "router", "routing", "link")})
    alone |= {"router": alone["router"] | {"virtual_channels": count}, "workload": ONE_CLASS}
    file = _place(folder)
    file.write_text(json.dumps(alone | ({"routing": routing} if routing else {})), encoding="utf-8")
    return file


def named(words, experiment, folder):
    """The program's words on a file of this module as words on the experiment from which it comes."""
    return re.sub(rf"{re.escape(str(_place(folder)))}(:\d+:\d+)?", str(experiment.file), words)


def _place(folder):
    return pathlib.Path(folder) / "one_class.json"


class Plan(NamedTuple):
    """A routing and the virtual channels that it has: `count` from `first` on."""
    routing: dict
    first: int
    count: int


class Leg:
    """A routing without draws on the virtual channels of a Plan. Packets enter on all VCs and leave the network on all VCs."""

    def __init__(self, plan, entries, network, vcs):
        """@param entries  {router: [{destination: Answer}]}, with a table for each of `plan.count` VCs of each input."""
        self._plan, self._entries, self._every = plan, entries, (1 << vcs) - 1
        self._injections = {node.injection.router: node.injection for node in network.nodes}
        self._from_nodes = {node.injection for node in network.nodes}
        self._ejections = {node.ejection for node in network.nodes}

    def from_node(self, end):
        return end in self._from_nodes

    def answer(self, end, vc, destination, starts=False):
        """The Answer at an input VC; None if no packet of this leg comes there.

        @param starts  The packet begins its leg here, where it is routed as if a node had injected it.
        """
        if starts or self.from_node(end):
            end, number = self._injections[end.router], 0
        else:
            number = vc - self._plan.first
        if not 0 <= number < self._plan.count:
            return None
        found = self._entries[end.router][end.port * self._plan.count + number].get(destination)
        if found and self.ejects(end, found):
            return found._replace(vcs=self._every)
        return found and found._replace(vcs=found.vcs << self._plan.first)

    def ejects(self, end, answer):
        return Port(end.router, answer.output) in self._ejections
