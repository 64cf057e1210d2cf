# SPDX-License-Identifier: Apache-2.0
"""The written pages, text/*.md beside this file, and the list of the whole site for its navigation."""
import pathlib

import readmes

TEXT = pathlib.Path(__file__).parent / "text"

# Titles of the navigation and their pages; a pair with a list is a section.
NAVIGATION = [
    ("Start", [("Front page", "index.md"), ("Ten minutes", "start.md"), ("Overview", "overview.md"), ("Ten questions", "modules/sim/examples.md"),
               ("Examples", "examples/index.md")]),
    ("Reference", [("Keys", "keys/index.md"), ("Figures", "figures/index.md"), ("Catalogs", "catalogs/index.md"),
                   ("Commands", "commands/index.md"), ("Exit codes", "commands/exit_codes.md")]),
    ("Project", [("Modules", "modules/index.md"), ("Contribute", "contributing.md"), ("Changes", "changelog.md")]),
]


def add_pages(pages, program):
    for file in sorted(TEXT.rglob("*.md")):
        path = str(file.relative_to(TEXT))
        pages.add(path, readmes.filled(file.read_text(encoding="utf-8"), path, pages, program))
