# SPDX-License-Identifier: Apache-2.0
"""The figures that a key moves, as they are measured: an experiment beside the same with another value of the key, and beside a run
with another seed. Experiments are the committed random ones and the examples with short windows; effects.csv has one for each key. A key
whose row says why moves no figure at all: the results of both runs have equal checksums, too.

usage: effects.py PROGRAM     searches an experiment for every key that has none in effects.csv, and adds it. Values are those by which
                              testbenches/sim/key_*.cpp show that every key has an effect of its own, or others of its range.
"""
import concurrent.futures
import csv
import functools
import json
import os
import pathlib
import re
import shlex
import sys
import tempfile

import yaml

import inputs
from examples import FOLDER, settings
from inputs import observe
from pages import ROOT, block, cell, experiment, link, table
from program import SECTIONS, Program

observe.SECONDS = 60  # On a busy machine; alone an experiment of a page takes a second or two.

CHOSEN = pathlib.Path(__file__).parent / "effects.csv"
BRIEF = ["measure.warmup=200", "measure.window=1000", "measure.drain_limit=2000"]  # For examples, which are longer.
# Most experiments and runs of a search for one key, and figures with their values on a page.
MOST_EXPERIMENTS, MOST_RUNS, MOST_SHOWN = 8, 16, 12
SAME = {"name", "id", "seed", "checksum"}  # They name the experiment, or follow from all of it.
# Keys in these lists, and of networks inside others, act as those of their section.
INSIDE = re.compile(r"(workloads|classes|operations|mix)\[\]\.|(?<=^topology\.)(within|between)\.|(?<=^routing\.)(within|between)\.")


def number_of(value):
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def flat(figures, path=""):
    """Values of a result by the names of figures; lists as texts."""
    for name, value in figures.items():
        if isinstance(value, dict):
            yield from flat(value, f"{path}{name}.")
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            for place, item in enumerate(value):
                yield from flat(item, f"{path}{name}[{place}].")
        elif path or name not in SAME:
            yield path + name, value if number_of(value) is not None else str(value)


class Effect:
    """A key in one experiment.

    arguments, config   of `run` without the change, and the experiment, unless it is an example
    changed, why        the assignment to the key, and the reason if it shall move no figure
    rows                (figure, without the last assignment, with it, with another seed) of the figures that differ, those first that
                        move furthest beyond what another seed does
    same                True if the checksums of both runs agree
    """

    def __init__(self, arguments, config, changed, why, before, after, chance):
        self.arguments, self.config, self.changed, self.why = arguments, config, changed, why
        self.same = before.get("checksum") == after.get("checksum")
        before, after, chance = (dict(flat(figures)) for figures in (before, after, chance))

        def size(name):
            one, two, three = (number_of(values.get(name)) for values in (before, after, chance))
            if one is None or two is None:
                return 1e9 if before.get(name) == chance.get(name) else 0
            return abs(two - one) / (abs((three if three is not None else one) - one) + 1e-9 * (abs(one) + 1))

        moved = [name for name in {**before, **after} if before.get(name) != after.get(name)]
        self.rows = [(name, before.get(name, ""), after.get(name, ""), chance.get(name, "")) for name in sorted(moved, key=size, reverse=True)]


