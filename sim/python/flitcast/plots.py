# SPDX-License-Identifier: Apache-2.0
"""The standard pictures, by matplotlib. Each function returns a figure, for savefig(); colours tell series apart for
readers who do not see all colours, too."""
import matplotlib

matplotlib.use("Agg", force=False)
from matplotlib import pyplot  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402
from matplotlib.ticker import FixedLocator, NullLocator, ScalarFormatter  # noqa: E402

PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#a05195"]
BEND = 0.08   # Sideways bend of a channel, so that both directions are visible.


def _axes(title, x, y):
    figure, axes = pyplot.subplots(figsize=(7.2, 4.2), layout="constrained")
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    return figure, axes


def curves(table, x, y, *, by=None, title=None, x_text=None, y_text=None, logarithmic=""):
    """A figure `y` of a table over a key or another figure `x`, a curve for every combination of the other keys.

    @param by           Keys or figures whose values make a curve, in place of all other keys.
    @param logarithmic  Axes, "x", "y" or "xy"; others begin at zero, if nothing lies below.
    """
    figure, axes = _axes(title or f"{y} of {table.name}", x_text or x, y_text or y)
    series = table.curves(x, y, by)
    for place, (label, points) in enumerate(series.items()):
        axes.plot(*zip(*points), marker="o", label=label, color=PALETTE[place % len(PALETTE)],
                  linestyle="-" if place < len(PALETTE) else "--")
    for name in "xy":
        if name in logarithmic:
            getattr(axes, f"set_{name}scale")("log")
        elif getattr(axes, f"get_{name}lim")()[0] > 0:
            getattr(axes, f"set_{name}lim")(0)
    if "x" in logarithmic:
        axes.xaxis.set_major_locator(FixedLocator(sorted({at for points in series.values() for at, _ in points})))
        axes.xaxis.set_major_formatter(ScalarFormatter())
        axes.xaxis.set_minor_locator(NullLocator())
    if len(series) > 1:
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1))
    return figure


def bars(table, y, *, by=None, title=None, y_text=None):
    """A figure `y` of a table, a bar for every combination of the keys or figures `by`, all keys unless given."""
    figure, axes = _axes(title or f"{y} of {table.name}", y_text or y, "")
    lengths = {label: points[0][1] for label, points in table.curves("name", y, by or table.keys).items()}
    axes.barh(list(lengths), list(lengths.values()), color=PALETTE[0])
    axes.invert_yaxis()
    return figure


def _load_key(table):
    """workload.load, or the load of a class."""
    return next((key for key in table.keys if key.split(".")[-1] == "load"), "offered_flits_per_node_cycle")


def latency_over_load(table):
    """Mean latency over the load, of the runs that are fine."""
    return curves(table.fine(), _load_key(table), "latency_cycles.mean", title=f"Latency of {table.name}")


def accepted_over_load(table):
    return curves(table, _load_key(table), "accepted_flits_per_node_cycle.mean", title=f"Accepted load of {table.name}")


def time_over_length(table):
    """Cycles of a collective operation over the length of its message."""
    return curves(table, "workload.length", "collective.cycles", title=f"Time of {table.name}")


def histogram(result):
    """Latencies of the packets of a result."""
    figure, axes = _axes(f"Latency of {result['name']}", "latency (cycles)", "packets")
    bins = result["latency_cycles.histogram"]
    axes.bar([most for most, _ in bins], [packets for _, packets in bins], width=1, color=PALETTE[0])
    return figure


def links(result):
    """Loads of the channels between routers, on the drawing of the topology."""
    figure, axes = _axes(f"Loads of the channels of {result['name']}", "", "")
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
