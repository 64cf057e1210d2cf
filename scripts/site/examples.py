# SPDX-License-Identifier: Apache-2.0
"""Experiments of sim/examples: a page for each, and which keys and choices they have."""
import re

import yaml

from pages import ROOT, block, link, plain, table

FOLDER = ROOT / "sim" / "examples"


def settings(value, path=""):
    """Pairs of a key, by its name in the reference, and its value, of an experiment; those of `sweep`, too."""
    if isinstance(value, dict):
        for key, below in value.items():
            if path == "sweep":
                yield from settings_of_sweep(str(key), below)
            elif key != "label":
                yield from settings(below, key_name(f"{path}.{key}" if path else str(key)))
    elif isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        for item in value:
            yield from settings(item, f"{path}[]" if isinstance(item, dict) else path)
    else:
        for item in value if isinstance(value, list) else [value]:
            yield path, str(item)
        if isinstance(value, list) and not value:
            yield path, ""


def settings_of_sweep(key, values):
    if key == "zip":
        for group in values if isinstance(values, list) else [values]:
            for name, below in group.items():
                yield from settings_of_sweep(name, below)
    elif isinstance(values, list):
        for value in values:
            yield from settings(value, key_name(key))
    else:  # Steps: {from, to, step}.
        yield key_name(key), ""


def key_name(key):
    return re.sub(r"^link\.classes\.\w+\b(?!$)", "link.classes.NAME", re.sub(r"\[\d+\]|\.\d+(?=\.)", "[]", key))


class Example:
    """A file of sim/examples: its text, the comment at its top, its settings."""

    def __init__(self, file):
        self.name = file.name
        self.text = file.read_text(encoding="utf-8")
        self.comment = [line[1:].strip() for line in re.match(r"((#.*)?\n)*", self.text)[0].splitlines()]
        self.settings = set(settings(yaml.safe_load(self.text)))
        self.path = f"examples/{file.stem}.md"

    @property
    def about(self):
        """The first sentences, for lists."""
        return " ".join(self.comment).split("  ")[0].split(". ")[0].rstrip(".:") + "."

    def has(self, key, value=None):
        """True if it sets the key, or a key in that section; with a value, if it sets it to that."""
        return any((name == key or name.startswith((f"{key}.", f"{key}[]"))) and value in (None, said) for name, said in self.settings)


def read():
    return [Example(file) for file in sorted(FOLDER.glob("*.yaml"))]


MOST = 8  # Examples with their sentence in one list.


def links(examples, path):
    """The examples as a list of links for the page `path`, those with the fewest settings first; many of them by name alone."""
    examples = sorted(examples, key=lambda example: (len(example.settings), example.name))
    text = "".join(f"- {link(f'`{e.name}`', path, e.path)} {plain(e.about)}\n" for e in examples[:MOST])
    more = ", ".join(link(f"`{e.name}`", path, e.path) for e in examples[MOST:])
    return text + (f"\nAlso in {more}.\n" if more else "")


def add_pages(pages, examples, program):
    known = {entry["name"] for entry in program.listed("parameters")}
    for example in examples:
        keys = sorted({key for key, _ in example.settings} & known)
        commands = f"flitcast run sim/examples/{example.name}\nflitcast check sim/examples/{example.name}"
        pages.add(example.path, f"# {example.name}\n\n{plain(example.about)}\n"
                  + block(example.text, "yaml") + block(commands, "sh")
                  + "\nIts results are committed in `sim/expected/examples.json`, and a test compares every point with them.\n"
                  + "\n## Keys\n\n" + ", ".join(f"`{key}`" for key in keys) + "\n")
        pages.name(f"sim/examples/{example.name}", example.path)
        pages.name(example.name, example.path)
    index = "examples/index.md"
    pages.add(index, "# Examples\n\nEvery file of `sim/examples`; each says at its top what it shows.\n"
              + table(("file", "shows"), [(link(f"`{e.name}`", index, e.path), plain(e.about)) for e in examples]))
