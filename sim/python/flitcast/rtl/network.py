# SPDX-License-Identifier: Apache-2.0
"""The routers, channels and nodes of an experiment, as `flitcast export graph` writes them."""
import json
from typing import NamedTuple


class Port(NamedTuple):
    """An input or an output of a router."""
    router: int
    port: int


class Link(NamedTuple):
    """A channel between routers: cycles of a flit and of a credit."""
    source: Port
    target: Port
    latency: int
    credit_latency: int
    cycles_per_flit: int = 1


class Channel(NamedTuple):
    """The channel behind an output of a router: cycles of a flit in flight, and from one flit to the next."""
    latency: int
    cycles_per_flit: int
    to_node: bool


class Router(NamedTuple):
    """The numbers of ports of a router, and what it has to know of the channels there."""
    inputs: int
    outputs: int
    channels: dict         # By output that has one.
    node_inputs: frozenset  # Inputs at which packets of nodes enter.


class Node(NamedTuple):
    """The ports at which the packets of a node enter and leave, and the cycles of its channels."""
    injection: Port
    ejection: Port
    latency: int
    credit_latency: int
    cycles_per_flit: int = 1  # From the router.


class Network(NamedTuple):
    routers: dict  # By number.
    links: list
    nodes: list
    numbers: dict  # Numbers of routers by name.


def _numbers(names, count):
    """The number of each router by its name. Where routers have failed the names are numbers."""
    if len(names) == count:
        return {name: number for number, name in enumerate(names)}
    return {name: int(name) for name in names}


NODE_LATENCY = 1  # Cycles of a flit between a node and its router, and of a credit where it takes as long.


def read_network(text, config, count):
    """The Network of a graph in node-link JSON; `count` routers, those that failed included.

    Raises ValueError for a graph whose routers have names of their own, of which some have failed.
    """
    graph = json.loads(text)
    latency, credits, pace = (config["link"][key] for key in ("latency", "credit_latency", "cycles_per_flit"))
    terminals = [node["id"] for node in graph["nodes"] if node.get("kind") == "terminal"]
    numbers = _numbers([node["id"] for node in graph["nodes"] if node.get("kind") != "terminal"], count)
    links, injections, ejections = [], {}, {}
    for edge in graph["links"]:
        source, target = edge["source"], edge["target"]
        if source in numbers and target in numbers:
            own = edge.get("latency", 0) or latency
            links.append(Link(Port(numbers[source], edge["output"]), Port(numbers[target], edge["input"]), own, credits or own,
                              edge.get("cycles_per_flit", 0) or pace))
        elif source in numbers:
            ejections[target] = Port(numbers[source], edge["output"])
        else:
            injections[source] = Port(numbers[target], edge["input"])
    nodes = [Node(injections[name], ejections[name], NODE_LATENCY, credits or NODE_LATENCY, pace) for name in terminals]
    return Network(_routers(numbers.values(), links, nodes), links, nodes, numbers)


def _routers(numbers, links, nodes):
    inputs = _ports_used([link.target for link in links] + [node.injection for node in nodes])
    channels = {link.source: Channel(link.latency, link.cycles_per_flit, False) for link in links}
    channels |= {node.ejection: Channel(node.latency, node.cycles_per_flit, True) for node in nodes}
    outputs, node_inputs = _ports_used(channels), {node.injection for node in nodes}
    return {router: Router(inputs.get(router, 1), outputs.get(router, 1),
                           {end.port: channel for end, channel in channels.items() if end.router == router},
                           frozenset(end.port for end in node_inputs if end.router == router)) for router in sorted(numbers)}


def _ports_used(ports):
    """The number of ports of each router up to the last one that has a channel."""
    counts = {}
    for end in ports:
        counts[end.router] = max(counts.get(end.router, 1), end.port + 1)
    return counts
