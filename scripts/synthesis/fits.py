# SPDX-License-Identifier: Apache-2.0
"""Straight lines through the sizes of a design, over the orders that the lecture gives (CS838, 1999)."""
import math


def _log(point):
    return math.log2(point["r"])


# design -> (column, what it grows with as text, the same as a function).
ORDERS = {
    "seq_counter": [("core_gates", "log2(m r)", lambda p: math.log2(p["m"] * p["r"]))],
    "seq_counter_pruned": [("core_gates", "log2(m r)", lambda p: math.log2(p["m"] * p["r"]))],
    "seq_adder": [("core_gates", "r", lambda p: p["r"])],
    "par_counter": [("core_gates", "m log2 r", lambda p: p["m"] * _log(p))],
    "par_adder": [("core_gates", "m r", lambda p: p["m"] * p["r"])],
    "par_thermo": [("core_gates", "m r log2 r", lambda p: p["m"] * p["r"] * _log(p))],
}
PERIODS = [("period_ns", "log2 r", _log), ("period_without_reads_ns", "log2 r", _log)]


def line(xs, ys):
    """Least squares: intercept, slope, R^2."""
    count = len(xs)
    x_mean, y_mean = sum(xs) / count, sum(ys) / count
    spread = sum((x - x_mean) ** 2 for x in xs)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys)) / spread
    intercept = y_mean - slope * x_mean
    left = sum((y - intercept - slope * x) ** 2 for x, y in zip(xs, ys))
    total = sum((y - y_mean) ** 2 for y in ys)
    return intercept, slope, 1 - left / total if total > 0 else 1.0


def text(rows):
    """A line for every design and quantity with three sizes or more: two always fit."""
    lines = []
    for design in dict.fromkeys(row["design"] for row in rows):
        for column, order, function in ORDERS.get(design, []) + PERIODS:
            points = [row for row in rows if row["design"] == design and column in row]
            if len(points) < 3:
                continue
            intercept, slope, fit = line([function(p) for p in points], [p[column] for p in points])
            sign = "+" if intercept >= 0 else "-"
            lines.append(f"{design:20} {column:23} = {slope:.3g} {order} {sign} {abs(intercept):.3g}"
                         f"   R2 {fit:.4f}, {len(points)} sizes\n")
    return "".join(lines)
