# SPDX-License-Identifier: Apache-2.0
"""The standard pictures, by matplotlib. Each function returns a figure, for savefig(); colours tell series apart for
readers who do not see all colours, too."""
import matplotlib

matplotlib.use("Agg", force=False)
from matplotlib import pyplot  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402

PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#a05195"]
BEND = 0.08   # Of a channel, sideways, so that both ways are seen.


def _axes(title, x, y):
    figure, axes = pyplot.subplots(figsize=(6.4, 4.2), layout="constrained")
    axes.set_title(title)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(alpha=0.3)
    return figure, axes


def curves(table, x, y, *, title=None, logarithmic=False):
    """A figure `y` of a table over a key or another figure `x`, a curve for every combination of the other keys."""
    figure, axes = _axes(title or f"{y} of {table.name}", x, y)
    series = table.curves(x, y)
    for place, (label, points) in enumerate(series.items()):
        axes.plot(*zip(*points), marker="o", label=label, color=PALETTE[place % len(PALETTE)],
                  linestyle="-" if place < len(PALETTE) else "--")
    if logarithmic:
        axes.set_yscale("log")
    if len(series) > 1:
        axes.legend()
    return figure


def _load_key(table):
    """workload.load, or the load of a class."""
    return next((key for key in table.keys if key.split(".")[-1] == "load"), "offered_flits_per_node_cycle")


def latency_over_load(table):
    """Mean latency over the load. Runs that are not ok are left out: their latencies grow with the window."""
    from .results import Table
    fine = Table(table.name, table.keys, [result for result in table if result.ok])
    return curves(fine, _load_key(table), "latency_cycles.mean", title=f"Latency of {table.name}")


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
