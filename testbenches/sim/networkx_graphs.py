# SPDX-License-Identifier: Apache-2.0
"""Graphs that the program writes for networkx, and graphs that networkx writes for the program.

usage: networkx_graphs.py FLITCAST
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

try:
    import networkx
except ImportError:
    print("skipped: there is no networkx (python3-networkx)")
    sys.exit(77)

EXPERIMENT = """
topology: {topology}
routing: {{kind: up_down}}
workload: {{kind: traffic, load: 0.1}}
"""
TOPOLOGIES = [
    "{kind: mesh, sizes: [4, 3]}",
    "{kind: torus, sizes: [2, 4]}",
    "{kind: dragonfly, nodes: 1}",
    "{kind: dragonfly, nodes: 1, leaves: 2}",
    "{kind: fat_tree, arity: 2, levels: 3}",
    "{kind: jellyfish, routers: 12, degree: 3, seed: 4}",
]


def flitcast(folder, *words):
    done = subprocess.run([sys.argv[1], *words], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def measured(folder, topology):
    """Routers, channels, diameter and mean distance as the program computes them."""
    (folder / "x.yaml").write_text(EXPERIMENT.format(topology=topology))
    text = flitcast(folder, "check", "x.yaml", "--unsafe")
    found = re.search(r"(\d+) routers, (\d+) channels\n.*diameter (\d+), mean distance ([\d.]+)", text)
    return int(found[1]), int(found[2]), int(found[3]), float(found[4])


def of_networkx(graph):
    """The same of a directed graph, the terminals of which are left out."""
    routers = graph.subgraph(n for n, kind in graph.nodes(data="kind") if kind != "terminal")
    return routers.number_of_nodes(), routers.number_of_edges(), routers


def same_as_networkx(folder, topology, graph):
    routers, channels, diameter, mean = measured(folder, topology)
    nodes, edges, reduced = of_networkx(graph)
    assert (routers, channels) == (nodes, edges), topology
    if "fat_tree" in topology or "leaves" in topology:  # Distances are those between leaves.
        return
    assert diameter == networkx.diameter(reduced), topology
    assert abs(mean - networkx.average_shortest_path_length(reduced)) < 1e-3, topology


def edges_of(graph):
    return sorted((a, b, sorted(data.items())) for a, b, data in graph.edges(data=True))


def the_program_writes(folder):
    for topology in TOPOLOGIES:
        (folder / "x.yaml").write_text(EXPERIMENT.format(topology=topology))
        for name in ("graphml", "node_link"):
            flitcast(folder, "export", "graph", "x.yaml", "--format", name, "--out", name)
        graphml = networkx.MultiDiGraph(networkx.read_graphml(folder / "graphml"))
        data = json.loads((folder / "node_link").read_text())
        node_link = networkx.node_link_graph(data)
        assert edges_of(graphml) == edges_of(node_link), topology
        same_as_networkx(folder, topology, graphml)


def networkx_writes(folder):
    for seed in range(5):
        graph = networkx.random_regular_graph(3, 14, seed=seed)
        networkx.set_node_attributes(graph, 1, "terminals")
        for a, b in graph.edges:
            graph.edges[a, b]["latency"] = 1 + (a + b) % 4
        networkx.write_graphml(graph, folder / "net.graphml")
        (folder / "net.json").write_text(json.dumps(networkx.node_link_data(graph)))
        for file in ("net.graphml", "net.json"):
            same_as_networkx(folder, "{kind: custom, file: %s}" % file, graph.to_directed())


with tempfile.TemporaryDirectory() as scratch:
    the_program_writes(pathlib.Path(scratch))
    networkx_writes(pathlib.Path(scratch))
