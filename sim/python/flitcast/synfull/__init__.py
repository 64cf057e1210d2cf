# SPDX-License-Identifier: Apache-2.0
"""Makes a trace of a SynFull model: coherence traffic of a program whose reactions wait for the network.

    import flitcast.synfull

    made = flitcast.synfull.convert("fft.model", "fft.csv", cycles=1_000_000, seed=1, experiment="fft.yaml")

`made.files` are the bytes of all files by path, `made.notes` says what the trace lacks, `made.messages` are its messages. Nothing is
written; flitcast.synfull.write(made) does. SynfullError has all reasons why there is none.

SynFull (Badr and Enright Jerger, ISCA 2014) models a program by two Markov chains. A chain over macro classes, the phases of the program,
makes a step every TIME_SPAN cycles, one over the states of a macro class every RESOLUTION cycles. In each step caches (even nodes) send
requests to directories (odd nodes): numbers, cycles, sources and targets are drawn from the weights of the state.

  request        reactions, each one cycle after the arrival of the message before the arrow
  READ, WRITE    forwarded, by the directory's share: request -> FORWARD to the owner -> DATA to the requester -> UNBLOCK to the directory
                 else from memory: request -> 80 cycles -> DATA to the requester -> UNBLOCK to the directory
  WRITE          forwarded: also request -> INV to each cache to be invalidated -> ACK to the requester
  PUTC, PUTD     request -> WB_ACK to the cache; a replaced cache line, clean or dirty

DATA and PUTD have a cache line, all others are control messages. No message waits for two others: the UNBLOCK follows the DATA, whether or
not the ACKs have arrived. The clock draws the requests, whatever the network does; so all of them, with their reactions, can be drawn
ahead, and the network acts on the trace through its dependencies alone: a message is created after its cause has arrived.

Differences from the published generator (github.com/mariobadr/synfull-isca):
- A trace of format csv has no delays. Data from memory is created 80 cycles after the earliest cycle of its request, or when that has
  arrived if it takes longer. A trace of format chakra has the delay after the arrival, exactly.
- Reactions to a request are drawn from the state in which it was sent; there, from the state in which it arrives.
- A directory that forwards in a state without flows of forwards draws from its flows in all states; there, cache 0 is taken.
- The transactions that start before the last cycle are replayed to their ends; there, the last cycle ends them.
- The random numbers are those of Python's random.Random(seed).random(): the shares are those of the generator, the messages are not.
- Flows name their targets, and RESOLUTION holds in its macro class; there, the order of lines says the target, and the last RESOLUTION
  holds in all classes. In published models both are the same.
- until_steady counts each span at its end; there, the first span counts twice.
As there, the cache that a write was forwarded to gets one of the invalidations, requests are sent in even cycles of a step, and a cache
sends requests whatever it waits for. MEMORY and MARKOV_STEADY have no effect, there or here.
"""
import pathlib
from typing import NamedTuple

from ..astra.inputs import Report
from ..outputs import Refused, add_experiment, check_different, check_file, check_new_folder, seen_from, write_all
from .files import Layout, chakra_trace, csv_trace, experiment as experiment_of
from .model import read_model
from .traffic import MEMORY, messages_of

__all__ = ["CYCLES", "FORMATS", "Made", "MEMORY", "SynfullError", "convert", "write"]

CYCLES = 1_000_000
FORMATS = ("csv", "chakra")
FEW_SPANS = 5  # With fewer of them a trace has hardly seen the phases of the program.
MOST_FLITS = 65_536  # The program's longest packet.


class SynfullError(Refused):
    """A model or a request of which no trace can be made; `refusals` is a line for each reason."""


class Made(NamedTuple):
    """The files of a trace."""
    files: dict     # Bytes by path.
    notes: list     # Lines on what the trace does not have.
    messages: list  # Each a traffic.Message, in the order of their numbers.


