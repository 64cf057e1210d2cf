# SPDX-License-Identifier: Apache-2.0
"""The blocks of rtl/ whose energies are derived, with their sizes, parts, and runs for fitting and verification."""
import dataclasses
import re

# Parts of routers, by the instance of a cell; the first match counts.
WORMHOLE_PARTS = [("inputs", r"gen_route|u_router\.gen_input"), ("vc_allocator", r"u_router\.u_vc_allocator"),
                  ("switch_allocator", r"u_router\.u_switch_allocator"), ("credits", r"u_router\.u_credits"),
                  ("crossbar", r"u_router\.u_crossbar"), ("control", r"")]
STORE_PARTS = [("inputs", r"gen_route|u_router\.gen_input"), ("order", r"u_router\.u_order"), ("outputs", r"u_router\.gen_output"),
               ("control", r"")]

# The events that explain the energy of each part; see events.py.
WORMHOLE_EVENTS = {
    "inputs": ["flits_in", "bits_in", "flits_out", "bits_out", "packets", "send_changes", "vc_changes"],
    "vc_allocator": ["packets", "waits"],
    "switch_allocator": ["flits_out", "send_changes", "source_changes"],
    "credits": ["flits_out", "packets"],
    "crossbar": ["flits_out", "bits_out", "source_changes", "send_changes", "vc_changes"],
    "control": ["flits_out", "packets", "send_changes"],
}
STORE_EVENTS = {
    "inputs": ["flits_in", "bits_in", "flits_out", "bits_out", "packets", "length_changes"],
    "order": ["packets", "waits", "crowds", "length_changes"],
    "outputs": ["flits_out", "bits_out", "packets", "length_changes"],
    "control": ["flits_out", "packets"],
}
CROSSBAR_EVENTS = {"crossbar": ["flits_in", "bits_in", "flits_out", "bits_out", "source_changes"]}


@dataclasses.dataclass(frozen=True)
class Run:
    """A run of a bench: its plusargs; `limit` is the largest error of the predicted energy, 0 for a run of the fit."""

    name: str
    options: str
    limit: float = 0.0
    mesh: bool = False
    cycles: int = 400


# No stream for verification uses the ports of a stream of the fit.
TEACHING = [
    Run("stream, one VC", "+seed=1 +load=670 +from=00010 +dest=7 +vcs=01"),
    Run("stream of the node", "+seed=2 +load=900 +from=10000 +dest=13"),
    Run("stream, long packets", "+seed=3 +load=900 +from=00001 +dest=4 +len={long}"),
    Run("two streams for one output", "+seed=4 +load=500 +from=10010 +dest=7"),
    Run("load 5 %", "+seed=5 +load=50", cycles=600),
    Run("load 15 %", "+seed=6 +load=150"),
    Run("load 30 %, back-pressure", "+seed=7 +load=300 +hold=30"),
    Run("load 50 %, back-pressure", "+seed=8 +load=500 +hold=30"),
    Run("one-flit packets, load 20 %", "+seed=9 +load=200 +len=1"),
    Run("payload zero, load 10 %", "+seed=10 +load=100 +payload=1"),
    Run("payload zero, load 40 %", "+seed=11 +load=400 +payload=1"),
    Run("stream, payload zero", "+seed=12 +load=600 +from=00100 +dest=1 +payload=1"),
    Run("stream along Y", "+seed=17 +load=700 +from=01000 +dest=9"),
    Run("random lengths, load 15 %", "+seed=13 +load=150 +randlen=1"),
    Run("random lengths, load 40 %", "+seed=14 +load=400 +randlen=1 +payload=1"),
    Run("random lengths, load 6 %", "+seed=15 +load=60 +randlen=1", cycles=600),
    Run("random lengths, payload zero, load 15 %", "+seed=16 +load=150 +randlen=1 +payload=1"),
]
CHECKING = [
    Run("random lengths, load 8 %", "+seed=21 +load=80 +randlen=1", 0.10, cycles=800),
    Run("random lengths, load 25 %", "+seed=22 +load=250 +randlen=1", 0.10),
    Run("random lengths, load 60 %", "+seed=23 +load=600 +randlen=1", 0.10),
    Run("stream elsewhere", "+seed=24 +load=700 +from=01000 +dest=5 +vcs=01", 0.18),
    Run("stream elsewhere, two VCs", "+seed=25 +load=800 +from=00001 +dest=8", 0.15),
    Run("payload zero, load 25 %", "+seed=26 +load=250 +payload=1 +randlen=1", 0.10),
    Run("payload of 8 bits, load 25 %", "+seed=27 +load=250 +payload=2", 0.10),
    Run("in a mesh, load 4 %", "+seed=31 +load=40", 0.11, mesh=True, cycles=800),
    Run("in a mesh, load 12 %", "+seed=32 +load=120", 0.10, mesh=True),
    Run("in a mesh, load 25 %", "+seed=33 +load=250", 0.10, mesh=True),
]

