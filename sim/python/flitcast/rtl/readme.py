# SPDX-License-Identifier: Apache-2.0
"""The README of an exported design, with its numbers."""
import textwrap

COLUMNS = 118


def readme_text(design, vectors, facts):
    parts = (_head(design, facts), _run(design, vectors), _port_group(design), _streams(design, facts), _flit(design, facts), _credits(design),
             _tables(design, facts), _nodes(design))
    return "\n".join(_wrapped(part) for part in parts if part)


def _wrapped(text):
    """The text with paragraphs in lines of equal length; tables, code and titles stay as they are."""
    return "\n\n".join(part if part.startswith(("|", "```", "#")) else textwrap.fill(part, COLUMNS, break_long_words=False, break_on_hyphens=False)
                       for part in text.strip("\n").split("\n\n")) + "\n"


def _unit(shape):
    """The unit of credits and of slots of buffers."""
    return "packet" if shape.longest else "flit"


def _units(shape):
    return f"{shape.depth} {_unit(shape)}{'s' if shape.depth > 1 else ''}"


def _clocks(number):
    return f"{number} clock" if number == 1 else f"{number} clocks"


def _head(design, facts):
    shape = design.shape
    kind = "store-and-forward" if shape.longest else "virtual cut-through" if shape.whole_packets else "wormhole"
    what = "one router" if design.groups == "port" else f"{len(design.routers)} routers, {len(design.links)} channels, {len(design.inputs)} nodes"
    return f"""# {design.name}

{facts.topology}, routing {facts.routing}: {what}, {kind}, {shape.vcs} VCs of {_units(shape)} at every input. Exported by flitcast
{facts.version}, whose model and this RTL take the same decisions in the same clocks.

| file | what |
|---|---|
| `{design.name}.sv` | the top module: routers, delay lines of the channels, ports |
| `{design.name}_pkg.sv` | widths and parameters |
| `{design.family}_route_N.sv` | the routing of router N, a table |
| `blocks/` | router, arbiters, buffers: the same for all networks |
| `{design.name}.f`, `{design.name}.core`, `Bender.yml` | the files in an order that compiles, for simulators, FuseSoC and Bender |
| `{design.name}.sdc` | a clock and delays for synthesis, to be adapted |
| `{design.name}_tb.sv`, `stimuli.txt`, `expected.txt` | a testbench with what the model says |
"""


def _run(design, vectors):
    name = design.name
    return f"""## Run the testbench

```sh
iverilog -g2012 -o {name}.vvp -c {name}.f {name}_tb.sv && vvp -n {name}.vvp
verilator --binary --assert -Wno-fatal --top-module {name}_tb -f {name}.f {name}_tb.sv && obj_dir/V{name}_tb
```

It plays {len(vectors.stimuli)} flits and credits and compares {len(vectors.expected)} that leave, clock by clock: it prints `PASS`, or the
first difference and ends with an exit code other than 0. A line of the files has a clock, 0 for a flit or 1 for a credit, the number of the
{design.groups}, the VC, and the flit in hexadecimal digits. Clock 0 ends with the first rising edge out of reset.

Yosys prints the cells:

```sh
yosys -q -p "read_verilog -sv $(tr '\\n' ' ' < {name}.f); synth -flatten -top {name}; tee -a /dev/stdout stat"
```
"""


def _port_group(design):
    vc, flit = design.shape.vc_width, design.shape.flit.width
    example = design.inputs[0].name
    other = design.outputs[0].name
    return f"""## Ports

`clk_i`, `rst_ni` (synchronous, active low), and a group for each {design.groups}:

| port | bits | what |
|---|---|---|
| `{example}_in_valid_i`, `_in_vc_i`, `_in_flit_i` | 1, {vc}, {flit} | a flit into the network, on a VC |
| `{example}_in_credit_valid_o`, `_in_credit_vc_o` | 1, {vc} | a slot of that VC's buffer is free again, for a {_unit(design.shape)} |
| `{other}_out_valid_o`, `_out_vc_o`, `_out_flit_o` | 1, {vc}, {flit} | a flit out of the network |
| `{other}_out_credit_valid_i`, `_out_credit_vc_i` | 1, {vc} | its receiver has room for another one |
"""