def convert(model, trace, *, cycles=CYCLES, seed=1, control=1, data=5, memory=MEMORY, nodes=None, form="csv", until_steady=False,
            experiment=None):
    """The Made of a model.

    @param model    File of SynFull.
    @param trace    The file to write, or for format chakra the folder, which must be empty or absent.
    @param cycles   Cycles in which requests are sent, at least 1.
    @param control, data  Flits of control messages and of those with a cache line, 1 to MOST_FLITS. 1 and 5: 8 and 72 bytes by 16.
    @param memory   Cycles of an access to memory, at least 1.
    @param nodes    Nodes of the network for nodes 0, 1, ... of the model; None: the same. Several may be at one.
    @param form     One of FORMATS.
    @param until_steady  End early, at the end of a TIME_SPAN: at the first one after 30 % of the cycles by when the chain over macro classes
                         is as in the long run, or at the first one after 70 %.
    @param experiment    A file for an experiment that replays the trace; None: none.
    Raises SynfullError.
    """
    report, trace = Report(), pathlib.Path(trace)
    read = read_model(model, report)
    _check_paths(model, trace, experiment, form, report)
    places = _places(nodes, read, report)
    _raise_if_any(report)
    messages, end = messages_of(read, seed=seed, cycles=cycles, memory=memory, until_steady=until_steady)
    if not messages:
        report.refuse(model, f"sends nothing in {cycles} cycles", "write a larger number with --cycles")
    _raise_if_any(report)
    layout = Layout(places, control, data)
    files, notes = _trace_files(messages, layout, trace, form), list(_notes(model, read.span, len(read.classes), cycles, until_steady and end))
    if form == "csv" and any(message.delay > 1 for message in messages):
        notes.append(f"{trace}: an access to memory lasts {memory} cycles from the creation of its request, or until that has arrived; "
                     "--format chakra counts from its arrival")
    if experiment is not None:
        head = [f"SynFull model {pathlib.Path(model).name}, {cycles} cycles, seed {seed}: `python3 -m flitcast synfull`."]
        add_experiment(files, experiment, experiment_of(head, seen_from(experiment, trace), form, layout))
    return Made(files, notes, messages)


def write(made):
    """Writes the files of a Made: all or none. Raises Refused."""
    write_all(made.files)


def _check_paths(model, trace, experiment, form, report):
    if form == "chakra":
        check_new_folder(trace, report)
    elif trace.is_dir():
        report.refuse(trace, "is a folder", "name a file, or use --format chakra")
    else:
        check_file(trace, report)
    if experiment is not None:
        check_file(experiment, report)
    check_different((model, trace, experiment), "the model, the trace and the experiment", report)


def _notes(model, span, classes, cycles, steady_end):
    """Notes on cycles that are few for the phases of a model. `steady_end` is the cycle at which a trace until steady ends, else false."""
    if steady_end == cycles:
        yield (f"{model}: --until-steady had no effect: a trace ends at a multiple of TIME_SPAN, {span} cycles, and none lies in the last 30 % of "
               f"{cycles} cycles; write more --cycles")
    if classes > 1 and cycles < FEW_SPANS * span:
        yield (f"{model}: {cycles} cycles do not cover the phases of the program: each lasts TIME_SPAN, {span} cycles, or a multiple of it; "
               f"write --cycles {FEW_SPANS * span} or more")


def _places(nodes, read, report):
    """By node of the model: the node of the network."""
    if read is None:
        return []
    if nodes is None:
        return list(range(read.nodes))
    if len(nodes) != read.nodes:
        report.refuse("--nodes", f"{len(nodes)} nodes", f"write {read.nodes}, one for each node of the model")
    return list(nodes)


def _trace_files(messages, layout, trace, form):
    if form == "csv":
        return {trace: csv_trace(messages, layout).encode()}
    return chakra_trace(messages, layout).files(trace)


def _raise_if_any(report):
    if report.refusals:
        raise SynfullError(report.refusals)
