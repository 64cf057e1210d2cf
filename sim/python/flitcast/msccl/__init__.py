# SPDX-License-Identifier: Apache-2.0
"""MSCCL algorithms become Chakra traces, and schedules of this program become MSCCL algorithms.

    import flitcast.msccl

    made = flitcast.msccl.convert("ring.xml", "ring", size=1 << 20, experiment="ring.yaml")
    flitcast.msccl.write(made)
    flitcast.msccl.write(flitcast.msccl.from_schedule("all_reduce.yaml", "all_reduce.xml"))

`made.files` are the bytes of all files by path, `made.notes` says what is suspect or not carried. MscclError has all reasons why there is none.
"""
import pathlib
from typing import NamedTuple

from ..astra.experiment import experiment_text, mesh_settings
from ..astra.inputs import Report
from ..chakra import MOST_BYTES, packet_settings, replay_settings
from ..outputs import Refused, add_experiment, check_different, check_file, check_new_folder, seen_from, write_all
from .algorithm import read_algorithm
from .from_schedule import algorithm_of
from .order import Order
from .result import check_chunks, check_result, note_races
from .traces import traces_of

__all__ = ["Made", "MscclError", "convert", "from_schedule", "write"]


class MscclError(Refused):
    """An algorithm that cannot be converted; `refusals` is a line for each reason."""


class Made(NamedTuple):
    """The files of a conversion."""
    files: dict    # Bytes by path.
    notes: list    # Lines on what is suspect or differs.
    messages: int


def convert(algorithm, folder, *, size, combine=0, experiment=None):
    """The Made of an algorithm in XML.

    @param folder   For the traces, NAME.RANK.et with its name; empty or absent.
    @param size     Bytes of the vector: nchunksperloop chunks. For an all-gather, what a rank has in the end.
    @param combine  Rate at which a thread block combines, in GB/s; 0: without time.
    @param experiment  A file for an experiment that replays the traces; None: none.
    Raises MscclError.
    """
    report = Report()
    check_new_folder(folder, report)
    if experiment is not None:
        check_file(experiment, report)
    check_different((algorithm, folder, experiment), "the algorithm, the traces and the experiment", report)
    read = _read(algorithm, report)
    order = _checked(read, size, report) if not report.refusals else None
    _raise_if_any(report)
    chunk_bytes = size // read.chunks
    traces, messages = traces_of(read, order, chunk_bytes, combine)
    if messages == 0:
        report.refuse(algorithm, "has no message, and the program replays no trace without packets", "name an algorithm of several GPUs")
    _raise_if_any(report)
    files = traces.files(folder)
    if experiment is not None:
        largest = max(read.step(key).count for key in order.steps) * chunk_bytes
        add_experiment(files, experiment, _experiment(read, size, seen_from(experiment, folder), largest))
    return Made(files, report.notes, messages)


def from_schedule(experiment, algorithm, *, settings=(), point=None):
    """The Made of an experiment with a collective: its schedule as an algorithm in XML.

    @param settings  Texts KEY=VALUE in place of keys of the experiment.
    @param point     Of its sweep, from 0.
    Raises MscclError, FlitcastError, OSError.
    """
    report = Report()
    check_file(algorithm, report)
    check_different((experiment, algorithm), "the experiment and the algorithm", report)
    _raise_if_any(report)
    text, messages = algorithm_of(experiment, report, settings, point)
    _raise_if_any(report)
    return Made({pathlib.Path(algorithm): text.encode()}, [], messages)


def write(made):
    """Writes the files of a Made: all or none. Raises Refused."""
    write_all(made.files)


def _read(algorithm, report):
    try:
        return read_algorithm(algorithm, pathlib.Path(algorithm).read_bytes(), report)
    except OSError as error:
        report.refuse(algorithm, f"cannot be read ({error.strerror})", "name a file that can be read")
    return None


def _checked(algorithm, size, report):
    """The Order of an algorithm, which refuses what cannot be done or has another result."""
    if size % algorithm.chunks:
        report.refuse("--bytes", f"{size} bytes are no multiple of {algorithm.chunks} chunks",
                      f"write a multiple, such as {max(size - size % algorithm.chunks, algorithm.chunks)}")
    for key in algorithm.steps():
        if algorithm.step(key).count * (size // algorithm.chunks) > MOST_BYTES:
            report.refuse(algorithm.place(key), f"has more than {MOST_BYTES} bytes", "write fewer --bytes")
    check_chunks(algorithm, report)
    order = Order(algorithm, report)
    if not report.refusals:
        check_result(algorithm, order, report)
        note_races(algorithm, order, report)
    return order


def _experiment(algorithm, size, trace, largest):
    head = [f"MSCCL algorithm {pathlib.Path(algorithm.file).name}, {size} bytes: `python3 -m flitcast msccl`."]
    return experiment_text(head, mesh_settings(len(algorithm.gpus)) + replay_settings(
        trace, 1, "Cycles in a nanosecond, which is a microsecond of the traces.") + packet_settings(largest))


def _raise_if_any(report):
    if report.refusals:
        raise MscclError(report.refusals)
