# SPDX-License-Identifier: Apache-2.0
"""The blocks of `scripts/synth --routers`, each named KIND-PORTSxVCSxDEPTHxBITS: DEPTH flits for each VC, BITS of a flit.

 wormhole  flitcast_wormhole_router: the whole router with its XY routing, in a mesh of (PORTS - 1) / 2 dimensions
 vc        flitcast_vc_router with PORTS inputs and outputs. Its routing stands outside and does not count: the answer
           arrives at time 0
 source    flitcast_node_source with PORTS streams, one for each message class, and a store of 18 flits for each

The sink of a node is missing: Yosys 0.23 ends with an internal error where its parameters are set. All other parameters have their defaults. A destination has 4 bits (2 for each dimension in `wormhole`), and so has the
number of flits that remain; in the flits of other kinds that have less than 10 bits these two get smaller.
"""
import dataclasses
import re

import flow

# The rows of routers.csv.
NAMES = ["wormhole-5x1x2x34", "wormhole-5x2x4x34", "wormhole-5x4x8x34", "wormhole-5x2x4x64", "wormhole-5x2x4x128",
         "vc-5x2x4x34", "vc-3x2x4x34", "vc-8x2x4x34", "source-1x2x4x34"]

FIELD = 4  # Bits of a destination, and of the number of flits that remain.
MOST_VCS, MOST_DEPTH = 32, 65535


def _field(bits):
    return min(FIELD, (bits - 2) // 2)


def _wormhole(ports, vcs, depth, bits):
    return {"Dimensions": (ports - 1) // 2, "NumVcs": vcs, "Depth": depth, "Width": bits}


def _vc(ports, vcs, depth, bits):
    field = _field(bits)
    return {"NumInputs": ports, "NumOutputs": ports, "NumVcs": vcs, "Depth": depth, "HeaderWidth": field,
            "RemainingWidth": field, "PayloadWidth": bits - 2 * field - 1}


def _source(ports, vcs, depth, bits):
    field = _field(bits)
    return {"NumClasses": ports, "NumVcs": vcs, "Depth": depth, "DestWidth": field, "RemainingWidth": field,
            "DataWidth": bits - 2 * field - 1, "MaxFlits": 2 ** field}


def _wrong_router(ports, vcs, most):
    if vcs > MOST_VCS or ports * vcs > most:
        yield f"a port has at most {MOST_VCS} VCs, and all ports together {most}"


def _wrong_wormhole(ports, vcs, bits):
    if ports % 2 == 0 or ports == 1:
        yield "a mesh router has 3, 5, 7, ... ports; take kind vc for other numbers"
    elif bits < ports + FIELD:
        yield f"a flit needs {ports + FIELD} bits for its destination, the flits that remain and the mark of a head"
    yield from _wrong_router(ports, vcs, 64)


def _wrong_narrow(bits):
    if bits < 4:
        yield "a flit needs 4 bits"


def _wrong_vc(ports, vcs, bits):
    yield from _wrong_narrow(bits)
    yield from _wrong_router(ports, vcs, 128)


def _wrong_source(ports, vcs, bits):
    yield from _wrong_narrow(bits)
    if vcs % ports:
        yield "the VCs are no multiple of the streams"


# Kind -> module, parameters by sizes, problems by ports, VCs and bits.
KINDS = {"wormhole": ("flitcast_wormhole_router", _wormhole, _wrong_wormhole),
         "vc": ("flitcast_vc_router", _vc, _wrong_vc),
         "source": ("flitcast_node_source", _source, _wrong_source)}


@dataclasses.dataclass(frozen=True)
class Block:
    """A point of flow.py: a block with its sizes."""

    kind: str
    ports: int
    vcs: int
    depth: int
    bits: int

    @property
    def name(self):
        return f"{self.kind}-{self.ports}x{self.vcs}x{self.depth}x{self.bits}"

    @property
    def top(self):
        return KINDS[self.kind][0]

    @property
    def parameters(self):
        return KINDS[self.kind][1](self.ports, self.vcs, self.depth, self.bits)

    def files(self, rtl):
        return flow.files_under(self.top, rtl)

    def problems(self):
        yield from KINDS[self.kind][2](self.ports, self.vcs, self.bits)
        if self.depth > MOST_DEPTH:
            yield f"a VC has at most {MOST_DEPTH} flits"


def block_of(name):
    """The block of a valid name."""
    kind, _, sizes = name.rpartition("-")
    return Block(kind, *map(int, sizes.split("x")))


def problems(name):
    """All that is wrong with a name, a text for each."""
    kind, _, sizes = name.rpartition("-")
    wrong = [] if kind in KINDS else [f'"{kind}" is no kind; take from {", ".join(KINDS)}']
    if not re.fullmatch(r"[1-9]\d{0,8}(x[1-9]\d{0,8}){3}", sizes):
        wrong.append("write KIND-PORTSxVCSxDEPTHxBITS with numbers from 1 up, such as wormhole-5x2x4x34")
    return [f'"{name}": {text}' for text in wrong or block_of(name).problems()]
