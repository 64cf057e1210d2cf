# SPDX-License-Identifier: Apache-2.0
"""The table, the fits and the picture of a sweep.

 design r m x          the controller and its size; x: most passes of a request
 core_gates            what searches: counters, adders, comparators, minimum, in NAND2; mapped for area. Left out are
                       the store M_j with its reads, U, the request, the beat and the control that all designs share.
                       In the parallel designs the tree that finds k also muxes M_k: that is in the core
 core_flip_flops       those of the core
 gates flip_flops      the whole controller with the reads of the store, mapped for speed, in NAND2
 gates_with_store      and with m r flip-flops for the store, without its write port
 period_ns             the slowest path to a flip-flop, without wires
 period_without_reads_ns
                       the same of a design with reads when they are cut out, their registers included; empty for one
                       without. Mapped anew: it can come out a little above. What is read comes in at time 0, and a
                       path that ends at a read, at its index or mask, is not timed. This is another part than that of
                       core_gates: request, beat and control are in. Do not compare designs by it, as the cuts differ:
                         Seq./Counter     sets, availability, M_k, and the bits that it picks of the set and of U
                         Seq./Adder       sets, availability, M_k
                         Parall./Counter  the column that it looks at; what finds k and M_k is in
 clocks_worst          1 + x c, from the accepting edge to the last beat; to commit the route takes one more, which
                       flitcast clos bound and designs have in their clocks
 clocks_average        of random requests on dense random stores, by the C++ models
 time_worst_ns         clocks_worst * period_ns
 time_average_ns       clocks_average * period_ns
 area_time             gates * time_worst, in NAND2 us
 fpga_cells fpga_mhz   of an iCE40 HX8K; fpga_cells_of_inputs of the cells only shift the store in
 not_done              steps without a result, and why
"""
import csv
import math
import subprocess

import fits

COLUMNS = ["design", "r", "m", "x", "core_gates", "core_flip_flops", "gates", "flip_flops", "gates_with_store",
           "period_ns", "period_without_reads_ns", "clocks_worst", "clocks_average", "time_worst_ns", "time_average_ns",
           "area_time", "fpga_cells", "fpga_cells_of_inputs", "fpga_mhz", "not_done"]

# A flip-flop DFFPOSX1 of osu018, in NAND2.
STORE_BIT = 4

PICTURE = """
set terminal svg size 900,420 font 'sans,12' background '#ffffff'
set output '{file}'
set multiplot layout 1,2
set logscale xy 2
set key left top Left reverse samplen 1 font ',10'
set xlabel 'output switches r'
set grid
set format y '%.0f'
set title 'gates of the controller, store left out (NAND2)'
plot {gates}
set title 'gates x worst time of a request (NAND2 us)'
unset key
plot {area_time}
"""


def row(point, result, average, worst):
    """One row of the table. What was not done is missing from it."""
    cells = {"design": point.design.name, "r": point.r, "m": point.m, "x": point.x,
             "clocks_worst": worst, "clocks_average": average}
    for step in result.values():
        cells.update({key: value for key, value in step.items() if key in COLUMNS and key != "not_done"})
    if "gates" in cells:
        period = cells["period_ns"]
        cells["gates_with_store"] = cells["gates"] + STORE_BIT * point.m * point.r
        cells["time_worst_ns"] = worst * period
        cells["time_average_ns"] = average * period
        cells["area_time"] = cells["gates"] * worst * period / 1000
    cells["not_done"] = "; ".join(f"{name}: {step['not_done']}" for name, step in result.items()
                                  if "not_done" in step)
    return cells


def shown(value):
    """Three figures or more; integers as they are."""
    if not isinstance(value, float):
        return str(value)
    return f"{value:.{max(0, 2 - math.floor(math.log10(value)))}f}" if value > 0 else "0"


def markdown(rows):
    columns = COLUMNS if any(row["not_done"] for row in rows) else COLUMNS[:-1]
    lines = [columns, ["---"] * len(columns)]
    lines += [[shown(row.get(column, "")) for column in columns] for row in rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def draw(rows, folder):
    designs = list(dict.fromkeys(row["design"] for row in rows if "gates" in row))
    if len({row["r"] for row in rows if "gates" in row}) < 2:
        return

    def plot(column):
        data, curves = "", []
        for design in designs:
            points = [f"{row['r']} {row[column]}" for row in rows if row["design"] == design and column in row]
            data += "$" + column + design + " << EOD\n" + "\n".join(points) + "\nEOD\n"
            curves.append(f"${column}{design} using 1:2 with linespoints title '{design.replace('_', ' ')}'")
        return data, ", ".join(curves)

    gates, area_time = plot("gates"), plot("area_time")
    picture = PICTURE.format(file=folder / "picture.svg", gates=gates[1], area_time=area_time[1])
    subprocess.run(["gnuplot"], input=gates[0] + area_time[0] + picture, text=True, check=True)


def write(rows, folder):
    with open(folder / "table.csv", "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    (folder / "table.md").write_text(markdown(rows), encoding="utf-8")
    (folder / "fits.txt").write_text(fits.text(rows), encoding="utf-8")
    draw(rows, folder)
    print(markdown(rows), fits.text(rows), sep="\n", end="")
