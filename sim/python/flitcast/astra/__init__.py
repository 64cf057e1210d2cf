# SPDX-License-Identifier: Apache-2.0
"""Converts the input files of ASTRA-sim into an experiment.

    import flitcast.astra

    files, notes = flitcast.astra.convert("network.yml", "system.json", "traces/all_gather", out="all_gather.yaml")

`files` are the texts of the experiment and, where no kind of topology has the links of the network, of a graph, by their paths.
Each key of the input becomes a key of the experiment, or is in `notes` with its effect, or is refused: ConversionError has all
refusals at once. A difference that changes times is refused unless its key is among `accepted`.
"""
import pathlib

from .experiment import experiment_text
from .inputs import Report, Source, read_json, read_yaml
from .network import read_network
from .system import read_system
from .workload import check_memory, operations_in, read_groups, read_workload

# Options of ASTRA-sim's command line beside its files, and their defaults.
OPTIONS = {"injection-scale": 1.0, "comm-scale": 1.0, "compute-scale": 1.0, "num-queues-per-dim": 1, "rendezvous-protocol": False}
LOST_OPTIONS = {"comm-scale": "sizes of messages would not be scaled", "compute-scale": "durations would not be scaled",
                "num-queues-per-dim": "a dimension would have one queue",
                "rendezvous-protocol": "messages would be sent without a request of the receiver"}

DIFFERENCES = ("Remaining differences: messages cross routers and switches as flits, as soon as their head arrives, where ASTRA-sim stores "
               "them at every hop; each has a head flit and a few cycles of routers more; collectives of a rank that are ready at the "
               "same time overlap.")


class ConversionError(ValueError):
    """Input that cannot be converted; `refusals` is a line for each reason."""

    def __init__(self, refusals):
        super().__init__("\n".join(refusals))
        self.refusals = list(refusals)


def convert(network, system, workload, *, out, remote_memory=None, comm_group=None, clock=1, accepted=(), options=None):
    """The texts of the files to write, by path, and the notes on keys without an equal effect.

    @param network, system, remote_memory, comm_group  Files of ASTRA-sim.
    @param workload  The start of the names of traces, such as DIR/NAME for DIR/NAME.0.et.
    @param out       The experiment's file, to which the path of the traces is relative; nothing is written.
    @param clock     GHz, a whole number: shorter cycles represent short latencies better.
    @param accepted  Keys of the input whose difference is only noted.
    @param options   Values of OPTIONS.
    Raises ConversionError.
    """
    report, out = Report(accepted), pathlib.Path(out)
    known = _checked_options(options or {}, report)
    graph_file = out.with_suffix(".graph")
    links = _read(read_yaml, network, report, lambda source: read_network(source, clock, graph_file.name, report))
    dimensions, npus, width = (links.dimensions, links.npus, links.timing.width) if links else (None, None, 1)
    settings = list(links.settings) if links else []
    settings += read_workload(workload, npus, out.parent, width, report)
    operations = operations_in(workload)
    settings += _read(read_json, system, report,
                      lambda source: read_system(source, dimensions, operations, known["injection-scale"], report)) or []
    if comm_group is not None:
        settings += _read(read_json, comm_group, report, lambda source: read_groups(source, npus, report)) or []
    elif (beside := pathlib.Path(workload).parent / "comm_group.json").exists():
        report.note(beside, "is not read: name it with --comm-group-configuration")
    if remote_memory is not None:
        _read(read_json, remote_memory, report, lambda source: check_memory(source, report))
    report.check_accepted()
    if report.refusals:
        raise ConversionError(report.refusals)
    head = ["Converted from files of ASTRA-sim by `python3 -m flitcast astra`.", DIFFERENCES, *report.notes]
    files = {out: experiment_text(head, settings)}
    if links.graph:
        files[graph_file] = links.graph
    return files, report.notes


def _read(reader, path, report, use):
    source = reader(path, report)
    return use(source) if source else None


def _checked_options(options, report):
    values = {**OPTIONS, **options}
    source = Source("command line", values)
    for key, what in LOST_OPTIONS.items():
        if values[key] != OPTIONS[key]:
            report.differ(source, key, f"{values[key]}: {what}", "leave it out")
    return values
