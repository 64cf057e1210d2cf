# SPDX-License-Identifier: Apache-2.0
"""Routers that store whole packets: which ones do, the numbers of their packets, and the wires of the model that show their credits.

A queue in such a router has packets in the order in which they join it. Of those that join in the same clock the one with the smallest
number goes first, which has the source in its upper bits and counts the packets of the source in its lower ones.
"""
import collections

MOST_PACKETS = 256  # Slots of a router, each with a flip-flop for each other one.


def stores_packets(config):
    return config["router"]["kind"] == "store_and_forward"


def most_of_a_source(packets):
    """The packets of the source that has most."""
    return max(collections.Counter(packet.source for packet in packets).values(), default=1)


def number_of(name, serial_width):
    """The number of a packet by its name in the model: the source, a point, and how many packets the source has created before."""
    source, serial = map(int, name.split("."))
    return source << serial_width | serial


def at_once_refused(file, config, packets):
    """A line if packets of one flit may leave routers in the cycle in which they arrive, because the model's log of flits lacks them."""
    pipeline = config["router"].get("pipeline", {})
    if not stores_packets(config) or pipeline["route"] + pipeline["vc_allocation"] or min((packet.length for packet in packets), default=2) > 1:
        return []
    return [f"{file}: router.pipeline: with route and vc_allocation 0 the model has no log of packets of one flit that leave at once, so that there "
            "are no vectors; use route: 1, or packets of two flits and more"]


def slots_refused(file, network, config):
    """A line if a router has more slots for packets than RTL."""
    router, inputs = config["router"], max(ports.inputs for ports in network.routers.values())
    slots = inputs * router.get("virtual_channels", 1) * router.get("buffer_depth", 1)
    if not stores_packets(config) or slots <= MOST_PACKETS:
        return []
    fitting = MOST_PACKETS // (inputs * router["virtual_channels"])
    return [f"{file}: router.buffer_depth: a router has slots for {slots} packets, and one of RTL for at most {MOST_PACKETS}; use "
            f"{fitting or 'fewer virtual_channels'}"]
