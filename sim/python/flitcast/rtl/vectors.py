# SPDX-License-Identifier: Apache-2.0
"""Stimuli and expectations of a testbench, by the model.

Clock n is the time behind edge n until edge n + 1. A flit that a node injects in cycle n of the model is on the wires of that node
in clock n; one that arrives in a buffer in cycle n is on the wires of the router in clock n - 1; one that leaves a buffer in cycle
n wins the switch, and its credit goes back, in clock n.
"""
from typing import NamedTuple

from .network import Port

FLIT, CREDIT = 0, 1


class Event(NamedTuple):
    """A flit or a credit on the wires of a port, a number of the design's inputs or outputs."""
    clock: int
    kind: int
    port: int
    vc: int
    word: int = 0


class Vectors(NamedTuple):
    stimuli: list
    expected: list
    end: int        # The first clock that is not compared.


class Departure(NamedTuple):
    """A flit that leaves a router, and the clock in which it is on the wires of the output."""
    output: Port
    vc: int
    clock: int
    flit: int


def vectors_of(design, network, traffic):
    """The events at the ports of a design."""
    inputs = {outside.port: (number, outside) for number, outside in enumerate(design.inputs)}
    outputs = {outside.port: (number, outside) for number, outside in enumerate(design.outputs)}
    stimuli, expected = [], []
    for stay in traffic.stays:
        if Port(stay.router, stay.port) in inputs:
            number, outside = inputs[Port(stay.router, stay.port)]
            stimuli.append(Event(stay.arrived - 1 - outside.latency, FLIT, number, stay.vc, traffic.words[stay.flit]))
    for departure in departures(network, traffic, design.shape.departure_cycles):
        if departure.output in outputs:
            number, outside = outputs[departure.output]
            expected.append(Event(departure.clock + outside.latency, FLIT, number, departure.vc, traffic.words[departure.flit]))
    back = credits_behind(network, traffic)
    for found, outsides, sign, tokens_of in ((expected, inputs, 1, traffic.returned), (stimuli, outputs, -1, back)):
        for port, (number, outside) in outsides.items():
            found += [Event(token.clock + sign * outside.credit_latency, CREDIT, number, token.vc) for token in tokens_of.get(port, ())]
    return Vectors(*(sorted(event for event in events if event.clock < traffic.end) for events in (stimuli, expected)), traffic.end)


def departures(network, traffic, departure_cycles):
    """The Departure behind every stay in a buffer."""
    links = {link.target: link for link in network.links}
    for path in _paths(traffic.stays):
        for stay, behind in zip(path, path[1:]):
            link = links[Port(behind.router, behind.port)]
            yield Departure(link.source, behind.vc, stay.left + departure_cycles - 1, stay.flit)
    for number, node in enumerate(network.nodes):
        for stay, (clock, vc) in zip(traffic.last_stays[number], traffic.wires.flits[number]):
            yield Departure(node.ejection, vc, clock - node.latency, stay.flit)


def credits_behind(network, traffic):
    """{output: [Token]} of the credits that come back to the outputs of routers."""
    ends = {link.source: (link.credit_latency, traffic.returned.get(link.target, ())) for link in network.links}
    ends |= {node.ejection: (node.credit_latency, traffic.wires.credits[number]) for number, node in enumerate(network.nodes)}
    return {output: [token._replace(clock=token.clock + latency) for token in tokens] for output, (latency, tokens) in ends.items()}


def _paths(stays):
    """The stays of each flit, one behind the other."""
    paths = {}
    for stay in stays:
        paths.setdefault(stay.flit, []).append(stay)
    return (sorted(path, key=lambda stay: stay.arrived) for path in paths.values())
