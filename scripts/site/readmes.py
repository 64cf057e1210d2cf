# SPDX-License-Identifier: Apache-2.0
"""The READMEs of the sources as pages, and their parts inside written pages: one text, shown in both places. Links lead from file to
file of the sources, so that they hold there, too."""
import pathlib
import re
import shlex

from pages import ROOT, block, link

TEXT = pathlib.Path(__file__).parent.relative_to(ROOT) / "text"  # The written pages.
TOPS = ("models", "rtl", "sim", "testbenches")
OTHERS = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "models/network/SPEED.md": "modules/models/network/SPEED.md",
          "sim/claims/documents.md": "modules/sim/claims/documents.md"}


def found():
    """Paths of all READMEs below the folders of the sources, from the top."""
    return [file.relative_to(ROOT) for top in TOPS for file in sorted((ROOT / top).rglob("README.md"))]


def page_of(source):
    """The path of the page that shows a file of the sources; None if it has none."""
    name = str(source)
    if name in OTHERS:
        return OTHERS[name]
    if name == "README.md":
        return "overview.md"
    if source.suffix == ".md" and pathlib.Path(source).is_relative_to(TEXT):
        return str(source.relative_to(TEXT))
    return f"modules/{source.parent}.md" if source.name == "README.md" and source.parts[0] in TOPS else None


def moved(text, source, path, pages):
    """The text of a file of the sources as part of the page `path`: links lead to pages, pictures into the site."""
    def target(match):
        mark, words, address = match[1], match[2], match[3]
        if "://" in address or address.startswith(("#", "mailto:")):
            return match[0]
        address, hash_mark, anchor = address.partition("#")
        file = pathlib.Path(ROOT, source.parent, address).resolve().relative_to(ROOT)
        if not (ROOT / file).exists():  # A generated page.
            return match[0]
        if mark:
            to = f"pictures/{file.name}"
            pages.files.setdefault(to, (ROOT / file).read_bytes())
            return "!" + link(words, path, to)
        to = page_of(file / "README.md" if (ROOT / file).is_dir() else file)
        return link(words, path, to + hash_mark + anchor) if to else words

    return re.sub(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)", target, text)


def section(text, title):
    """The body below a heading, with the headings below it one level up."""
    match = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^\1? ?#{{1,2}} |\Z)", outside_blocks(text), re.M | re.S)
    if not match:
        raise ValueError(f'no section "{title}"')
    return text[match.start(2):match.end(2)]


def outside_blocks(text):
    """The text with the lines of fenced blocks blanked, of the same length."""
    return re.sub(r"^```.*?^```$", lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.M | re.S)


def filled(text, path, pages, program):
    """A written page with its parts from elsewhere. A line of one of these forms stands for a part:

    <!-- include FILE "HEADING" -->     the section of a README
    <!-- file FILE -->                  the file as a block
    <!-- comment FILE -->               the first comment of a header that documents code, as a block
    <!-- run [CODE] flitcast ... -->    the command and its output; another exit code than CODE, or 0, is an error
    """
    def include(match):
        source = pathlib.Path(match[1])
        return moved(section((ROOT / source).read_text(encoding="utf-8"), match[2]), source, path, pages).strip()

    def file(match):
        languages = {".yaml": "yaml", ".cpp": "cpp", ".txt": "cmake"}
        return block((ROOT / match[1]).read_text(encoding="utf-8"), languages.get(pathlib.Path(match[1]).suffix, "text")).strip()

    def comment(match):
        lines = re.search(r"(?:^///.*\n)+", (ROOT / match[1]).read_text(encoding="utf-8"), re.M)[0].splitlines()
        return block("\n".join(line[3:].removeprefix(" ") for line in lines)).strip()

    def run(match):
        return block(f"$ {match[2]}\n" + program.shown(shlex.split(match[2])[1:], int(match[1] or 0)), "console").strip()

    text = re.sub(r'^<!-- include (\S+) "(.*)" -->$', include, text, flags=re.M)
    text = re.sub(r"^<!-- file (\S+) -->$", file, text, flags=re.M)
    text = re.sub(r"^<!-- comment (\S+) -->$", comment, text, flags=re.M)
    return re.sub(r"^<!-- run (?:(\d) )?(flitcast .*) -->$", run, text, flags=re.M)


def add_pages(pages):
    for source in [pathlib.Path("README.md"), *map(pathlib.Path, OTHERS), *found()]:
        path = page_of(source)
        pages.add(path, moved((ROOT / source).read_text(encoding="utf-8"), source, path, pages))
        for name in (str(source), f"{source.parent}/") if source.name == "README.md" and len(source.parts) > 1 else (str(source),):
            pages.name(name, path)
    index = "modules/index.md"
    lines = ["# Modules\n\nEvery folder of the sources has a README, which says what it is for, its types, and what to read first.\n"]
    for source in found():
        title = (ROOT / source).read_text(encoding="utf-8").split("\n", 1)[0].lstrip("# ")
        lines.append("  " * 2 * (len(source.parts) - 2) + f"- {link(f'`{source.parent}`', index, page_of(source))} {title}")
    pages.add(index, "\n".join(lines) + "\n")
