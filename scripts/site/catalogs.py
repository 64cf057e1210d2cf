# SPDX-License-Identifier: Apache-2.0
"""A page for every entry of every catalog: what it is, its source, its keys, an experiment that has it, and what the program says of
that experiment."""
import concurrent.futures
import json
import os
import re
import tempfile

import examples as example_files
import small
from drawing import draw_topology
from keys import path_of as key_page
from pages import ROOT, block, experiment, figure, link, plain, slug, table

# Each list with the key that chooses from it, and the folder of its entries.
CHOOSERS = {
    "topologies": ("topology.kind", "models/topology"),
    "routings": ("routing.kind", "models/routing"),
    "routers": ("router.kind", "models/network"),
    "implementations": ("run.implementation", "models/network"),
    "priorities": ("router.priority", "models/routing"),
    "workloads": ("workload.kind", "sim/workloads"),
    "interfaces": ("workload.interface", "sim/interfaces"),
    "collectives": ("workload.algorithm", "models/collective"),
    "permutations": ("workload.permutation", "models/permutation"),
    "algorithms": ("workload.algorithm", "models/permutation"),
    "patterns": ("workload.pattern", "models/traffic"),
    "injections": ("workload.injection", "models/traffic"),
    "trace_formats": ("workload.format", "models/traffic"),
    "strategies": ("routing.strategy", "models/clos"),
    "controllers": ("router.controller", "models/clos"),
    "searches": ("search.find", "sim/sweep"),
    "saturation_rules": ("search.rule", "sim/sweep"),
}
# Lists whose entries have pages of another kind.
OWN_PAGES = {"parameters", "figures"}


def title_of(entry):
    return f"{entry['operation']}, {entry['name']}" if "operation" in entry else entry["name"]


def path_of(listing, entry):
    return f"catalogs/{listing}/{slug(entry.get('operation', '') + ('.' if 'operation' in entry else '') + entry['name'])}.md"


def link_of_choice(program):
    """A function that gives the link from a key's page to the entry that one of its choices names; None if that is no entry."""
    by_key = {}
    for listing, (chooser, _) in CHOOSERS.items():
        for entry in program.listed(listing):
            by_key[chooser, entry.get("operation"), entry["name"]] = path_of(listing, entry)

    def found(key, name):
        chooser = re.sub(r"(?<=\.)(within|between|classes\[\]|mix\[\]|operations\[\])\.", "", key["name"])
        given = {when["key"]: when["values"] for when in key.get("when", ())}
        for operation in (None, *(value for on, values in given.items() if on.endswith(".operation") for value in values)):
            if (chooser, operation, name) in by_key:
                return link(f"`{name}`", "keys/any.md", by_key[chooser, operation, name])
        return None

    return found


class Sources:
    """Where an entry is written, and what the comments there say of its source."""

    def __init__(self):
        self.texts = {}
        for _, folder in CHOOSERS.values():
            for file in (ROOT / folder).rglob("*.*"):
                if file.suffix in (".h", ".cpp"):
                    self.texts.setdefault(file, file.read_text(encoding="utf-8"))

    def files_of(self, folder, name):
        """Files that have the name as the first word of an entry, or as the only ones have it at all; and their headers."""
        files = [file for file in self.texts if file.suffix == ".cpp" and file.is_relative_to(ROOT / folder)]
        first = re.compile(rf'\{{\s*"{re.escape(name)}",')
        having = [file for file in files if first.search(self.texts[file])]
        if not having:
            having = [file for file in files if f'"{name}"' in self.texts[file]]
            having = having if len(having) == 1 else []
        for file in having:
            yield from (found for found in (file.with_suffix(".h"), file) if found in self.texts)

    def cited(self, file):
        """Sentences that begin with Source, as whole comments."""
        for comment in re.findall(r"(?:^ *///?.*\n)+", self.texts[file], re.M):
            words = " ".join(re.sub(r"^ *///? ?", "", line) for line in comment.splitlines())
            yield from (" ".join(found.split()) for found in re.findall(r"Sources?:\s.*?(?=\s@|\sThrows|$)", words))


