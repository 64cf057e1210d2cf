# SPDX-License-Identifier: Apache-2.0
"""Routings whose sources draw a part of the path of each packet, composed of routings without draws."""
import itertools
from typing import NamedTuple

from .classes import ranges_of
from .design import width_of
from .grids import Mirror, grid_of
from .legs import Leg, Plan, exported_table
from .tables import ANY, read_entries


class Field(NamedTuple):
    """A part of the header above the destination: a source draws its value from 0 to values - 1."""
    values: int
    meaning: str

    @property
    def width(self):
        return width_of(self.values)


def draws_of(fields):
    """All values of the fields together, as tuples."""
    return itertools.product(*(range(field.values) for field in fields))


class Drawn:
    """A routing composed of others: `plans` has these and their VCs.

    On a torus its sources toss a coin for each dimension in which packets can go half way round.
    """
    plans = ()
    undrawn = "a routing without draws"  # The nearest one, for a hint.

    def __init__(self, config, routers):
        del routers
        self._vcs = self.starts = config["router"].get("virtual_channels", 1)
        self._grid = grid_of(config["topology"])
        self.fields = tuple(Field(2, f"at exactly half way round dimension {dimension}: 0 goes plus, 1 minus") for dimension in self._grid.even)

    def refusal(self, config):
        if ranges_of(config):
            return "workload.classes", "sources that draw paths have one class of messages in RTL", f"use {self.undrawn}, or no classes"
        return None

    def texts(self, experiment, config, folder):
        return [exported_table(experiment, config, plan.count, folder, plan.routing) for plan in self.plans]

    def _halves(self):
        """(First VC, number of VCs) of the lower and of the upper part."""
        upper = self._vcs // 2
        return (0, self._vcs - upper), (self._vcs - upper, upper)

    def _legs(self, text, plan, network):
        """{tosses: Leg} of the table of a plan, whose ties go plus."""
        entries = read_entries(text, network, plan.count)
        return {tosses: Leg(plan, self._mirror(tosses).entries(entries, plan.count), network, self._vcs)
                for tosses in itertools.product(range(2), repeat=len(self._grid.even))}

    def _mirror(self, tosses):
        return Mirror(self._grid, tuple(dimension for dimension, minus in zip(self._grid.even, tosses) if minus))


def follow_leg(reach, leg, draws, network):
    """Follows packets that go from their source to their destination by one leg."""
    for destination in range(len(network.nodes)):
        reach.follow((destination, *draws), reach.starts, lambda end, vc, to=destination: leg.answer(end, vc, to))


class Coins(Drawn):
    """Dimension order whose ties are broken by coins."""
    undrawn = "routing.tie: plus"

    def __init__(self, config, routers):
        super().__init__(config, routers)
        self.fields = self.fields if config["routing"].get("tie") == "coin" else ()
        self.plans = [Plan(config["routing"] | {"tie": "plus"}, 0, self._vcs)]

    def follow(self, reach, texts, network):
        for tosses, leg in self._legs(texts[0], self.plans[0], network).items():
            follow_leg(reach, leg, tosses, network)


class O1Turn(Drawn):
    """Dimension order in ascending or descending order by a coin: ascending in the first V - V/2 VCs, descending in the others."""

    def __init__(self, config, routers):
        super().__init__(config, routers)
        self.fields += (Field(2, "order of the dimensions: 0 ascending (XY), 1 descending (YX)"),)
        classes = config["routing"]["vc_classes"] if self._vcs > 3 else "none"
        self.plans = [Plan({"kind": "dimension_order", "order": order, "tie": "plus", "vc_classes": classes}, *vcs)
                      for order, vcs in zip(("ascending", "descending"), self._halves())]

    def follow(self, reach, texts, network):
        for order, (text, plan) in enumerate(zip(texts, self.plans)):
            for tosses, leg in self._legs(text, plan, network).items():
                follow_leg(reach, leg, (*tosses, order), network)


class TwoPhase(Drawn):
    """To an intermediate router in the first V - V/2 VCs, then to the destination in the others, where packets begin as at their source."""

    def __init__(self, which, config, routers):
        """@param which  The routers among which a source draws, for README.md."""
        super().__init__(config, routers)
        self.fields += (Field(routers, f"intermediate router, {which}"),)
        self._phase = _dimension_order if self._grid.sizes else PHASES.get(config["topology"]["kind"])
        self.plans = [Plan(self._phase(self._grid, count), first, count) for first, count in self._halves()] if self._phase else []

    def refusal(self, config):
        if self._phase is None:
            kind = config["topology"]["kind"]
            return "routing.kind", f"the phases on a {kind} draw among shortest paths, of which there is no table", "use shortest_path or up_down"
        return super().refusal(config)

    def follow(self, reach, texts, network):
        first, second = (self._legs(text, plan, network) for text, plan in zip(texts, self.plans))
        routers = {node.ejection.router: number for number, node in enumerate(network.nodes)}
        for tosses in first:
            for router, node in routers.items():
                self._follow(reach, (first[tosses], second[tosses]), (*tosses, router), node, len(network.nodes))

    def _follow(self, reach, legs, draws, node, nodes):
        """Follows packets by way of router draws[-1], which has the node `node`."""
        lower = self.plans[0].count
        middle = reach.follow((ANY, *draws), reach.starts, lambda end, vc: legs[0].answer(end, vc, node) if end.router != draws[-1] else None)
        for destination in range(nodes):
            reach.follow((destination, *draws), middle, lambda end, vc, to=destination: legs[1].answer(end, vc, to, starts=vc < lower))


def _dimension_order(grid, vcs):
    return {"kind": "dimension_order", "tie": "plus", "vc_classes": "dally_seitz_fixed" if grid.needs_classes and vcs > 1 else "none"}


def _e_cube(grid, vcs):
    del grid, vcs
    return {"kind": "e_cube", "order": "msb"}


# The routing of a phase by the kind of a topology that is no grid, as phase_maker() of models/routing/two_phase.cpp has it.
PHASES = dict.fromkeys(("hypercube", "flattened_butterfly", "hyperx"), _e_cube)