# Runs of the fit for crossbars; `change` is the rate of new circuits, or of outputs that are not ready.
TEACHING_CROSSBAR = [
    Run("load 10 %", "+seed=41 +load=100"), Run("load 40 %", "+seed=42 +load=400"),
    Run("load 90 %", "+seed=43 +load=900 +change=10"), Run("load 30 %, one copy", "+seed=44 +load=300 +copies=1"),
    Run("load 30 %, many changes", "+seed=45 +load=300 +change=300 +copies=4"),
    Run("payload zero, load 30 %", "+seed=46 +load=300 +payload=1"),
    Run("payload of 4 bits, load 50 %", "+seed=48 +load=500 +payload=3"),
    Run("payload zero, load 80 %", "+seed=49 +load=800 +payload=1"),
    Run("one input", "+seed=47 +load=500 +from=00010 +copies=1"),
]
CHECKING_CROSSBAR = [
    Run("load 20 %, other seed", "+seed=51 +load=200", 0.10), Run("load 60 %", "+seed=52 +load=600", 0.10),
    Run("load 20 %, three copies", "+seed=53 +load=200 +change=100 +copies=3", 0.10),
    Run("payload zero, load 60 %", "+seed=54 +load=600 +payload=1", 0.10),
    Run("payload of 8 bits", "+seed=55 +load=250 +payload=2", 0.10),
    Run("another input alone", "+seed=56 +load=700 +from={last} +copies=1", 0.15),
]


@dataclasses.dataclass(frozen=True)
class Subject:
    """A block with its sizes; `key` has the columns of the table besides its energies."""

    name: str
    top: str
    key: dict
    parameters: dict
    bench: dict
    parts: list
    events: dict
    defines: tuple = ()
    longest: int = 16
    single_bench: str = "energy_router_bench"
    mesh_bench: str = "energy_mesh_bench"
    teaching: tuple = tuple(TEACHING)
    verifying: tuple = tuple(CHECKING)

    def part_of(self, cell):
        return next(part for part, pattern in self.parts if re.match(pattern, cell))

    def options_of(self, run):
        """The plusargs of a run: `long` packets have 12 flits, or the most that fit; `last` is the last input alone."""
        inputs = self.bench.get("NumIn", 5)
        return run.options.format(long=min(12, self.longest), last=f"1{'0' * (inputs - 1)}")


def _wormhole(vcs, depth, width, kind="wormhole"):
    whole = int(kind == "virtual_cut_through")
    return Subject(
        name=f"{kind}-{vcs}x{depth}x{width}", top="flitcast_wormhole_router",
        key={"router": kind, "ports": 5, "virtual_channels": vcs, "buffer_depth": depth, "width": width,
             "departure": 2},
        parameters={"NumVcs": vcs, "Depth": depth, "Width": width, "WholePacketCredit": whole},
        bench={"NumVcs": vcs, "Depth": depth, "Width": width, "WholePacket": whole},
        parts=WORMHOLE_PARTS, events=WORMHOLE_EVENTS, longest=min(16, depth) if whole else 16)


def _virtual_cut_through(vcs, depth, width):
    return _wormhole(vcs, depth, width, "virtual_cut_through")


def _store_and_forward(vcs, places, width):
    return Subject(
        name=f"store_and_forward-{vcs}x{places}x{width}", top="flitcast_store_forward_router",
        key={"router": "store_and_forward", "ports": 5, "virtual_channels": vcs, "buffer_depth": places, "width": width,
             "departure": 2, "longest_packet": 4},
        parameters={"NumVcs": vcs, "NumSlots": places, "Width": width},
        bench={"NumVcs": vcs, "Depth": places, "Width": width},
        parts=STORE_PARTS, events=STORE_EVENTS, defines=("STORE_FORWARD",), longest=4)


def _crossbar(kind):
    def of_sizes(inputs, outputs, width):
        sizes = {"NumIn": inputs, "NumOut": outputs, "Width": width}
        return Subject(
            name=f"{kind}_crossbar-{inputs}x{outputs}x{width}", top=f"flitcast_{kind}_crossbar",
            key={"crossbar": kind, "inputs": inputs, "outputs": outputs, "width": width},
            parameters=sizes, bench=sizes, parts=[("crossbar", r"")], events=CROSSBAR_EVENTS,
            defines=("REPLICATING",) if kind == "replicating" else (), single_bench="energy_crossbar_bench",
            teaching=tuple(TEACHING_CROSSBAR), verifying=tuple(CHECKING_CROSSBAR))
    return of_sizes


# Sizes in a name: virtual channels, depth or slots, width; for crossbars inputs, outputs, width.
KINDS = {"wormhole": _wormhole, "virtual_cut_through": _virtual_cut_through, "store_and_forward": _store_and_forward,
         "multicast_crossbar": _crossbar("multicast"), "replicating_crossbar": _crossbar("replicating")}


def subject_of(name):
    """The subject of a name such as "wormhole-4x8x34" or "multicast_crossbar-4x13x34"; ValueError for other names."""
    kind, _, sizes = name.rpartition("-")
    if kind not in KINDS or not re.fullmatch(r"[1-9]\d*x[1-9]\d*x[1-9]\d*", sizes):
        raise ValueError(f'"{name}" is none; write KIND-VCSxDEPTHxWIDTH, or of crossbars KIND-INPUTSxOUTPUTSxWIDTH, '
                         f'with {", ".join(KINDS)}')
    return KINDS[kind](*map(int, sizes.split("x")))


# The rows of sim/energy/osu018.yaml: routers, crossbars of 5 ports, and those of the Clos network v(13, 4, 4).
NAMES = ["wormhole-1x2x34", "wormhole-1x4x34", "wormhole-2x2x34", "wormhole-2x4x34", "wormhole-2x4x66", "wormhole-2x8x34", "wormhole-4x8x34",
         "virtual_cut_through-2x8x34", "store_and_forward-2x2x34",
         "multicast_crossbar-5x5x34", "replicating_crossbar-5x5x34", "multicast_crossbar-4x13x34", "multicast_crossbar-4x4x34",
         "multicast_crossbar-13x4x34"]
