# SPDX-License-Identifier: Apache-2.0
"""Packets of an experiment, played in the model: every flit in every buffer."""
import collections
import csv
import json
import pathlib
from typing import NamedTuple

from ..program import DEADLOCKED, DONE, NOT_CONVERGED, FlitcastError, call, call_json
from .network import Port
from .refusals import ExportError
from .stored import most_of_a_source, stores_packets
from .tosses import SEED
from .wires import Token, read_wires

NETWORK = ("topology", "router", "routing", "link", "node")  # Sections of an experiment.
MOST_ROWS = 1_000_000  # A log of flits ends there.
MOST_PAIRS = 4096      # Pairs of nodes that send a packet at the end.
NEVER = 10 ** 12


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
    wires: object      # The flits that nodes get, and the credits that they return.
    returned: dict     # The credits that each input of a router returns, as they are on its wires.
    end: int = NEVER   # The first clock that is not compared.


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
    most_of_a_source: int  # Packets that a node may have created by the end of the run.


def packets_of(experiment, folder, cycles):
    """The Run of an experiment for as many cycles."""
    log = pathlib.Path(folder) / "packets.csv"
    try:
        result = call_json("run", *experiment.words, "--json", "-", "--quiet", "--packet-log", log, *experiment.short(cycles),
                           accepted=(DONE, NOT_CONVERGED, DEADLOCKED))
    except FlitcastError as error:
        if "a search is" in error.words:
            raise ExportError([f"{experiment.file}: search: there are several runs; leave out this section"]) from error
        if error.words.startswith("--json: "):
            raise ExportError([f"{experiment.file}: sweep or search: there are several runs; choose a point with --point K, K from 0, and leave "
                               "out search"]) from error
        raise
    topology, packets = result["topology"], _packets(experiment, _rows(log))
    return Run(result["config"], result["version"], topology["name"], topology["routers"],
               [packet for packet in packets if packet.cycle < cycles],
               most_of_a_source(packets) + result["packets"]["created"] - len(packets))


def _packets(experiment, rows):
    try:
        return [Packet(*(int(row[key]) for key in ("source", "destination", "length_flits", "created_cycle"))) for row in rows]
    except ValueError as error:
        raise ExportError([f"{experiment.file}: workload: packets go to several nodes, and RTL routers do not copy them; use a workload of "
                           "unicasts"]) from error


def _rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def with_all_pairs(packets, nodes, cycles):
    """The packets, and behind them one from each node to each; in networks of more than 64 nodes to so few that they are 4096 in all."""
    length = min((packet.length for packet in packets), default=1)
    steps = min(nodes, max(MOST_PAIRS // nodes, 1))
    pairs = [Packet(node, (node + step * nodes // steps) % nodes, length, cycles + step * length) for step in range(steps) for node in range(nodes)]
    return sorted(packets, key=lambda packet: packet.cycle) + pairs


def play(config, packets, network, words_of, folder):
    """The Traffic of packets in the model of a network; `words_of` makes the numbers of the flits of a packet, as _read() says."""
    folder = pathlib.Path(folder)
    lines = [f"{packet.cycle},{packet.source},{packet.destination},{packet.length}" for packet in packets]
    (folder / "trace.csv").write_text("\n".join(["cycle,src,dst,flits", *lines]) + "\n", encoding="utf-8")
    replay = {key: config[key] for key in NETWORK} | {"seed": SEED, "workload": {"kind": "trace", "format": "csv", "file": str(folder / "trace.csv")}}
    _run(replay, network, folder, (DONE,))
    return _read(replay, network, words_of, folder)


def watch(config, network, words_of, folder, reach):
    """The Traffic of the experiment itself, which goes on: its last `reach` clocks, in which the log lacks events, are left out."""
    folder = pathlib.Path(folder)
    watched = {key: config[key] for key in (*NETWORK, "seed", "workload", "measure")}
    result = _run(watched, network, folder, (DONE, NOT_CONVERGED))
    return _read(watched, network, words_of, folder)._replace(end=result["cycles"] - reach)


def _run(experiment, network, folder, accepted):
    """Runs an experiment, once for the log of its flits and once for its wires; returns its result."""
    file, words = folder / "played.json", ["--quiet", "--out", folder]
    file.write_text(json.dumps(experiment | {"name": "buffers", "trace": {"to": NEVER}}), encoding="utf-8")
    call("run", file, *words, "--flit-log", folder / "flits.csv", "--packet-log", folder / "played.csv", accepted=accepted)
    signals = [f"node_{node}" for node in range(len(network.nodes))]
    signals += [f"router_{router}" for router in network.routers] if stores_packets(experiment) else []
    traced = {"to": NEVER, "signals": signals}
    file.write_text(json.dumps(experiment | {"name": "wires", "run": {"implementation": "pins"}, "trace": traced}), encoding="utf-8")
    call("run", file, *words, accepted=accepted)
    return json.loads((folder / "buffers.json").read_text(encoding="utf-8"))


def _read(config, network, words_of, folder):
    """The Traffic of a run. `words_of(name, destination, length, first, path)` are the flits of a packet as numbers: `first` is the index of its
    head among all flits, `path` has the input VCs [(Port, VC)] that this visits."""
    packets, rows = _rows(folder / "played.csv"), _rows(folder / "flits.csv")
    if len(rows) >= MOST_ROWS:
        raise ExportError([f"--cycles: the log of flits of this run exceeds {MOST_ROWS} lines; use fewer cycles"])
    first, last = {}, []
    for packet in packets:
        first[packet["packet"]] = len(last)
        last += [int(packet["destination"])] * int(packet["length_flits"])
    stays = [Stay(first[row["packet"]] + int(row["flit"]),
                  *(int(row[key] or NEVER) for key in ("router", "port", "vc", "arrived_cycle", "left_cycle"))) for row in rows]
    paths = _paths(stays)
    words = [word for packet in packets
             for word in words_of(packet["packet"], int(packet["destination"]), int(packet["length_flits"]), first[packet["packet"]],
                                  paths[first[packet["packet"]]])]
    wires = read_wires(folder / "wires.vcd")
    returned = {end: tokens for end, tokens in wires.credits.items() if isinstance(end, Port)} if stores_packets(config) else _returned(stays)
    return Traffic(words, stays, _last_stays(stays, last, network.nodes), wires, returned)


def _returned(stays):
    """The credits of inputs whose flits return one each, as they leave."""
    returned = collections.defaultdict(list)
    for stay in stays:
        returned[Port(stay.router, stay.port)].append(Token(stay.left, stay.vc))
    return returned


def _paths(stays):
    """The input VCs that each flit visits, in their order."""
    paths = collections.defaultdict(list)
    for stay in sorted(stays, key=lambda stay: stay.arrived):
        paths[stay.flit].append((Port(stay.router, stay.port), stay.vc))
    return paths


def _last_stays(stays, destinations, nodes):
    """The last stay of each flit, at the router of its destination, by destination, in the order in which the flits leave.

    A flit may have been at this router before, on its way to an intermediate one.
    """
    last = {stay.flit: stay for stay in sorted(stays, key=lambda stay: stay.arrived)}
    by_node = [[] for _ in nodes]
    for stay in sorted(last.values(), key=lambda stay: stay.left):
        if stay.router == nodes[destinations[stay.flit]].ejection.router:
            by_node[destinations[stay.flit]].append(stay)
    return by_node
