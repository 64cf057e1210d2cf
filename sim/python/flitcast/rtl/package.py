# SPDX-License-Identifier: Apache-2.0
"""The package of a design: its widths and parameters."""


def _buffers(shape):
    if not shape.longest:
        return [("Depth", shape.depth, "Flits in the buffer of a VC, and credits for it.")]
    return [("NumSlots", shape.depth, "Packets in the buffer of a VC, and credits for it."),
            ("MaxLength", shape.longest, "Flits of the longest packet."),
            ("PacketWidth", shape.flit.packet, "Bits: the number of the packet."),
            ("FlitTime", shape.flit_time, "Clocks of all channels from one flit to the next.")]


def package_text(design, classes=None):
    """The package; with a number of classes for streams, what these need."""
    shape = design.shape
    values = [
        ("NumVcs", shape.vcs, "Virtual channels of every port."),
        ("VcWidth", shape.vc_width, "Bits of the number of a VC."),
        *_buffers(shape),
        ("HeaderWidth", shape.flit.header, f"Bits: the node that the packet goes to{', and above it draws of its source' if shape.flit.draws else ''}."),
        ("RemainingWidth", shape.flit.remaining, "Bits: flits of the packet that follow."),
        ("PayloadWidth", shape.flit.payload, "Bits."),
        ("FlitWidth", shape.flit.width, f"Bits: header, remaining, head, {'number of the packet, ' if shape.longest else ''}payload."),
        ("FlightWidth", 1 + shape.vc_width + shape.flit.width, "Bits of a channel: valid, VC, flit."),
        ("CreditWidth", 1 + shape.vc_width, "Bits of the way back: valid, VC."),
        ("RouteCycles", shape.route_cycles, "Stages of a router."),
        ("VcAllocationCycles", shape.vc_allocation_cycles, ""),
        ("DepartureCycles", shape.departure_cycles, "Switch allocation and traversal."),
        *([] if shape.longest else [("WholePacketCredit", int(shape.whole_packets), "1: virtual cut-through.")]),
    ]
    if shape.levels:
        values += [("NumLevels", shape.levels, "Levels of priority of outputs."),
                   ("ByCredits", int(shape.by_credits), "1: packets prefer outputs with the most credits; 0: in turn.")]
    else:
        values.append(("AnyVc", int(shape.any_vc), "1: packets take any VC of their output."))
    if classes:
        longest = min(shape.depth, 1 << shape.flit.remaining) if shape.whole_packets else 1 << shape.flit.remaining
        values += [("MaxFlits", longest, "Flits of the longest packet."), ("NumClasses", classes, "Streams of a node each way."),
                   ("StreamWidth", classes * shape.flit.payload, "Bits of tdata of all classes."),
                   ("StreamDestWidth", classes * shape.flit.header, "Bits of tdest of all classes.")]
    lines = [f"  localparam int {name:<18} = {value};" + (f"  // {comment}" if comment else "") for name, value, comment in values]
    return "\n".join([f"// Widths and parameters of {design.name}.", f"package {design.name}_pkg;", *lines, "endpackage"]) + "\n"
