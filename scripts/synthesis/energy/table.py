# SPDX-License-Identifier: Apache-2.0
"""The table of energies that the program reads: a head, and a row for each configuration."""
import json

import yaml

HEAD = """\
# SPDX-License-Identifier: Apache-2.0
# Energies of routers and crossbars of rtl/ in the cells of osu018, made by
#
#   {command}
#
# from the RTL whose hashes stand in `rtl`. pJ per event; what the events are stands in scripts/synthesis/energy/events.py.
# `errors` are those of the predicted dynamic energy against the netlist's, in per cent, in runs that took no part in the fit.
# A table of another technology needs the same keys but cells, flip_flops, rtl and errors; without area_um2 and leakage_uw it has neither.
technology: osu018, 0.18 um, 1.8 V, 25 C, typical
caveat: >-
  0.18 um, cells only, no wires within routers, no clock tree, no clock gating: for comparison, no forecast of silicon
volts: {volts}
wire_pf_per_mm: 0.112
rows:
"""


LEAST_PJ = 1e-6  # Smaller values are zero up to the last digits of the fit.


def _number(value):
    return f"{value:.4g}"


def _map(values):
    return "{" + ", ".join(f"{key}: {_number(value)}" for key, value in values.items()) + "}"


def row(subject, netlist, energies, errors, rtl):
    """A row of the table as text."""
    cells, flops = netlist.counts()
    keys = [f"{key}: {value}" for key, value in subject.key.items()]
    lines = [f"  - {keys[0]}", *(f"    {key}" for key in keys[1:]),
             f"    rtl: {json.dumps(rtl)}", f"    cells: {cells}", f"    flip_flops: {flops}",
             f"    area_um2: {_map(netlist.area())}", f"    leakage_uw: {_number(netlist.leakage_nw() / 1000)}",
             f"    clock_pj: {_number(sum(netlist.clock().values()))}",
             f"    input_pin_pf: {_number(netlist.input_capacitance())}", "    parts:"]
    lines += [f"      {part}: {_map({event: price for event, price in prices.items() if price > LEAST_PJ})}"
              for part, prices in energies.items()]
    lines += ["    errors:"]
    lines += [f"      - {{run: \"{name}\", error: {100 * error:.1f}, limit: {100 * limit:.0f}}}"
              for name, (error, limit) in errors.items()]
    return "\n".join(lines) + "\n"


def text(command, volts, rows):
    return HEAD.format(command=command, volts=volts) + "".join(rows)


def read(file):
    return yaml.safe_load(file.read_text(encoding="utf-8"))


def find(table, subject):
    """The row of a subject, or none."""
    rows = (row for row in table["rows"] if all(row.get(key) == value for key, value in subject.key.items()))
    return next(rows, None)
