# SPDX-License-Identifier: Apache-2.0
"""Asks the program: its lists, its helps, and the output of any command."""
import functools
import json
import re
import subprocess
import tempfile

from pages import ROOT

SECTIONS = ("section", "sections", "named sections")  # Types of keys that hold other keys.


def schema_keys(schema, whole, path=""):
    """Pairs of a key and its description, of a JSON Schema; one for each declaration.

    @param whole  keys whose values may be objects, in which there are no further keys"""
    for name, below in schema.get("properties", {}).items():
        key = f"{path}{name}"
        yield key, next((part["description"] for part in (below, *below.get("anyOf", ())) if "description" in part), "")
        yield from () if key in whole else schema_keys(below, whole, f"{key}.")
    for more in schema.get("anyOf", ()):
        yield from schema_keys(more, whole, path)
    if isinstance(schema.get("items"), dict):
        yield from schema_keys(schema["items"], whole, f"{path[:-1]}[].")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from schema_keys(schema["additionalProperties"], whole, f"{path}NAME.")


class Program:
    """@param path  the program `flitcast`."""

    def __init__(self, path):
        self.path = str(path)

    def call(self, *words, text=None, folder=ROOT):
        """The finished process of a command, run at the top of the sources or in a folder."""
        return subprocess.run([self.path, *words], cwd=folder, capture_output=True, text=True, input=text, check=False)

    def output(self, *words):
        done = self.call(*words)
        if done.returncode != 0:
            raise RuntimeError(f"flitcast {' '.join(words)} ends with {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def shown(self, words, code):
        """The output of a command as a page shows it: results in a folder that is thrown away, and no speed of this machine."""
        with tempfile.TemporaryDirectory() as folder:
            more = ["--out", folder] if words[0] == "run" else []
            done = self.call(*words, *more)
            if done.returncode != code:
                raise RuntimeError(f"flitcast {' '.join(words)} ends with {done.returncode}: {done.stderr.strip()}")
            text = (done.stdout if code in (0, 3) else done.stdout + done.stderr).replace(folder, "out")
        return re.sub(r"^  (speed) .*$", r"  \1      ...", text, flags=re.M)

    def case(self, words, config, *options):
        """The finished process of a command about an experiment that is given as a dictionary."""
        with tempfile.NamedTemporaryFile("w", prefix="small-", suffix=".json") as file:
            json.dump({"name": "small", **config}, file)
            file.flush()
            return self.call(*words, file.name, *options)

    @functools.lru_cache(maxsize=None)
    def listed(self, name):
        """The entries of `flitcast list NAME --json`."""
        return json.loads(self.output("list", name, "--json"))[name]

    @functools.cached_property
    def keys(self):
        """The declarations of each key, by name; those of sections that `list parameters` leaves out are from the schema."""
        found = {}
        for entry in self.listed("parameters"):
            found.setdefault(entry["name"], []).append(entry)
        whole = {"sweep", *(name for name, entries in found.items() if entries[0]["type"] not in SECTIONS)}
        for name, description in schema_keys(json.loads(self.output("schema")), whole):
            found.setdefault(name, [{"name": name, "type": "section", "default": {}, "help": description}])
        return found

    @functools.cached_property
    def lists(self):
        """The names of all lists, in the order of the help."""
        words = re.search(r"^  LIST TEXT\s+(.*)$", self.output("list", "--help"), re.M)[1]
        return words.split(", ")

    @functools.cached_property
    def version(self):
        return self.output("--version").split()[-1]

    @functools.cached_property
    def commands(self):
        """Pairs of a command, as a tuple of words, and its help, those of subcommands after their command; first the program."""
        return list(self.below(()))

    def below(self, command):
        text = self.output(*command, "--help")
        yield command, text
        for name in re.findall(r"^  (\w+)  ", text.partition("\nSubcommands:\n")[2], re.M):
            yield from self.below((*command, name))
