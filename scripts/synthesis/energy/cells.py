# SPDX-License-Identifier: Apache-2.0
"""Costs of transitions from a liberty file: capacitances in pF, energies in pJ (V^2 times pF), at one slew.

The liberty's internal power excludes what charges the load; a transition of a net so costs the internal power of the pin
that drives it, half of C V^2 of the pins that it drives, and the internal power of those. State-dependent power (`when`)
is taken as the mean of its states.
"""
import bisect
import collections
import dataclasses
import functools
import re

SLEW_NS = 0.15

TOKEN = re.compile(r'"[^"]*"|[\w.+\-!&|*^\'\[\]]+|[(){}:;,]')


@dataclasses.dataclass
class Group:
    """`kind (name) { attributes, groups }` of a liberty file."""

    kind: str
    name: str
    values: dict = dataclasses.field(default_factory=dict)
    groups: list = dataclasses.field(default_factory=list)

    def of(self, kind):
        return [group for group in self.groups if group.kind == kind]


def _tokens(text):
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL).replace("\\\n", " ")
    return collections.deque(TOKEN.findall(text))


def _arguments(tokens):
    words = []
    while (word := tokens.popleft()) != ")":
        if word != ",":
            words.append(word.strip('"'))
    return words


def _body(tokens, group):
    while (word := tokens.popleft()) != "}":
        if word == ";":
            continue
        mark = tokens.popleft()
        if mark == ":":
            group.values[word] = tokens.popleft().strip('"')
        elif mark == "(":
            arguments = _arguments(tokens)
            if tokens and tokens[0] == "{":
                tokens.popleft()
                inner = Group(word, arguments[0] if arguments else "")
                _body(tokens, inner)
                group.groups.append(inner)
            else:
                group.values[word] = arguments
    return group


@functools.lru_cache(maxsize=None)
def _numbers(words):
    return [float(number) for word in words for number in re.split(r"[,\s]+", word.strip()) if number]


def _between(axis, x):
    """The index below x, and the fraction of the step to the next; values outside are extrapolated."""
    at = min(max(bisect.bisect(axis, x) - 1, 0), len(axis) - 2)
    return at, (x - axis[at]) / (axis[at + 1] - axis[at])


def _look_up(table, load, slew):
    """Interpolates a table by load and slew, or by slew alone."""
    values, first = (_numbers(tuple(table.values[name])) for name in ("values", "index_1"))
    if "index_2" not in table.values:
        at, part = _between(first, slew)
        return values[at] * (1 - part) + values[at + 1] * part
    second = _numbers(tuple(table.values["index_2"]))
    row, down = _between(first, load)
    column, right = _between(second, slew)

    def value(r, c):
        return values[r * len(second) + c]
    return ((value(row, column) * (1 - right) + value(row, column + 1) * right) * (1 - down)
            + (value(row + 1, column) * (1 - right) + value(row + 1, column + 1) * right) * down)


class Pin:
    """A pin of a cell: its direction, its capacitance, its internal energies."""

    def __init__(self, group):
        self.is_output = group.values["direction"] == "output"
        self.is_clock = group.values.get("clock") == "true"
        self.capacitance = float(group.values.get("capacitance", 0))
        self._power = group.of("internal_power")

    def energy(self, edge, load=0.0):
        """Energy of a `rise` or `fall` of the pin without its load."""
        tables = [table for power in self._power for table in power.of(f"{edge}_power")]
        return sum(_look_up(table, load, SLEW_NS) for table in tables) / len(tables) if tables else 0.0


class Library:
    """cells[name][pin]; area and leakage by name; volts."""

    def __init__(self, file):
        tokens = _tokens(file.read_text(encoding="utf-8"))
        tokens.popleft()
        top = Group("library", "")
        tokens.popleft()
        _arguments(tokens)
        tokens.popleft()
        _body(tokens, top)
        self.volts = float(top.values["nom_voltage"])
        self.cells, self.area, self.leakage_nw = {}, {}, {}
        for cell in top.of("cell"):
            self.cells[cell.name] = {pin.name: Pin(pin) for pin in cell.of("pin")}
            self.area[cell.name] = float(cell.values["area"])
            self.leakage_nw[cell.name] = float(cell.values.get("cell_leakage_power", 0))

    def charge(self, capacitance):
        """Energy of one transition of `capacitance` pF."""
        return 0.5 * capacitance * self.volts ** 2
