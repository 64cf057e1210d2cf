# SPDX-License-Identifier: Apache-2.0
"""GOAL schedules of LogGOPSim and ATLAHS become Chakra traces, and schedules of this program become GOAL.

    import flitcast.goal

    made = flitcast.goal.convert("lulesh.goal", "lulesh", experiment="lulesh.yaml", costs=flitcast.goal.Costs(o=1500))
    flitcast.goal.write(made)
    flitcast.goal.write(flitcast.goal.from_schedule("all_reduce.yaml", "all_reduce.goal", size=1 << 20))

`made.files` are the bytes of all files by path, `made.notes` says what the traces do otherwise than LogGOPSim, `made.ends` is the end of each
rank in ns without contention. GoalError has all reasons why there is none.
"""
import pathlib
from typing import NamedTuple

from ..astra.experiment import experiment_text, mesh_settings
from ..astra.inputs import Report
from ..chakra import packet_settings, replay_settings
from ..outputs import Refused, add_experiment, check_different, check_file, check_new_folder, seen_from, write_all
from .binary import is_binary, read_binary
from .execution import Costs, Execution
from .from_schedule import goal_of
from .schedule import ANY, CALC, RECEIVE, check
from .text import read_text
from .traces import TraceWriter

__all__ = ["Costs", "GoalError", "Made", "convert", "from_schedule", "write"]


class GoalError(Refused):
    """A schedule that cannot be converted; `refusals` is a line for each reason."""


class Made(NamedTuple):
    """The files of a conversion."""
    files: dict    # Bytes by path.
    notes: list    # Lines on what differs.
    messages: int  # Messages of the network: requests and answers of a rendezvous, too, but none of a rank to itself.
    ends: list     # By rank: when it ends without contention, in ns.
    blocks: int = 0  # With from_schedule: the blocks of a rank's vector, and the bytes of that.
    size: int = 0


def convert(goal, folder, *, costs=Costs(), experiment=None):
    """The Made of a GOAL file, in text or binary.

    @param folder      For the traces, NAME.RANK.et with its name; empty or absent.
    @param costs       What ends of messages take beside the network.
    @param experiment  A file for an experiment that replays the traces; None: none.
    Raises GoalError.
    """
    report = Report()
    check_new_folder(folder, report)
    if experiment is not None:
        check_file(experiment, report)
    check_different((goal, folder, experiment), "the schedule, the traces and the experiment", report)
    schedule = _read(goal, report)
    if not report.refusals:
        check(schedule, report)
    _raise_if_any(report)
    writer = TraceWriter(schedule, costs)
    execution = Execution(schedule, costs, writer)
    ends = execution.run()
    execution.check_end(report)
    if not report.refusals and writer.messages == 0:
        report.refuse(goal, "has no message from one rank to another, and the program replays no trace without packets",
                      f"it ends after {max(ends)} ns: by rank {'; '.join(map(str, ends))}")
    _raise_if_any(report)
    files = writer.files(folder)
    if experiment is not None:
        add_experiment(files, experiment, _experiment(goal, schedule, seen_from(experiment, folder)))
    return Made(files, [f"{goal}: {note}" for note in _notes(schedule, costs, writer)], writer.messages, ends)


def from_schedule(experiment, goal, *, block_bytes=None, size=None, settings=(), point=None):
    """The Made of an experiment with a collective: its messages as GOAL.

    @param block_bytes  Bytes of an item of the schedule's dump: a chunk, or a block of a sum. Their number depends on the algorithm.
    @param size         Instead: bytes of the whole vector of a rank; for an all-gather, all that a rank has in the end.
    @param settings     Texts KEY=VALUE in place of keys of the experiment.
    @param point        Of its sweep, from 0.
    Raises GoalError, FlitcastError, OSError.
    """
    report = Report()
    check_file(goal, report)
    check_different((experiment, goal), "the experiment and the schedule", report)
    _raise_if_any(report)
    made = goal_of(experiment, block_bytes, size, report, settings, point)
    _raise_if_any(report)
    return Made({pathlib.Path(goal): made.text.encode()}, [], made.messages, [], made.blocks, made.blocks * made.block_bytes)


def write(made):
    """Writes the files of a Made: all or none. Raises Refused."""
    write_all(made.files)


def _read(goal, report):
    try:
        data = pathlib.Path(goal).read_bytes()
        return read_binary(goal, data, report) if is_binary(data) else read_text(goal, data.decode("utf-8-sig"), report)
    except OSError as error:
        report.refuse(goal, f"cannot be read ({error.strerror})", "name a file that can be read")
    except UnicodeDecodeError:
        report.refuse(goal, "is neither a text in UTF-8 nor a binary file of txt2bin", "name a file of GOAL")
    return None


def _experiment(goal, schedule, trace):
    sizes = [one.size for operations in schedule.ranks for one in operations if one.kind != CALC]
    head = [f"GOAL schedule {pathlib.Path(goal).name}: `python3 -m flitcast goal`."]
    return experiment_text(head, mesh_settings(len(schedule.ranks)) + replay_settings(
        trace, 1, "Cycles in a nanosecond of the schedule, which is a microsecond of the traces.") + packet_settings(max(sizes, default=0)))


def _notes(schedule, costs, writer):
    operations = [one for operations in schedule.ranks for one in operations]
    if any(one.kind == RECEIVE and ANY in (one.peer, one.tag) for one in operations):
        yield "receives from any source or of any tag take the messages that they get without contention"
    if writer.small_receives:
        yield f"receives with fewer bytes than their messages: {writer.small_receives}; the send says the size"
    if any(one.nic for one in operations) and not costs.g and not costs.G:
        yield "numbers of NICs have no effect: messages leave by the node's channel to its router"
    if costs.g or costs.G:
        yield "messages at a NIC keep the order that they have without contention"
    if chained := writer.chained():
        rank, cpu = chained[0]
        yield (f"operations of CPU {cpu} of rank {rank} keep the order that they have without contention, as those of every CPU beyond the two "
               f"with the most operations of a rank: {len(chained)} CPUs")


def _raise_if_any(report):
    if report.refusals:
        raise GoalError(report.refusals)
