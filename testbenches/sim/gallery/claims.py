# SPDX-License-Identifier: Apache-2.0
"""Where the numbers in the text of the gallery come from, in the order in which they stand there, and which of its
sentences hold. Each is a function of the table of the experiment."""

ACCEPTED = "accepted_flits_per_node_cycle.mean"
CYCLES = "collective.cycles"
LATENCY = "latency_cycles.mean"


def rows(table, **values):
    """Results whose keys have these values; a key is named by its last word."""
    def fits(result):
        words = {key.split(".")[-1]: value for key, value in result.values.items()}
        return all(words[key] in (value, [value]) for key, value in values.items())
    return [result for result in table if fits(result)]


def one(table, **values):
    found = rows(table, **values)
    assert len(found) == 1, f"{len(found)} results of {table.name} have {values}"
    return found[0]


def figure(name, **values):
    """A figure of the one result with these values of keys."""
    return lambda table: one(table, **values)[name]


def value(key, number):
    """A number that is one of the values of a key, named by its last word."""
    return lambda table: next(number for _ in rows(table, **{key: number}))


def constant(number):
    """A number that no result tells."""
    return lambda _: number


def difference(a, b):
    return lambda table: a(table) - b(table)


def ratio(a, b):
    return lambda table: a(table) / b(table)


def first_saturated(**values):
    """The least load at which these saturate."""
    return lambda table: min(result.values["workload.load"] for result in rows(table, **values) if result.status == "saturated")


def shortest_with(least, **values):
    """The least message for which this algorithm takes no more cycles than any other, as long as it is at least so long."""
    def wins(table, result):
        others = rows(table, length=result.values["workload.length"])
        return result[CYCLES] == min(other[CYCLES] for other in others)
    return lambda table: min(length for length in (result.values["workload.length"] for result in rows(table, **values))
                             if length > least and wins(table, one(table, length=length, **values)))


MESH, TORUS, TREE, CUBE, BUTTERFLY = ({"topology": name} for name in ("mesh", "torus", "fat tree", "hypercube", "flattened butterfly"))


def saved(by):
    """Cycles of latency at a load of 0.1 that a topology saves."""
    return difference(figure(LATENCY, load=0.1, **MESH), figure(LATENCY, load=0.1, **by))


def clock_share(load):
    """The ratio of the clock's energy to that of everything else."""
    def share(table):
        energy = one(table, kind="wormhole", load=load)["energy"]
        return energy["clock_pj"] / (energy["dynamic_pj"] + energy["link_pj"])
    return share


NUMBERS = {
    "topology_64": [
        figure(LATENCY, load=0.1, **MESH), value("load", 0.1), saved(TORUS), saved(TREE), saved(CUBE), saved(BUTTERFLY),
        first_saturated(**MESH), first_saturated(**TORUS), first_saturated(**TREE), first_saturated(**CUBE),
        ratio(figure("cost.crosspoints", load=0.1, **CUBE), figure("cost.crosspoints", load=0.1, **MESH)),
        figure("cost.crosspoints", load=0.1, **CUBE), figure("cost.crosspoints", load=0.1, **MESH),
        ratio(figure("topology.channels", load=0.1, **CUBE), figure("topology.channels", load=0.1, **MESH)),
        figure("cost.crosspoints", load=0.1, **BUTTERFLY), figure("topology.channels", load=0.1, **BUTTERFLY),
    ],
    "switching": [
        figure(LATENCY, kind="wormhole", packet_length=1), figure(LATENCY, kind="store_and_forward", packet_length=1),
        value("packet_length", 16),
        figure(LATENCY, kind="wormhole", packet_length=16), figure(LATENCY, kind="store_and_forward", packet_length=16),
    ],
    "multicast_mesh": [
        figure("packets.delivered", algorithm="separate_unicasts", length=1), figure(CYCLES, algorithm="xy_tree", length=1),
        figure(CYCLES, algorithm="xy_tree", length=1024), value("length", 1024), figure(CYCLES, algorithm="umesh", length=1),
        figure(CYCLES, algorithm="umesh", length=1024),
    ],
    "reduction_mesh": [
        figure("topology.nodes", forwarding="nodes", length=1), figure(CYCLES, forwarding="routers", length=1),
        figure(CYCLES, forwarding="routers", length=256), value("length", 256), figure(CYCLES, forwarding="nodes", length=1),
        figure(CYCLES, forwarding="nodes", length=256),
    ],
    "all_reduce": [
        value("length", 16), figure(CYCLES, algorithm="recursive_doubling", length=16),
        figure(CYCLES, algorithm="rabenseifner", length=16), figure(CYCLES, algorithm="reduction_tree", length=16),
        figure(CYCLES, algorithm="ring", length=16), shortest_with(0, algorithm="rabenseifner"), value("length", 1024),
        figure(CYCLES, algorithm="rabenseifner", length=1024), figure(CYCLES, algorithm="ring", length=1024),
        figure(CYCLES, algorithm="recursive_doubling", length=1024),
    ],
    "middle_switches": [
        constant(3), value("middle_switches", 13), value("middle_switches", 4), figure("circuit.blocked", middle_switches=4),
        figure("circuit.requests", middle_switches=4), value("middle_switches", 5),
    ],
    "adaptive_transpose": [figure(ACCEPTED, kind="dimension_order", load=0.3), value("load", 0.3)],
    "hot_spot": [
        figure("capacity.flits_per_node_cycle", kind="minimal_adaptive", load=0.135), value("load", 0.135),
        figure("latency_cycles.p99", kind="minimal_adaptive", load=0.135),
        figure("latency_cycles.p99", kind="dimension_order", load=0.135),
    ],
    "dragonfly_detours": [
        figure(ACCEPTED, kind="dragonfly_minimal", pattern="neighbour"),
        figure("offered_flits_per_node_cycle", kind="dragonfly_minimal", pattern="neighbour"),
    ],
    "energy": [
        constant(34), constant(0.18), figure("energy.pj_per_flit_hop", kind="wormhole", load=0.1), constant(2),
        figure("energy.pj_per_flit_hop", kind="store_and_forward", load=0.1), clock_share(0.1), value("load", 0.1),
        clock_share(0.02), value("load", 0.02),
    ],
}