class Experiments:
    """The committed experiments by name, and runs of them."""

    def __init__(self, program, folder):
        self.program, self.folder = program.path, folder
        inputs.write(folder)
        self.configs = {}
        for case in json.loads((ROOT / "sim" / "expected" / "random.json").read_text(encoding="utf-8")):
            self.configs[case["name"]] = case["config"]
            (folder / f"{case['name'].replace('/', '_')}.yaml").write_text(json.dumps(case["config"]))
        for file in sorted(FOLDER.glob("*.yaml")):
            self.configs[file.name] = yaml.safe_load(file.read_text(encoding="utf-8"))

    def arguments(self, name, given):
        """Arguments of `run` for an experiment under assignments; of sweeps and searches, for their first point."""
        options = [one if one.startswith("--") else f"--set={one}" for one in given]
        if not name.endswith(".yaml"):
            return [f"{name.replace('/', '_')}.yaml", "--point=0", *options]
        measured = self.configs[name].get("workload", {}).get("kind") in ("traffic", "closed_loop")
        return [f"examples/{name}", "--point=0", *(f"--set={one}" for one in BRIEF if measured), *options]

    @functools.lru_cache(maxsize=None)
    def run(self, name, given):
        """The figures of an experiment under assignments; None if the program refuses it."""
        with tempfile.TemporaryDirectory() as folder:
            result = pathlib.Path(folder, "result.json")
            code, _, _ = observe.call(self.program, self.folder, "run", *self.arguments(name, given), "--json", str(result))
            return observe.figures_of(result) if code in (0, 3, 4) else None

    def effect(self, name, given, changed, why=""):
        """None if the program refuses one of the experiments."""
        before = self.run(name, tuple(given))
        after = self.run(name, (*given, changed)) if before else None
        if not after:
            return None
        chance = before if why else self.run(name, (*given, "seed=77")) or {}
        config = None if name.endswith(".yaml") else self.configs[name]
        return Effect(self.arguments(name, given), config, changed, why, before, after, chance)

    def fitting(self, entry, defaults):
        """Experiments in which a key seems to apply, those that set it and those with much traffic first."""
        def rank(name):
            config = self.configs[name]
            said = dict(settings(config))
            sets = any(key == entry["name"] or key.startswith((f"{entry['name']}.", f"{entry['name']}[")) for key in said)
            applies = all(said.get(given["key"], str(defaults.get(given["key"]))) in map(str, given["values"]) for given in entry.get("when", ()))
            load = config.get("workload", {}).get("load", 0)
            return not applies, not sets, name.endswith(".yaml"), config.get("workload", {}).get("kind", "traffic") != "traffic", -load if number_of(load) else 0, name

        return sorted(self.configs, key=rank)[:MOST_EXPERIMENTS]

    def found(self, entry, tried, defaults):
        """The first experiment, with assignments, in which a key has an effect."""
        runs = 0
        for name in self.fitting(entry, defaults):
            for given, changed in tried:
                runs += 1
                if runs > MOST_RUNS:
                    return None
                effect = self.effect(name, given, changed)
                if effect and effect.rows:
                    return name, given, changed, ""
        return None


def values_of(entry):
    """Values that a key may have."""
    default = entry.get("default")
    yield from [choice for choice in entry.get("choices", ()) if choice != default][:4]
    if isinstance(default, bool):
        yield not default
    elif number_of(default) is not None:
        yield from (2 * default or 10, default + 1)
    yield from ([[1], [2, 2]] if isinstance(default, list) else [])


def tested():
    """Assignments by key, of the tests that show that every key has an effect of its own; the last one changes the key."""
    text = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
    found = {}
    for file in ("key_groups.cpp", "key_claims.cpp"):
        for listed in re.findall(rf"(?:\{{|,\s*)((?:{text},?\s*)+)", (ROOT / "testbenches" / "sim" / file).read_text(encoding="utf-8")):
            given = ["".join(re.findall(r'"((?:[^"\\]|\\.)*)"', one)).replace('\\"', '"') for one in re.findall(text, listed)]
            given = [one for one in given if re.match(r"[a-z][\w.\[\]]*\.[\w.\[\]]+=|seed=", one)]
            if given:
                key = re.sub(r"\[\d+\]", "[]", given[-1].partition("=")[0])
                found.setdefault(key, []).append((given[:-1], given[-1]))
    return found


def own_key(key, rows):
    """The key of `rows` as which one acts that is in a list, or of a network inside another; the key itself if that is none."""
    outer = key
    while outer not in rows:
        shorter = INSIDE.sub("", outer, count=1)
        if shorter == outer:
            return key
        outer = shorter
    return outer


