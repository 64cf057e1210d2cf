# SPDX-License-Identifier: Apache-2.0
"""Minimal adaptive routing on tori whose sources toss coins for the escape channels."""
from .choices import Choice
from .draws import Drawn
from .legs import Plan
from .tables import Answer
from .tosses import tosses_of


class MinimalAdaptive(Drawn):
    """Any output that leads nearer on the adaptive VCs, beside dimension order on the first VCs, by which packets go on once they are there.

    At exactly half way round a dimension both directions lead nearer, and a coin of the source breaks the tie on the escape channels.
    """
    undrawn = "odd sizes of a torus"

    def __init__(self, config, routers):
        super().__init__(config, routers)
        self.fields = tuple(field._replace(meaning=f"on escape channels, {field.meaning}") for field in self.fields)
        classes = self._grid.needs_classes
        self.plans = [Plan({"kind": "dimension_order", "tie": "plus", "vc_classes": "dally_seitz" if classes else "none"}, 0, 1 + classes)]
        if config["routing"]["escape"] == "none":
            self.fields = ()

    def follow(self, reach, texts, network):
        for tosses, leg in self._legs(texts[0], self.plans[0], network).items():
            for destination in range(len(network.nodes)):
                reach.follow((destination, *tosses), reach.starts,
                             lambda end, vc, to=destination, leg=leg: self._choice(leg, end, vc, to))

    def _choice(self, leg, end, vc, destination):
        """The Choice at an input VC. The VC classes of escape channels depend on the router alone, not on the input VC."""
        escape = leg.answer(end, vc, destination, starts=True)
        on_escape = vc < self.plans[0].count and not leg.from_node(end)
        if leg.ejects(end, escape) or on_escape:
            return Choice(((escape,),))
        adaptive = (1 << self._vcs) - (1 << self.plans[0].count)
        return Choice(((escape,), tuple(Answer(output, adaptive) for output in self._grid.nearer(end.router, destination))))

    def draws(self, packet):
        """The coins of a packet, which its path does not tell: an escape channel that it could have taken counts, too."""
        return tuple(tosses_of(packet) >> dimension & 1 for dimension in self._grid.even)
