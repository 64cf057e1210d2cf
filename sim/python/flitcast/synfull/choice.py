# SPDX-License-Identifier: Apache-2.0
"""Draws from weights."""
import bisect
import itertools


class Choice:
    """Outcomes with weights, of which one is drawn with the share of its weight. False if no weight is above 0.

    @param weighted  Pairs (outcome, weight); weights are at least 0.
    """

    def __init__(self, weighted):
        self.weighted = [(outcome, weight) for outcome, weight in weighted if weight > 0]
        self.outcomes = [outcome for outcome, _ in self.weighted]
        self._sums = list(itertools.accumulate(weight for _, weight in self.weighted))

    def __bool__(self):
        return bool(self.outcomes)

    def draw(self, random):
        """An outcome. Of `random` only random() is used: its numbers are the same in all versions of Python, for a given seed."""
        place = bisect.bisect_right(self._sums, random.random() * self._sums[-1])
        return self.outcomes[min(place, len(self.outcomes) - 1)]  # A product may be rounded up to the sum of all weights.

    def without(self, outcome):
        """The Choice among the other outcomes."""
        return Choice((other, weight) for other, weight in self.weighted if other != outcome)
