# SPDX-License-Identifier: Apache-2.0
"""Laws with a formula: routers crossed and latencies in an idle network, and the queue of one link."""
import math

from bench import Refused

PAIRS, APART = 30, 2000  # Packets of a run, and cycles between two of them.

# Routings whose packets take shortest paths while nothing is in their way.
MINIMAL = {"dimension_order", "o1turn", "e_cube", "destination_tag", "middle_spread", "shortest_path", "romm", "adaptive_xy_yx",
           "west_first", "north_last", "negative_first", "odd_even", "minimal_adaptive", "d_mod_k", "nearest_common_ancestor",
           "adaptive_ascent", "dragonfly_minimal", "central_control"}


def listed(value):
    return value if isinstance(value, list) else [value]


def coordinates(node, sizes):
    for size in sizes:
        yield node % size
        node //= size


def grid_steps(topology, wraps, jumps):
    """Distances in meshes, tori and flattened butterflies, with some nodes at a router."""
    sizes = listed(topology.get("sizes", topology.get("nodes")))
    tile = listed(topology.get("tile", 1))
    tile += [1] * (len(sizes) - len(tile))

    def distance(source, to):
        nodes = [size * part for size, part in zip(sizes, tile)]
        places = zip(sizes, tile, coordinates(source, nodes), coordinates(to, nodes))
        away = [(size, abs(a // part - b // part)) for size, part, a, b in places]
        if jumps:
            return sum(d > 0 for _, d in away)
        return sum(min(d, size - d) if wraps else d for size, d in away)

    return distance


def tree_steps(arity):
    """Twice the levels to the lowest common ancestor, whose switch has level 0 for a common leaf."""
    def distance(source, to):
        level = 0
        while source // arity ** (level + 1) != to // arity ** (level + 1):
            level += 1
        return 2 * level

    return distance


def distance_of(topology):
    """The distance of two nodes in channels between routers, as a function."""
    kind = topology["kind"]
    if kind in ("mesh", "cmesh", "torus", "ring", "flattened_butterfly"):
        return grid_steps(topology, kind in ("torus", "ring"), kind == "flattened_butterfly")
    if kind == "hypercube":
        return lambda source, to: (source ^ to).bit_count()
    if kind == "complete":
        return lambda source, to: int(source != to)
    if kind == "fat_tree":
        return tree_steps(topology["arity"])
    if kind == "folded_clos":
        return lambda source, to: 2 * (source // topology["nodes"] != to // topology["nodes"])
    stages = {"crossbar": 1, "butterfly": topology.get("stages"), "clos": 2 * len(listed(topology.get("ports"))) + 1}
    if kind not in stages:
        raise Refused(f"no distances in {kind}")
    return lambda source, to: stages[kind] - 1


def idle_run(bench, dice):
    """A network, and what happens to single packets in it."""
    network = bench.network(dice)
    router = network.get("router", {})
    nodes = bench.nodes(network)
    longest = min(router.get("buffer_depth", 8) if router.get("kind") != "store_and_forward" else 8, 6)
    packets = [(k * APART, dice.randrange(nodes), dice.randrange(nodes), dice.randint(1, longest)) for k in range(PAIRS)]
    return bench.replay(network, packets, "packets.csv", spoilt=True)


def shortest_paths_have_their_closed_form(bench, dice):
    seen = idle_run(bench, dice)
    config = seen.result["config"]
    if config["routing"]["kind"] not in MINIMAL or config["topology"].get("faults"):
        raise Refused("paths are not minimal")
    distance = distance_of(config["topology"])
    for row in seen.log:
        routers = distance(row["source"], row["destination"]) + 1
        if row["hops"] != routers:
            yield f"{row['source']} -> {row['destination']} crosses {row['hops']} routers, not {routers}, in {config['topology']}"


def dragonfly_distances_are_those_of_a_group_pair(bench, dice):
    """Between two groups of a routers one pair is linked, 2 (a - 1) pairs have distance 2, (a - 1)^2 have distance 3."""
    nodes, routers, links = dice.choice([(1, 2, 1), (1, 3, 1), (2, 2, 1), (1, 4, 1), (1, 2, 2)])
    topology = {"kind": "dragonfly", "nodes": nodes, "routers": routers, "global_links": links}
    groups = routers * links + 1
    every = range(nodes * routers * groups)
    pairs = [(s, d) for s in every for d in every if s // (nodes * routers) < d // (nodes * routers)]
    packets = [(k * 200, s, d, 1) for k, (s, d) in enumerate(pairs)]
    seen = bench.replay({"topology": topology, "routing": {"kind": "dragonfly_minimal"}}, packets, "packets.csv", spoilt=True)
    couples = nodes * nodes * groups * (groups - 1) // 2
    expected = {2: couples, 3: 2 * (routers - 1) * couples, 4: (routers - 1) ** 2 * couples}
    found = {hops: sum(row["hops"] == hops for row in seen.log) for hops in (2, 3, 4)}
    if found != expected or len(seen.log) != sum(expected.values()):
        yield f"routers crossed: {found}, by formula {expected}"


def idle_latency(config, row):
    """The latency of a packet in an idle network, without the time of a central control.

    A head takes 2 cycles to its first router, the stages of each router, and the channels, 1 cycle to the node; the other
    flits follow at the pace of the channels. A router that stores packets waits for the whole one, but for the last, and for
    the first unless a central control lets packets in.
    """
    router, link, length, hops = config["router"], config["link"], row["length_flits"], row["hops"]
    if router["kind"] == "circuit":
        return router["request_cycles"] + router["configuration_cycles"] + hops * router["stage_cycles"] + length - 1
    stages = router["pipeline"]
    at_a_router = stages["route"] + stages["vc_allocation"] + stages["switch_allocation"] + stages["traversal"]
    if router.get("speculation"):
        at_a_router -= 1
    head = config["node"]["startup"] + 2 + hops * at_a_router + (hops - 1) * link["latency"] + 1
    exempt = 1 if config["routing"]["kind"] == "central_control" else 2
    stores = max(0, hops - exempt) if router["kind"] == "store_and_forward" else 0
    return head + (stores * length + length - 1) * link["cycles_per_flit"]


def idle_latencies_have_their_closed_form(bench, dice):
    """Under a central control, all packets take the same time more."""
    seen = idle_run(bench, dice)
    config = seen.result["config"]
    if config["topology"]["kind"] == "custom" or config["link"].get("classes") or config["link"].get("exceptions"):
        raise Refused("its channels differ")
    more = [row["latency_cycles"] - idle_latency(config, row) for row in seen.log]
    usual = min(more) if config["routing"]["kind"] == "central_control" else 0
    for row, extra in zip(seen.log, more):
        if extra != usual:
            yield (f"{row['source']} -> {row['destination']} with {row['length_flits']} flits takes {row['latency_cycles']} "
                   f"cycles, {extra} more than by formula, in {config['router']} {config['routing']} {config['link']}")


def one_link_is_a_geo_d_1_queue(bench, dice):
    """Every channel of the ring has one flow: packets of L flits, created with probability p, wait p L (L - 1) / (2 (1 - p L))."""
    length, load = dice.randint(2, 8), dice.choice([0.2, 0.4, 0.5])
    config = {"topology": {"kind": "ring", "nodes": 3}, "seed": dice.randrange(10**6),
              "routing": {"kind": "shortest_path"}, "router": {"buffer_depth": 16, "virtual_channels": 8},
              "workload": {"kind": "traffic", "pattern": "neighbour", "load": load, "packet_length": [length]},
              "measure": {"warmup": 1000, "window": 30000}}
    seen = bench.run(config, spoilt=True)
    latency = seen.result["latency_cycles"]
    if "mean_half_width_95" not in latency:
        raise Refused("no interval")
    formula = 2 + 2 * 4 + 1 + 1 + length - 1 + load * (length - 1) / (2 * (1 - load))
    # Four standard deviations.
    if abs(latency["mean"] - formula) > 4 / 1.96 * latency["mean_half_width_95"]:
        yield f"the mean latency is {latency['mean']} +- {latency['mean_half_width_95']}, by formula {formula}"
    if not math.isclose(seen.result["hops_mean"], 2):
        yield f"packets cross {seen.result['hops_mean']} routers"


def farther(reading):
    reading.log[-1]["hops"] += 1


def later(reading):
    reading.log[-1]["latency_cycles"] += 1


def slower(reading):
    reading.result["latency_cycles"]["mean"] += 2


# The laws, and what is changed in a reading so that one must complain.
CLOSED_FORMS = {
    shortest_paths_have_their_closed_form: farther,
    dragonfly_distances_are_those_of_a_group_pair: farther,
    idle_latencies_have_their_closed_form: later,
    one_link_is_a_geo_d_1_queue: slower,
}
