# SPDX-License-Identifier: Apache-2.0
"""Reasons why a network cannot be exported, each with its place and a hint."""
MOST_VCS = 128  # The inputs of a router have no more together, nor have its outputs.


class ExportError(ValueError):
    """A network that cannot be exported; `refusals` has a line for each reason."""

    def __init__(self, refusals):
        super().__init__("\n".join(refusals))
        self.refusals = list(refusals)


def _router_rules(router):
    """(Key, the rule is broken, reason, hint) for each key of a router."""
    kind = router["kind"]
    yield "kind", kind not in ("wormhole", "virtual_cut_through"), f"{kind} routers are not exported", "use wormhole or virtual_cut_through"
    yield ("allocator", router.get("allocator", "input_first") != "input_first",
           f"the allocator {router.get('allocator')} has no RTL", "use input_first")
    yield "iterations", router.get("iterations", 1) != 1, "an allocation has one round in RTL", "use 1"
    yield "speculation", router.get("speculation", False), "speculation has no RTL", "use false, and a pipeline with vc_allocation: 0"
    yield "input_speedup", router.get("input_speedup", 1) != 1, "a port has one input of the switch in RTL", "use 1"
    yield "vc_reuse", router.get("vc_reuse", "tail") != "tail", "an output VC is free after the tail in RTL", "use tail"
    yield ("arbitration", router.get("arbitration", "round_robin") != "round_robin",
           f"arbitration by {router.get('arbitration')} has no RTL", "use round_robin")


def refusals_of_keys(file, config):
    """A line for each key of an experiment that has no equal RTL."""
    found = [(f"router.{key}", reason, hint) for key, broken, reason, hint in _router_rules(config["router"]) if broken]
    if config["link"].get("cycles_per_flit", 1) != 1:
        found.append(("link.cycles_per_flit", "channels of RTL carry a flit in every cycle", "use 1"))
    if config["node"].get("ports", "one") != "one":
        found.append(("node.ports", "a node has one channel each way in RTL", "use one, or several nodes at a router"))
    if config["node"].get("reply_queue", 0):
        found.append(("node.reply_queue", "nodes of the testbench accept every packet", "use 0"))
    return [f"{file}: {key}: {reason}; {hint}" for key, reason, hint in found]


def refusals_of_network(file, network, vcs):
    """A line for each part of a network that is beyond the RTL."""
    found = []
    for link in network.links:
        if link.cycles_per_flit != 1:
            found.append(f"{file}: the channel from router {link.source.router} to {link.target.router} takes {link.cycles_per_flit} cycles "
                         "for a flit, and channels of RTL carry one in every cycle; use 1")
    widest = max((max(router.inputs, router.outputs) for router in network.routers.values()), default=0)
    if widest * vcs > MOST_VCS:
        found.append(f"{file}: router.virtual_channels: {vcs} for each of {widest} ports are more than the {MOST_VCS} of a side of a router; "
                     f"use {MOST_VCS // widest or 'fewer ports and 1'}")
    return found
