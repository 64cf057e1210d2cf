# SPDX-License-Identifier: Apache-2.0
"""The committed table of the controllers' gates and periods, table.csv beside this file, which the manual shows.

usage: committed.py FOLDER     takes the results of scripts/synth in FOLDER (build/synth) into the table

`sources` is the hash of the RTL and the recipe, so that a row of older RTL is known for what it is.
"""
import csv
import json
import pathlib
import sys

import sweep
from designs import DESIGNS, THEOREM_3, Point

TABLE = pathlib.Path(__file__).parent / "table.csv"
COLUMNS = ["design", "r", "m", "x", "core_gates", "core_flip_flops", "gates", "flip_flops", "period_ns", "period_without_reads_ns", "sources"]


def rows():
    with open(TABLE, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def state(design):
    return sweep.sources(design)[:16]


def main(folder):
    with open(TABLE, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        for design in DESIGNS.values():
            for point in (Point(design, r) for r in THEOREM_3):
                result = pathlib.Path(folder, point.name, "result.json")
                done = json.loads(result.read_text(encoding="utf-8")) if result.exists() else {"sources": ""}
                if done["sources"] != sweep.sources(design):
                    continue
                figures = {key: round(value, 2) for step in done["done"].values() for key, value in step.items() if isinstance(value, (int, float))}
                writer.writerow({"design": design.name, "r": point.r, "m": point.m, "x": point.x, "sources": state(design), **figures})


if __name__ == "__main__":
    main(*sys.argv[1:])
