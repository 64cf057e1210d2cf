# SPDX-License-Identifier: Apache-2.0
"""The standard pictures, by matplotlib. Each function returns a figure, for savefig(); colours tell series apart for
readers who do not see all colours, too."""
import functools
import json
import os

import matplotlib

if "MPLBACKEND" not in os.environ:  # Jupyter sets it, and shows the figures of a cell below it.
    matplotlib.use("Agg", force=False)
from matplotlib import pyplot  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402
from matplotlib.ticker import FixedLocator, NullLocator, ScalarFormatter  # noqa: E402

from .program import call  # noqa: E402

PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#a05195"]
MARKS = "os^D"   # They tell curves apart without colours, too.
BEND = 0.08   # Sideways bend of a channel, so that both directions are visible.
SIZE = (5.0, 3.2)   # Inches: a column and a half, with letters of 9 points.
PRINT = {"font.size": 9, "axes.titlesize": 9, "legend.fontsize": 8, "lines.linewidth": 1.4, "lines.markersize": 4.5,
         "axes.spines.top": False, "axes.spines.right": False, "pdf.fonttype": 42, "svg.fonttype": "none"}
WORDS = {"latency_cycles.mean": "mean latency", "latency_cycles.p99": "latency of the slowest 1 %", "workload.load": "offered load",
         "accepted_flits_per_node_cycle.mean": "accepted load", "offered_flits_per_node_cycle": "offered load",
         "workload.length": "length of the message", "collective.cycles": "time", "saturation.value": "load at saturation"}


@functools.lru_cache(maxsize=None)
def _units():
    """Units of keys and figures, as the program lists them; none of keys whose unit depends on others."""
    units = {}
    for what in ("parameters", "figures"):
        for entry in json.loads(call("list", what, "--json"))[what]:
            units.setdefault(entry["name"], set()).add(entry.get("unit", ""))
    return {name: unit for name, (unit, *others) in units.items() if unit and not others}


def axis_text(name):
    """A key or a figure in words, with its unit: "mean latency (cycles)"."""
    words = WORDS.get(name, name.split(".", 1)[-1].replace("_", " ").replace(".", ", "))
    return f"{words} ({_units()[name]})" if name in _units() else words


def _printed(plot):
    """Lets a plot have sizes that are fit to be printed."""
    @functools.wraps(plot)
    def drawn(*arguments, **named):
        with pyplot.rc_context(PRINT):
            return plot(*arguments, **named)
    return drawn


def _axes(title, x, y):
    figure, axes = pyplot.subplots(figsize=SIZE, layout="constrained")
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    return figure, axes


def _mark_saturation(axes, series, saturated):
    """A hollow mark at the upper edge at the load that saturates, joined to the last point of the curve."""
    top = 1.15 * max(value for points in series.values() for _, value in points)
    look = {"linestyle": ":", "markerfacecolor": "white", "clip_on": False, "zorder": 3}
    for line in list(axes.lines):
        if line.get_label() in saturated:
            ends = series[line.get_label()][-1:] + [(saturated[line.get_label()], top)]
            axes.plot(*zip(*ends), color=line.get_color(), label="_saturated", marker=line.get_marker(), markevery=[-1], **look)
    axes.set_ylim(top=top)
    axes.plot([], [], color="black", label="saturated", marker=MARKS[0], **look)


@_printed
def curves(table, x, y, *, by=None, title=None, x_text=None, y_text=None, logarithmic="", saturated=None):
    """A figure `y` of a table over a key or another figure `x`, a curve for every combination of the other keys, with the 95 %
    confidence intervals that are known.

    @param by           Keys or figures whose values make a curve, in place of all other keys.
    @param logarithmic  Axes, "x", "y" or "xy"; others begin at zero, if nothing lies below.
    @param saturated    Loads by the label of their curve, which are marked: Table.saturation().
    """
    figure, axes = _axes(title or table.name, x_text or axis_text(x), y_text or axis_text(y))
    series, intervals = table.curves(x, y, by), table.intervals(x, y, by)
    for place, (label, points) in enumerate(series.items()):
        colour = PALETTE[place % len(PALETTE)]
        axes.plot(*zip(*points), marker=MARKS[place % len(MARKS)], label=label, color=colour,
                  linestyle="-" if place < len(PALETTE) else "--")
        bars = [(at, value - width, value + width) for (at, value), width in zip(points, intervals[label]) if width]
        if bars:
            axes.vlines(*zip(*bars), color=colour, linewidth=1)
    if saturated and series:
        _mark_saturation(axes, series, saturated)
    for name in "xy":
        if name in logarithmic:
            getattr(axes, f"set_{name}scale")("log")
        elif getattr(axes, f"get_{name}lim")()[0] > 0:
            getattr(axes, f"set_{name}lim")(0)
    if "x" in logarithmic:
        axes.xaxis.set_major_locator(FixedLocator(sorted({at for points in series.values() for at, _ in points})))
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.xaxis.set_minor_locator(NullLocator())
    if len(series) > 1 or saturated:
        axes.legend(**({"loc": "upper left", "bbox_to_anchor": (1, 1)} if len(series) > len(PALETTE) else {"loc": "best"}))
    return figure


@_printed
def bars(table, y, *, by=None, title=None, y_text=None):
    """A figure `y` of a table, a bar for every combination of the keys or figures `by`, all keys unless given."""
    figure, axes = _axes(title or table.name, y_text or axis_text(y), "")
    lengths = {label: points[0][1] for label, points in table.curves("name", y, by or table.keys).items()}
    axes.barh(list(lengths), list(lengths.values()), color=PALETTE[0])
    axes.invert_yaxis()
    return figure


def _load_key(table):
    """workload.load, or the load of a class."""
    return next((key for key in table.keys if key.split(".")[-1] == "load"), "offered_flits_per_node_cycle")


def latency_over_load(table, **more):
    """Mean latency over the load, of the runs that are not saturated; the least load that saturates is marked."""
    axes = _load_key(table), "latency_cycles.mean"
    return curves(table.fine(), *axes, saturated=table.saturation(*axes, more.get("by")), **more)


def accepted_over_load(table):
    return curves(table, _load_key(table), "accepted_flits_per_node_cycle.mean")


def time_over_length(table):
    """Cycles of a collective operation over the length of its message."""
    return curves(table, "workload.length", "collective.cycles")


@_printed
def histogram(result):
    """Latencies of the packets of a result."""
    figure, axes = _axes(result["name"], "latency (cycles)", "packets")
    bins = result["latency_cycles.histogram"]
    axes.bar([most for most, _ in bins], [packets for _, packets in bins], width=1, color=PALETTE[0])
    return figure


@_printed
def links(result):
    """Loads of the channels between routers, on the drawing of the topology."""
    figure, axes = _axes(result["name"], "", "")
    places = result["layout"]
    lines, loads = [], []
    for link in result["links"]:
        if link["kind"] != "router":
            continue
        (x0, y0), (x1, y1) = places[link["from"]], places[link["to"]]
        lines.append([(x0, y0), ((x0 + x1) / 2 - BEND * (y1 - y0), (y0 + y1) / 2 + BEND * (x1 - x0)), (x1, y1)])
        loads.append(link["load"])
    drawn = axes.add_collection(LineCollection(lines, array=loads, cmap="viridis", linewidths=2.5))
    axes.scatter(*zip(*places), s=90, color="white", edgecolors="black", zorder=3)
    axes.invert_yaxis()
    axes.set_aspect("equal")
    axes.set_axis_off()
    figure.colorbar(drawn, label="share of the cycles")
    return figure
