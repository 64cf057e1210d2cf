# SPDX-License-Identifier: Apache-2.0
"""Routings on dragonflies and trees whose sources draw a group or an ancestor."""
from .draws import Drawn, Field
from .legs import Leg, Plan
from .tables import Answer, read_entries

BEHIND_GLOBAL_LINK = 0b10  # VCs of minimal routing with two VCs.


class DragonflyValiant(Drawn):
    """To a group, then to the destination, each time as dragonfly_minimal. VCs are of three classes; each global link leads to the next."""

    def __init__(self, config, routers):
        super().__init__(config, routers)
        self._group_size = config["topology"]["routers"] or 2 * config["topology"]["nodes"]
        self.fields = (Field(routers // self._group_size, "group by which a packet goes to another one; that of its source or of its destination "
                                                          "stands for the direct path"),)
        self.plans = [Plan({"kind": "dragonfly_minimal"}, 0, 2)]

    def refusal(self, config):
        if config["topology"].get("leaves"):
            return "routing.kind", "detours through leaves and spines are not composed of minimal paths", "use dragonfly_minimal"
        return super().refusal(config)

    def follow(self, reach, texts, network):
        leg = Leg(self.plans[0], read_entries(texts[0], network, 2), network, self._vcs)
        groups = [node.ejection.router // self._group_size for node in network.nodes]
        for destination, last in enumerate(groups):
            for group in range(self.fields[0].values):
                targets = (destination, groups.index(group))
                reach.follow((destination, group), reach.starts, lambda end, vc, targets=targets, over=(last, group):
                             self._answer(leg, end, vc, targets[self._detours(leg, end, vc, over)]))

    def _detours(self, leg, end, vc, groups):
        """True for a packet that leaves the group of its source for a third one; `groups` are that of its destination and the one drawn."""
        return self._class(leg, end, vc) == 0 and end.router // self._group_size not in groups and groups[0] != groups[1]

    def _class(self, leg, end, vc):
        return 0 if leg.from_node(end) else next(number for number in range(3) if self._class_vcs(number) >> vc & 1)

    def _class_vcs(self, number):
        """The VCs of a class, as vc_share() of models/routing/vc_share.h divides them."""
        first, end = (share * self._vcs // 3 for share in (number, number + 1))
        return (1 << end) - (1 << first)

    def _answer(self, leg, end, vc, target):
        """The output of minimal routing to a node, and the VCs of the class behind it."""
        found = leg.answer(end, vc, target, starts=True)
        if leg.ejects(end, found):
            return found
        number = self._class(leg, end, vc) + (found.vcs == BEHIND_GLOBAL_LINK)
        return found._replace(vcs=self._class_vcs(min(number, 2)))


class NearestCommonAncestor(Drawn):
    """Up a tree to the parents that the draw names, until the destination is below, then down; on any VC."""

    def __init__(self, config, routers):
        super().__init__(config, routers)
        self.fields = (Field(roots_of(config["topology"]), "ancestor, by the number of the root above it: the same number leads from every switch "
                                                           "to the same root"),)
        if self.fields[0].values == 1:
            self.fields = ()

    def follow(self, reach, texts, network):
        tree = Tree(network)
        every = (1 << self._vcs) - 1
        for destination in range(len(network.nodes)):
            for root in range(self.fields[0].values):
                reach.follow((destination, root), reach.starts,
                             lambda end, vc, to=destination, by=root: Answer(tree.output(end.router, to, by), every))


def roots_of(topology):
    """The number of switches at the top of a tree."""
    return topology["spines"] if topology["kind"] == "folded_clos" else topology["arity"] ** (topology["levels"] - 1)


class Tree:
    """The outputs of the switches of a tree: downwards by the nodes below, upwards by port numbers, as models/routing/tree_ascent.h has it."""

    def __init__(self, network):
        self._down = {router: {} for router in network.routers}  # {node: output}
        self._up = {}      # Outputs to parents, ascending.
        self._copies = {}  # Switches at the top of the same subtree.
        for number, node in enumerate(network.nodes):
            self._down[node.ejection.router][number] = node.ejection.port
        level, copies = {node.ejection.router for node in network.nodes}, 1
        while level:
            level, copies = self._add_level(network, level, copies)

    def _add_level(self, network, level, copies):
        """Adds the switches of a level; returns those of the next level, and their number of copies."""
        above = [link for link in network.links if link.source.router in level and link.target.router not in self._up]
        for router in level:
            self._copies[router], self._up[router] = copies, sorted(link.source.port for link in above if link.source.router == router)
        parents = {link.target.router for link in above}
        for link in network.links:
            if link.source.router in parents and link.target.router in level:
                self._down[link.source.router].update(dict.fromkeys(self._down[link.target.router], link.source.port))
        return parents, copies * max((len(self._up[router]) for router in level), default=1)

    def output(self, router, node, root):
        if node in self._down[router]:
            return self._down[router][node]
        return self._up[router][root // self._copies[router] % len(self._up[router])]
