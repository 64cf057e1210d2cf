# SPDX-License-Identifier: Apache-2.0
"""Reasons why a network cannot be exported, each with its place and a hint."""
MOST_VCS = 128  # The inputs of a router have no more together, nor have its outputs: in RTL, and in the model where its wires are traced.


class ExportError(ValueError):
    """A network that cannot be exported; `refusals` has a line for each reason."""

    def __init__(self, refusals):
        super().__init__("\n".join(refusals))
        self.refusals = list(refusals)


def _router_rules(router):
    """(Key, the rule is broken, reason, hint) for each key of a router."""
    kind = router["kind"]
    yield ("kind", kind not in ("wormhole", "virtual_cut_through", "store_and_forward"), f"{kind} routers are not exported",
           "use wormhole, virtual_cut_through or store_and_forward")
    yield "priority", router.get("priority", "fifo") != "fifo", f"queues in the order {router.get('priority')} have no RTL", "use fifo"
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
    found += [(f"link.{name}", "buffers of RTL are alike", "leave buffer_depth out there") for name in _own_depths(config["link"])]
    if config["node"].get("ports", "one") != "one":
        found.append(("node.ports", "a node has one channel each way in RTL", "use one, or several nodes at a router"))
    if config["node"].get("reply_queue", 0):
        found.append(("node.reply_queue", "nodes of the testbench accept every packet", "use 0"))
    return [f"{file}: {key}: {reason}; {hint}" for key, reason, hint in found]


def _own_depths(link):
    """The names of classes and exceptions whose buffers differ."""
    yield from (f"classes.{name}" for name, values in link.get("classes", {}).items() if values.get("buffer_depth"))
    yield from (f"exceptions[{n}]" for n, values in enumerate(link.get("exceptions", [])) if values.get("buffer_depth"))


def refusals_of_network(file, network, vcs):
    """A line for each part of a network that is beyond the RTL."""
    found = []
    widest = max((max(router.inputs, router.outputs) for router in network.routers.values()), default=0)
    if widest << (vcs - 1).bit_length() > MOST_VCS:
        found.append(f"{file}: router.virtual_channels: a side of a router has at most {MOST_VCS} together, where those of a port count as a power "
                     f"of two, and there are {vcs} at {widest} ports; use {_fitting(widest)}")
    return found


def _fitting(ports):
    """The most VCs of so wide a router."""
    return 1 << (MOST_VCS // ports).bit_length() - 1 if ports <= MOST_VCS else "fewer ports"