class Shown:
    """An experiment that has an entry, and what the program says of it."""

    def __init__(self, program, listing, entry):
        self.config, self.text, self.picture = None, "", None
        command = "schedule" if listing == "collectives" else "check"
        for config in small.experiments(listing, entry):
            done = program.case([command], config)
            if done.returncode == 0:
                self.config, self.text = config, re.sub(r"^  memory .*\n", "", done.stdout, flags=re.M)
                self.picture = self.drawn(program, listing, config)
                return

    @staticmethod
    def drawn(program, listing, config):
        if listing == "topologies":
            return draw_topology(json.loads(program.case(["run"], config, "--quiet", "--json", "-").stdout))
        if listing == "collectives":
            with tempfile.TemporaryDirectory() as folder:
                done = program.case(["schedule"], config, "--draw", f"{folder}/drawn.svg")
                if done.returncode == 0:
                    return (ROOT / folder / "drawn.svg").read_text()
        return None


def keys_of(program, listing, entry):
    """Keys that apply because of the entry."""
    chooser = CHOOSERS[listing][0]
    for key in program.listed("parameters"):
        given = {when["key"]: when["values"] for when in key.get("when", ())}
        fits = entry.get("operation") in given.get("workload.operation", [entry.get("operation")])
        if entry["name"] in given.get(chooser, ()) and fits:
            yield key


def examples_of(examples, listing, entry):
    chooser = CHOOSERS[listing][0]
    for example in examples:
        operation = entry.get("operation")
        if example.has(chooser, entry["name"]) and (operation is None or example.has("workload.operation", operation)):
            yield example


def page(pages, program, sources, examples, listing, entry, shown):
    path, (chooser, folder) = path_of(listing, entry), CHOOSERS[listing]
    text = f"# {title_of(entry)}\n\n{plain(entry['summary'])}\n"
    files = list(dict.fromkeys(sources.files_of(folder, entry["name"])))
    rows = [("chosen by", f"`{chooser}`" + (" with `workload.operation`" if "operation" in entry else "")),
            ("written in", ", ".join(f"`{file.relative_to(ROOT)}`" for file in files))]
    text += table(("", ""), [row for row in rows if row[1]])
    cited = [said for file in files for said in sources.cited(file)]
    if cited:
        text += "\n## Sources named there\n\n" + "".join(f"- {plain(said)}\n" for said in dict.fromkeys(cited))
    if shown and shown.config:
        text += "\n## A small one\n"
        if shown.picture:
            text += figure(pages, path, slug(title_of(entry).replace(", ", ".")), shown.picture, f"{title_of(entry)}, drawn from a result of the program")
        text += experiment(shown.config)
        text += "\n" + f"`flitcast {'schedule' if listing == 'collectives' else 'check'}`" + " says of it:\n" + block(shown.text, "text")
    keys = {key["name"]: key for key in keys_of(program, listing, entry)}
    if keys:
        text += "\n## Its keys\n" + table(("key", "what it is"), [(link(f"`{name}`", path, key_page(name)), plain(key["help"])) for name, key in keys.items()])
    used = list(examples_of(examples, listing, entry))
    if used:
        text += "\n## Examples\n\n" + example_files.links(used, path)
    return text + f"\n{link('All of this catalog', path, index_of(listing))}\n"


def index_of(listing):
    return f"catalogs/{listing}.md"


def add_pages(pages, program, examples):
    sources = Sources()
    entries = [(listing, entry) for listing in program.lists if listing not in OWN_PAGES for entry in program.listed(listing)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        shown = list(pool.map(lambda one: Shown(program, *one), entries))
    for (listing, entry), seen in zip(entries, shown):
        pages.add(path_of(listing, entry), page(pages, program, sources, examples, listing, entry, seen))
        pages.name(entry["name"], path_of(listing, entry))
    index = "catalogs/index.md"
    text = "# Catalogs\n\nWhat a file of an experiment can choose by name.\n"
    rows = []
    for listing in program.lists:
        if listing in OWN_PAGES:
            continue
        here = index_of(listing)
        members = program.listed(listing)
        pages.add(here, f"# {listing.replace('_', ' ').capitalize()}\n\nThe key `{CHOOSERS[listing][0]}` chooses one of these.\n"
                  + table(("name", "what it is"), [(link(f"`{title_of(entry)}`", here, path_of(listing, entry)), plain(entry["summary"])) for entry in members]))
        rows.append((link(listing.replace("_", " "), index, here), len(members), f"`{CHOOSERS[listing][0]}`"))
    pages.add(index, text + table(("catalog", "entries", "chosen by"), rows))
