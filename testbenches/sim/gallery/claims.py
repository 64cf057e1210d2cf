# SPDX-License-Identifier: Apache-2.0
"""Where the numbers in the text of the gallery come from, in the order in which they stand there, and which of its
sentences hold. Each is a function of the table of the experiment."""
import flitcast
from pictures import EXAMPLES

ACCEPTED = "accepted_flits_per_node_cycle.mean"
CYCLES = "collective.cycles"
CAPACITY = "capacity.flits_per_node_cycle"
LATENCY = "latency_cycles.mean"
OFFERED = "offered_flits_per_node_cycle"


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


SHARED, OWN, FIRST_OF_ALL = "shared channels", "channels of their own", "first in channels of its own"
OF_OTHERS, OF_CROWD = (f"classes.{name}.accepted_flits_per_node_cycle" for name in ("others", "crowd"))
OF_STEP, OTHERS_WAIT = "workloads.step.collective.cycles", "classes.others.latency_cycles.mean"
LONG = figure(ACCEPTED, latency=100, buffer_depth=16)
WAYS = ("whole, dimension order", "whole, up_down", "link failed", "link failed, root in the middle")
BEST_AT = ((1, "recursive_doubling"), (16, "rabenseifner"), (64, "grid_ring"), (256, "grid_ring"))   # KiB, algorithm.


def carried(channels, depth):
    return figure(ACCEPTED, virtual_channels=channels, buffer_depth=depth)


def areas(*routers):
    """The ratio of the areas of two routers, (channels, depth)."""
    return ratio(*(figure("energy.area_um2", virtual_channels=channels, buffer_depth=depth) for channels, depth in routers))


def kibibytes(kib):
    return lambda table: next(kib for result in table if result["physical.bytes"] == 1024 * kib)


