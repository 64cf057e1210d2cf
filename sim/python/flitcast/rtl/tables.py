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
    """{router: RouterTables} of a routing table in CSV, with the entries that packets of some node need."""
    lines = {router: {} for router in network.routers}  # By router, and by the input and the VC, or None for all.
    for line in csv.DictReader(io.StringIO(text)):
        arrival = tuple(int(line[key]) if line[key] else None for key in ("input", "vc"))
        table = lines[network.numbers[line["router"]]].setdefault(arrival, {})
        answer = Answer(int(line["output"]), _vcs(line["vcs"], vcs))
        table.update({destination: answer for destination in _destinations(line["destination"])})
    found = {router: [_at(lines[router], *divmod(number, vcs)) for number in range(ports.inputs * vcs)]
             for router, ports in network.routers.items()}
    return {router: _merged(tables) for router, tables in _reached(found, network, vcs).items()}


def _at(lines, port, vc):
    """The table of an input VC: lines that name it replace others."""
    table = {}
    for arrival in ((None, None), (None, vc), (port, None), (port, vc)):
        table.update(lines.get(arrival, {}))
    return table


def _reached(tables, network, vcs):
    """The entries of the tables of all input VCs, by router, to which packets come from their nodes."""
    ends = {link.source: link.target for link in network.links}
    reached = {router: [{} for _ in of_router] for router, of_router in tables.items()}
    starts = [(node.injection, vc) for node in network.nodes for vc in range(vcs)]
    for destination in range(len(network.nodes)):
        open_ends = list(starts)
        while open_ends:
            (router, port), vc = open_ends.pop()
            number = port * vcs + vc
            answer = tables[router][number].get(destination)
            if answer and destination not in reached[router][number]:
                reached[router][number][destination] = answer
                end = ends.get((router, answer.output))
                open_ends += [(end, vc) for vc in range(vcs) if end and answer.vcs >> vc & 1]
    return reached


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


def _merged(of_input_vcs):
    """As few tables as the first fit finds: two are one where they agree in what both have."""
    tables = []
    return RouterTables(tables, [_place(tables, table) for table in of_input_vcs])


def _place(tables, table):
    """The index of the table in which this one has found its place."""
    for index, other in enumerate(tables):
        if all(other.get(destination, answer) == answer for destination, answer in table.items()):
            other.update(table)
            return index
    tables.append(dict(table))
    return len(tables) - 1
