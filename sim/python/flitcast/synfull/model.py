# SPDX-License-Identifier: Apache-2.0
"""A SynFull model: its Markov chains, and the messages of each of their states.

Even nodes are caches, odd ones directories. States count from 0 here, and from 1 in the file. Weights are counts of a recorded program.
"""
from typing import NamedTuple

from .choice import Choice
from .sections import KINDS, read_scopes, share, whole

ROUNDING = 0.001  # Probabilities of a row may differ from 1 by this in all.
MOST_FORWARDED = 1.01  # Forwards per request were counted by time, so that a published model has 1.0003; all are forwarded then.
MOST_WEIGHT = 10 ** 12


class MacroClass(NamedTuple):
    """A phase of the program: a chain over states, and the messages of each."""
    states: int
    resolution: int       # Cycles between two steps of the chain.
    chain: list           # By state: the Choice of the next.
    volumes: dict         # By kind, then state: the Choice of the number of messages in a step; false: none.
    sources: dict         # By kind, then state: the Choice of the cache.
    targets: dict         # By kind, then (state, cache): the Choice of the directory.
    forwarded: dict       # By directory: the shares of its writes and reads that are forwarded; absent: none.
    forwards: dict        # By (state, directory): the Choice of the cache that requests are forwarded to.
    invalidations: dict   # By (state, directory): the Choice of the number of invalidations of a forwarded write; absent: none.
    invalidated: dict     # By (state, directory): the Choice of a cache to be invalidated.


class Model(NamedTuple):
    """A whole model."""
    nodes: int
    span: int        # Cycles between two steps of the chain over macro classes.
    chain: list      # By macro class: the Choice of the next.
    steady: list     # By macro class: its share of the spans in the long run.
    classes: list


def read_model(path, report):
    """The Model of a file; None if anything is refused."""
    before = len(report.refusals)
    scopes = read_scopes(path, report)
    if scopes is None:
        return None
    general, *classes = scopes
    for scope in scopes:
        scope.check_complete()
    count, span = general.value("HIER_CLASSES", 1), general.value("TIME_SPAN", 1)
    if count is not None and count != len(classes):
        general.refuse("HIER_CLASSES", f"{count}, and the file has {len(classes)}", "take the whole file")
    chain, steady = _chain(general, "HIER_MARKOV", count), _steady(general, "HIER_MARKOV_STEADY", count)
    sizes = [scope.value("NUM_NODES", 2, 10 ** 6) for scope in classes]
    for scope, nodes in zip(classes, sizes):
        if nodes is not None and (nodes % 2 or nodes != sizes[0]):
            scope.refuse("NUM_NODES", f"{nodes} nodes", "write an even number, the same in all macro classes")
    read = [_ClassReader(scope, nodes).read() for scope, nodes in zip(classes, sizes) if nodes and nodes % 2 == 0]
    return Model(sizes[0], span, chain, steady, read) if len(report.refusals) == before else None


def _chain(scope, name, states):
    if states is None:
        return []
    rows = scope.rows(name, [("a number from 0 to 1", share)] * states, states)
    for line, row in rows:
        _check_sum(scope, name, line, row)
    return [Choice(enumerate(row)) for _, row in rows]


def _steady(scope, name, states):
    rows = scope.rows(name, [("a number from 0 to 1", share)], states)
    shares = [row[0] for _, row in rows]
    if shares:
        _check_sum(scope, name, rows[0][0], shares)
    return shares


def _check_sum(scope, name, line, shares):
    if abs(sum(shares) - 1) > ROUNDING:
        scope.refuse(name, f"the probabilities add up to {sum(shares):g}", "write such as add up to 1", line)


