# SPDX-License-Identifier: Apache-2.0
"""Routing across dies (chiplets): a routing from die to die and one within them, composed as models/routing/hierarchical.cpp composes them."""
import json
from typing import NamedTuple

from ..program import FlitcastError, call
from .classes import ranges_of
from .draws import Field, draws_of
from .grids import Mirror, grid_of
from .legs import alone_file, exported_table
from .network import Port, read_network
from .tables import Answer, read_entries


class Part(NamedTuple):
    """A die, or the network whose routers are the dies: its channels, and its routing on `vcs` virtual channels."""
    network: object
    entries: dict  # {router: [{destination: Answer}]}, with a table for each VC of each input.
    vcs: int
    grid: object

    def mirrored(self, minus):
        """The part in which packets at exactly half way round a dimension of `minus` go that way."""
        mirror = Mirror(self.grid, tuple(dimension for dimension in minus if dimension in self.grid.even))
        return self._replace(entries=mirror.entries(self.entries, self.vcs)) if mirror.dimensions else self

    def answer(self, router, port, vc, destination):
        return self.entries[router][port * self.vcs + vc].get(destination)


def coins_of(config, part):
    """The dimensions of a part in which sources toss a coin."""
    return grid_of(config["topology"][part]).even if config["routing"][part].get("tie") == "coin" else []


def read_part(experiment, config, part, least, folder):
    """The Part of a hierarchy with at least `least` virtual channels, and as few as its routing accepts; and the table in CSV."""
    routing = config["routing"][part] | ({"tie": "plus"} if coins_of(config, part) else {})
    alone = config | {"topology": config["topology"][part], "link": {"latency": 1}}
    for vcs in range(least, config["router"]["virtual_channels"] + 1):
        try:
            text = exported_table(experiment, alone, vcs, folder, routing)
            break
        except FlitcastError:
            if vcs == config["router"]["virtual_channels"]:
                raise
    graph = call("export", "graph", alone_file(experiment, alone, vcs, folder, routing), "--format", "node_link")
    count = sum(node.get("kind") != "terminal" for node in json.loads(graph)["nodes"])
    network = read_network(graph, config, count)
    return Part(network, read_entries(text, network, vcs), vcs, grid_of(config["topology"][part])), text


