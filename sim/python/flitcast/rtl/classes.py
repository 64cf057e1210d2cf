# SPDX-License-Identifier: Apache-2.0
"""Classes of messages: each has its own virtual channels, in which packets are routed as in a network of these alone."""
from ..program import call
from .legs import exported_table
from .tables import shifted


def ranges_of(config):
    """The first VC and the number of VCs of each class, every range once; none for networks without classes."""
    return list(dict.fromkeys((first, last - first + 1) for _, first, last in _classes(config)))


def even_classes(config):
    """The number of classes if each has the next VCs of an equal share, and 1 without classes; else None."""
    firsts = [(first, last - first + 1) for _, first, last in _classes(config)] or [(0, config["router"].get("virtual_channels", 1))]
    share = config["router"].get("virtual_channels", 1) // len(firsts)
    return len(firsts) if firsts == [(number * share, share) for number in range(len(firsts))] else None


def classes_of(config):
    """A line on each class."""
    return [f"`{name}` has VCs {first} to {last}" for name, first, last in _classes(config)]


def _classes(config):
    vcs = config["router"].get("virtual_channels", 1)
    for one in config["workload"].get("classes", []):
        own = one.get("virtual_channels") or [0, vcs - 1]
        yield (one["name"], own[0], own[-1]) if isinstance(own, list) else (one["name"], own, own)


def routing_table(experiment, config, folder):
    """The routing table of an experiment in CSV; of one with classes the lines of all of them, with the VCs that they have."""
    ranges = ranges_of(config)
    if not ranges:
        return call("export", "routing", *experiment.words)
    vcs = config["router"]["virtual_channels"]
    return "".join(shifted(exported_table(experiment, config, count, folder), first, count, vcs, keep_head=number == 0)
                   for number, (first, count) in enumerate(ranges))
