# SPDX-License-Identifier: Apache-2.0
"""Meshes, tori and rings: their dimensions, and tables at mirror images of routers."""
from typing import NamedTuple


class Grid(NamedTuple):
    """A mesh, torus or ring. Router r has the coordinates r % sizes[0], r / sizes[0] % sizes[1], ..., and ports 2d, 2d + 1 in dimension d."""
    sizes: tuple
    wraps: bool

    @property
    def even(self):
        """The dimensions in which packets can go half way round."""
        return [dimension for dimension, size in enumerate(self.sizes) if self.wraps and size % 2 == 0]

    def nearer(self, router, destination):
        """The outputs of a router that lead nearer to another one; at exactly half way round a dimension both of it."""
        stride = 1
        for dimension, size in enumerate(self.sizes):
            hops = (destination // stride - router // stride) % size
            if self.wraps:
                plus, minus = 0 < 2 * hops <= size, 2 * hops >= size
            else:
                plus, minus = destination // stride % size > router // stride % size, destination // stride % size < router // stride % size
            yield from (2 * dimension + way for way, leads in enumerate((plus, minus)) if leads)
            stride *= size

    @property
    def needs_classes(self):
        return self.wraps and max(self.sizes) > 3


GRIDS = {"mesh": False, "cmesh": False, "torus": True, "ring": True}  # True: these wrap.


def grid_of(topology):
    """The Grid of a section `topology`; one without dimensions for what is no grid."""
    if topology["kind"] == "hierarchy" and not topology.get("at"):  # Meshes joined along whole borders.
        die, dies = grid_of(topology["within"]), grid_of(topology["between"])
        return Grid(tuple(size * count for size, count in zip(die.sizes, dies.sizes)), dies.wraps)
    if topology["kind"] not in GRIDS:
        return Grid((), False)
    return Grid(tuple(topology.get("sizes") or [topology["nodes"]]), GRIDS[topology["kind"]])


class Mirror(NamedTuple):
    """Reflects a torus in some dimensions: coordinate x becomes size - 1 - x.

    This exchanges plus and minus and keeps the wrap-around links, so that the table for `tie: plus` becomes that for ties that go minus.
    """
    grid: Grid
    dimensions: tuple

    def entries(self, entries, vcs):
        return {router: [self._table(entries[self.router(router)][self.port(number // vcs) * vcs + number % vcs]) for number in range(len(tables))]
                for router, tables in entries.items()}

    def _table(self, table):
        return {self.router(destination): answer._replace(output=self.port(answer.output)) for destination, answer in table.items()}

    def port(self, port):
        return port ^ 1 if port >> 1 in self.dimensions else port

    def router(self, number):
        stride = 1
        for dimension, size in enumerate(self.grid.sizes):
            if dimension in self.dimensions:
                number += (size - 1 - 2 * (number // stride % size)) * stride
            stride *= size
        return number
