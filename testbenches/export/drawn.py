# SPDX-License-Identifier: Apache-2.0
"""Experiments drawn from the topologies, routings and keys that are exported."""
from experiments import dimension_order, experiment


def _sizes(random, most):
    return [random.randint(2, most) for _ in range(random.randint(1, 2))]


def _on_grid(random):
    return ({"kind": "mesh", "sizes": _sizes(random, 3)}, dimension_order(order=random.choice(["ascending", "descending"])), 1)


def _wrapped(random):
    kind = random.choice([{"kind": "ring", "nodes": random.randint(2, 6)}, {"kind": "torus", "sizes": _sizes(random, 4)}])
    return kind, dimension_order(tie=random.choice(["plus", "coin"]), vc_classes=random.choice(["dally_seitz_fixed", "dally_seitz", "dateline"])), 2


def _concentrated(random):
    tile = [random.randint(1, 2), random.randint(1, 2)]
    return random.choice([({"kind": "cmesh", "sizes": [2, 2], "tile": tile}, dimension_order(), 1),
                          ({"kind": "flattened_butterfly", "sizes": [3, 2], "tile": tile}, {"kind": "e_cube"}, 1)])


def _multistage(random):
    return random.choice([
        ({"kind": "butterfly", "arity": 2, "stages": random.randint(1, 3)}, {"kind": "destination_tag"}, 1),
        ({"kind": "butterfly", "arity": 3, "stages": 2}, {"kind": "destination_tag"}, 1),
        ({"kind": "clos", "ports": 2, "middle_switches": random.randint(1, 4), "switches": 2}, {"kind": "middle_spread"}, 1),
        ({"kind": "fat_tree", "arity": 2, "levels": random.randint(1, 3)}, {"kind": "d_mod_k"}, 1),
        ({"kind": "folded_clos", "nodes": 2, "leaves": 3, "spines": random.randint(1, 3)}, {"kind": "d_mod_k"}, 1)])


def _graph(random):
    topology = random.choice([{"kind": "jellyfish", "routers": 6, "degree": 3, "seed": random.randint(1, 99)}, {"kind": "complete", "nodes": 4},
                              {"kind": "ring", "nodes": 5}, {"kind": "mesh", "sizes": [3, 2]}, {"kind": "hypercube", "dimension": 2},
                              {"kind": "dragonfly", "nodes": 1}])
    return random.choice([(topology, {"kind": "up_down", "root": random.randint(0, 3)}, 1),
                          (topology, {"kind": "shortest_path", "vc_classes": "by_distance"}, 4)])


def _oblivious(random):
    """Sources draw a part of the path."""
    mesh, torus = {"kind": "mesh", "sizes": _sizes(random, 3)}, {"kind": "torus", "sizes": _sizes(random, 4)}
    cube = {"kind": "hypercube", "dimension": random.randint(1, 3)}
    butterfly = {"kind": "flattened_butterfly", "sizes": [3, 2], "tile": [random.randint(1, 2), 1]}
    kind, topology, vcs = random.choice([
        ("o1turn", mesh, 2), ("o1turn", torus, 4), ("valiant", mesh, 2), ("valiant", torus, 4), ("valiant", cube, 2), ("valiant", butterfly, 2),
        ("romm", mesh, 2), ("romm", cube, 2), ("y_x_y", mesh, 2), ("dragonfly_valiant", {"kind": "dragonfly", "nodes": 1}, 3),
        ("nearest_common_ancestor", {"kind": "fat_tree", "arity": 2, "levels": random.randint(1, 3)}, 1),
        ("nearest_common_ancestor", {"kind": "folded_clos", "nodes": 2, "leaves": 3, "spines": random.randint(1, 5)}, 1)])
    return topology, {"kind": kind}, vcs + random.randint(0, 1)


def _adaptive(random):
    """Routers choose among outputs in each clock."""
    mesh, torus = {"kind": "mesh", "sizes": [random.randint(2, 3), random.randint(2, 3)]}, {"kind": "torus", "sizes": _sizes(random, 4)}
    graph = random.choice([{"kind": "hypercube", "dimension": 2}, {"kind": "fat_tree", "arity": 2, "levels": 2},
                           {"kind": "jellyfish", "routers": 6, "degree": 3, "seed": random.randint(1, 99)}])
    turns = random.choice(["west_first", "north_last", "negative_first", "odd_even"])
    topology, routing, vcs = random.choice([(mesh, {"kind": turns}, 1), (mesh, {"kind": "planar_adaptive"}, 3), (torus, {"kind": "minimal_adaptive"}, 3),
                                            (mesh, {"kind": "minimal_adaptive"}, 2), (graph, {"kind": "shortest_path", "tie": "adaptive"}, 2)])
    return topology, routing | {"selection": random.choice(["free_credits", "round_robin"])}, vcs


FAMILIES = (_on_grid, _wrapped, _concentrated, _multistage, _graph, _oblivious, _adaptive)


def drawn_experiment(random):
    topology, routing, vcs = random.choice(FAMILIES)(random)
    kind, depth = random.choice(["wormhole", "wormhole", "virtual_cut_through", "store_and_forward"]), random.randint(1, 7)
    stores = kind == "store_and_forward"  # Its packets, of one flit too, take a cycle to decide, and its memory is large.
    pipeline = {"route": random.randint(int(stores), 2), "vc_allocation": random.randint(0, 2), "switch_allocation": random.randint(1, 2),
                "traversal": random.randint(0, 2)}
    router = {"kind": kind, "pipeline": pipeline}
    lengths = [random.randint(1, {"wormhole": 9, "virtual_cut_through": depth, "store_and_forward": 4}[kind]) for _ in range(random.randint(1, 2))]
    link = {"latency": random.randint(1, 6), "credit_latency": random.randint(0, 4), "cycles_per_flit": random.choice([1, 1, 1, 2, 5])}
    return experiment(topology, routing, vcs=vcs * (1 if stores else random.choice([1, 1, 2])), depth=1 + depth % 2 if stores else depth, load=random.choice([0.1, 0.3, 0.6]), lengths=lengths,
                      router=router, link=link, flit_width=random.choice([1, 8, 40]), seed=random.randint(1, 10 ** 6))