def bus_gb_per_s(algorithm, kib):
    """Bus bandwidth; the experiment has 16 bytes in a flit."""
    return figure("physical.bus_gb_per_s", algorithm=algorithm, length=1024 * kib // 16)


def tail(arbitration, burst_length):
    return figure("latency_cycles.p99", arbitration=arbitration, load=0.2, burst_length=burst_length)


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
    "long_links": [
        value("latency", 100), value("buffer_depth", 16), LONG, constant(4 * 16), ratio(constant(4 * 16), LONG),
        figure(OFFERED, latency=100, buffer_depth=64), value("buffer_depth", 64), value("buffer_depth", 4),
    ],
    "failed_links": [
        *(figure(CAPACITY, routing=way, load=0.2) for way in WAYS[:3]), value("load", 0.2),
        *(figure(LATENCY, routing=way, load=0.2) for way in WAYS[:3]), figure(CAPACITY, routing=WAYS[3], load=0.2),
    ],
    "four_dies": [
        value("load", 0.2), constant(5), figure(LATENCY, link="one chip", load=0.2), figure(LATENCY, link="full width", load=0.2),
        figure(LATENCY, link="half width", load=0.2), figure(CAPACITY, link="half width", load=0.2), constant(20),
        figure(CAPACITY, link="serial", load=0.2), figure(CAPACITY, link="one chip", load=0.2),
    ],
    "oversubscribed": [
        value("spines", 4), constant(8), figure(ACCEPTED, kind="d_mod_k", spines=4), value("spines", 7),
        figure(ACCEPTED, kind="adaptive_ascent", spines=7), figure(ACCEPTED, kind="d_mod_k", spines=7), constant(8), value("spines", 8),
        figure(ACCEPTED, kind="d_mod_k", spines=8), figure(ACCEPTED, kind="adaptive_ascent", spines=8),
    ],
    "one_more_channel": [
        carried(1, 8), value("buffer_depth", 4), carried(2, 4), areas((2, 4), (1, 8)), value("buffer_depth", 2), carried(4, 2),
        areas((4, 2), (1, 8)), value("buffer_depth", 4), carried(4, 4), areas((4, 4), (2, 4)),
    ],
    "bus_bandwidth": [
        constant(20), *(number for kib, algorithm in BEST_AT for number in (kibibytes(kib), bus_gb_per_s(algorithm, kib))),
    ],
    "bursts": [
        value("load", 0.2), *(number for length in (4, 64) for number in (value("burst_length", length), tail("round_robin", length))),
        *(figure("latency_cycles.p50", arbitration="round_robin", load=0.2, burst_length=length) for length in (4, 64)),
        tail("age", 64), figure("latency_cycles.p50", arbitration="age", load=0.2, burst_length=64),
    ],
    "crowd": [
        constant(0.2), figure("topology.nodes", workload=SHARED, load=0), value("load", 0.02), figure(OF_OTHERS, workload=SHARED, load=0.02),
        figure(OF_OTHERS, workload=OWN, load=0.02), figure(OF_CROWD, workload=OWN, load=0.02), figure(OF_CROWD, workload=SHARED, load=0.02),
    ],
    "loaded_all_reduce": [
        figure(OF_STEP, workload="in turn", load=0), value("load", 0.3), figure(OF_STEP, workload="in turn", load=0.3),
        figure(OF_STEP, workload="first", load=0.3), figure(OF_STEP, workload=FIRST_OF_ALL, load=0.3),
        figure(OTHERS_WAIT, workload=FIRST_OF_ALL, load=0.3), figure(OTHERS_WAIT, workload="in turn", load=0.3),
    ],
    "reply_channels": [
        value("load", 0.06), figure(ACCEPTED, workload=SHARED, load=0.06), value("load", 0.07),
        *(figure(ACCEPTED, workload=way, load=0.07) for way in (SHARED, "two of each kind", "one of reads")), constant(4),
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


def refused(setting, message):
    """True if `check` refuses the experiment with this setting by this message."""
    def holds(table):
        try:
            flitcast.call("check", EXAMPLES / f"{table.name}.yaml", "--set", setting)
        except flitcast.FlitcastError as error:
            return message in str(error)
        return False
    return holds


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
    "long_links": {
        f"{places} places of a channel carry what is offered over {cycles} cycles":
            near(figure(ACCEPTED, latency=cycles, buffer_depth=places), figure(OFFERED, latency=cycles, buffer_depth=places), 0.02)
        for cycles, places in ((1, 4), (100, 64))
    } | {
        "half as many do not": lambda table: not one(table, latency=100, buffer_depth=32).ok,
        "a round trip is two flights and four cycles": near(ratio(constant(4 * 16), LONG), constant(2 * 100 + 4), 0.001),
    },
    "failed_links": {
        "a failed link does not change the load that saturates up_down":
            near(first_saturated(routing=WAYS[2]), first_saturated(routing=WAYS[1]), 0),
    },
    "four_dies": {
        "links of full width carry every load that one chip carries":
            lambda table: all(result.ok for link in ("one chip", "full width") for result in rows(table, link=link)),
    },
    "oversubscribed": {
        "both routings carry as much over 4 spines":
            near(figure(ACCEPTED, kind="d_mod_k", spines=4), figure(ACCEPTED, kind="adaptive_ascent", spines=4), 0.02),
        "5 to 7 spines have the bound of 4 by d_mod_k":
            lambda table: len({one(table, kind="d_mod_k", spines=spines)[CAPACITY] for spines in (4, 5, 6, 7)}) == 1,
    },
    "one_more_channel": {
        "no router that is offered so much keeps up": lambda table: all(result.status == "saturated" for result in table),
    },
    "bus_bandwidth": {
        f"{algorithm} is the best for {kib} KiB":
            lambda table, algorithm=algorithm, kib=kib: bus_gb_per_s(algorithm, kib)(table) ==
            max(result["physical.bus_gb_per_s"] for result in rows(table, length=1024 * kib // 16))
        for kib, algorithm in BEST_AT
    },
    "bursts": {
        f"age leaves the tail of bursts of {length} as it is": near(tail("age", length), tail("round_robin", length), 0.08)
        for length in (4, 16, 64)
    },
    "crowd": {
        "others have what they want in channels of their own":
            lambda table: all(near(constant(result[OF_OTHERS]), constant(0.2), 0.02)(table) for result in rows(table, workload=OWN)),
    },
    "loaded_all_reduce": {
        "first in channels of its own it takes what it takes alone, whatever the load":
            lambda table: {result[OF_STEP] for result in rows(table, workload=FIRST_OF_ALL)} == {one(table, workload="in turn", load=0)[OF_STEP]},
        "priority saves less than a tenth in shared channels": lambda table:
            all(near(figure(OF_STEP, workload="first", load=load), figure(OF_STEP, workload="in turn", load=load), 0.1)(table)
                for load in (0.1, 0.2, 0.3, 0.4)),
    },
    "reply_channels": {
        "up to 0.06 all channels carry the same":
            lambda table: all(near(figure(ACCEPTED, workload=way, load=load), figure(ACCEPTED, workload=SHARED, load=load), 0.005)(table)
                              for way in ("two of each kind", "one of reads") for load in (0.01, 0.02, 0.03, 0.04, 0.05, 0.06)),
        "shared channels are refused where nodes have room for 4 replies": refused("node.reply_queue=4", "protocol deadlock possible"),
    },
}
