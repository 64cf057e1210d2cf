# SPDX-License-Identifier: Apache-2.0
"""The files of a trace and of the experiment that replays it."""
import json
from typing import NamedTuple

from ..astra.experiment import Setting, experiment_text, mesh_settings
from ..chakra import Traces, replay_settings

FLIT_BYTES = 1  # Chakra gives sizes in bytes: here one for each flit behind the head flit.


class Layout(NamedTuple):
    """By node of the model: the node of the network; and the flits of messages without and with data."""
    places: list
    control: int
    data: int

    def flits(self, message):
        return self.data if message.has_data else self.control


def csv_trace(messages, layout):
    """The text of a trace of format csv. Cycles are the earliest ones, and dependencies the causes; there are no delays."""
    lines = ["cycle,src,dst,flits,class,id,deps"]
    for number, message in enumerate(messages):
        cause = "" if message.cause is None else message.cause
        lines.append(f"{message.cycle},{layout.places[message.source]},{layout.places[message.target]},{layout.flits(message)},{message.kind},"
                     f"{number},{cause}")
    return "\n".join(lines) + "\n"


def chakra_trace(messages, layout):
    """The Chakra traces, by rank; rank r is the r-th of the network's nodes in use.

    A microsecond is a cycle. A message is a send of its source and a receive of its target with its number as tag. A memory node of its
    source takes the cycles of its delay beyond one, or for a message of the clock those since the last one of that node.
    """
    ranks = {place: rank for rank, place in enumerate(sorted(set(layout.places)))}
    chakra = Traces(len(ranks))
    clock = _Clock(chakra, len(ranks))
    of_clock = sorted((message.cycle, number) for number, message in enumerate(messages) if message.cause is None)
    begins = {number: clock.at(ranks[layout.places[messages[number].source]], cycle) for cycle, number in of_clock}
    received = {}
    for number, message in enumerate(messages):
        source, target = (ranks[layout.places[node]] for node in (message.source, message.target))
        after = begins[number] if message.cause is None else chakra.wait(source, received[message.cause], message.delay - 1)
        received[number] = chakra.message(source, target, after, number, (layout.flits(message) - 1) * FLIT_BYTES)
    return chakra


class _Clock:
    """The begins of a node's messages that a clock decides: a chain of waits for each rank, in the order of cycles."""

    def __init__(self, traces, count):
        self._traces, self._last = traces, [(0, [])] * count

    def at(self, rank, cycle):
        """The nodes to depend on for a begin at `cycle`, which is no earlier than the rank's last one."""
        last, nodes = self._last[rank]
        if cycle > last:
            self._last[rank] = (cycle, self._traces.wait(rank, nodes, cycle - last))
        return self._last[rank][1]


def experiment(head, trace, form, layout):
    """The text of an experiment that replays a trace on a mesh, as square as its number of nodes allows.

    @param trace  The file or folder as the experiment names it.
    @param form   csv or chakra.
    """
    settings = mesh_settings(max(layout.places) + 1)
    if form == "csv":
        settings += [Setting("workload.kind", "trace", ""), Setting("workload.format", form, ""),
                     Setting("workload.file", json.dumps(str(trace)), "")]
    else:
        settings += [*replay_settings(trace, 1, "A microsecond of the trace is a cycle, and a byte a flit behind the head flit."),
                     Setting("workload.flit_bytes", FLIT_BYTES, ""), Setting("workload.mtu", max(layout.data, layout.control), "")]
        if (places := sorted(set(layout.places))) != list(range(len(places))):
            settings.append(Setting("workload.nodes", places, ""))
    return experiment_text(head, settings)