def saturates(**values):
    return lambda table: one(table, **values).status == "saturated"


def between(least, middle, most):
    return lambda table: least(table) < middle(table) < most(table)


def near(a, b, share):
    return lambda table: abs(a(table) / b(table) - 1) <= share


def all_of(*claims):
    return lambda table: all(claim(table) for claim in claims)


def cycles(algorithm, length):
    return figure(CYCLES, algorithm=algorithm, length=length)


def accepted(kind, **values):
    return figure(ACCEPTED, kind=kind, **values)


SENTENCES = {
    "topology_64": {
        "the flattened butterfly saturates where the fat tree does": near(first_saturated(**BUTTERFLY), first_saturated(**TREE), 0),
        "the torus has as many crosspoints as the flattened butterfly":
            near(figure("cost.crosspoints", load=0.1, **TORUS), figure("cost.crosspoints", load=0.1, **BUTTERFLY), 0),
    },
    "multicast_mesh": {
        "worms along a path lie between the tree and umesh for long messages":
            all_of(*(between(cycles("xy_tree", 1024), cycles(worm, 1024), cycles("umesh", 1024)) for worm in ("dual_path", "multi_path"))),
        "worms lose to umesh for short messages":
            all_of(*(between(constant(0), cycles("umesh", 1), cycles(worm, 1)) for worm in ("dual_path",))),
    },
    "all_reduce": {
        "recursive doubling is best for 16 flits": lambda table: shortest_with(0, algorithm="recursive_doubling")(table) == 16,
        "Rabenseifner's is best from there on":
            lambda table: all(shortest_with(length - 1, algorithm="rabenseifner")(table) == length for length in (64, 256, 1024)),
        "the ring is level with it for 1024 flits": near(cycles("ring", 1024), cycles("rabenseifner", 1024), 0.01),
    },
    "middle_switches": {"5 block none": lambda table: one(table, middle_switches=5)["circuit.blocked"] == 0},
    "adaptive_transpose": {
        "minimal adaptive routing accepts all of it": near(accepted("minimal_adaptive", load=0.3), constant(0.3), 0.02),
        "Valiant's is the worst":
            lambda table: min(rows(table, load=0.3), key=lambda result: result[ACCEPTED]).values["routing.kind"] == "valiant",
    },
    "hot_spot": {
        "every routing carries a load of 0.135": lambda table: all(row.ok for row in table),
    },
    "dragonfly_detours": {
        "detours are worth nothing under uniform traffic":
            near(accepted("dragonfly_valiant", pattern="uniform"), accepted("dragonfly_minimal", pattern="uniform"), 0.02),
        "detours carry twice as much to the next group":
            near(ratio(accepted("dragonfly_valiant", pattern="neighbour"), accepted("dragonfly_minimal", pattern="neighbour")),
                 constant(2), 0.1),
        "UGAL has both": all_of(*(near(accepted("ugal", pattern=pattern), constant(0.25), 0.02) for pattern in ("uniform", "neighbour"))),
    },
    "energy": {
        "a flit-hop costs nearly the same whatever the load":
            near(figure("energy.pj_per_flit_hop", kind="wormhole", load=0.02), figure("energy.pj_per_flit_hop", kind="wormhole", load=0.1), 0.05),
    },
}
