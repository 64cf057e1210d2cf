# SPDX-License-Identifier: Apache-2.0
"""Exports the network of an experiment as SystemVerilog, with a testbench whose vectors come from the model.

    import flitcast.rtl

    flitcast.rtl.export("torus.yaml", "torus_rtl", settings=["link.latency=2"])

The program says what the network is: its effective keys, its graph, its routing, and every flit in every buffer of a run. Nothing
is written unless all of it can be exported; ExportError has all reasons.
"""
import tempfile
from typing import NamedTuple

from ..program import FlitcastError, call
from .choices import refusals_of_choices
from .classes import classes_of, even_classes, ranges_of
from .design import Flit, one_router, shape_of, whole_network, width_of
from .escapes import MinimalAdaptive
from .experiment import Experiment
from .files import all_files, refuse_folder, write_folder
from .inference import DrawFinder
from .legs import named
from .names import fault_of, module_name
from .network import read_network
from .refusals import ExportError, refusals_of_keys, refusals_of_network
from .routings import routing_of
from .stored import at_once_refused, most_of_a_source, number_of, slots_refused, stores_packets
from .streams import refusals_of_streams
from .tables import Reach
from .traffic import packets_of, play, watch, with_all_pairs
from .vectors import vectors_of

__all__ = ["ExportError", "Exported", "export", "make"]

OTHER_ROUTING = "export another routing, such as up_down"  # The program's hint.
CYCLES = 500
PAYLOAD = 32   # Bits, where the experiment has no flit_width.
PERIOD_NS = 5  # Where it has no clock.


class Facts(NamedTuple):
    """Words and numbers for README.md and the constraints."""
    version: str
    topology: str
    routing: str
    period_ns: float
    period_origin: str
    classes: list        # Lines on the VCs of classes of messages.
    draws: tuple         # Fields that sources draw.
    starts: int          # VCs, from 0, on which packets begin where there are no classes.
    router_names: dict   # By number, where they are more than that.
    stream_classes: int  # Streams of a node each way; None: flits and credits.


class Exported(NamedTuple):
    """A design, its vectors and what they were made of."""
    design: object
    network: object
    traffic: object
    vectors: object
    facts: Facts


def export(file, out, **options):
    """Writes the folder `out`; returns the Exported. The options are those of make(), and `prefix` of all module names."""
    refuse_folder(out)
    prefix = options.get("prefix")
    exported = make(file, **options)
    write_folder(out, all_files(exported.design, prefix, exported.vectors, exported.facts))
    return exported


def make(file, *, settings=(), point=None, prefix=None, router=None, streams=False, cycles=CYCLES):
    """The Exported of an experiment.

    @param settings  Texts KEY=VALUE in place of keys of the file.
    @param point     Of its sweep, from 0.
    @param router    Number of the one router to export; None: the network.
    @param streams   Also a top module with AXI4-Stream ports.
    @param cycles    Of the experiment whose packets are played.
    Raises ExportError, or FlitcastError for what is no experiment.
    """
    if prefix is not None and (fault := fault_of(prefix)):
        raise ExportError([f"--prefix: {prefix or 'an empty word'} is no name of a module: it {fault}"])
    experiment = Experiment(str(file), tuple(settings), point)
    with tempfile.TemporaryDirectory() as folder:
        run = packets_of(experiment, folder, cycles)
        routing = routing_of(run.config, run.routers)
        network, reach = _network_of(experiment, run, routing, router, streams, folder)
        tables = reach.router_tables()
        config, nodes = experiment.with_paths(run.config), len(network.nodes)
        longest = max([*(packet.length for packet in run.packets), *_lengths(config)], default=1)
        packets = with_all_pairs(run.packets, nodes, cycles)
        serial_width = width_of(run.most_of_a_source if ranges_of(config) else most_of_a_source(packets))
        shape = shape_of(config, tables, _flit(config, nodes, routing.fields, longest, serial_width), longest)
        words_of = _words(shape.flit, _draws_of(routing, reach, network), serial_width)
        if ranges_of(config):
            traffic = watch(config, network, words_of, folder, _reach(network, shape))
        else:
            traffic = play(config, packets, network, words_of, folder)
    name = prefix or module_name(config["name"])
    design = whole_network(name, shape, network, tables) if router is None else one_router(name, shape, network, tables, router)
    return Exported(design, network, traffic, vectors_of(design, network, traffic), _facts(run, network, routing, streams))