def _streams(design, facts):
    if not facts.stream_classes:
        return ""
    each = "each class of messages" if facts.stream_classes > 1 else "packets"
    return f"""## Streams

`{design.name}_streams` has AXI4-Stream ports instead, `node_0_s_*` into a node and `node_0_m_*` out of it, for {each}: tdata of
{design.shape.flit.payload} bits becomes the payload of a flit, tdest is {_tdest(facts)}, tlast ends it. A packet is stored
until its last beat. `blocks/` has the source, the sink, and a checker of the rules of a stream, which they instantiate.
"""


def _tdest(facts):
    return "the header of a packet (see Flits)" if facts.draws else "the number of the node that a packet goes to"


def _flit(design, facts):
    flit = design.shape.flit
    head = flit.header + flit.remaining
    number, payload = head + 1, head + 1 + flit.packet
    rows = [(f"[{flit.destination - 1}:0]", "destination: the number of a node, in every flit of a packet"), *_draws(flit, facts),
            (f"[{head - 1}:{flit.header}]", "remaining: flits of the packet that follow, 0 in the tail"), (f"[{head}]", "head: 1 in the first flit")]
    rows += [(f"[{payload - 1}:{number}]", "number of the packet, in its head; see Credits")] if flit.packet else []
    rows += [(f"[{flit.width - 1}:{payload}]", "payload, which routers do not read")] if flit.payload else []
    table = "\n".join(f"| `{bits}` | {what} |" for bits, what in rows)
    return f"""## Flits

| bits | field |
|---|---|
{table}

The flits of a packet follow each other on one VC; those of other packets may be between them on other VCs. A packet may start on {_start(design, facts)}.{_longest(design)}
{_drawing(facts)}"""


def _start(design, facts):
    if facts.classes:
        return "any VC of its class: " + ", ".join(facts.classes)
    if facts.starts == design.shape.vcs:
        return "any VC of its node"
    return f"any VC from 0 to {facts.starts - 1}" if facts.starts > 1 else "VC 0"


def _draws(flit, facts):
    """Rows on the fields that sources draw."""
    first = flit.destination
    for field, width in zip(facts.draws, flit.draws):
        bits = f"[{first + width - 1}:{first}]" if width > 1 else f"[{first}]"
        yield bits, f"drawn by the source, 0 to {field.values - 1}, in every flit: {field.meaning}"
        first += width


def _drawing(facts):
    if not facts.draws:
        return ""
    return """
The sender of a packet chooses the fields that the table calls drawn, in the model at random, and routers read them. The design draws nothing: it
takes the values that come with the flits. Those in the testbench lead each packet along its path in the model.
"""


def _longest(design):
    if design.shape.longest:
        return f" A packet has up to {design.shape.longest} flits."
    if not design.shape.whole_packets:
        return f" A packet has up to {1 << design.shape.flit.remaining} flits."
    return f" A packet has up to {min(design.shape.depth, 1 << design.shape.flit.remaining)} flits: a buffer must hold it."


def _credits(design):
    shape, into, out = design.shape, design.inputs[0], design.outputs[0]
    if shape.longest:
        return _credits_of_packets(shape, into, out) + _pace(design, out)
    whole = " (and begins a packet with as many as it has flits)" if shape.whole_packets else ""
    first = into.latency + 1 + shape.route_cycles + shape.vc_allocation_cycles
    return f"""## Credits

A sender starts with {shape.depth} credits for each VC, spends one for each flit{whole}, and gets one back with `credit_valid`.

A flit sent in clock n is on the wires of the router in clock n + {into.latency}. If it is a head, it wins the switch in clock n + {first} at the
earliest. Its credit is at the sender {_clocks(into.credit_latency)} after it has won. It leaves the router {_clocks(shape.departure_cycles - 1)} after it has
won, and a receiver sees it {_clocks(out.latency)} later. The receiver gives the credit back when it has taken the flit, in the next clock or
later; the router can use it {_clocks(out.credit_latency + 1)} after that. The testbench gives each back in the next clock.
""" + _pace(design, out)


