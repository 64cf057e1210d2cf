# SPDX-License-Identifier: Apache-2.0
"""Packets of an experiment, played in the model: every flit in every buffer."""
import csv
import json
import pathlib
from typing import NamedTuple

from ..program import DEADLOCKED, DONE, NOT_CONVERGED, call
from .refusals import ExportError
from .wires import ejected_vcs

MOST_ROWS = 1_000_000  # A log of flits ends there.
MOST_PAIRS = 4096      # Pairs of nodes that send a packet at the end.
LAST_CYCLE = 10 ** 12


class Stay(NamedTuple):
    """A flit in the buffer of an input VC: the model's cycles of its arrival and of its departure."""
    flit: int
    router: int
    port: int
    vc: int
    arrived: int
    left: int


class Traffic(NamedTuple):
    """All flits as numbers, and their stays."""
    words: list
    stays: list
    last_stays: list   # By destination: those before the flits leave to the node, in order.
    ejected_vcs: dict  # By destination: the VCs of its flits, in order.


class Packet(NamedTuple):
    source: int
    destination: int
    length: int
    cycle: int


class Run(NamedTuple):
    """The effective configuration of an experiment, its topology, and the packets of its first cycles."""
    config: dict
    version: str
    topology: str
    routers: int  # With those that have failed.
    packets: list


def packets_of(experiment, folder, cycles):
    """The Run of an experiment for as many cycles."""
    log = pathlib.Path(folder) / "packets.csv"
    result = json.loads(call("run", *experiment.words, "--json", "-", "--quiet", "--packet-log", log, *experiment.short(cycles),
                             accepted=(DONE, NOT_CONVERGED, DEADLOCKED)))
    packets = [Packet(*(int(row[key]) for key in ("source", "destination", "length_flits", "created_cycle"))) for row in _rows(log)]
    topology = result["topology"]
    return Run(result["config"], result["version"], topology["name"], topology["routers"],
               [packet for packet in packets if packet.cycle < cycles])


def _rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def with_all_pairs(packets, nodes, cycles):
    """The packets, and behind them one from each node to each, or to as many as are tried in small networks."""
    length = min((packet.length for packet in packets), default=1)
    steps = min(nodes, max(MOST_PAIRS // nodes, 1))
    pairs = [Packet(node, (node + step * nodes // steps) % nodes, length, cycles + step * length) for step in range(steps) for node in range(nodes)]
    return sorted(packets, key=lambda packet: packet.cycle) + pairs


def play(config, packets, nodes, flit_of, folder):
    """The Traffic of packets in the model of a network; `flit_of` makes the number of a flit."""
    folder = pathlib.Path(folder)
    lines = [f"{packet.cycle},{packet.source},{packet.destination},{packet.length}" for packet in packets]
    (folder / "trace.csv").write_text("\n".join(["cycle,src,dst,flits", *lines]) + "\n", encoding="utf-8")
    replay = {key: config[key] for key in ("topology", "router", "routing", "link", "node")}
    replay["workload"] = {"kind": "trace", "format": "csv", "file": str(folder / "trace.csv")}
    _run(replay | {"name": "buffers", "trace": {"to": LAST_CYCLE}}, folder, "--flit-log", folder / "flits.csv", "--packet-log", folder / "arrived.csv")
    _run(replay | {"name": "wires", "run": {"implementation": "pins"},
                   "trace": {"to": LAST_CYCLE, "signals": [f"node_{node}" for node in range(nodes)]}}, folder)
    return _traffic(_rows(folder / "arrived.csv"), _rows(folder / "flits.csv"), ejected_vcs(folder / "wires.vcd"), nodes, flit_of)


def _run(experiment, folder, *words):
    (folder / "replay.json").write_text(json.dumps(experiment), encoding="utf-8")
    call("run", folder / "replay.json", "--quiet", "--out", folder, *words)


def _traffic(packets, rows, vcs, nodes, flit_of):
    if len(rows) >= MOST_ROWS or any(not row["left_cycle"] for row in rows):
        raise ExportError([f"--cycles: the log of flits of this run exceeds {MOST_ROWS} lines; use fewer cycles"])
    first, words, last = {}, [], []
    for packet in packets:
        length, destination = int(packet["length_flits"]), int(packet["destination"])
        first[packet["packet"]] = len(words)
        words += [flit_of(destination, length - 1 - flit, flit == 0, len(words) + flit) for flit in range(length)]
        last += [destination] * length
    stays = [Stay(first[row["packet"]] + int(row["flit"]),
                  *(int(row[key]) for key in ("router", "port", "vc", "arrived_cycle", "left_cycle"))) for row in rows]
    return Traffic(words, stays, _last_stays(stays, last, nodes), vcs)


def _last_stays(stays, destinations, nodes):
    """The last stay of each flit, by its destination, in the order in which the flits leave."""
    latest = {}
    for stay in stays:
        if stay.flit not in latest or latest[stay.flit].left < stay.left:
            latest[stay.flit] = stay
    by_node = [[] for _ in range(nodes)]
    for stay in sorted(latest.values(), key=lambda stay: stay.left):
        by_node[destinations[stay.flit]].append(stay)
    return by_node
