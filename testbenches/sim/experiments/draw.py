# SPDX-License-Identifier: Apache-2.0
"""Random small experiments, drawn over the table of parameters that `flitcast list parameters --json` prints.

Every entry of every listing and every key with another value than its default is a goal. The goals are met first, one
after the other; then experiments are drawn freely. An experiment that the program refuses is drawn again.
"""
import json
import random

from observe import call, observe_run

TRIES = 2000
MOST_ROUTER_CYCLES = 400_000  # Maximum of routers times cycles of a run.
KINDS = ("topology.kind", "router.kind", "routing.kind", "workload.kind", "workload.operation", "workload.pattern",
         "node.ports", "measure.warmup", "measure.window", "measure.drain_limit")

# Small values for keys whose range does not suggest any.
SMALL = {
    "name": ["a_name"],
    "seed": [1, 2, 3, 42, 9007199254740991],
    "topology.sizes": [[4, 4], [5, 3], [4, 2, 3], [6, 6], [5, 5], [3], [4, 5], [4, 4, 4], [16, 16]],
    "topology.nodes": [4, 5, 8, 13],
    "topology.dimension": [2, 3, 4, 5],
    "topology.arity": [2, 3],
    "topology.stages": [2, 3],
    "topology.ports": [2, 3, 4, [2, 2]],
    "topology.middle_switches": [2, 3, 4, 7, 13, [4, 3], [7, 5]],
    "topology.switches": [2, 3, 4],
    "topology.file": ["tree.graph"],
    "topology.tile": [[2], [1, 2], [2, 2]],
    "topology.within": [{"kind": "mesh", "sizes": [2, 2]}, {"kind": "ring", "nodes": 3}],
    "topology.between": [{"kind": "mesh", "sizes": [2, 2]}, {"kind": "complete", "nodes": 3}],
    "topology.at": [[], [0], [1, 0, 2, 3]],
    "routing.within": [{"kind": "dimension_order"}, {"kind": "up_down"}],
    "routing.between": [{"kind": "dimension_order"}, {"kind": "shortest_path"}],
    "link.classes": [{}, {"dimension_0": {"latency": 3}}, {"wrap": {"cycles_per_flit": 2}}, {"dimension_0": {"buffer_depth": 3}}],
    "link.exceptions": [[], [{"from": 0, "to": 1, "latency": 4, "buffer_depth": 12}]],
    "topology.faults": [[], [], ["router 1"], ["link 0 1"], ["link 1 0 oneway"]],
    "router.virtual_channels": [1, 2, 3, 4, 6, 8],
    "router.buffer_depth": [1, 2, 3, 5, 8, 16, 64],
    "link.latency": [1, 2, 5],
    "link.credit_latency": [1, 2, 4],
    "link.cycles_per_flit": [1, 2, 3],
    "node.startup": [0, 1, 20],
    "workload.hot_spots": [[0], [1, 2], [3]],
    "workload.load": [0.01, 0.05, 0.1, 0.2, 0.4, 0.9],
    "workload.burst_length": [1.0, 20.0, 50.5],
    "workload.peak_load": [0.5, 1.0, 2.0],
    "workload.packet_length": [[5], [1], [1, 5], [2, 3, 9], [16]],
    "workload.classes": [[{"name": "a", "load": 0.1}], [{"name": "a", "load": 0.1, "reply": "b"}, {"name": "b"}]],
    "workload.groups": [[]],
    "workload.packet_weights": [[1], [1, 3], [0.5, 1, 2]],
    "workload.flit_bytes": [4, 8, 16, 100],
    "workload.file": ["trace.csv", "trace.netrace"],
    "workload.source": [0, 1, 3, 7],
    "workload.receivers": [0, 1, 3],
    "workload.length": [1, 5, 16, 64],
    "workload.fan_out": [0, 1, 2],
    "trace.signals": [["router_0"], ["link_0", "node_0"]],
    "measure.warmup": [0, 100, 300],
    "measure.window": [200, 500, 1000],
    "measure.drain_limit": [0, 300, 2000],
    "measure.watchdog": [0, 50, 500, 2000],
}


def rows_of(program):
    code, out, err = call(program, ".", "list", "parameters", "--json")
    if code != 0:
        raise RuntimeError(f"{program} prints no table of parameters: {err}")
    return json.loads(out)["parameters"]


def table_of(program):
    return plain_rows(rows_of(program))


