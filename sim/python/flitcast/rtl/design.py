# SPDX-License-Identifier: Apache-2.0
"""The design to be written in SystemVerilog: routers, the channels between them, and the ports to the outside."""
from typing import NamedTuple

from .choices import levels_of
from .network import Port
from .stored import stores_packets

ODD = "9e3779b97f4a7c15"  # Digits of an odd number whose multiples have varied bits.


class Flit(NamedTuple):
    """Widths of the fields of a flit, from the lowest bit; a bit of the head is behind remaining.

    The header is the destination and, above it, what the source has drawn. Only routers that store packets read their numbers.
    """
    destination: int
    draws: tuple
    remaining: int
    payload: int
    packet: int = 0

    @property
    def header(self):
        return self.destination + sum(self.draws)

    @property
    def fields(self):
        """Widths of the fields of the header, from the lowest bit."""
        return (self.destination, *self.draws)

    @property
    def width(self):
        return self.header + self.remaining + 1 + self.packet + self.payload

    def header_word(self, key):
        """The header as a number: (destination, draw, ...)."""
        return sum(value << sum(self.fields[:field]) for field, value in enumerate(key))

    def word(self, key, followers, is_head, number, packet=0):
        """A flit as a number; the payload spreads `number` over all of its bits, and differs for numbers that it can tell apart.

        @param key     Of the header: (destination, draw, ...).
        @param packet  The number of the packet.
        """
        payload = number * int(ODD * (self.payload // 64 + 1), 16) & (1 << self.payload) - 1
        head = self.header + self.remaining
        return self.header_word(key) | followers << self.header | is_head << head | packet << head + 1 | payload << head + 1 + self.packet


class Shape(NamedTuple):
    """Parameters that all routers share."""
    vcs: int
    depth: int             # Flits of a VC's buffer, or packets in routers that store them.
    route_cycles: int
    vc_allocation_cycles: int
    departure_cycles: int
    whole_packets: bool
    any_vc: bool
    levels: int       # Levels of priority of the outputs among which packets choose; 0: each packet has one output.
    by_credits: bool  # Packets prefer the output with the most credits, else in turn.
    flit: Flit
    longest: int = 0       # Flits of a packet in routers that store packets; 0: routers of flits.
    flit_time: int = 1     # Cycles after its last flit until such a packet is stored.

    @property
    def vc_width(self):
        return max((self.vcs - 1).bit_length(), 1)


class Outside(NamedTuple):
    """A port of the design: its name, the port of a router behind it, and the cycles of flits and credits between the two."""
    name: str
    port: Port
    latency: int
    credit_latency: int


class Design(NamedTuple):
    name: str      # The top module.
    family: str    # First part of the names of modules.
    shape: Shape
    routers: dict  # By number.
    links: list
    inputs: list   # Ports where flits enter.
    outputs: list
    tables: dict   # By router.
    groups: str    # Owner of a port group: node, or port.


def width_of(count):
    """Bits of numbers below `count`, at least 1."""
    return max((count - 1).bit_length(), 1)


def shape_of(config, tables, flit, longest):
    """The Shape of the routers of an experiment whose packets have up to `longest` flits."""
    router = config["router"]
    pipeline, every = router["pipeline"], (1 << router["virtual_channels"]) - 1
    answers = [answer for tables_of in tables.values() for table in tables_of.tables for answer in table.values()]
    return Shape(router["virtual_channels"], router["buffer_depth"], pipeline["route"], pipeline["vc_allocation"],
                 pipeline["switch_allocation"] + pipeline["traversal"], router["kind"] == "virtual_cut_through",
                 all(option.vcs == every for answer in answers for option in answer.options), levels_of(answers),
                 config["routing"].get("selection") == "free_credits", flit, longest if stores_packets(config) else 0,
                 config["link"]["cycles_per_flit"])


def whole_network(name, shape, network, tables):
    """The design of a network, with a port group for each node."""
    inputs = [Outside(f"node_{n}", node.injection, node.latency, node.credit_latency) for n, node in enumerate(network.nodes)]
    outputs = [Outside(f"node_{n}", node.ejection, node.latency, node.credit_latency) for n, node in enumerate(network.nodes)]
    return Design(name, name, shape, network.routers, network.links, inputs, outputs, tables, "node")


def one_router(name, shape, network, tables, router):
    """The design of one router, with a port group for each of its ports and no channels."""
    ports = network.routers[router]
    inputs = [Outside(f"port_{p}", Port(router, p), 0, 0) for p in range(ports.inputs)]
    outputs = [Outside(f"port_{p}", Port(router, p), 0, 0) for p in range(ports.outputs)]
    return Design(f"{name}_router_{router}", name, shape, {router: ports}, [], inputs, outputs, {router: tables[router]}, "port")