class Hierarchical:
    """A class of virtual channels for packets that begin in a die, and one for each pair of a port from another die and a VC there."""

    def __init__(self, config, routers):
        del routers
        self._vcs = config["router"].get("virtual_channels", 1)
        self._coins = sorted({*coins_of(config, "within"), *coins_of(config, "between")})
        self.fields = tuple(Field(2, f"at exactly half way round dimension {dimension} of a die, or of the dies: 0 goes plus, 1 minus")
                            for dimension in self._coins)

    @staticmethod
    def refusal(config):
        if ranges_of(config):
            return "workload.classes", "the virtual channels of hierarchical are those of one class of messages in RTL", "use no classes, or up_down"
        return None

    def texts(self, experiment, config, folder):
        self._between, between = read_part(experiment, config, "between", 1, folder)
        self._within, within = read_part(experiment, config, "within", 1, folder)
        share = self._vcs // (1 + ports_of(self._between.network) * self._between.vcs)
        if share > self._within.vcs:
            self._within, within = read_part(experiment, config, "within", share, folder)
        self._at, ports = config["topology"]["at"], ports_of(self._between.network)
        if len(self._at) > ports:
            self.fields += (Field(len(self._at) // ports, "plane: which of the parallel channels between dies a packet takes"),)
        return [within, between]

    @property
    def starts(self):
        return self._within.vcs

    def follow(self, reach, texts, network):
        del texts
        for draws in draws_of(self.fields):
            minus = [dimension for dimension, toss in zip(self._coins, draws) if toss]
            plane = draws[-1] if len(draws) > len(self._coins) else 0
            dies = Dies(self._within.mirrored(minus), self._between.mirrored(minus), self._at, network, self._vcs)
            for destination in range(len(network.nodes)):
                reach.follow((destination, *draws), reach.starts, lambda end, vc, to=destination: dies.answer(end, vc, to, plane))


def ports_of(between):
    """The ports of a die that lead to others, connected or not."""
    return 1 + max(end.port for link in between.links for end in (link.source, link.target))


class Arrival(NamedTuple):
    """The input by which a packet has come into its die, of those of the network of dies, and its virtual channel there; None: from a node."""
    port: int
    channel: int = 0


class Dies:
    """The routing of a network of dies for packets that have drawn the same coins."""

    def __init__(self, within, between, at, network, vcs):
        """@param at  The boundary router of each port of a die, plane by plane, or one for all."""
        self._within, self._between, self._vcs, self._ports = within, between, vcs, ports_of(between.network)
        self._at = at if len(at) > 1 else at * self._ports
        self._size, self._nodes = len(within.network.routers), len(within.network.nodes)
        crossing = [link for link in network.links if link.source.router // self._size != link.target.router // self._size]
        self._outputs = self._gates({link.source for link in crossing}, {link.source for link in between.network.links})
        inputs = self._gates({link.target for link in crossing}, {link.target for link in between.network.links})
        self._port_behind = {end: gate % self._ports for (_, gate), end in inputs.items()}
        self._from_nodes = {node.injection for node in network.nodes}
        self._homes = {node.injection.router: number for number, node in reversed(list(enumerate(within.network.nodes)))
                       if node.injection.router == node.ejection.router}

    def _gates(self, ends, ends_between):
        """{(die, index in `at`): Port} of one direction: at a router the ports to other dies ascend like the indices."""
        found = {}
        for router in {end.router for end in ends}:
            die, inside = divmod(router, self._size)
            gates = [gate for gate, at in enumerate(self._at) if at == inside and Port(die, gate % self._ports) in ends_between]
            found |= {(die, gate): end for gate, end in zip(gates, sorted(end for end in ends if end.router == router))}
        return found

    def answer(self, end, vc, destination, plane):
        """The Answer at an input VC; None where no packet comes."""
        arrival, die = self._arrival(end, vc), end.router // self._size
        if arrival is None:
            return None
        if die == destination // self._nodes:
            return self._in_die(end, vc, arrival, destination % self._nodes)
        port = self._between.network.nodes[die].injection.port if arrival.port is None else arrival.port
        behind = self._between.answer(die, port, arrival.channel, destination // self._nodes)
        gate = behind and plane * self._ports + behind.output
        if behind and self._at[gate] == end.router % self._size:
            return Answer(self._outputs[die, gate].port, self._spread(behind.vcs))
        return behind and self._in_die(end, vc, arrival, self._homes[self._at[gate]])

    def _arrival(self, end, vc):
        if end in self._port_behind:
            return Arrival(self._port_behind[end], vc * self._between.vcs // self._vcs)
        number = vc // self._within.vcs
        if number == 0:
            return Arrival(None)
        port, channel = divmod(number - 1, self._between.vcs)
        return Arrival(port, channel) if port < self._ports and end not in self._from_nodes else None

    def _in_die(self, end, vc, arrival, destination):
        """On the way to a node of the die; a packet from another die begins as if a node of the router had injected it."""
        router, first = end.router % self._size, self._first(arrival)
        if end in self._port_behind:
            port, number = self._within.network.nodes[self._homes[router]].injection.port, 0
        else:
            port, number = end.port, vc - first
        found = self._within.answer(router, port, number, destination)
        return found and found._replace(vcs=found.vcs << first)

    def _first(self, arrival):
        """The lowest virtual channel of the class of an arrival."""
        return 0 if arrival.port is None else (1 + arrival.port * self._between.vcs + arrival.channel) * self._within.vcs

    def _spread(self, vcs):
        """The virtual channels of a channel between dies for those of the routing between them, which are fewer."""
        return sum(1 << vc for vc in range(self._vcs) if vcs >> vc * self._between.vcs // self._vcs & 1)
