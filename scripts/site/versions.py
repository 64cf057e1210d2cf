# SPDX-License-Identifier: Apache-2.0
"""The page of versions, from CHANGELOG.md: what each has, and what was renamed."""
import re

from pages import ROOT, link, plain, table


def sections():
    """Pairs of the heading of a version and pairs of a kind of change and its text."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    for heading, body in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.M | re.S):
        yield heading, re.findall(r"^### ([^\n]*)\n(.*?)(?=^### |\Z)", body, re.M | re.S)


def renamed():
    """Rows (kind, former name, present name) of what users name."""
    for _, kinds in sections():
        for kind, body in kinds:
            if kind == "Renamed":
                rows = re.findall(r"^\| (key|list|status|figure) \| (.*) \| (.*) \|$", body, re.M)
                yield from ((what, old.replace("\\|", "or"), new.replace("\\|", "or")) for what, old, new in rows)


def anchor(heading):
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading.lower()).strip())


def add_pages(pages, program):
    rows = [(link(heading.strip("[]").replace("] -", ","), "versions.md", f"changelog.md#{anchor(heading)}"),
             ", ".join(f"{len(re.findall(r'^- ', body, re.M)) or len(re.findall(r'^[|] (?!kind|---)', body, re.M))} {kind.lower()}" for kind, body in kinds))
            for heading, kinds in sections()]
    pages.add("versions.md", f"# Versions\n\nThis manual is of version {program.version}. A result states the `version` that made it; equal configuration, seed and "
              "version give an equal `checksum`.\n" + table(("version", "entries"), rows)
              + "\n## Former names\n\nNames of earlier versions, which are unknown now.\n"
              + table(("what", "before", "now"), [(what, old if "`" in old else plain(old), new if "`" in new else plain(new)) for what, old, new in renamed()]))
