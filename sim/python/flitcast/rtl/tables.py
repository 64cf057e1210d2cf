# SPDX-License-Identifier: Apache-2.0
"""Routing tables, as `flitcast export routing` writes them and as routers in RTL have them: an answer for each input VC and header."""
import csv
import io
from typing import NamedTuple

from .choices import adaptive, choice_of
from .network import Port


class Answer(NamedTuple):
    """An output, and the VCs there that a packet may take, as bits."""
    output: int
    vcs: int

    @property
    def options(self):
        """The answers among which a router chooses: this one."""
        return (self,)


class RouterTables(NamedTuple):
    """Tables {key: Answer or Choice} of a router, and the table of each input VC, of number input * VCs + VC.

    A key has the destination and the values that the source has drawn, (destination, draw, ...), or ANY in place of what does not matter.
    No header has two keys of a table.
    """
    tables: list
    of_input_vc: list


ANY = -1


def read_entries(text, network, vcs):
    """{router: [{destination: Answer}]} of a routing table in CSV, with a table for each input VC; of an adaptive one with Choices."""
    made = choice_of if adaptive(text) else lambda lines: lines[-1][1]
    lines = {router: {} for router in network.routers}  # By router, and by the input and the VC, or None for all.
    for line in csv.DictReader(io.StringIO(text)):
        arrival = tuple(int(line[key]) if line[key] else None for key in ("input", "vc"))
        table = lines[network.numbers[line["router"]]].setdefault(arrival, {})
        one = (int(line.get("priority", 0)), Answer(int(line["output"]), _vcs(line["vcs"], vcs)))
        for destination in _destinations(line["destination"]):
            table.setdefault(destination, []).append(one)
    return {router: [_at(lines[router], *divmod(number, vcs), made) for number in range(ports.inputs * vcs)]
            for router, ports in network.routers.items()}


def _at(lines, port, vc, made):
    """The table of an input VC, whose answers are `made` of lines: those that name it replace others."""
    table = {}
    for arrival in ((None, None), (None, vc), (port, None), (port, vc)):
        table.update(lines.get(arrival, {}))
    return {destination: made(of_destination) for destination, of_destination in table.items()}


class Reach:
    """The entries that packets of some node need, found by following packets from input VC to input VC."""

    def __init__(self, network, vcs):
        self.vcs = vcs
        self.starts = [(node.injection, vc) for node in network.nodes for vc in range(vcs)]
        self._ends = {link.source: link.target for link in network.links}
        self._tables = {router: [{} for _ in range(ports.inputs * vcs)] for router, ports in network.routers.items()}

    def follow(self, key, starts, answer_at):
        """Adds the entries of the packets of a key, and returns the input VCs where they have no answer.

        @param key        The destination, or ANY, and the values of all draws.
        @param starts     Input VCs (Port, VC).
        @param answer_at  The Answer or Choice at an input VC, answer_at(port, vc), or None.
        """
        stops, open_ends = set(), list(starts)
        while open_ends:
            end, vc = open_ends.pop()
            answer, table = answer_at(end, vc), self._tables[end.router][end.port * self.vcs + vc]
            if answer is None:
                stops.add((end, vc))
            elif key not in table:
                table[key] = answer
                open_ends += [behind for option in answer.options for behind in self.behind(end.router, option)]
        return stops

    def behind(self, router, answer):
        """The input VCs to which an Answer of a router leads, none if that is a node."""
        target = self._ends.get(Port(router, answer.output))
        return [(target, vc) for vc in range(self.vcs) if target and answer.vcs >> vc & 1]

    def answer(self, end, vc, key):
        """The Answer to a header, without ANY, at an input VC; None if no packet brings this header there."""
        table = self._tables[end.router][end.port * self.vcs + vc]
        return table.get(key) or table.get((ANY, *key[1:]))

    def router_tables(self):
        """{router: RouterTables} of all entries."""
        return {router: _merged(tables) for router, tables in self._tables.items()}


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
    places = [_place(tables, table) for table in of_input_vcs]
    return RouterTables([covered(table) for table in tables], places)


def _place(tables, table):
    """The index of the table in which this one has found its place."""
    for index, other in enumerate(tables):
        if all(other.get(key, answer) == answer for key, answer in table.items()) and _distinct(table.keys() | other.keys()):
            other.update(table)
            return index
    tables.append(dict(table))
    return len(tables) - 1


def _distinct(keys):
    """True if no header has two of the keys, of which some have ANY as their destination."""
    return not {key[1:] for key in keys if key[0] == ANY} & {key[1:] for key in keys if key[0] != ANY}


def covered(table):
    """The entries of a table with ANY in place of draws that do not matter: those after which all keys have the same answer."""
    fields = range(len(next(iter(table), ())))
    return dict(sorted(_covered(table, fields))) if len(fields) > 1 else table


def _covered(table, fields):
    """(key, Answer) of a decision tree over the values of fields: the destination first where all keys have one, then any draw."""
    if 0 in fields and ANY not in {key[0] for key in table}:
        return _split(table, 0, fields)
    if len(set(table.values())) == 1:
        key, answer = next(iter(table.items()))
        return [(tuple(ANY if field in fields else value for field, value in enumerate(key)), answer)]
    return _split(table, min((field for field in fields if field != 0), key=lambda field: _mixed(table, field)), fields)


def _split(table, field, fields):
    rest = [other for other in fields if other != field]
    return [entry for part in _parts(table, field) for entry in _covered(part, rest)]


def _parts(table, field):
    """The entries of each value of a field."""
    parts = {}
    for key, answer in table.items():
        parts.setdefault(key[field], {})[key] = answer
    return list(parts.values())


def _mixed(table, field):
    """(Values of a field behind which answers still differ, values)."""
    parts = _parts(table, field)
    return sum(len(set(part.values())) > 1 for part in parts), len(parts)
