# SPDX-License-Identifier: Apache-2.0
"""The points of the sweep: designs, and their sizes by Theorem 3."""
import dataclasses
import pathlib
import re

import flow

RTL = pathlib.Path(__file__).resolve().parents[2] / "rtl"
REGISTRY = RTL / "clos_search" / "flitcast_clos_search.sv"

# r -> m, x for n = r.
THEOREM_3 = {4: (13, 2), 8: (34, 2), 16: (83, 3), 32: (192, 3), 64: (431, 4)}

# A design with an option: name -> the design, the parameter that sets it.
OPTIONS = {
    "seq_counter_pruned": ("seq_counter", {"Pruning": 1}),
    "seq_adder_2": ("seq_adder", {"RowsPerClock": 2}),
    "seq_adder_4": ("seq_adder", {"RowsPerClock": 4}),
    "seq_adder_8": ("seq_adder", {"RowsPerClock": 8}),
}


@dataclasses.dataclass(frozen=True)
class Design:
    """A controller: `unit` is its search unit, `parameters` come on top of M, R, PassLimit."""

    name: str
    unit: str
    parameters: dict


def _designs():
    """The designs of the registry, each followed by its variants with options."""
    for number, unit in re.findall(r"\(Design == (\d+)\) begin : gen_(\w+)", REGISTRY.read_text(encoding="utf-8")):
        yield Design(unit, unit, {"Design": number})
        for name, (of, parameters) in OPTIONS.items():
            if of == unit:
                yield Design(name, unit, {"Design": number, **parameters})


DESIGNS = {design.name: design for design in _designs()}


@dataclasses.dataclass(frozen=True)
class Point:
    design: Design
    r: int
    top = flow.TOP

    def files(self, rtl):
        return flow.files_of(self.design, rtl)

    @property
    def m(self):
        return THEOREM_3[self.r][0]

    @property
    def x(self):
        return THEOREM_3[self.r][1]

    @property
    def name(self):
        return f"{self.design.name}-{self.r}"

    @property
    def parameters(self):
        return {"M": self.m, "R": self.r, "PassLimit": self.x, **self.design.parameters}
