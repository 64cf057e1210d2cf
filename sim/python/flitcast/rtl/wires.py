# SPDX-License-Identifier: Apache-2.0
"""The wires from routers to nodes, from a waveform of the model: the VC of every flit that a node gets."""
import re

EJECTION = re.compile(r"node_(\d+)")


def ejected_vcs(path):
    """{node: [VC of each flit that it gets, in order]} of a value change dump."""
    with open(path, encoding="utf-8") as file:
        clock, valid, vcs = _declared(file)
        return _sampled(file, clock, valid, vcs)


def _declared(file):
    """The codes of the clock, and the nodes of the codes of `valid` and `vc` of the channels to nodes."""
    clock, valid, vcs, scopes = "", {}, {}, []
    for line in file:
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"]:
            node = EJECTION.fullmatch(scopes[-2]) if len(scopes) > 1 and scopes[-1] == "ejection_0" else None
            if words[4] == "clk":
                clock = words[3]
            elif node and words[4] in ("valid", "vc"):
                (valid if words[4] == "valid" else vcs)[words[3]] = int(node[1])
        elif words[:1] == ["$enddefinitions"]:
            break
    return clock, valid, vcs


def _sampled(file, clock, valid, vcs):
    """The VCs at the clock edges with a flit. What changes at an edge counts at the next one."""
    found = {node: [] for node in valid.values()}
    is_valid, vc, changes = dict.fromkeys(found, False), dict.fromkeys(found, 0), []
    for line in file:
        if line[0] != "#":
            changes.append(line)
            continue
        if f"1{clock}\n" in changes:
            for node in found:
                if is_valid[node]:
                    found[node].append(vc[node])
        for change in changes:
            if change[0] == "b":
                value, code = change[1:].split()
                if code in vcs:
                    vc[vcs[code]] = int(value, 2)
            elif change[1:].strip() in valid:
                is_valid[valid[change[1:].strip()]] = change[0] == "1"
        changes = []
    return found
