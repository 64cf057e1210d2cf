# SPDX-License-Identifier: Apache-2.0
"""The pages of the manual while they are made: Markdown by path, links between them, and what helps to write it."""
import json
import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]


class Pages:
    """Markdown pages and other files of the site, by their paths in it. `names` leads from a word of the reference, such as a
    key, to its page, so that texts that have the word link to it; None for a word that has several pages."""

    def __init__(self):
        self.files = {}
        self.names = {}

    def add(self, path, text):
        """Adds a page (text) or another file (bytes); a path that is taken is an error of the generator."""
        if path in self.files:
            raise ValueError(f"two pages have the path {path}")
        self.files[path] = text

    def name(self, word, path):
        self.names[word] = path if self.names.get(word, path) == path else None

    def finish(self):
        """Links the words of the reference in every page, once all pages are known."""
        for path, text in self.files.items():
            if isinstance(text, str):
                self.files[path] = self.with_links(path, text)

    def with_links(self, path, text):
        """Turns `word` in backquotes outside blocks, headings and links into a link to the page of the word."""
        def linked(match):
            target = self.names.get(match[1])
            return match[0] if target in (None, path) else link(match[0], path, target)

        lines, fenced = [], False
        for line in text.split("\n"):
            fenced ^= line.lstrip().startswith("```")
            if not fenced and not line.startswith(("#", "    ", "<")):
                line = re.sub(r"(?<!\[)`([^`\n]+)`(?!\]\()", linked, line)
            lines.append(line)
        return "\n".join(lines)

    def write(self, folder):
        for path, text in self.files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            content = text if isinstance(text, bytes) else text.encode()
            file.write_bytes(content)


def slug(name):
    """The name of a file for a key such as workload.classes[].mix[].weight."""
    return re.sub(r"[^\w.-]+", "", name)


def link(text, from_path, to_path):
    """A link between two pages by their paths in the site; the target may end with #ANCHOR."""
    return f"[{text}]({os.path.relpath(to_path, os.path.dirname(from_path) or '.')})"


def plain(text):
    """Text in which Markdown finds no markup but backquotes."""
    parts = re.split(r"(`[^`]*`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([*_<\[\]|])", r"\\\1", part).replace("\\<", "&lt;") for part in parts)


def cell(text):
    """Text for a cell of a table: no bars, no line breaks."""
    return re.sub(r"(?<!\\)\|", r"\|", str(text)).replace("\n", " ")


def table(head, rows):
    """A table; nothing without rows."""
    rows = [[cell(value) for value in row] for row in rows]
    if not rows:
        return ""
    lines = [head, ["---"] * len(head), *rows]
    return "\n" + "\n".join("| " + " | ".join(row) + " |" for row in lines) + "\n"


def block(text, language="text"):
    return f"\n```{language}\n{text.rstrip()}\n```\n"


def flow(value):
    """A value in one line of YAML."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {flow(below)}" for key, below in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(flow, value)) + "]"
    return json.dumps(value) if isinstance(value, bool) else str(value)


def experiment(config):
    """A block with an experiment that is given as a dictionary, a line for each section."""
    return block("\n".join(f"{key}: {flow(value)}" for key, value in config.items()), "yaml")


def figure(pages, path, name, svg, words):
    """Adds a picture beside the page `path`, and gives the text that shows it."""
    pages.add(str(pathlib.PurePosixPath(path).parent / "pictures" / f"{name}.svg"), svg.encode())
    return f"\n![{words}](pictures/{name}.svg)\n"
