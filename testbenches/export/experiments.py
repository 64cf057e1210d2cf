# SPDX-License-Identifier: Apache-2.0
"""Experiments whose networks are exported, by name: from each family of topologies, with every routing of one output."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]

GRAPH = """\
router a
router b
router c
router d
terminal n0 a
terminal n1 b
terminal n2 c
terminal n3 c
terminal n4 d
link a b latency 3
link b c
link c d latency 2
link d a
link a c oneway
"""

# All at the right of a go round by c or d, which no built-in routing does; c is alone in telling its inputs apart.
TABLE = """\
router,input,destination,next
a,,1,b
a,,2-3,c
a,,4,d
b,,0,a
b,,2-4,c
c,,0,d
c,,1,b
c,,4,d
d,,0-1,a
d,,2-3,c
"""

# Three levels from a to c: by b or d, as credits say, then the direct channel, then, where packets wait, by d.
LEVELS = """\
router,destination,next,vcs,priority
a,1,b,*,0
a,2-3,b,1-2,2
a,2-3,d,1-2,2
a,2-3,c,2,1
a,2-3,d,0,0
a,4,d,*,0
b,0,a,*,0
b,2-3,c,*,0
b,4,c,1-2,1
b,4,a,0,0
c,0,d,*,0
c,1,b,*,0
c,4,d,*,0
d,0,a,*,0
d,1,c,*,0
d,2-3,c,*,0
"""


def experiment(topology, routing, vcs=2, depth=4, load=0.3, lengths=(1, 4), **more):
    """@param more  Further keys of the router, and sections."""
    router = {"virtual_channels": vcs, "buffer_depth": depth, **more.pop("router", {})}
    return {"topology": topology, "routing": routing, "router": router,
            "workload": {"kind": "traffic", "load": load, "packet_length": list(lengths)}, **more}


def dimension_order(**keys):
    return {"kind": "dimension_order", **keys}


def on_grid(kind, sizes, routing, vcs=2, **more):
    return experiment({"kind": kind, "sizes": list(sizes)}, {"kind": routing}, vcs=vcs, **more)


EXPERIMENTS = {
    "mesh_3x3": experiment({"kind": "mesh", "sizes": [3, 3]}, dimension_order()),
    "mesh_8x8": experiment({"kind": "mesh", "sizes": [8, 8]}, dimension_order(), load=0.1),
    "torus_4x4": experiment({"kind": "torus", "sizes": [4, 4]}, dimension_order(tie="plus", vc_classes="dateline")),
    "torus_4_classes": experiment({"kind": "torus", "sizes": [4, 3]}, dimension_order(tie="plus", vc_classes="dally_seitz"), vcs=4),
    "ring_5": experiment({"kind": "ring", "nodes": 5}, dimension_order(vc_classes="dateline"), load=0.45, lengths=(1, 8)),
    "ring_fixed": experiment({"kind": "ring", "nodes": 6}, dimension_order(tie="plus"), vcs=8, depth=2),
    "hypercube": experiment({"kind": "hypercube", "dimension": 3}, {"kind": "e_cube"}, vcs=1, depth=3),
    "butterfly": experiment({"kind": "butterfly", "arity": 2, "stages": 3}, {"kind": "destination_tag"}),
    "clos": experiment({"kind": "clos", "ports": 2, "middle_switches": 3, "switches": 3}, {"kind": "middle_spread"}),
    "fat_tree": experiment({"kind": "fat_tree", "arity": 2, "levels": 3}, {"kind": "d_mod_k"}),
    "folded_clos": experiment({"kind": "folded_clos", "nodes": 2, "leaves": 3, "spines": 2}, {"kind": "d_mod_k"}, vcs=3),
    "cmesh": experiment({"kind": "cmesh", "sizes": [3, 2], "tile": [2, 1]}, dimension_order()),
    "flattened_butterfly": experiment({"kind": "flattened_butterfly", "sizes": [3, 3], "tile": [2, 1]}, {"kind": "e_cube"}, vcs=1),
    "hyperx": experiment({"kind": "hyperx", "sizes": [3, 2]}, {"kind": "e_cube", "order": "lsb"}),
    "dragonfly": experiment({"kind": "dragonfly", "nodes": 1}, {"kind": "dragonfly_minimal"}),
    "leaves": experiment({"kind": "dragonfly", "nodes": 2, "leaves": 2, "routers": 3, "global_links": 1}, {"kind": "dragonfly_minimal"}),
    "complete": experiment({"kind": "complete", "nodes": 4}, {"kind": "shortest_path"}, vcs=1),
    "crossbar": experiment({"kind": "crossbar", "nodes": 5}, {"kind": "shortest_path"}, load=0.6),
    "slim_fly": experiment({"kind": "slim_fly", "q": 3, "nodes_per_router": 1}, {"kind": "shortest_path", "vc_classes": "by_distance"}),
    "jellyfish": experiment({"kind": "jellyfish", "routers": 6, "degree": 3}, {"kind": "up_down"}, vcs=1),
    "custom": experiment({"kind": "custom", "file": "graph.txt"}, {"kind": "table", "file": "table.csv"}),
    "failed_router": experiment({"kind": "mesh", "sizes": [3, 3], "faults": ["router 4", "link 0 1 oneway", "link 1 0 oneway"]},
                                {"kind": "up_down"}),
    "cut_through": experiment({"kind": "mesh", "sizes": [3, 3]}, dimension_order(order="descending"), depth=5, lengths=(1, 5),
                              router={"kind": "virtual_cut_through"}),
    "deep_pipeline": experiment({"kind": "mesh", "sizes": [2, 2]}, dimension_order(), depth=9,
                                router={"pipeline": {"route": 2, "vc_allocation": 3, "switch_allocation": 2, "traversal": 2}},
                                link={"latency": 7, "credit_latency": 4}),
    "no_stages": experiment({"kind": "mesh", "sizes": [3, 1]}, dimension_order(), depth=1,
                            router={"pipeline": {"route": 0, "vc_allocation": 0, "switch_allocation": 1, "traversal": 0}},
                            link={"credit_latency": 0}),
    "link_classes": experiment({"kind": "torus", "sizes": [4, 2]}, dimension_order(tie="plus"),
                               link={"latency": 1, "credit_latency": 0, "classes": {"wrap": {"latency": 5}},
                                     "exceptions": [{"from": 0, "to": 1, "latency": 3}]}),
    "classes": experiment({"kind": "torus", "sizes": [3, 2]}, dimension_order(tie="plus", vc_classes="dateline"), vcs=6) | {"workload": {
        "kind": "traffic", "classes": [
            {"name": "read", "load": 0.2, "packet_length": 2, "virtual_channels": [0, 1], "reply": "data", "service": 10},
            {"name": "data", "packet_length": 6, "virtual_channels": [2, 5], "priority": 1}]}},
    "even_classes": experiment({"kind": "mesh", "sizes": [2, 2]}, dimension_order(), vcs=4) | {"workload": {"kind": "traffic", "classes": [
        {"name": "low", "load": 0.1, "virtual_channels": [0, 1]}, {"name": "high", "load": 0.1, "virtual_channels": [2, 3]}]}},
    "narrow": experiment({"kind": "mesh", "sizes": [2, 2]}, dimension_order(), vcs=1, lengths=(1,), flit_width=1),
    "wide": experiment({"kind": "mesh", "sizes": [2, 1]}, dimension_order(), vcs=3, depth=16, lengths=(300,), load=0.5, flit_width=512, clock=2),
}

# Experiments whose sources draw a part of the header.
DRAWN = {
    "o1turn_mesh": on_grid("mesh", [4, 4], "o1turn"),
    "o1turn_torus": on_grid("torus", [4, 4], "o1turn", vcs=4),
    "o1turn_cut_through": on_grid("mesh", [3, 2, 2], "o1turn", vcs=3, depth=3, lengths=(1, 3), router={"kind": "virtual_cut_through"}),
    "valiant_mesh": on_grid("mesh", [3, 3], "valiant"),
    "valiant_torus": on_grid("torus", [4, 3], "valiant", vcs=5),
    "valiant_hypercube": experiment({"kind": "hypercube", "dimension": 3}, {"kind": "valiant"}),
    "valiant_butterfly": experiment({"kind": "flattened_butterfly", "sizes": [3, 2], "tile": [2, 1]}, {"kind": "valiant"}, vcs=3),
    "valiant_cmesh": experiment({"kind": "cmesh", "sizes": [3, 2], "tile": [2, 1]}, {"kind": "valiant"}),
    "romm_mesh": on_grid("mesh", [4, 4], "romm"),
    "romm_hypercube": experiment({"kind": "hypercube", "dimension": 3}, {"kind": "romm"}, vcs=4),
    "y_x_y_mesh": on_grid("mesh", [4, 3], "y_x_y"),
    "coins_torus": experiment({"kind": "torus", "sizes": [4, 4]}, dimension_order(tie="coin")),
    "coins_odd_and_even": experiment({"kind": "torus", "sizes": [3, 4]},
                                     dimension_order(tie="coin", order="descending", vc_classes="dateline"), vcs=3),
    "coins_of_two": experiment({"kind": "torus", "sizes": [2, 2, 2]}, dimension_order(tie="coin"), vcs=1, load=0.5),
    "valiant_dragonfly": experiment({"kind": "dragonfly", "nodes": 1}, {"kind": "dragonfly_valiant"}, vcs=3),
    "valiant_groups": experiment({"kind": "dragonfly", "nodes": 2, "routers": 3, "global_links": 1}, {"kind": "dragonfly_valiant"}, vcs=5),
    "ancestors": experiment({"kind": "fat_tree", "arity": 2, "levels": 3}, {"kind": "nearest_common_ancestor"}),
    "spines": experiment({"kind": "folded_clos", "nodes": 2, "leaves": 3, "spines": 7}, {"kind": "nearest_common_ancestor"}, vcs=1),
    "dies": experiment({"kind": "hierarchy", "within": {"kind": "mesh", "sizes": [2, 2]}, "between": {"kind": "mesh", "sizes": [3, 1]}, "at": [1, 0]},
                       {"kind": "hierarchical", "within": {"kind": "dimension_order"}, "between": {"kind": "dimension_order"}}, vcs=7),
    "dies_planes": experiment({"kind": "hierarchy", "within": {"kind": "ring", "nodes": 4}, "between": {"kind": "complete", "nodes": 3},
                               "at": [0, 1, 2, 3]},
                              {"kind": "hierarchical", "within": {"kind": "dimension_order"}, "between": {"kind": "shortest_path"}}, vcs=6),
    "dies_coins": experiment({"kind": "hierarchy", "within": {"kind": "mesh", "sizes": [1, 2]}, "between": {"kind": "ring", "nodes": 4}, "at": [1]},
                             {"kind": "hierarchical", "within": {"kind": "up_down"}, "between": {"kind": "dimension_order"}}, vcs=8, depth=2),
    "torus_of_dies": experiment({"kind": "hierarchy", "within": {"kind": "mesh", "sizes": [2, 1]}, "between": {"kind": "torus", "sizes": [2, 3]}},
                                dimension_order(tie="coin"), link={"classes": {"die_to_die": {"latency": 4}}}),
    "valiant_dies": experiment({"kind": "hierarchy", "within": {"kind": "mesh", "sizes": [2, 2]}, "between": {"kind": "mesh", "sizes": [2, 1]}},
                               {"kind": "valiant"}),
    "coins_ring": experiment({"kind": "ring", "nodes": 6}, dimension_order(tie="coin", vc_classes="dally_seitz"), depth=2),
}


def stored(topology, routing, slots=2, pipeline=(1, 1, 1, 1), router=None, **more):
    """In routers that store packets, with a buffer of `slots` packets."""
    stages = dict(zip(("route", "vc_allocation", "switch_allocation", "traversal"), pipeline))
    return experiment(topology, routing, depth=slots, router={"kind": "store_and_forward", "pipeline": stages, **(router or {})}, **more)


# Experiments whose routers store packets.
STORED = {
    "stored_mesh": stored({"kind": "mesh", "sizes": [3, 3]}, dimension_order()),
    "stored_torus": stored({"kind": "torus", "sizes": [4, 4]}, dimension_order(tie="plus", vc_classes="dateline")),
    "stored_ring": stored({"kind": "ring", "nodes": 5}, dimension_order(vc_classes="dateline"), slots=1, load=0.5, lengths=(1, 8)),
    "stored_fat_tree": stored({"kind": "fat_tree", "arity": 2, "levels": 3}, {"kind": "d_mod_k"}, vcs=3, load=0.5),
    "stored_hypercube": stored({"kind": "hypercube", "dimension": 3}, {"kind": "e_cube"}, vcs=1, slots=3),
    "stored_custom": stored({"kind": "custom", "file": "graph.txt"}, {"kind": "table", "file": "table.csv"}),
    "stored_cmesh": stored({"kind": "cmesh", "sizes": [3, 2], "tile": [2, 1]}, dimension_order(), load=0.5),
    "stored_deep": stored({"kind": "mesh", "sizes": [2, 2]}, dimension_order(), slots=4, pipeline=(2, 3, 2, 2),
                          link={"latency": 7, "credit_latency": 4}),
    "stored_at_once": stored({"kind": "ring", "nodes": 4}, dimension_order(tie="plus", vc_classes="dally_seitz"), slots=1, load=0.6,
                             lengths=(2, 4), pipeline=(0, 0, 1, 0), link={"credit_latency": 0}),
    "stored_latencies": stored({"kind": "torus", "sizes": [4, 2]}, dimension_order(tie="plus"), load=0.5,
                               link={"latency": 2, "classes": {"wrap": {"latency": 5}}, "exceptions": [{"from": 0, "to": 1, "latency": 3}]}),
    "stored_butterfly": stored({"kind": "butterfly", "arity": 2, "stages": 3}, {"kind": "destination_tag"}, vcs=1),
    "stored_valiant": stored({"kind": "mesh", "sizes": [3, 2]}, {"kind": "valiant"}, load=0.5),
    "stored_slow": stored({"kind": "ring", "nodes": 4}, dimension_order(tie="plus", vc_classes="dateline"), slots=1, load=0.4,
                          link={"cycles_per_flit": 3}),
    "stored_classes": stored({"kind": "mesh", "sizes": [2, 2]}, dimension_order(), vcs=4) | {"workload": {"kind": "traffic", "classes": [
        {"name": "read", "load": 0.2, "packet_length": 1, "virtual_channels": [0, 1], "reply": "data", "service": 10},
        {"name": "data", "packet_length": 4, "virtual_channels": [2, 3], "priority": 1}]}},
    "stored_one_flit": stored({"kind": "mesh", "sizes": [2, 2]}, dimension_order(), vcs=1, slots=1, lengths=(1,), flit_width=1),
}

# Experiments whose channels take several cycles for a flit.
SLOW = {
    "slow_mesh": experiment({"kind": "mesh", "sizes": [3, 3]}, dimension_order(), link={"cycles_per_flit": 2}),
    "slow_classes": experiment({"kind": "torus", "sizes": [4, 2]}, dimension_order(tie="plus"), lengths=(1, 6), load=0.5,
                               link={"classes": {"wrap": {"cycles_per_flit": 3}}, "exceptions": [{"from": 0, "to": 1, "cycles_per_flit": 5}]}),
    "slow_cut_through": experiment({"kind": "mesh", "sizes": [3, 2]}, dimension_order(), depth=5, lengths=(1, 5),
                                   router={"kind": "virtual_cut_through"}, link={"cycles_per_flit": 4, "latency": 2}),
    "slow_fat_tree": experiment({"kind": "fat_tree", "arity": 2, "levels": 3}, {"kind": "d_mod_k"}, vcs=3, link={"cycles_per_flit": 2}),
    "slow_at_once": experiment({"kind": "ring", "nodes": 5}, dimension_order(vc_classes="dateline"), depth=1,
                               router={"pipeline": {"route": 0, "vc_allocation": 0, "switch_allocation": 1, "traversal": 0}},
                               link={"cycles_per_flit": 3, "credit_latency": 0}),
    "slow_deep": experiment({"kind": "custom", "file": "graph.txt"}, {"kind": "table", "file": "table.csv"}, vcs=3,
                            router={"pipeline": {"route": 2, "vc_allocation": 1, "switch_allocation": 2, "traversal": 1}},
                            link={"cycles_per_flit": 7, "latency": 2}),
    "slow_valiant": experiment({"kind": "cmesh", "sizes": [3, 2], "tile": [2, 1]}, {"kind": "valiant"}, link={"cycles_per_flit": 2}),
}

# Experiments whose routers choose among outputs in each clock.
ADAPTIVE = {
    "west_first": on_grid("mesh", [4, 4], "west_first", load=0.5),
    "north_last": experiment({"kind": "mesh", "sizes": [3, 3]}, {"kind": "north_last", "selection": "round_robin"}, load=0.6),
    "negative_first": on_grid("mesh", [4, 3], "negative_first", vcs=1, load=0.5),
    "odd_even": on_grid("mesh", [4, 4], "odd_even", load=0.5),
    "odd_even_tiles": experiment({"kind": "cmesh", "sizes": [3, 2], "tile": [2, 1]}, {"kind": "odd_even"}, vcs=3),
    "planar": on_grid("mesh", [3, 3], "planar_adaptive", vcs=3, load=0.5),
    "duato_mesh": on_grid("mesh", [4, 4], "minimal_adaptive", load=0.5),
    "duato_in_turn": experiment({"kind": "mesh", "sizes": [3, 3]}, {"kind": "minimal_adaptive", "selection": "round_robin"}, vcs=4, load=0.7),
    "duato_odd_torus": on_grid("torus", [5, 3], "minimal_adaptive", vcs=3, load=0.6),
    "duato_torus": on_grid("torus", [4, 4], "minimal_adaptive", vcs=3, load=0.7),
    "duato_ring": experiment({"kind": "ring", "nodes": 6}, {"kind": "minimal_adaptive"}, vcs=3, depth=2, load=0.6, lengths=(1, 5)),
    "duato_cut_through": on_grid("mesh", [3, 3], "minimal_adaptive", depth=6, load=0.6, lengths=(1, 3, 6), router={"kind": "virtual_cut_through"}),
    "duato_deep": on_grid("mesh", [3, 3], "minimal_adaptive", depth=9, load=0.6,
                          router={"pipeline": {"route": 2, "vc_allocation": 3, "switch_allocation": 2, "traversal": 2}},
                          link={"latency": 3, "credit_latency": 2}),
    "duato_no_stages": on_grid("mesh", [3, 3], "minimal_adaptive", depth=1, load=0.4, link={"credit_latency": 0},
                               router={"pipeline": {"route": 0, "vc_allocation": 0, "switch_allocation": 1, "traversal": 0}}),
    "adaptive_hypercube": experiment({"kind": "hypercube", "dimension": 3}, {"kind": "shortest_path", "tie": "adaptive"}, vcs=4, load=0.7),
    "adaptive_fat_tree": experiment({"kind": "fat_tree", "arity": 2, "levels": 3}, {"kind": "shortest_path", "tie": "adaptive"}, load=0.6),
    "adaptive_jellyfish": experiment({"kind": "jellyfish", "routers": 6, "degree": 3},
                                     {"kind": "shortest_path", "tie": "adaptive", "selection": "round_robin"}, vcs=3, load=0.6),
    "levels": experiment({"kind": "custom", "file": "graph.txt"}, {"kind": "table", "file": "levels.csv"}, vcs=3, load=0.6),
    "adaptive_classes": experiment({"kind": "mesh", "sizes": [3, 2]}, {"kind": "minimal_adaptive"}, vcs=5) | {"workload": {
        "kind": "traffic", "classes": [
            {"name": "read", "load": 0.2, "packet_length": 2, "virtual_channels": [0, 1], "reply": "data", "service": 10},
            {"name": "data", "packet_length": 6, "virtual_channels": [2, 4], "priority": 1}]}},
}

EXPERIMENTS |= DRAWN | STORED | SLOW | ADAPTIVE

FILES = {"graph.txt": GRAPH, "table.csv": TABLE, "levels.csv": LEVELS}
