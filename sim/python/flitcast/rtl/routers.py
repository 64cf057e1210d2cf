# SPDX-License-Identifier: Apache-2.0
"""The block of rtl/ that is the router of a design, and its parameters for each router."""

BLOCKS = VC, ADAPTIVE, PACKET = "flitcast_vc_router", "flitcast_adaptive_router", "flitcast_packet_router"
COMMON = ("NumVcs", "HeaderWidth", "RemainingWidth", "PayloadWidth", "RouteCycles", "VcAllocationCycles", "DepartureCycles")


def router_block(shape):
    if shape.longest:
        return PACKET
    return ADAPTIVE if shape.levels else VC


def router_parameters(design, number):
    """[(parameter, value)] of a router; those that all routers share are in the package."""
    router, pkg = design.routers[number], f"{design.name}_pkg"
    own = ("NumSlots", "MaxLength", "PacketWidth", "FlitTime") if design.shape.longest else ("Depth", "WholePacketCredit")
    own += ("NumLevels", "ByCredits") if design.shape.levels else ("AnyVc",)
    parameters = [("NumInputs", router.inputs), ("NumOutputs", router.outputs)]
    parameters += [(name, f"{pkg}::{name}") for name in (*COMMON, *own)]
    return parameters + (_of_stored_packets(router) if design.shape.longest else _of_flits(router))


def _of_stored_packets(router):
    to_node = {output for output, channel in router.channels.items() if channel.to_node}
    return [("FromNode", _bits(router.inputs, router.node_inputs)), ("ToNode", _bits(router.outputs, to_node)),
            ("Latencies", _fields(router, "latency"))]


def _of_flits(router):
    slow = any(channel.cycles_per_flit > 1 for channel in router.channels.values())
    return [("FlitTimes", _fields(router, "cycles_per_flit"))] if slow else []


def _bits(width, members):
    return f"{width}'b" + "".join(str(int(port in members)) for port in reversed(range(width)))


def _fields(router, key):
    """32 bits for each output, the last one first, 1 where there is no channel."""
    values = [getattr(router.channels[output], key) if output in router.channels else 1 for output in reversed(range(router.outputs))]
    return f"{{{', '.join(f'32{chr(39)}d{value}' for value in values)}}}"
