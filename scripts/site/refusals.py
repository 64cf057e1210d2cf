# SPDX-License-Identifier: Apache-2.0
"""Messages about faulty experiments, with what to do. The faulty experiments are those of the tests in testbenches/sim/bad_*_test.cpp;
the messages are what the program says of them now."""
import concurrent.futures
import json
import os
import pathlib
import re
import tempfile

from pages import ROOT, plain, table

TESTS = ROOT / "testbenches" / "sim"
TEXT = r'(?:"(?:[^"\\]|\\.)*"\s*)+'
LIST = rf"\{{\s*(?:{TEXT},?\s*)*\}}"
# Titles of the lists of faulty experiments, in the order of the page.
LISTS = {"kText": "The text of a file", "kKeys": "Keys", "kValues": "Values", "kMeaning": "Sections that do not fit together",
         "kSweeps": "Sweeps, searches and points", "kBadCollectives": "Collective operations", "kRefused": "Permutations"}
USUAL = {"topology": "{kind: mesh, sizes: [4, 4]}", "routing": "{kind: dimension_order}", "workload": "{kind: traffic, load: 0.1}",
         "measure": "{warmup: 100, window: 500}"}


def word(literals):
    """The text of adjacent C++ literals."""
    return "".join(json.loads(f'"{part}"') for part in re.findall(r'"((?:[^"\\]|\\.)*)"', literals))


def words(listed):
    return [word(found) for found in re.findall(TEXT, listed)]


def experiment(more="", **sections):
    return "".join(f"{name}: {text}\n" for name, text in {**USUAL, **sections}.items()) + f"{more}\n"


class Refusal:
    """A faulty experiment, what is wrong in it, the beginnings of the messages that its test demands, and arguments of `run`."""

    def __init__(self, claim, text, says, more=()):
        self.claim, self.text, self.more = claim, text, list(more)
        self.says = [line for said in says for line in said.splitlines()]

    def ask(self, program):
        """Runs the program; the messages."""
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "x.yaml").write_text(self.text)
            arguments = ["run", "x.yaml", "--out", "out", "--packet-log", "log.csv", *self.more]
            self.messages = program.call(*arguments, folder=folder).stderr.splitlines()
        return self

    @property
    def shown(self):
        """The messages that the test demands, as they are said in full."""
        return [line for line in self.messages if any(line.startswith(begin.strip()) for begin in self.says)]


def body_of(name):
    """The entries of a list of the tests, without line comments."""
    for file in sorted(TESTS.glob("bad_*_test.cpp")):
        found = re.search(rf"> {name}\{{(.*?)^\}};", file.read_text(encoding="utf-8"), re.M | re.S)
        if found:
            return re.sub(r"^\s*//.*$", "", found[1], flags=re.M)
    raise ValueError(f"no list {name}")


def inputs(name):
    """Refusals of a list of whole experiments; those that are made by other C++ than the helpers of experiment.h are left out."""
    made = rf"with(?P<section>_\w+)?\((?P<given>{TEXT})\)\s*\.text\(\)|Experiment\{{(?P<parts>(?:{TEXT},?\s*)*)\}}\s*\.text\(\)(?:\s*\+\s*(?P<after>{TEXT}))?|(?P<whole>{TEXT})"
    for found in re.finditer(rf"\{{(?P<claim>{TEXT}),\s*(?:{made}),\s*(?P<says>{LIST})\s*(?:,\s*(?P<more>{LIST})\s*)?\}},", body_of(name)):
        if "\\x" in found[0]:  # Bytes that are no text.
            continue
        if found["whole"]:
            text = word(found["whole"])
        elif found["given"]:
            section = (found["section"] or "_more")[1:]
            text = experiment(**{section: word(found["given"])})
        else:
            text = experiment(**dict(zip((*USUAL, "more"), words(found["parts"])))) + word(found["after"] or "")
        yield Refusal(word(found["claim"]), text, words(found["says"]), words(found["more"] or ""))


def operations(name, workload, more):
    """Refusals of a list of operations on a topology by a routing; named texts are constants of the test."""
    file = next(file for file in sorted(TESTS.glob("bad_*_test.cpp")) if f"> {name}{{" in file.read_text(encoding="utf-8"))
    named = {key: word(text) for key, text in re.findall(rf"const std::string (k\w+) = ({TEXT});", file.read_text(encoding="utf-8"))}
    part = rf"(?:{TEXT}|k\w+)"
    for found in re.finditer(rf"\{{(?P<cells>{part}(?:,\s*{part})+),\s*(?P<says>{LIST})\}},|\{{(?P<row>{part}(?:,\s*{part})+)\}},", body_of(name)):
        cells = [named[cell] if cell in named else word(cell) for cell in re.findall(part, found["cells"] or found["row"])]
        says = words(found["says"]) if found["says"] else [cells.pop()]
        if len(cells) >= 4:
            text = experiment(topology=cells[1], routing=cells[2], workload=workload.format(cells[3]), more=more.format(*cells[4:]))
            yield Refusal(cells[0], text, says)


def refusals():
    """Pairs of a title and its refusals."""
    for name, title in LISTS.items():
        if name == "kBadCollectives":
            yield title, list(operations(name, "{{kind: collective, {}}}", "node: {{ports: {}}}"))
        elif name == "kRefused":
            yield title, list(operations(name, "{{kind: permutation, permutation: {}}}", ""))
        else:
            yield title, list(inputs(name))


def asked(program):
    """The same, with what the program says."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return [(title, list(pool.map(lambda one: one.ask(program), members))) for title, members in refusals()]


def halves(message):
    """The fault and what to do, without the file and the place."""
    message = re.sub(r"^x\.yaml(:\d+:\d+)?: ", "", message)
    fault, _, advice = message.partition("; ")
    return fault, advice


def page(program):
    text = ("# Errors in files and on command lines\n\nA message says where (file, line, column and key), what is wrong and, after a semicolon, what to do. All "
            "faults of a file come at once, and the exit code is 2. Each row is a faulty experiment of the tests, with what the program that "
            "made this page says of it.\n")
    for title, members in asked(program):
        rows = [(plain(one.claim), *map(plain, halves(message))) for one in members for message in one.shown]
        text += f"\n## {title}\n" + table(("fault", "message", "what to do"), rows)
    return text


def add_pages(pages, program):
    pages.add("errors.md", page(program))