def parallel(work, items):
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(work, items))


def chosen():
    with open(CHOSEN, newline="", encoding="utf-8") as file:
        return {row["key"]: (row["experiment"], json.loads(row["given"]), row["changed"], row["why"]) for row in csv.DictReader(file)}


def keep(had, order):
    """Writes the chosen experiments at once, so that a search that is stopped is continued by the next."""
    draft = CHOSEN.with_suffix(".draft")
    with open(draft, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("key", "experiment", "given", "changed", "why"))
        writer.writerows((key, had[key][0], json.dumps(had[key][1]), *had[key][2:]) for key in order if key in had)
    draft.replace(CHOSEN)


@functools.lru_cache(maxsize=None)
def measured(program):
    """The effects of keys, by name; None for one whose experiment the program refuses."""
    with tempfile.TemporaryDirectory() as folder:
        experiments = Experiments(program, pathlib.Path(folder))
        rows = chosen()
        return dict(zip(rows, parallel(lambda row: experiments.effect(*row), rows.values())))


def shown(value):
    return f"{value:.4g}" if isinstance(value, float) else cell(value)[:40]


def commands(effect):
    """The two runs as a reader repeats them at the top of the sources."""
    file, *options = effect.arguments
    lines = [f"flitcast run {file if effect.config else f'sim/{file}'}", *options, f"--set={effect.changed}"]
    lines = [re.sub("^--set=(.*)", lambda found: f"--set {shlex.quote(found[1])}", line, flags=re.S) for line in lines]
    return block(" \\\n  ".join(lines) + "  # the last one in the second run alone", "sh")


def part(key, effects, path, page_of_key):
    """The part of a key's page; nothing for a section."""
    own = own_key(key, effects)
    if own != key:
        return f"\n## Figures that it moves\n\nIt acts as {link(f'`{own}`', path, page_of_key(own))} does.\n"
    effect = effects.get(key)
    if not effect:
        return ""
    text = "\n## Figures that it moves\n\n" + (f"None: {effect.why}\n\n" if effect.why else "")
    text += "Measured by two runs that differ in this key alone" + ("; all their figures and their checksums agree" if effect.why else "")
    text += f", with this file as `{effect.arguments[0]}`:\n" + experiment(effect.config) if effect.config else ":\n"
    text += commands(effect)
    if any(name in f"{effect.config} {effect.arguments} {effect.changed}" for name in inputs.NAMES):
        text += "\n`scripts/site/inputs.py FOLDER` writes the files that it names.\n"
    if effect.why:
        return text
    text += table(("figure", "first run", "second run", "first run with another seed"),
                  [(f"`{name}`", *map(shown, values)) for name, *values in effect.rows[:MOST_SHOWN]])
    rest = [f"`{name}`" for name, *_ in effect.rows[MOST_SHOWN:]]
    return text + (f"\nAlso {', '.join(rest)}.\n" if rest else "")


def main(path):
    program = Program(path)
    entries = program.keys
    defaults = {key: declared[0].get("default") for key, declared in entries.items()}
    had, assignments = chosen(), tested()
    todo = [key for key, declared in entries.items() if key not in had and own_key(key, had) == key and declared[0]["type"] not in SECTIONS]
    with tempfile.TemporaryDirectory() as folder:
        experiments = Experiments(program, pathlib.Path(folder))

        def search(key):
            for entry in entries[key]:
                tried = [*assignments.get(key, ()), *(([], f"{key}={json.dumps(value)}") for value in values_of(entry))]
                found = experiments.found(entry, tried, defaults)
                if found:
                    had[key] = found
                    keep(had, list(entries))
                    return

        parallel(search, todo)
    print(f"{len(had)} keys; none for", *(key for key in todo if key not in had))


if __name__ == "__main__":
    main(*sys.argv[1:])