def _pace(design, out):
    """A sentence on the rate at which nodes get flits, if it is less than one in each clock."""
    channel = design.routers[out.port.router].channels.get(out.port.port)
    slow = design.groups == "node" and channel.cycles_per_flit > 1
    return f"\nA node gets a flit every {_clocks(channel.cycles_per_flit)} at most.\n" if slow else ""


def _credits_of_packets(shape, into, out):
    decided = shape.route_cycles + shape.vc_allocation_cycles
    return f"""## Credits

A sender has credits for {_units(shape)} on each VC at first, spends one for each packet, and gets one back with `credit_valid` when the last flit of
a packet has left the slot; of several VCs that are done one returns a credit in each clock, in turn.

A flit sent in clock n is on the wires of the router in clock n + {into.latency}. A packet joins the queue of its output {_clocks(decided)}
after its head if it comes from a node or leaves to one, else {_clocks(decided + shape.flit_time)} after its last flit. Of packets that join in
the same clock the one with the smallest number goes first: in the testbench its source in the upper bits, and how many packets this source has
sent before in the lower ones. A flit that leaves is on the wires of the output {_clocks(shape.departure_cycles)} later, and a receiver sees it
{_clocks(out.latency)} after that. The receiver gives a credit back when it has taken a packet, in the next clock or later; the router can use
it {_clocks(out.credit_latency)} after that.
"""


def _tables(design, facts):
    rows, what = [], "headers" if facts.draws else "destinations"
    for router, tables in design.tables.items():
        ports = design.routers[router]
        entries = sum(len(table) for table in tables.tables)
        name = f" {facts.router_names[router]}" if router in facts.router_names else ""
        rows.append(f"| {router}{name} | {ports.inputs} x {ports.outputs} | {len(tables.tables)} | {entries} |")
    return "\n".join(["## Routing", "",
                      f"The routing of a router is a case over {what} for each of its tables; input VCs share a table where they agree.",
                      f"{what.capitalize()} that never come to an input VC may have any answer, which synthesis uses.", *_choice(design.shape), "",
                      "| router | inputs x outputs | tables | entries |", "|---|---|---|---|", *rows, ""])


def _choice(shape):
    """How routers choose, where they do."""
    if not shape.levels:
        return []
    best = "the output with the most credits, summed over its VCs, and of equal ones" if shape.by_credits else ""
    return ["", f"An answer has output VCs in {shape.levels} level{'s' if shape.levels > 1 else ''} of priority. A head without an output VC asks in "
            "each clock for one of them: one that is open, which is free and, in levels above 0, has space, that is a credit"
            f"{' for each flit of the packet' if shape.whole_packets else ''}; of the highest level with an open output VC; of these {best} "
            "the next one behind that which its input VC was granted last. For output VCs of level 0 packets wait."]


def _nodes(design):
    rows = [f"| {into.name} | {into.port.router} | {into.port.port} | {design.outputs[n].port.router}, {design.outputs[n].port.port} |"
            for n, into in enumerate(design.inputs) if n < len(design.outputs)]
    links = [f"| {link.source.router} | {link.source.port} | {link.target.router} | {link.target.port} | {link.latency} | {link.credit_latency} | "
             f"{link.cycles_per_flit} |" for link in design.links]
    text = ["## Attachment", "", "| group | into router | input | out of router, output |", "|---|---|---|---|", *rows, ""]
    if links:
        text += ["## Channels", "", "| router | output | router | input | clocks of a flit | of a credit | from flit to flit |",
                 "|---|---|---|---|---|---|---|", *links, ""]
    return "\n".join(text)
