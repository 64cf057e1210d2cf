# SPDX-License-Identifier: Apache-2.0
"""The routing of an experiment, as `flitcast export routing` writes it: an answer for each router, input VC and destination."""
import csv
import io
from typing import NamedTuple


class Answer(NamedTuple):
    """An output, and the VCs there that a packet may take, as bits."""
    output: int
    vcs: int


class RouterTables(NamedTuple):
    """Tables {destination: Answer} of a router, and the table of each input VC, of number input * VCs + VC."""
    tables: list
    of_input_vc: list


def adaptive(text):
    """True if packets choose among several outputs."""
    return "priority" in text.split("\n", 1)[0].split(",")


def read_tables(text, network, vcs):
    """{router: RouterTables} of a routing table in CSV. A destination without an entry never comes to an input VC."""
    entries = {router: {} for router in network.routers}  # By router, and by the input and the VC, or None for all.
    for line in csv.DictReader(io.StringIO(text)):
        arrival = tuple(int(line[key]) if line[key] else None for key in ("input", "vc"))
        table = entries[network.numbers[line["router"]]].setdefault(arrival, {})
        answer = Answer(int(line["output"]), _vcs(line["vcs"], vcs))
        table.update({destination: answer for destination in _destinations(line["destination"])})
    return {router: _merged(entries[router], ports.inputs, vcs) for router, ports in network.routers.items()}


def shifted(text, first, count, vcs, keep_head):
    """The lines of a table for `count` VCs as those for the VCs from `first` on, of `vcs`."""
    rows = list(csv.DictReader(io.StringIO(text)))
    out = io.StringIO()
    writer = csv.DictWriter(out, text.split("\n", 1)[0].split(","), lineterminator="\n")
    if keep_head:
        writer.writeheader()
    for row in rows:
        own = _vcs(row["vcs"], count) << first
        for vc in [int(row["vc"])] if row["vc"] else range(count):
            writer.writerow(row | {"vc": first + vc, "vcs": " ".join(str(one) for one in range(vcs) if own >> one & 1)})
    return out.getvalue()


def _destinations(text):
    for part in text.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _vcs(text, vcs):
    return (1 << vcs) - 1 if text == "*" else sum(1 << int(vc) for vc in text.split())


def _merged(by_arrival, inputs, vcs):
    """As few tables as the first fit finds: two are one where they agree in what both have."""
    tables, chosen = [], []
    for number in range(inputs * vcs):
        port, vc = divmod(number, vcs)
        table = {}
        for arrival in ((None, None), (None, vc), (port, None), (port, vc)):
            table.update(by_arrival.get(arrival, {}))
        chosen.append(_place(tables, table))
    return RouterTables(tables, chosen)


def _place(tables, table):
    """The index of the table in which this one has found its place."""
    for index, other in enumerate(tables):
        if all(other.get(destination, answer) == answer for destination, answer in table.items()):
            other.update(table)
            return index
    tables.append(table)
    return len(tables) - 1
