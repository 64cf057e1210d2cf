# SPDX-License-Identifier: Apache-2.0
"""The draws of the model's packets, inferred from their paths.

The log of a run has the input VCs by which a packet has come, and not what its source has drawn. Any draw that leads along the same
path serves: routers in RTL are then asked for the outputs that the packet has taken in the model, and no others. That some draw does so
is a claim about the tables, which a wrong table breaks.
"""
from .draws import draws_of
from .network import Port


class DrawFinder:
    """Finds draws of the source by the paths of packets in a network."""

    def __init__(self, fields, reach, network):
        self._fields, self._reach, self._nodes = fields, reach, network.nodes
        self._targets = {link.source: link.target for link in network.links}

    def draws(self, destination, path):
        """The first draws, a tuple, that lead a packet along its input VCs [(Port, VC)] and to its destination.

        Raises RuntimeError if there are none.
        """
        if not self._fields:
            return ()
        found = next((draws for draws in draws_of(self._fields) if self._leads(path, (destination, *draws))), None)
        if found is None:
            raise RuntimeError(f"no draw leads a packet to node {destination} along its path in the model: {path}")
        return found

    def _leads(self, path, key):
        return all(self._takes(*here, *behind, key) for here, behind in zip(path, path[1:])) and self._leaves(*path[-1], key)

    def _takes(self, end, vc, target, target_vc, key):
        answer = self._reach.answer(end, vc, key)
        return answer and self._targets.get(Port(end.router, answer.output)) == target and answer.vcs >> target_vc & 1

    def _leaves(self, end, vc, key):
        answer = self._reach.answer(end, vc, key)
        return answer and Port(end.router, answer.output) == self._nodes[key[0]].ejection