def plain_rows(rows):
    """The rows without keys of sections inside a section, because these are drawn as a whole."""
    wholes = tuple(row["name"] + end for row in rows if row["type"].endswith(("section", "sections")) for end in (".", "[]"))
    return [row for row in rows if not row["name"].startswith(wholes)]


def listing(row):
    return [False, True] if row["type"] == "boolean" else row.get("choices", [])


def values(row):
    """The values that may be drawn for a parameter, the words of its listing and small numbers."""
    if row["name"] in SMALL:
        return SMALL[row["name"]]
    if "integer" not in row["type"]:
        return listing(row) or [row.get("minimum", 0), 0.5, row.get("maximum", 2)]
    least = int(row.get("minimum", 0))
    near = [least, least + 1, least + 2]
    if isinstance(row.get("default"), int):
        near += [row["default"], row["default"] + 1, 2 * row["default"]]
    return listing(row) + sorted(set(near))


def applies(row, flat):
    return all(word_of(flat.get(condition["key"])) in condition["values"] for condition in row.get("when", []))


def word_of(value):
    """A value as conditions have it."""
    return value if isinstance(value, str) else json.dumps(value)


def draw(table, forced, dice):
    """One experiment, flat, with the values of `forced`."""
    flat = {}
    for row in table:
        name = row["name"]
        if not applies(row, flat):
            continue
        if name in forced:
            flat[name] = forced[name]
        elif "default" not in row or name in KINDS or dice.random() < 0.2:
            flat[name] = dice.choice(values(row))
        elif row["type"] in ("choice", "sections"):
            flat[name] = row["default"]  # For the conditions of other keys.
    return flat


def nested(flat):
    """The experiment as a file has it."""
    config = {}
    for path, value in flat.items():
        *sections, key = path.split(".")
        section = config
        for part in sections:
            section = section.setdefault(part, {})
        section[key] = value
    return config


def goals(table):
    """Pairs of a row's number and a word of its listing, or None for any other value than the default."""
    for number, row in enumerate(table):
        for word in listing(row):
            yield number, word
        if not listing(row) or "integer" in row["type"]:
            yield number, None


def met(table, flat):
    """The goals that an experiment meets."""
    for number, row in enumerate(table):
        value = flat.get(row["name"])
        if value is None or not applies(row, flat):
            continue
        if value in listing(row):
            yield number, value
        elif value != row.get("default"):
            yield number, None


def forced_by(table, goal, dice):
    """The values that a goal needs, its conditions' too."""
    number, word = goal
    row = table[number]
    forced = {condition["key"]: dice.choice(condition["values"]) for condition in row.get("when", [])}
    others = [value for value in values(row) if value != row.get("default") and value not in listing(row)]
    forced[row["name"]] = dice.choice(others) if word is None else word
    return forced


def accepted(program, name, flat, folder):
    """True if the program completes it, and soon."""
    seen = observe_run(program, {"name": name, "config": nested(flat)}, folder)
    if seen["exit"] not in (0, 2, 3, 4):
        print(f"exit code {seen['exit']} of {json.dumps(nested(flat))}")
    figures = seen["figures"]
    return seen["exit"] in (0, 3, 4) and figures["cycles"] * figures["topology"]["routers"] <= MOST_ROUTER_CYCLES


def varied(table, known, goal, dice):
    """An experiment for a goal: a new one, or a known one of which some sections are drawn anew."""
    forced = forced_by(table, goal, dice)
    if known and dice.random() < 0.8:
        base = dice.choice(known)
        kept = {section for section in ("topology", "router", "routing", "node", "workload") if dice.random() < 0.7}
        forced = {**{name: value for name, value in base.items() if name.split(".")[0] in kept}, **forced}
    return draw(table, forced, dice)


def draw_cases(program, seed, count, folder):
    """`count` cases, and the goals that none of many tries met."""
    table = table_of(program)
    dice = random.Random(seed)
    known, done = [], set()

    def take(draw_one, tries):
        for _ in range(tries):
            flat = draw_one()
            if accepted(program, "try", flat, folder):
                known.append(flat)
                done.update(met(table, flat))
                return True
        return False

    for tries in (TRIES // 10, TRIES):  # Hard goals become easier with more known experiments.
        missed = [goal for goal in goals(table) if goal not in done
                  and not take(lambda goal=goal: varied(table, known, goal, dice), tries)]
    while len(known) < count and take(lambda: draw(table, {}, dice), 100 * TRIES):
        pass
    return [{"name": f"random/{k:03}", "config": nested(flat)} for k, flat in enumerate(known)], [
        f"{table[number]['name']}: {'not the default' if word is None else word}" for number, word in missed]