def _flit(config, nodes, fields, longest, serial_width):
    """The Flit of an experiment; `serial_width` bits count the packets of a source, where routers read numbers of packets."""
    return Flit(width_of(nodes), tuple(field.width for field in fields), width_of(longest), config.get("flit_width", PAYLOAD),
                width_of(nodes) + serial_width if stores_packets(config) else 0)


def _draws_of(routing, reach, network):
    """The draws of the source of a packet, as a function of its name, destination and path."""
    if isinstance(routing, MinimalAdaptive):
        return lambda name, destination, path: routing.draws(name)
    finder = DrawFinder(routing.fields, reach, network)
    return lambda name, destination, path: finder.draws(destination, path) if path else (0,) * len(routing.fields)


def _words(flit, draws_of, serial_width):
    """The numbers of the flits of a packet, as a function of its name, destination, length, first index and path."""
    def words_of(name, destination, length, first, path):
        key = (destination, *draws_of(name, destination, path))
        packet = number_of(name, serial_width) if flit.packet else 0
        return [flit.word(key, length - 1 - number, number == 0, first + number, packet) for number in range(length)]
    return words_of


def _reach(network, shape):
    """Clocks from the departure of a flit until it has arrived behind the longest channel, with a margin."""
    return max((link.latency for link in network.links), default=0) + shape.departure_cycles + 6


def _network_of(experiment, run, routing, router, streams, folder):
    """The network and the Reach of its packets; raises ExportError with all reasons why there are none."""
    refusals = refusals_of_keys(experiment.file, run.config) + (refusals_of_streams(experiment.file, run.config, router) if streams else [])
    refusals += at_once_refused(experiment.file, run.config, run.packets)
    vcs, network = run.config["router"].get("virtual_channels", 1), None
    try:
        network = read_network(call("export", "graph", *experiment.words, "--format", "node_link"), run.config, run.routers)
        refusals += refusals_of_network(experiment.file, network, vcs) + slots_refused(experiment.file, network, run.config)
        if router is not None and router not in network.routers:
            refusals.append(f"--router: {router} is no router; use a number from 0 to {max(network.routers)}")
    except ValueError as error:
        refusals.append(f"{experiment.file}: topology: {error}; leave failed routers out of the graph file")
    refused, texts = _tables_of(experiment, run, routing, folder)
    refused += refusals_of_choices(experiment.file, run.config, texts, network)
    if refusals + refused:
        raise ExportError(refusals + refused)
    reach = Reach(network, vcs)
    routing.follow(reach, texts, network)
    return network, reach


def _tables_of(experiment, run, routing, folder):
    """Reasons why there are no tables of the routing, and the tables."""
    if routing.refusal(run.config):
        key, reason, hint = routing.refusal(run.config)
        return [f"{experiment.file}: {key}: {reason}; {hint}"], []
    try:
        texts = routing.texts(experiment, run.config, folder)
    except FlitcastError as error:
        return [_hinted(named(error.words.strip(), experiment, folder), run.config)], []
    return [], texts


def _hinted(words, config):
    """The program's words on a routing that no table holds, with the nearest routing that one holds."""
    if "classes of messages" in words:
        return words.replace(OTHER_ROUTING, "use workload.kind: traffic, whose classes are exported")
    return words


def _lengths(config):
    """The lengths of packets by the keys of a workload and its classes."""
    lengths = [part.get("packet_length", []) for part in (config["workload"], *config["workload"].get("classes", []))]
    return [length for one in lengths for length in (one if isinstance(one, list) else [one])]


def _facts(run, network, routing, streams):
    clock = run.config.get("clock")
    period, origin = (1 / clock, "By the key clock.") if clock else (PERIOD_NS, "The experiment has no key clock: a period to be replaced.")
    names = {number: name for name, number in network.numbers.items() if name != str(number)}
    return Facts(run.version, run.topology, run.config["routing"]["kind"], period, origin, classes_of(run.config), routing.fields, routing.starts, names,
                 even_classes(run.config) if streams else None)
