# SPDX-License-Identifier: Apache-2.0
"""Laws that relate what the program says of an experiment to what it says of another, or to a formula.

usage: laws.py PROGRAM [--count N] [--seed S] [--only LAW] [--self-test]
  PROGRAM      flitcast
  --count      experiments of each law (default: 8)
  --seed       start of the random numbers (default: today as YYYYMMDD); printed first
  --only       one law
  --self-test  changes a figure of what the program says, which every law must find

A law is a function of a bench and of dice. It draws an experiment, gives complaints, and raises Refused if the program
does not accept what it has drawn. Exit code 1 if a law was broken, or found too few experiments.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import sys
import tempfile

from bench import Bench, Dice, Refused
from closed_forms import CLOSED_FORMS
from differences import differences

TRIES = 40  # Draws for each experiment.


def shuffled(value, dice):
    """The same map with its keys in another order, at every depth."""
    if not isinstance(value, dict):
        return value
    keys = dice.sample(list(value), len(value))
    return {key: shuffled(value[key], dice) for key in keys}


def blocks(value, indent=""):
    """A map in the block form of YAML."""
    return "".join(f"{indent}{json.dumps(key)}:\n{blocks(part, indent + '  ')}" if isinstance(part, dict) and part
                   else f"{indent}{key}: {json.dumps(part)}  # a comment\n" for key, part in value.items())


def order_of_keys_changes_nothing(bench, dice):
    config = bench.experiment(dice)
    config["name"] = "one"
    other = bench.run(config, blocks(shuffled(config, dice)), spoilt=True)
    yield from differences(bench.run(config).result, other.result)


def the_effective_configuration_repeats_the_experiment(bench, dice):
    first = bench.run(bench.experiment(dice))
    yield from differences(first.result, bench.run(first.result["config"], spoilt=True).result)


def some_packets(nodes, dice, count=40, cycles=120, longest=6):
    rows = [(dice.randrange(cycles), dice.randrange(nodes), dice.randrange(nodes), dice.randint(1, longest))
            for _ in range(count)]
    return sorted(rows, key=lambda row: row[0])


def shifted_times_shift_everything(bench, dice):
    network = bench.network(dice)
    packets = some_packets(bench.nodes(network), dice)
    shift = dice.choice([1, 2, 63, 1000, 123_457])
    first = bench.replay(network, packets, "packets.csv")
    moved = bench.replay(network, [(cycle + shift, *rest) for cycle, *rest in packets], "moved.csv", spoilt=True)
    expected = [(c + shift, *rest, i + shift, a + shift, h) for c, *rest, i, a, h in first.deliveries()]
    if expected != moved.deliveries():
        yield f"deliveries are not those of {shift} cycles before"
    for figure in "latency_cycles", "network_latency_cycles", "packets", "flits", "status":
        yield from differences(first.result.get(figure), moved.result.get(figure), figure)


def a_packet_log_replays_as_a_trace(bench, dice):
    network = {**bench.network(dice), "seed": dice.randrange(1000)}
    load = dice.choice([0.02, 0.1, 0.3])
    lengths = dice.choice([[1], [5], [1, 5]])
    first = bench.run({**network, "workload": {"kind": "traffic", "load": load, "packet_length": lengths},
                       "measure": {"warmup": 50, "window": 150, "drain_limit": 500}})
    packets = [tuple(row[name] for name in ("created_cycle", "source", "destination", "length_flits"))
               for row in sorted(first.log, key=lambda row: row["created_cycle"])]
    if not packets:
        raise Refused("no packets")
    again = bench.replay(network, packets, "log.csv", spoilt=True)
    seen = set(again.deliveries())
    missing = [row for row in first.deliveries() if row not in seen]
    if missing:
        yield f"{len(missing)} of {len(first.log)} packets arrive otherwise, first {missing[0]}"


def connected_graph(dice):
    """Links of a tree and some more, and the router of every terminal."""
    routers = dice.randint(3, 8)
    links = [(dice.randrange(k), k) for k in range(1, routers)]
    for _ in range(dice.randint(0, 4)):
        pair = tuple(dice.sample(range(routers), 2))
        if pair not in links and pair[::-1] not in links:
            links.append(pair)
    return routers, links, [dice.randrange(routers) for _ in range(dice.randint(3, 10))]


def graph_text(routers, links, terminals):
    return "".join([*(f"router r{r}\n" for r in routers), *(f"link r{a} r{b}\n" for a, b in links),
                    *(f"terminal t{t} r{r}\n" for t, r in terminals)])


def relabelled_nodes_change_nothing_else(bench, dice):
    """Routers are numbered in another order, and nodes, too, but for those of one router; ports stay."""
    count, links, homes = connected_graph(dice)
    order = dice.sample(range(count), count)
    turns = iter(sorted(range(len(homes)), key=lambda t: (order.index(homes[t]), t)))
    listed = list(turns)
    number_of = {t: place for place, t in enumerate(listed)}
    bench.write("plain.graph", graph_text(range(count), links, enumerate(homes)))
    bench.write("relabelled.graph", graph_text(order, links, [(t, homes[t]) for t in listed]))
    kind = dice.choice(["wormhole", "virtual_cut_through"])
    network = {"topology": {"kind": "custom", "file": "plain.graph"}, "router": {"kind": kind, "buffer_depth": 8},
               "routing": {"kind": "shortest_path"}}
    packets = some_packets(len(homes), dice)
    first = bench.replay(network, packets, "packets.csv")
    network["topology"]["file"] = "relabelled.graph"
    moved = bench.replay(network, [(c, number_of[s], number_of[d], n) for c, s, d, n in packets], "moved.csv", spoilt=True)
    expected = sorted((c, number_of[s], number_of[d], *rest) for c, s, d, *rest in first.deliveries())
    if expected != moved.deliveries():
        yield "deliveries are not those of the same nodes"


def rotated_networks_are_alike(bench, dice):
    """A torus is moved along its dimensions, a hypercube is mirrored."""
    sizes = dice.choice([[5], [4, 4], [5, 3], [3, 3, 3], [2, 2, 2, 2]])
    cube = set(sizes) == {2}
    network = {"topology": {"kind": "hypercube", "dimension": 4} if cube else {"kind": "torus", "sizes": sizes},
               "router": {"kind": dice.choice(["wormhole", "virtual_cut_through"]), "buffer_depth": 8,
                          "allocator": dice.choice(["input_first", "output_first", "wavefront"]),
                          "speculation": dice.random() < 0.5},
               "routing": {"kind": "e_cube"} if cube else {"kind": "dimension_order", "tie": "plus", "vc_classes": "none"}}
    nodes = math.prod(sizes)
    move = [dice.randrange(size) for size in sizes]

    def moved(node):
        if cube:
            return node ^ (move[0] + 2 * move[1] + 4 * move[2] + 8 * move[3])
        place, unit = 0, 1
        for size, step in zip(sizes, move):
            place += (node // unit + step) % size * unit
            unit *= size
        return place

    packets = some_packets(nodes, dice)
    first = bench.replay(network, packets, "packets.csv")
    again = bench.replay(network, [(c, moved(s), moved(d), n) for c, s, d, n in packets], "moved.csv", spoilt=True)
    expected = sorted((c, moved(s), moved(d), *rest) for c, s, d, *rest in first.deliveries())
    if expected != again.deliveries():
        yield f"deliveries are not those before a move by {move}"


def a_class_in_two_parts_is_the_same(bench, dice):
    network = {**bench.network(dice), "seed": dice.randrange(1000), "measure": {"warmup": 2000, "window": 20000}}
    if network.get("node", {}).get("startup"):
        raise Refused("packets of two classes start up side by side")
    one = {"load": dice.choice([0.02, 0.05]), "packet_length": dice.choice([[1], [4]])}
    half = {**one, "load": one["load"] / 2}
    whole = bench.run({**network, "workload": {"kind": "traffic", **one}}).result
    parts = bench.run({**network, "workload": {"kind": "traffic", "classes": [{"name": "a", **half}, {"name": "b", **half}]}},
                      spoilt=True).result
    if whole["status"] != "ok" or parts["status"] != "ok":
        raise Refused("not ok")
    if whole["config"]["router"].get("buffer_depth", 4) < one["packet_length"][0]:
        raise Refused("a packet that waits for credits at its source keeps those of its class waiting, not those of the other")
    packets = whole["latency_cycles"]["count"]
    if abs(parts["latency_cycles"]["count"] - packets) > 6 * math.sqrt(2 * packets):
        yield f"{parts['latency_cycles']['count']} packets, in one class {packets}"
    widths = [result["latency_cycles"].get("mean_half_width_95") for result in (whole, parts)]
    if None in widths:
        raise Refused("no interval")
    # The intervals are 1.96 standard deviations; a false alarm in 10 million experiments.
    means = [result["latency_cycles"]["mean"] for result in (whole, parts)]
    # Two classes may create packets in one cycle: of them one in load / 4 / length waits for the other at the source, and behind it.
    if abs(means[0] - means[1]) > 5.4 / 1.96 * math.hypot(*widths) + 0.01 + one["load"]:
        yield f"mean latency {means[1]}, in one class {means[0]}"


def little_holds_exactly(bench, dice):
    """Packets in queues and buffers, summed over the cycles, are their latencies less their time on channels."""
    network = bench.network(dice)
    kind = network.get("router", {}).get("kind", "wormhole")
    if kind == "circuit" or network.get("node", {}).get("startup"):
        raise Refused("packets take other times than those of channels and stages")
    packets = some_packets(bench.nodes(network), dice, count=25, cycles=40, longest=1)
    seen = bench.replay(network, packets, "packets.csv", spoilt=True, measure={"series": 1})
    series = seen.result["series"]
    if series["cycles"] != 1:
        raise Refused("too long")
    held = sum(series["flits_waiting"]) + sum(series["flits_in_buffers"])
    pipeline = seen.result["config"]["router"]["pipeline"]
    hop = pipeline["switch_allocation"] + pipeline["traversal"]
    latency = seen.result["config"]["link"]["latency"]
    between_routers = sum(sum(link["series"]) * link.get("latency", latency)
                          for link in seen.result["links"] if link["kind"] == "router")
    on_channels = sum(2 + row["hops"] * hop + 1 for row in seen.log) + between_routers
    total = sum(row["latency_cycles"] for row in seen.log)
    if total != held + on_channels:
        yield f"latencies are {total} cycles in all, packets are held for {held} and on channels for {on_channels}"


def close(a, b):
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def spans_of(result):
    """Cycles of every span of the series."""
    count, span = len(result["series"]["flits_waiting"]), result["series"]["cycles"]
    return [min(span, result["cycles"] - k * span) for k in range(count)]


def sums_of_a_result(result):
    """Pairs of a name and two numbers that must be equal."""
    nodes, window = result["topology"]["nodes"], result["window_cycles"]
    latency, links = result.get("latency_cycles", {}), result.get("links", [])
    flits = {kind: sum(link["flits"] for link in links if link["kind"] == kind) for kind in ("router", "injection", "ejection")}
    if latency.get("count"):
        yield "histogram", sum(n for _, n in latency["histogram"]), latency["count"]
        if "distances" in result:
            yield "packets by distance", sum(part["packets"] for part in result["distances"]), latency["count"]
            yield "latency by distance", sum(part["packets"] * part["mean"] for part in result["distances"]), \
                latency["count"] * latency["mean"]
            yield "longest by distance", max(part["max"] for part in result["distances"]), latency["max"]
    if result.get("classes"):
        classes = result["classes"]
        for figure in "created", "delivered":
            yield f"packets {figure} of classes", sum(part["packets"][figure] for part in classes), result["packets"][figure]
        yield "offered by classes", sum(part["offered_flits_per_node_cycle"] for part in classes), \
            result["offered_flits_per_node_cycle"]
        yield "count of classes", sum(part.get("latency_cycles", {}).get("count", 0) for part in classes), latency.get("count", 0)
    # Other runs end with flits on channels.
    whole = links and len(links) < 1024 and "completion_cycle" in result
    if whole:
        yield "accepted by channels", flits["ejection"], result["accepted_flits_per_node_cycle"]["mean"] * nodes * window
        yield "injection channels", flits["injection"], result["flits"]["injected"]
        yield "ejected flits", flits["ejection"], result["flits"]["ejected"]
    if "series" in result:
        yield from sums_of_series(result, whole)
    if "energy" in result:
        yield from sums_of_energy(result["energy"])
    if "critical_path" in result:
        path = result["critical_path"]
        yield "critical path", sum(path[part] for part in ("compute", "startup", "network", "contention")), path["cycles"]


def sums_of_series(result, whole):
    series, nodes, spans = result["series"], result["topology"]["nodes"], spans_of(result)
    yield "accepted in spans", sum(a * n for a, n in zip(series["accepted_flits_per_node_cycle"], spans)) * nodes, \
        result["flits"]["ejected"]
    if "routers" in series and series["routers"]:
        for span, total in enumerate(series["flits_in_buffers"]):
            yield f"routers in span {span}", sum(router[span] for router in series["routers"]), total
    if whole:
        by_kind = {kind: sum(sum(link["series"]) for link in result["links"] if link["kind"] == kind)
                   for kind in ("injection", "ejection")}
        yield "series of injection", by_kind["injection"], result["flits"]["injected"]
        yield "series of ejection", by_kind["ejection"], result["flits"]["ejected"]


def sums_of_energy(energy):
    yield "energy of parts", sum(part["dynamic_pj"] for part in energy["parts"]), energy["dynamic_pj"]
    for figure in "clock_pj", "dynamic_pj", "link_pj":
        yield f"{figure} of routers", sum(router[figure] for router in energy["routers"]), energy[figure]


def sums_are_the_totals(bench, dice):
    seen = bench.run(bench.experiment(dice), spoilt=True)
    for name, parts, total in sums_of_a_result(seen.result):
        if not close(parts, total):
            yield f"{name}: the parts are {parts}, the total {total}"
    if len(seen.arrived()) != seen.result["packets"]["delivered"]:
        yield f"the log has {len(seen.arrived())} arrivals, the result {seen.result['packets']['delivered']}"


def quantiles_of(latencies):
    latencies.sort()
    return {f"p{share}": latencies[max(0, math.ceil(len(latencies) * share / 100) - 1)] for share in (50, 95, 99)}


def percentiles_are_those_of_the_log(bench, dice):
    config = bench.experiment(dice)
    seen = bench.run(config, spoilt=True)
    rows = seen.measured(seen.result["config"]["measure"]["warmup"])
    latencies = [row["latency_cycles"] for row in rows]
    if not latencies or "latency_cycles" not in seen.result:
        raise Refused("no latencies")
    said = seen.result["latency_cycles"]
    exact = {"count": len(rows), "max": max(latencies), "mean": sum(latencies) / len(latencies)}
    for name, value in exact.items():
        if not close(value, said[name]):
            yield f"{name} is {said[name]}, by the log {value}"
    for name, value in quantiles_of(latencies).items():
        if not value <= said[name] <= value * (1 + 1 / 128):
            yield f"{name} is {said[name]}, by the log {value}"


# Each of these changes a figure of a reading, so that the law must complain.
def later(reading):
    reading.arrived()[0]["arrived_cycle"] += 1


def slower(reading):
    reading.result["latency_cycles"]["mean"] *= 1.5
    reading.result["latency_cycles"]["p95"] += 1 + reading.result["latency_cycles"]["p95"] // 64


def lost(reading):
    reading.log.remove(reading.arrived()[0])


def other_cycle(reading):
    reading.result["cycles"] += 1


def another_flit(reading):
    reading.result["series"]["flits_in_buffers"][0] += 1


LAWS = {
    order_of_keys_changes_nothing: other_cycle,
    the_effective_configuration_repeats_the_experiment: other_cycle,
    shifted_times_shift_everything: later,
    a_packet_log_replays_as_a_trace: later,
    relabelled_nodes_change_nothing_else: later,
    rotated_networks_are_alike: later,
    a_class_in_two_parts_is_the_same: slower,
    little_holds_exactly: another_flit,
    sums_are_the_totals: lost,
    percentiles_are_those_of_the_log: slower,
}


def take(law, bench, seed, number):
    """The complaints of an experiment, or None if the program accepts none that is drawn."""
    for again in range(TRIES):
        try:
            return list(law(bench, Dice(f"{seed}/{law.__name__}/{again}", number)))
        except (Refused, KeyError) as refused:
            why = refused
    print(f"{law.__name__}: experiment {number} was not accepted: {why!r}")
    return None


def check(law, bench, options):
    """Experiments that were taken, and those that broke the law."""
    taken = broken = 0
    for number in range(options.count):
        complaints = take(law, bench, options.seed, number)
        taken += complaints is not None
        if complaints:
            broken += 1
            if not bench.spoil:
                print(f"{law.__name__}, experiment {number} of seed {options.seed}:", *complaints[:3], sep="\n  ")
    return taken, broken


def main():
    parser = argparse.ArgumentParser(description="Laws over drawn experiments")
    parser.add_argument("program")
    parser.add_argument("--count", type=int, default=8)
    parser.add_argument("--seed", type=int, default=int(datetime.date.today().strftime("%Y%m%d")))
    parser.add_argument("--only")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    failed = False
    with tempfile.TemporaryDirectory() as folder:
        for law, spoil in {**LAWS, **CLOSED_FORMS}.items():
            if options.only and law.__name__ != options.only:
                continue
            bench = Bench(os.path.abspath(options.program), pathlib.Path(folder), spoil if options.self_test else None)
            taken, broken = check(law, bench, options)
            few = taken < (options.count + 1) // 2
            failed |= few or bool(broken) != options.self_test
            print(f"{law.__name__}: {taken} experiments, {broken} {'found' if options.self_test else 'broken'}"
                  f"{'; too few' if few else ''}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
