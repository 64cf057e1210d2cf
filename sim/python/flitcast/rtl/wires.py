# SPDX-License-Identifier: Apache-2.0
"""The wires between routers and nodes, from a waveform of the model: VCs of flits to the nodes, and the credits that come back."""
import re
from typing import NamedTuple

NODE = re.compile(r"node_(\d+)")
WIRES = ("valid", "vc", "credit_valid", "credit_vc")


class Token(NamedTuple):
    """A flit or a credit on the wires of a node."""
    clock: int
    vc: int


class Wires(NamedTuple):
    """All flits that a node gets, and the credits that it returns, by node."""
    flits: dict
    credits: dict


def read_wires(path):
    """The Wires of a value change dump."""
    with open(path, encoding="utf-8") as file:
        clock, nets = _declared(file)
        wires = Wires(*({node: [] for node, _ in nets.values()} for _ in range(2)))
        for number, values in enumerate(_at_edges(file, clock, nets)):
            for node in wires.flits:
                for found, valid, vc in ((wires.flits, "valid", "vc"), (wires.credits, "credit_valid", "credit_vc")):
                    if values[node, valid]:
                        found[node].append(Token(number - 1, values[node, vc]))
        return wires


def _declared(file):
    """The code of the clock, and the node and the name of each wire of a channel to a node by code."""
    clock, nets, scopes = "", {}, []
    for line in file:
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"] and words[4] == "clk":
            clock = words[3]
        elif words[:1] == ["$var"] and scopes[-1] == "ejection_0" and words[4] in WIRES:
            nets[words[3]] = (int(NODE.fullmatch(scopes[-2])[1]), words[4])
        elif words[:1] == ["$enddefinitions"]:
            break
    return clock, nets


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
