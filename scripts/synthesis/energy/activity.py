# SPDX-License-Identifier: Apache-2.0
"""Energy of every cycle by part, from a dump of the changes of a netlist."""
# The length of a cycle in units of the dumps, 10 ps.
CYCLE = 1000
# Registers change within 0.3 ns of the edge, with the delays of their cells; gates behind them later.
LATE = 30


class NoDelays(Exception):
    """The simulator did not use the delays of the cells, so that glitches are missing."""


def _identifiers(lines):
    """Reads the head of a dump: identifier -> name, width."""
    found = {}
    for line in lines:
        words = line.split()
        if words[:1] == ["$var"]:
            found.setdefault(words[3], (words[4].lstrip("\\"), int(words[2])))
        elif words[:1] == ["$enddefinitions"]:
            return found
    return found


def _prices(identifiers, nets, parts):
    """identifier -> for each bit, from the lowest, part number and energies of fall and rise, or None."""
    priced = {}
    for identifier, (name, width) in identifiers.items():
        bits = [nets.get((name, at)) for at in range(width)]
        if any(bits):
            priced[identifier] = [bit and (parts.index(bit[0]), (bit[1], bit[2])) for bit in bits]
    return priced


def _changes(lines):
    """Time, identifier and new value of every change, the lowest bit of it first."""
    time = 0
    for line in lines:
        kind = line[0]
        if kind in "01xz":
            yield time, line[1:-1], kind
        elif kind == "#":
            time = int(line[1:])
        elif kind == "b":
            value, identifier = line[1:].split()
            yield time, identifier, value[::-1]


def _bit(value, at):
    """All bits of a value, lowest first; a dump omits leading zeros, or x."""
    if at < len(value):
        return value[at]
    return value[-1] if value[-1] in "xz" else "0"


def energies(file, nets, parts, cycles):
    """pJ by part (of `parts`) and cycle. A change from or to an unknown value costs nothing."""
    result = [[0.0] * cycles for _ in parts]
    late = total = 0
    with open(file, encoding="ascii") as lines:
        priced = _prices(_identifiers(lines), nets, parts)
        values, start = {}, None
        for time, identifier, value in _changes(lines):
            start = time - time % CYCLE if start is None else start
            bits = priced.get(identifier)
            if bits is None:
                continue
            old = values.get(identifier)
            values[identifier] = value
            if old is None:
                continue
            cycle = min((time - start) // CYCLE, cycles - 1)
            total += 1
            late += time % CYCLE >= LATE
            for at, bit in enumerate(bits):
                now, before = _bit(value, at), _bit(old, at)
                if bit and now != before and now in "01" and before in "01":
                    result[bit[0]][cycle] += bit[1][now == "1"]
    if total > 1000 and late < total / 5:
        raise NoDelays(f"{file}: only {late} of {total} changes come late")
    return result
