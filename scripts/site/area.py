# SPDX-License-Identifier: Apache-2.0
"""Area and period of RTL blocks, from the committed tables: controllers from scripts/synthesis/table.csv, routers and the
source of a node from scripts/synthesis/routers.csv, and parts of routers and crossbars from sim/energy/osu018.yaml. All are of the cells of osu018,
without wires."""
import csv
import json

import yaml

from pages import ROOT, table

CONTROLLERS, CELLS = ROOT / "scripts" / "synthesis" / "table.csv", ROOT / "sim" / "energy" / "osu018.yaml"
ROUTERS = CONTROLLERS.with_name("routers.csv")
WHOLE = ("flitcast_clos_controller", "flitcast_clos_search")  # Blocks that contain every design.
BLOCKS = {"wormhole": "flitcast_wormhole_router", "virtual_cut_through": "flitcast_wormhole_router",
          "store_and_forward": "flitcast_store_forward_router", "multicast": "flitcast_multicast_crossbar", "replicating": "flitcast_replicating_crossbar"}


def rows_of(table_file):
    with open(table_file, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def cells():
    return yaml.safe_load(CELLS.read_text(encoding="utf-8"))["rows"]


def kind_of(row):
    return row.get("router") or row["crossbar"]


class Areas:
    def __init__(self, program):
        self.controllers, self.routers, self.cells, self.clocks = rows_of(CONTROLLERS), rows_of(ROUTERS), cells(), {}
        for r in sorted({int(row["r"]) for row in self.controllers}):
            bounds = json.loads(program.output("clos", "bound", "--n", str(r), "--r", str(r), "--json"))["bounds"]
            worst = next(bound["worst_clocks"] for bound in bounds if bound["name"] == "thm3")
            self.clocks.update({(design, r): clocks - 1 for design, clocks in worst.items()})  # To commit the route takes one more.

    def time(self, row):
        """Nanoseconds of the longest request; None for a variant, whose clocks the program does not state."""
        clocks = self.clocks.get((row["design"], int(row["r"])))
        return clocks * float(row["period_ns"]) if clocks else None

    def of_controllers(self, rows):
        return ("\nA controller for v(m, r, r) with the m and x of Theorem 3, mapped for speed, in NAND2, without the store; the time is that of the "
                "longest request:\n" + table(("r", "design", "m", "x", "gates", "the search alone, mapped for area", "flip-flops", "period, ns", "longest request, ns"), [
                    (row["r"], f"`{row['design']}`", row["m"], row["x"], f"{float(row['gates']):.0f}", f"{float(row['core_gates']):.0f}", row["flip_flops"],
                     row["period_ns"], f"{self.time(row):.1f}" if self.time(row) else "") for row in rows]))

    def of_routers(self, rows):
        return "\nMapped whole, for speed:\n" + table(("ports", "VCs", "depth", "bits", "cells", "flip-flops", "NAND2", "area, mm2", "period, ns"), [
            (row["ports"], row["vcs"], row["depth"], row["bits"], row["cells"], row["flip_flops"], f"{float(row['area_nand2']):.0f}",
             f"{float(row['area_um2']) / 1e6:.3f}", row["period_ns"]) for row in rows])

    def of_cells(self, rows):
        def size(row):
            return (f"{row['ports']} ports, {row['virtual_channels']} VCs of {row['buffer_depth']}" if "ports" in row
                    else f"{row['inputs']} inputs, {row['outputs']} outputs") + f", {row['width']} bits"

        return "\nMapped part by part:\n" + table(("kind", "size", "cells", "flip-flops", "area, mm2", "leakage, uW", "largest error of its energies"), [
            (kind_of(row), size(row), row["cells"], row["flip_flops"], f"{sum(row['area_um2'].values()) / 1e6:.3f}", row["leakage_uw"],
             f"{max(abs(run['error']) for run in row['errors'])} %") for row in rows])

    def part(self, block):
        """The part of a block's page; empty if it is in no table."""
        design = block.removeprefix("flitcast_clos_")
        rows = [row for row in self.controllers if block in WHOLE or row["design"] == design or row["design"].startswith(f"{design}_") and block != design]
        made = [row for row in self.cells if BLOCKS[kind_of(row)] == block]
        whole = [row for row in self.routers if row["block"] == block]
        text = (self.of_controllers(rows) if rows else "") + (self.of_routers(whole) if whole else "") + (self.of_cells(made) if made else "")
        return f"\n## Area and period\n\nCells of osu018, 0.18 um, without wires.\n{text}" if text else ""
