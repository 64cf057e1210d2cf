# SPDX-License-Identifier: Apache-2.0
"""Energies per event: the non-negative numbers that explain the energy of a part, by least squares.

Tables of a run have a row for each cycle and a column for each event.
"""
SWEEPS = 20000


def non_negative(rows, targets):
    """The x >= 0 with the least |rows x - targets|, one coordinate after the other; the problem is convex, so that none is
    left behind (Franc, Hlavac and Navara, "Sequential coordinate-wise algorithm for the non-negative least squares
    problem", CAIP 2005)."""
    columns = list(zip(*rows))
    gram = [[sum(p * q for p, q in zip(a, b)) for b in columns] for a in columns]
    wanted = [sum(p * q for p, q in zip(a, targets)) for a in columns]
    x = [0.0] * len(columns)
    for _ in range(SWEEPS):
        moved = 0.0
        for k, row in enumerate(gram):
            if row[k] <= 0:
                continue
            better = max(0.0, x[k] + (wanted[k] - sum(g * v for g, v in zip(row, x))) / row[k])
            moved = max(moved, abs(better - x[k]))
            x[k] = better
        if moved < 1e-9:
            break
    return x


def windows(values, length):
    """Sums over windows of a number of cycles; an incomplete last window is not used."""
    return [sum(values[at:at + length]) for at in range(0, len(values) - length + 1, length)]


def energies_per_event(runs, length=20):
    """Fits (events by column, energy) of several runs. Windows have the weight of the root of their energy and all runs the same, so that
    one stream is not lost among busy runs."""
    rows, targets = [], []
    for columns, energy in runs:
        spent = windows(energy, length)
        least = max(1e-3, 0.1 * sum(spent) / len(spent))
        for events, target in zip(zip(*(windows(column, length) for column in columns)), spent):
            weight = (max(target, least) * len(spent)) ** -0.5
            rows.append([weight * count for count in events])
            targets.append(weight * target)
    return non_negative(rows, targets)
