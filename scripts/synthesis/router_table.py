# SPDX-License-Identifier: Apache-2.0
"""The table of `scripts/synth --routers`.

 block ports vcs depth bits  see blocks.py
 cells flip_flops            of the netlist that is mapped for speed
 area_nand2 area_um2         its area in NAND2X1 and in um2
 period_ns                   the slowest path to a flip-flop, as of the controllers, without wires. A path that goes on
                             through an output into the next block is not in it
 path_from path_to           the part of the block whose registers this path begins at and ends in, such as
                             vc_allocator; inputs of the block and registers outside of all parts by their own names;
                             empty for a register whose name the tools have lost, such as the second copy that Yosys
                             makes of the read pointer of a FIFO with two slots or more
 sources                     the hash of recipe, RTL and parameters, so that a row of older RTL is known for what it is
 not_done                    the reason of a row without figures
"""
import csv
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
TABLE = HERE / "routers.csv"
README = HERE.parents[1] / "rtl" / "wormhole" / "README.md"
MARKS = "<!-- routers -->\n", "<!-- end of routers -->\n"

COLUMNS = ["block", "ports", "vcs", "depth", "bits", "cells", "flip_flops", "area_nand2", "area_um2", "period_ns",
           "path_from", "path_to", "sources", "not_done"]
HEADINGS = ["block", "ports", "VCs", "depth", "bits", "cells", "flip-flops", "NAND2", "um2", "period, ns", "longest path"]


def part_of(register):
    """The part of a block that a register is in: the first instance on the way to it, below the router in a router."""
    for step in register.split("."):
        instance = re.match(r"u_(?!router$)(\w+)", step)
        if instance:
            return instance[1]
    return "" if re.fullmatch(r"_\d+_", register) else re.sub(r"\[\d+\]$", "", register).rpartition(".")[2]


def end_of_path(timing, netlist, end):
    """The part in which the slowest path has its Startpoint or Endpoint."""
    name, kind = re.search(rf"^{end}: (\S+) \((\S+)", timing, re.M).groups()
    if kind == "input":
        return part_of(name)
    cell = re.search(rf"^\s*DFF\w+ {re.escape(name)} \((.*?)\);", netlist, re.M | re.DOTALL)[1]
    return part_of(re.search(r"\.Q\(\\?(\S+?)\s*\)", cell)[1])


def details(folder):
    """The figures of a row that flow.synthesize leaves in the files of its folder."""
    area, timing, netlist = ((folder / name).read_text(encoding="utf-8") for name in ("area.txt", "timing.log", "mapped.v"))
    return {"cells": int(re.search(r"Number of cells:\s+(\d+)", area)[1]),
            "area_um2": float(re.search(r"Chip area for .*: ([\d.]+)", area)[1]),
            "path_from": end_of_path(timing, netlist, "Startpoint"), "path_to": end_of_path(timing, netlist, "Endpoint")}


def row(block, result, state):
    """One row as texts."""
    cells = {"block": block.top, "ports": block.ports, "vcs": block.vcs, "depth": block.depth, "bits": block.bits,
             "sources": state}
    if "gates" in result:
        cells.update({key: result[key] for key in ("cells", "flip_flops", "path_from", "path_to")})
        cells.update({"area_nand2": f"{result['gates']:.2f}", "area_um2": f"{result['area_um2']:.0f}",
                      "period_ns": f"{result['period_ns']:.2f}"})
    return {column: str(cells.get(column, result.get(column, ""))) for column in COLUMNS}


def shown(cells):
    """The texts of a row for readers."""
    nand2 = f"{float(cells['area_nand2']):.0f}" if cells["area_nand2"] else cells["not_done"]
    ends = [cells[key] or "?" for key in ("path_from", "path_to")]
    path = " to ".join(ends) if cells["period_ns"] else ""
    return [f"`{cells['block']}`", *(cells[column] for column in COLUMNS[1:7]), nand2, cells["area_um2"],
            cells["period_ns"], path]


def markdown(rows):
    lines = [HEADINGS, ["---"] * len(HEADINGS), *map(shown, rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def read(file=TABLE):
    with open(file, newline="", encoding="utf-8") as text:
        return list(csv.DictReader(text))


def write_csv(rows, file):
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def in_readme():
    """The text of the README before the table, the table, and the text after it."""
    before, mark, rest = README.read_text(encoding="utf-8").partition(MARKS[0])
    table, end, after = rest.partition(MARKS[1])
    return before + mark, table, end + after


def write(rows, folder):
    write_csv(rows, folder / "table.csv")
    (folder / "table.md").write_text(markdown(rows), encoding="utf-8")
    print(markdown(rows), end="")


def commit(rows):
    """Puts the rows into routers.csv and the README."""
    write_csv(rows, TABLE)
    before, _, after = in_readme()
    README.write_text(before + markdown(rows) + after, encoding="utf-8")
