# SPDX-License-Identifier: Apache-2.0
"""The routing of an experiment as tables.

Routers read in the header what a source has drawn, beside the destination. The program writes no table of such a routing, but those of
routings without draws of which it is composed. Each class of CATALOG has

    fields                             the Fields that a source draws
    refusal(config)                    (key, reason, hint) where it cannot be composed, else None
    texts(experiment, config, folder)  the tables of the program in CSV
    follow(reach, texts, network)      puts the answers to all headers into a Reach
    starts                             the number of virtual channels, from 0, on which packets begin, where there are no classes of messages
"""
import functools

from .classes import routing_table
from .detours import DragonflyValiant, NearestCommonAncestor
from .dies import Hierarchical
from .draws import Coins, O1Turn, TwoPhase
from .escapes import MinimalAdaptive
from .tables import read_entries


class QueueWeighing:
    """A routing some of whose routers choose once for each packet, by their queues."""
    fields = ("queues",)  # Not empty, so that routing_of() does not take Undrawn.

    def __init__(self, choice, nearest, config, routers):
        """@param nearest  Routings that are exported, by the kind of the topology, and under None for the others."""
        del routers
        self._choice, self._nearest = choice, nearest.get(config["topology"]["kind"], nearest[None])

    def refusal(self, config):
        del config
        return "routing.kind", f"{self._choice}, which has no RTL", f"use {self._nearest}"


class Undrawn:
    """A routing whose sources draw nothing."""
    fields = ()

    def __init__(self, config, routers):
        del routers
        self._vcs = self.starts = config["router"].get("virtual_channels", 1)

    @staticmethod
    def refusal(config):
        del config

    @staticmethod
    def texts(experiment, config, folder):
        return [routing_table(experiment, config, folder)]

    def follow(self, reach, texts, network):
        entries = read_entries(texts[0], network, self._vcs)
        for destination in range(len(network.nodes)):
            reach.follow((destination,), reach.starts,
                         lambda end, vc, to=destination: entries[end.router][end.port * self._vcs + vc].get(to))


CATALOG = {
    "dimension_order": Coins,
    "o1turn": O1Turn,
    "valiant": functools.partial(TwoPhase, "any"),
    "romm": functools.partial(TwoPhase, "one in the smallest box, or subcube, that holds those of source and destination"),
    "y_x_y": functools.partial(TwoPhase, "one that differs from that of the source in the last coordinate only"),
    "minimal_adaptive": MinimalAdaptive,
    "dragonfly_valiant": DragonflyValiant,
    "nearest_common_ancestor": NearestCommonAncestor,
    "ugal": functools.partial(QueueWeighing, "routers weigh their queues to choose between the minimal path and a detour", {
        "dragonfly": "dragonfly_minimal, or dragonfly_valiant without leaves", "slim_fly": "shortest_path", "jellyfish": "shortest_path", "xpander": "shortest_path",
        "mesh": "valiant or o1turn", "torus": "valiant or o1turn", None: "valiant"}),
    "adaptive_xy_yx": functools.partial(QueueWeighing, "the first router of a packet weighs its queues to choose between XY and YX",
                                        {None: "o1turn or odd_even"}),
    "adaptive_ascent": functools.partial(QueueWeighing, "routers draw two parents and weigh their queues to choose between these",
                                         {None: "nearest_common_ancestor, or shortest_path with tie: adaptive"}),
    "hierarchical": Hierarchical,
}


def routing_of(config, routers):
    """The routing of an experiment with that many routers."""
    routing = CATALOG.get(config["routing"]["kind"], Undrawn)(config, routers)
    return routing if routing.fields or isinstance(routing, Hierarchical) else Undrawn(config, routers)
