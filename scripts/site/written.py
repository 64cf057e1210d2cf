# SPDX-License-Identifier: Apache-2.0
"""The written pages, text/*.md beside this file, and the list of the whole site for its navigation."""
import functools
import pathlib
import re

import readmes
from scale import Scale
from timing import Timing
from truth import Truth

TEXT = pathlib.Path(__file__).parent / "text"

# Titles of the navigation and their pages; a pair with a list is a section.
NAVIGATION = [
    ("Start", [("Front page", "index.md"), ("Ten minutes", "start.md"), ("Overview", "overview.md"), ("Questions", "questions.md"),
               ("Examples", "examples/index.md"), ("Notebooks", "notebooks/index.md")]),
    ("Tutorials", [("Architect", "tutorials/architect.md"), ("Researcher of collectives", "tutorials/collectives.md"),
                   ("SystemC engineer", "tutorials/systemc.md"), ("RTL engineer", "tutorials/rtl.md"),
                   ("Student with the documents", "tutorials/student.md"), ("Coming from another program", "coming_from.md"),
                   ("Add one of each", "extend.md")]),
    ("Guide", [("Sweeps, repetitions, searches", "guide/sweeps.md"), ("Units", "guide/units.md"), ("Links that differ", "guide/links.md"),
               ("Chiplets", "guide/chiplets.md"), ("Topologies", "guide/topology.md"), ("Routing", "guide/routing.md"),
               ("Options of routers", "guide/routers.md"), ("Traffic", "guide/traffic.md"), ("Collective operations", "guide/collectives.md"),
               ("The fastest algorithms", "guide/collective_table.md"),
               ("Permutations", "guide/permutations.md"), ("Clos networks", "guide/clos.md"), ("Times of TLM-2.0", "guide/tlm.md"),
               ("Reports of SystemC by id", "guide/reports.md"),
               ("Python", "guide/python.md"), ("In another program", "guide/library.md"), ("Networks as RTL", "guide/export.md"),
               ("Statements of documents", "guide/statements.md")]),
    ("How it works", [("A router, cycle by cycle", "how/router.md"), ("Verdicts, intervals, capacities", "how/verdicts.md"),
                      ("Deadlock", "how/deadlock.md"),
                      ("Comparisons", "truth.md"), ("Scale", "scale.md"), ("Speed", "modules/models/network/SPEED.md"), ("How to cite", "cite.md")]),
    ("Reference", [("Keys", "keys/index.md"), ("Figures", "figures/index.md"), ("Catalogs", "catalogs/index.md"),
                   ("Commands", "commands/index.md"), ("Exit codes", "commands/exit_codes.md"), ("Errors", "errors.md"), ("Reports of modules", "reports.md"),
                   ("RTL blocks", "rtl/index.md"), ("C++", "cpp.md")]),
    ("Project", [("Modules", "modules/index.md"), ("Contribute", "contributing.md"), ("Versions", "versions.md"), ("Changes", "changelog.md")]),
]


# Pages with tables and pictures that are computed: a line <!-- part NAME --> stands for one.
COMPUTED = {"how/router.md": Timing, "scale.md": Scale, "truth.md": Truth}


@functools.lru_cache(maxsize=None)
def computed(path, program):
    """The runs of which tables and pictures of a page are made, once for each page."""
    return COMPUTED[path](program)


def compute(program):
    """Makes all these runs, which take one processor, before or beside the making of other pages."""
    for path in COMPUTED:
        computed(path, program)


def add_pages(pages, program):
    for file in sorted(TEXT.rglob("*.md")):
        path = str(file.relative_to(TEXT))
        text = readmes.moved(file.read_text(encoding="utf-8"), file.relative_to(readmes.ROOT), path, pages)
        text = readmes.filled(text, path, pages, program)
        if path in COMPUTED:
            parts = computed(path, program).parts(pages, path)
            text = re.sub(r"^<!-- part (\w+) -->$", lambda match: parts[match[1]].strip(), text, flags=re.M)
        pages.add(path, text)
