# SPDX-License-Identifier: Apache-2.0
"""Small experiments that show an entry of a catalog: one network for every topology, and the search for one that an entry accepts."""

TRAFFIC = {"kind": "traffic", "load": 0.05}
BRIEF = {"warmup": 100, "window": 500}

# A small network of every topology, with a routing for it.
NETWORKS = {
    "mesh": ({"sizes": [4, 4]}, "dimension_order"),
    "hypercube": ({"dimension": 4}, "e_cube"),
    "torus": ({"sizes": [4, 4]}, "dimension_order"),
    "ring": ({"nodes": 8}, "dimension_order"),
    "complete": ({"nodes": 8}, "shortest_path"),
    "crossbar": ({"nodes": 8}, "shortest_path"),
    "cmesh": ({"sizes": [3, 3], "tile": [2, 2]}, "dimension_order"),
    "flattened_butterfly": ({"sizes": [3, 3], "tile": [2, 2]}, "e_cube"),
    "hyperx": ({"sizes": [3, 4], "nodes_per_router": 2}, "e_cube"),
    "slim_fly": ({"q": 3, "nodes_per_router": 1}, "shortest_path"),
    "jellyfish": ({"routers": 12, "degree": 3}, "shortest_path"),
    "xpander": ({"degree": 3, "copies": 3}, "shortest_path"),
    "dragonfly": ({"nodes": 2}, "dragonfly_minimal"),
    "butterfly": ({"arity": 2, "stages": 3}, "destination_tag"),
    "clos": ({"ports": 2, "middle_switches": 3, "switches": 4}, "middle_spread"),
    "fat_tree": ({"arity": 2, "levels": 3}, "d_mod_k"),
    "folded_clos": ({"nodes": 4, "leaves": 4, "spines": 2}, "d_mod_k"),
    "custom": ({"file": "sim/examples/own_graph.json"}, "shortest_path"),
    "hierarchy": ({"within": {"kind": "mesh", "sizes": [3, 3]}, "between": {"kind": "mesh", "sizes": [2, 2]}, "at": [5, 3, 7, 1]},
                  "hierarchical"),
}

BY_DISTANCE = {"kind": "shortest_path", "vc_classes": "by_distance"}
ROUTINGS = {
    "hierarchical": {"within": {"kind": "dimension_order"}, "between": {"kind": "dimension_order"}},
}


# Networks for collectives, in the order in which they are tried; recursive tilings need sizes that are powers of five.
FOR_COLLECTIVES = [("hypercube", {}), ("mesh", {}), ("torus", {}), ("complete", {}), ("clos", {}), ("torus", {"sizes": [5, 5]})]


def network(kind, routing=None, **sizes):
    usual_sizes, usual = NETWORKS[kind]
    name = routing or usual
    chosen = BY_DISTANCE if name == "shortest_path" and not routing else {"kind": name, **ROUTINGS.get(name, {})}
    return {"topology": {"kind": kind, **(sizes or usual_sizes)}, "routing": chosen, "router": {"virtual_channels": 5}}


def experiments(listing, entry):
    """Experiments that have the entry. The program refuses those that it does not fit; the first that it accepts is shown."""
    name = entry["name"]
    if listing == "topologies":
        yield {**network(name), "workload": TRAFFIC, "measure": BRIEF}
    elif listing == "routings":
        for kind in [kind for kind, (_, usual) in NETWORKS.items() if usual == name] or NETWORKS:
            yield {**network(kind, name), "workload": TRAFFIC, "measure": BRIEF}
        yield {**network("mesh", name), "workload": {"kind": "collective", "operation": "multicast", "algorithm": name,
                                                     "destinations": [3, 5, 6]}}
    elif listing == "collectives":
        workload = {"kind": "collective", "operation": entry["operation"], "algorithm": name, "length": 16}
        for kind, sizes in FOR_COLLECTIVES:
            for ports in ("one", "all"):
                yield {**network(kind, **sizes), "node": {"ports": ports}, "workload": workload}
