# SPDX-License-Identifier: Apache-2.0
"""The pages of the manual, before MkDocs makes a site of them: everything that the program lists has its page, and no link is dead.

usage: pages_test.py PROGRAM     exit code 1 and a line for each thing that is not so; 77 without PyYAML
"""
import importlib.util
import os
import pathlib
import re
import subprocess
import sys

if importlib.util.find_spec("yaml") is None:
    sys.exit(77)
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts" / "site"))
import build  # noqa: E402
import written  # noqa: E402
from program import Program  # noqa: E402


def headings(text):
    """Anchors of the headings of a page, as MkDocs makes them."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    return {re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", title.lower()).strip()) for title in re.findall(r"^#+ (.*)$", prose, re.M)}


def titles(pages, folder):
    return [re.match(r"# (.*)", text)[1].strip("`") for path, text in pages.files.items()
            if path.startswith(folder) and path.endswith(".md") and not path.endswith("index.md")]


def missing_pages(pages, program):
    """Things that the program says it has, which are the title of no page; counted apart from the generator."""
    def listed(name):
        return program.listed(name)

    for folder, name in (("keys/", "parameters"), ("figures/", "figures")):
        found = titles(pages, folder)
        yield from (f"{name}: no page for {entry['name']}" for entry in listed(name) if entry["name"] not in found)
        if len(found) != len({entry["name"] for entry in listed(name)}):
            yield f"{name}: {len(found)} pages"
    for name in program.lists:
        if name not in ("parameters", "figures"):
            found = titles(pages, f"catalogs/{name}/")
            wanted = [", ".join(filter(None, (entry.get("operation"), entry["name"]))) for entry in listed(name)]
            if sorted(found) != sorted(wanted):
                yield f"{name}: pages and entries differ by {sorted(set(found) ^ set(wanted))}"
    manual = subprocess.run([program.path, "manual"], capture_output=True, text=True, check=True).stdout
    wanted = set(re.findall(r"^\.SS (flitcast .*)$", manual, re.M))
    if wanted != set(titles(pages, "commands/")) - {"Exit codes"}:
        yield f"commands: {sorted(wanted ^ set(titles(pages, 'commands/')))}"
    for code in ("0", "1", "2", "3", "4", "5"):
        if f"\n| {code} |" not in pages.files["commands/exit_codes.md"]:
            yield f"exit code {code} is not explained"


def missing_options(pages, program):
    for command, text in program.commands[1:]:
        page = pages.files[f"commands/{'_'.join(command)}.md"]
        yield from (f"{' '.join(command)}: no {option}" for option in re.findall(r"^ +(?:-\w,)?(--[\w-]+)", text, re.M) if option not in page)


def dead_links(pages):
    anchors = {path: headings(text) for path, text in pages.files.items() if path.endswith(".md")}
    for path in anchors:
        prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "`", pages.files[path], flags=re.M | re.S)
        for address in re.findall(r"\]\(([^)\s]+)\)", prose):
            if "://" in address:
                continue
            file, _, anchor = address.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
            if target not in pages.files and not target.startswith("cpp/"):
                yield f"{path}: there is no {address}"
            elif anchor and anchor not in anchors.get(target, {anchor}):
                yield f"{path}: {target} has no heading #{anchor}"


def unreachable(pages):
    """Pages to which no link leads from the navigation."""
    todo, seen = [page for _, section in written.NAVIGATION for _, page in section], set()
    while todo:
        path = todo.pop()
        if path in seen or not path.endswith(".md"):
            continue
        seen.add(path)
        for address in re.findall(r"\]\(([^)\s#]+)", pages.files.get(path, "")):
            todo.append(os.path.normpath(os.path.join(os.path.dirname(path), address)))
    yield from (f"no link leads to {path}" for path in pages.files if path.endswith(".md") and path not in seen)


def main():
    program = Program(pathlib.Path(sys.argv[1]).absolute())
    pages = build.make_pages(program)
    faults = [*missing_pages(pages, program), *missing_options(pages, program), *dead_links(pages), *unreachable(pages)]
    faults += [f"the navigation has {page}, which there is not" for _, section in written.NAVIGATION for _, page in section
               if page not in pages.files and not page.startswith("cpp/")]
    print(f"{sum(path.endswith('.md') for path in pages.files)} pages", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