class _ClassReader:
    """Reads a macro class of a model of `nodes` nodes."""

    def __init__(self, scope, nodes):
        self.scope, self.nodes = scope, nodes
        self.states = scope.value("NUM_CLASSES", 1, 10 ** 4)
        self.state = (f"a state from 1 to {self.states}", lambda word: whole(word, 1, self.states))
        self.cache = (f"a cache, an even number from 0 to {nodes - 2}", lambda word: whole(word, 0, nodes - 2, 0))
        self.directory = (f"a directory, an odd number from 1 to {nodes - 1}", lambda word: whole(word, 1, nodes - 1, 1))
        self.weight = ("a weight, a whole number", lambda word: whole(word, 0, MOST_WEIGHT))

    def read(self):
        self.scope.value("MEMORY", 0)
        resolution = self.scope.value("RESOLUTION", 2)
        if self.states is None:
            return None  # The widths of all tables depend on it.
        chain = _chain(self.scope, "MARKOV", self.states)
        _steady(self.scope, "MARKOV_STEADY", self.states)
        volumes, sources, targets = {}, {}, {}
        for kind in KINDS:
            volumes[kind] = self._by_state(f"{kind}_INJECTION", None, 1)
            sources[kind] = self._by_state(f"{kind}_SPATIAL", self.nodes // 2, 2)
            targets[kind] = self._flows(f"{kind}_FLOWS", self.cache, self.directory)
            self._check_messages(kind, volumes[kind], sources[kind], targets[kind])
        forwards = self._flows("FORWARD_FLOWS", self.directory, self.cache)
        forwarded = self._forwarded(forwards)
        invalidated = self._flows("INVALIDATE_FLOWS", self.directory, self.cache)
        invalidations = self._invalidations(invalidated)
        return MacroClass(self.states, resolution, chain, volumes, sources, targets, forwarded, self._in_all_states(forwards), invalidations,
                          invalidated)

    def _by_state(self, name, count, step):
        """By state: the Choice of a row of a table with a column for each state; row i is the outcome i * step."""
        rows = self.scope.rows(name, [self.weight] * self.states, count)
        return [Choice((i * step, row[state]) for i, (_, row) in enumerate(rows)) for state in range(self.states)]

    def _flows(self, name, source, target):
        """By (state, source): the Choice of the target, of a table of flows; without sources that send nothing in a state."""
        flows = {}
        for line, (start, end, state, weight) in self.scope.rows(name, [source, target, self.state, self.weight]):
            ends = flows.setdefault((state - 1, start), {})
            if end in ends:
                self.scope.refuse(name, f"{start} to {end} in state {state} stands there twice", "keep one of them", line)
            ends[end] = weight
        return {key: choice for key, ends in flows.items() if (choice := Choice(ends.items()))}

    def _check_messages(self, kind, volumes, sources, targets):
        """Refuses messages that no cache sends, and caches that send to no directory."""
        if not self.scope.has(f"{kind}_INJECTION", f"{kind}_SPATIAL", f"{kind}_FLOWS"):
            return
        for state, (volume, source) in enumerate(zip(volumes, sources)):
            if any(volume.outcomes) and not source:
                self.scope.refuse(f"{kind}_SPATIAL", f"there are messages in state {state + 1}, and no cache has a weight",
                                  "give a cache a weight, or correct the volumes")
            for cache in source.outcomes:
                if any(volume.outcomes) and (state, cache) not in targets:
                    self.scope.refuse(f"{kind}_FLOWS", f"cache {cache} sends in state {state + 1}, and no directory has a weight",
                                      "give a directory a weight")

    def _forwarded(self, forwards):
        chance = (f"a number from 0 to {MOST_FORWARDED}", lambda word: share(word, MOST_FORWARDED))
        senders, forwarded = {directory for _, directory in forwards}, {}
        for line, (directory, writes, reads) in self.scope.rows("FORWARD_PROBABILITY", [self.directory, chance, chance]):
            if directory in forwarded:
                self.scope.refuse("FORWARD_PROBABILITY", f"directory {directory} stands there twice", "keep one of them", line)
            if max(writes, reads) > 0 and directory not in senders and self.scope.has("FORWARD_FLOWS"):
                self.scope.refuse("FORWARD_PROBABILITY", f"directory {directory} forwards, and no cache has a weight in FORWARD_FLOWS",
                                  "give a cache a weight", line)
            forwarded[directory] = (writes, reads)
        return forwarded

    def _in_all_states(self, forwards):
        """Fills in the flows of a directory in states without any: those of all states together."""
        whole_flows = {}
        for (_, directory), choice in sorted(forwards.items(), key=lambda item: item[0]):
            weights = whole_flows.setdefault(directory, {})
            for cache, weight in choice.weighted:
                weights[cache] = weights.get(cache, 0) + weight
        everywhere = {(state, directory): Choice(sorted(weights.items())) for directory, weights in whole_flows.items()
                      for state in range(self.states)}
        return everywhere | forwards

    def _invalidations(self, invalidated):
        """By (state, directory): the Choice of the number; without those that have no weight."""
        name, numbers = "INVALIDATE_PROBABILITY", {}
        number = (f"a number of caches from 0 to {self.nodes // 2}", lambda word: whole(word, 0, self.nodes // 2))
        for line, (state, directory, caches, weight) in self.scope.rows(name, [self.state, self.directory, number, self.weight]):
            weights = numbers.setdefault((state - 1, directory), {})
            if caches in weights:
                self.scope.refuse(name, f"{caches} of directory {directory} in state {state} stands there twice", "keep one of them", line)
            known = invalidated.get((state - 1, directory))
            if weight and caches > len(known.outcomes if known else []) and self.scope.has("INVALIDATE_FLOWS"):
                self.scope.refuse(name, f"directory {directory} invalidates {caches} caches, and fewer have a weight in INVALIDATE_FLOWS",
                                  "give more caches a weight", line)
            weights[caches] = weight
        return {key: choice for key, weights in numbers.items() if (choice := Choice(weights.items()))}
