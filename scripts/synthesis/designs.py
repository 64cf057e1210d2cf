# SPDX-License-Identifier: Apache-2.0
"""The points of the sweep: designs, their sizes by Theorem 3, and how long they take."""
import dataclasses
import math

# r -> m, x for n = r.
THEOREM_3 = {4: (13, 2), 8: (34, 2), 16: (83, 3), 32: (192, 3), 64: (431, 4)}


@dataclasses.dataclass(frozen=True)
class Design:
    """`pass_clocks` is the most that a pass takes. `parameters` come on top of M, R, PassLimit."""

    name: str
    module: str
    pass_clocks: object
    parameters: tuple = ()


def _rows(w):
    return Design(f"seq_adder_{w}", "flitcast_clos_controller_seq_adder", lambda m, r: math.ceil(m / w) + 1,
                  (("RowsPerClock", w),))


DESIGNS = {
    design.name: design
    for design in [
        Design("seq_counter", "flitcast_clos_controller_seq_counter", lambda m, r: m * r + 1),
        Design("seq_counter_pruned", "flitcast_clos_controller_seq_counter", lambda m, r: m * r + 1,
               (("Pruning", 1),)),
        Design("seq_adder", "flitcast_clos_controller_seq_adder", lambda m, r: m + 1),
        _rows(2), _rows(4), _rows(8),
        Design("par_counter", "flitcast_clos_controller_par_counter", lambda m, r: r + 1),
        Design("par_adder", "flitcast_clos_controller_par_adder", lambda m, r: 1),
        Design("par_thermo", "flitcast_clos_controller_par_thermo", lambda m, r: 1),
    ]
}


@dataclasses.dataclass(frozen=True)
class Point:
    design: Design
    r: int

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
        return {"M": self.m, "R": self.r, "PassLimit": self.x, **dict(self.design.parameters)}

    @property
    def worst_clocks(self):
        """From the accepting edge to the last beat: LOAD and x passes."""
        return 1 + self.x * self.design.pass_clocks(self.m, self.r)
