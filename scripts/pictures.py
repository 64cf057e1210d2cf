# SPDX-License-Identifier: Apache-2.0
"""Pictures of the gallery: a curve for every value of one key, over another. See scripts/gallery."""
import csv
import dataclasses
import pathlib
import subprocess
import sys
import tempfile

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "sim" / "examples"

PLOT = """
set terminal svg size 640,400 font 'sans,12' background '#ffffff'
set output '{file}'
set key outside right top reverse Left samplen 1
set grid
set title '{title}'
set xlabel '{x_text}'
set ylabel '{y_text}'
set yrange [{least}:*]
{more}
plot {curves}
"""


@dataclasses.dataclass(frozen=True)
class Picture:
    """Of an experiment: figure `y` over the key or figure `x`, a curve for all rows with the same `curve`."""

    name: str
    title: str
    x: str
    x_text: str
    y: str
    y_text: str
    curve: tuple
    logarithmic: str = ""  # Axes.
    least: str = "0"


PICTURES = [
    Picture("topology_64", "64 nodes, uniform traffic", "accepted_flits_per_node_cycle.mean", "accepted flits per node and cycle",
            "latency_cycles.mean", "mean latency, cycles", ("topology.name",)),
    Picture("switching", "8x8 mesh, load 0.05", "workload.packet_length", "flits in a packet", "latency_cycles.mean",
            "mean latency, cycles", ("router.kind",), "x"),
    Picture("multicast_mesh", "one message to 12 nodes of an 8x8 mesh", "workload.length", "flits of the message", "collective.cycles",
            "cycles", ("workload.algorithm",), "xy", "*"),
    Picture("reduction_mesh", "64 contributions to one node", "workload.length", "flits of a contribution", "collective.cycles",
            "cycles", ("workload.forwarding",), "xy", "*"),
    Picture("all_reduce", "all-reduce of 16 nodes", "workload.length", "flits of a contribution", "collective.cycles",
            "cycles", ("workload.algorithm",), "xy", "*"),
    Picture("middle_switches", "v(m, 4, 4) under random multicasts", "topology.middle_switches", "m, middle switches",
            "circuit.blocked", "requests without a path", ("topology.nodes",)),
    Picture("adaptive_transpose", "transpose on an 8x8 mesh", "workload.load", "offered flits per node and cycle",
            "accepted_flits_per_node_cycle.mean", "accepted flits per node and cycle", ("routing.kind",)),
    Picture("hot_spot", "a tenth of all packets to one node", "workload.load", "offered flits per node and cycle",
            "latency_cycles.p99", "latency of the slowest 1 %, cycles", ("routing.kind",)),
    Picture("dragonfly_detours", "dragonfly of 9 groups, offered 0.25", "point", "", "accepted_flits_per_node_cycle.mean",
            "accepted flits per node and cycle", ("workload.pattern", "routing.kind")),
    Picture("energy", "4x4 mesh, 34 bits, 0.18 um cells, 1 mm links", "accepted_flits_per_node_cycle.mean",
            "accepted flits per node and cycle", "energy.pj_per_flit_hop", "pJ per flit-hop, without the clock",
            ("router.kind",)),
]


def rows_of(program, picture):
    with tempfile.TemporaryDirectory() as folder:
        # Points that saturate end with another code, and are drawn, too.
        done = subprocess.run([program, "run", str(EXAMPLES / f"{picture.name}.yaml"), "--out", folder, "--quiet"], check=False)
        if done.returncode not in (0, 3):
            sys.exit(f"flitcast: {picture.name}.yaml ends with {done.returncode}")
        with open(pathlib.Path(folder) / "results.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))


def number(text):
    return float(text.strip("[]"))


def curves_of(rows, picture):
    """Name of a curve -> its points, in their order."""
    curves = {}
    for row in rows:
        # Latencies of a saturated network are as long as the window.
        if row["status"] == "saturated" and picture.y.startswith("latency"):
            continue
        name = ", ".join(row[key] for key in picture.curve).replace("_", " ")
        curves.setdefault(name, []).append((number(row[picture.x]), number(row[picture.y])))
    return curves


def draw(program, picture):
    curves = curves_of(rows_of(program, picture), picture)
    data = "".join(f"$curve{at} << EOD\n" + "".join(f"{x:g} {y:g}\n" for x, y in points) + "EOD\n"
                   for at, points in enumerate(curves.values()))
    style, more = "with linespoints pointtype 7 pointsize 0.6", ""
    if all(len(points) == 1 for points in curves.values()):
        style, more = "with impulses linewidth 20", "set offsets 0.6, 0.6, 0, 0"
    named = [f"$curve{at} {style} title '{name if len(curves) > 1 else ''}'" for at, name in enumerate(curves)]
    if picture.logarithmic:
        more += f"set logscale {picture.logarithmic}"
    if not picture.x_text:
        more += "\nunset xtics"
    file = EXAMPLES / "pictures" / f"{picture.name}.svg"
    file.parent.mkdir(exist_ok=True)
    script = PLOT.format(file=file, title=picture.title, x_text=picture.x_text, y_text=picture.y_text, least=picture.least,
                         more=more, curves=", ".join(named))
    subprocess.run(["gnuplot"], input=data + script, text=True, check=True)


def main():
    program, names = sys.argv[1], sys.argv[2:]
    known = {picture.name: picture for picture in PICTURES}
    for name in names or known:
        if name not in known:
            sys.exit(f'flitcast: "{name}" is none of the gallery; take from {", ".join(known)}')
        draw(program, known[name])


if __name__ == "__main__":
    main()
