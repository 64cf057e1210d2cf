# SPDX-License-Identifier: Apache-2.0
"""A page for every RTL block, from the comments, parameters and ports at the top of its file."""
import re

from area import Areas
from pages import ROOT, block, link, plain, table
from readmes import page_of


class Block:
    """The header of a module: its comment, and rows (name, type or default, comment) of parameters and ports."""

    def __init__(self, file):
        text = file.read_text(encoding="utf-8")
        self.file = file.relative_to(ROOT)
        comment, head = re.search(r"((?:^//.*\n)+)module \w+\s*(.*?)^\s*\);", text, re.M | re.S).groups()
        self.name = file.stem
        self.comment = [line[2:].removeprefix(" ") for line in comment.splitlines() if "SPDX" not in line]
        first, _, second = head.partition(") (\n") if head.startswith("#") else ("", "", head)
        self.parameters = rows_of(first, r"(?:parameter|localparam)\s+(?P<type>[^=]*?)\s*(?P<name>\w+)\s*=\s*(?P<value>.*)")
        self.ports = rows_of(second, r"(?P<type>(?:input|output|inout)\b.*?)\s+(?P<name>\w+)(?P<value>)$")

    @property
    def about(self):
        """The first sentence."""
        return " ".join(self.comment).split(". ")[0].split("  ")[0].rstrip(".") + "."


def rows_of(text, pattern):
    """Rows [name, type, value, comment]; a comment below a comment continues it, another one stands for a row of its own."""
    rows, column = [], None
    for line in text.splitlines():
        code, mark, comment = line.partition("//")
        found = re.match(pattern, code.strip().rstrip(","))
        if found:
            rows.append([found["name"], " ".join(found["type"].split()), found["value"].strip(), comment.strip()])
            column = len(code) if mark else None
        elif mark and len(code) == column and rows:
            rows[-1][3] += " " + comment.strip()
        elif mark:
            rows.append(["", "", "", comment.strip()])
            column = len(code)
    return rows


def blocks():
    return [Block(file) for file in sorted((ROOT / "rtl").rglob("*.sv"))]


def coded(text):
    return f"`{text}`" if text else ""


def page(made, path, areas):
    text = f"# {made.name}\n\n{plain(made.about)}\n" + block("\n".join(made.comment))
    text += "\n## Parameters\n" + table(("parameter", "default", "what it is"), [
        (coded(name), coded(value), plain(comment)) for name, _, value, comment in made.parameters]) if made.parameters else ""
    text += "\n## Ports\n" + table(("port", "type", "what it is"), [(coded(name), coded(kind), plain(comment)) for name, kind, _, comment in made.ports])
    text += areas.part(made.name)
    readme = page_of(made.file.parent / "README.md")
    return text + f"\nIn `{made.file}`; {link(f'the README of {made.file.parent}', path, readme)}. {link('All blocks', path, 'rtl/index.md')}\n"


def add_pages(pages, program):
    index, rows, areas = "rtl/index.md", {}, Areas(program)
    for made in blocks():
        path = f"rtl/{made.name}.md"
        pages.add(path, page(made, path, areas))
        pages.name(made.name, path)
        pages.name(str(made.file), path)
        rows.setdefault(made.file.parent, []).append((link(f"`{made.name}`", index, path), plain(made.about)))
    text = (f"# RTL blocks\n\nSynthesizable SystemVerilog; {link('how to use and to verify it', index, page_of(ROOT.joinpath('rtl/README.md').relative_to(ROOT)))}.\n")
    for folder, members in rows.items():
        text += f"\n## {folder.name}\n" + table(("block", "what it is"), members)
    pages.add(index, text)
