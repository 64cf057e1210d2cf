# SPDX-License-Identifier: Apache-2.0
"""The wires of the model, from a waveform: VCs of flits to the nodes, the credits that come back, and those of inputs of routers."""
import re
from typing import NamedTuple

from .network import Port

OWNER = re.compile(r"(node|router)_(\d+)")
INPUT = re.compile(r"in_(\d+)")
WIRES = ("valid", "vc", "credit_valid", "credit_vc")


class Token(NamedTuple):
    """A flit or a credit on the wires of a node."""
    clock: int
    vc: int


class Wires(NamedTuple):
    """All flits that the end of a channel gets, and the credits that it returns: by node, and by input of a router (Port) where traced."""
    flits: dict
    credits: dict


def read_wires(path):
    """The Wires of a value change dump."""
    with open(path, encoding="utf-8") as file:
        clock, nets = _declared(file)
        wires = Wires(*({end: [] for end, _ in nets.values()} for _ in range(2)))
        for number, values in enumerate(_at_edges(file, clock, nets)):
            for end in wires.flits:
                for found, valid, vc in ((wires.flits, "valid", "vc"), (wires.credits, "credit_valid", "credit_vc")):
                    if values[end, valid]:
                        found[end].append(Token(number - 1, values[end, vc]))
        return wires


def _declared(file):
    """The code of the clock, and the end and the name of each wire of a channel to a node or to an input of a router by code."""
    clock, nets, scopes = "", {}, []
    for line in file:
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"] and words[4] == "clk":
            clock = words[3]
        elif words[:1] == ["$var"] and words[4] in WIRES and (end := _end(scopes)) is not None:
            nets[words[3]] = (end, words[4])
        elif words[:1] == ["$enddefinitions"]:
            break
    return clock, nets


def _end(scopes):
    """The node or the Port at whose end of a channel the wires of a scope are; None for other scopes."""
    owner = OWNER.fullmatch(scopes[-2])
    if owner is None:
        return None
    if owner[1] == "node":
        return int(owner[2]) if scopes[-1] == "ejection_0" else None
    port = INPUT.fullmatch(scopes[-1])
    return Port(int(owner[2]), int(port[1])) if port else None


def _at_edges(file, clock, nets):
    """The values of the wires just before each edge; the first edge is at time 0."""
    values, changes = dict.fromkeys(nets.values(), 0), []
    for line in file:
        if line[0] != "#":
            changes.append(line.strip())
            continue
        if f"1{clock}" in changes:
            yield values
        for change in changes:
            value, code = change[1:].split() if change[:1] == "b" else (change[:1], change[1:])
            if code in nets:
                values[nets[code]] = int(value, 2)
        changes = []
