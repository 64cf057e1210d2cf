# SPDX-License-Identifier: Apache-2.0
"""The pages of the manual, before MkDocs makes a site of them: everything that the program lists has its page, and no link is dead.

usage: pages_test.py PROGRAM     exit code 1 and a line for each thing that is not so; 77 without PyYAML
"""
import importlib.util
import math
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
import refusals  # noqa: E402
import written  # noqa: E402
from program import Program  # noqa: E402
from timing import Timing  # noqa: E402
from truth import Truth  # noqa: E402


MOST_CLICKS = 3
# Questions of newcomers, from threads of users of such programs: the page that answers each, and words that are there.
ANSWERS = {
    "How do I run it?": ("start.md", "scripts/run"),
    "How do I say a topology of my own?": ("catalogs/topologies/custom.md", "topology.file"),
    "Is the result right?": ("truth.md", "BookSim2"),
    "Why is my run saturated?": ("how/verdicts.md", "backlog"),
    "How do I use the RTL in my simulator?": ("tutorials/rtl.md", "verilator"),
    "What is the load of each link?": ("figures/links.load.md", "links.load"),
    "Can it replay Chakra traces?": ("catalogs/trace_formats/chakra.md", "workload.format"),
    "How do routers multicast?": ("keys/workload.forwarding.md", "routers"),
    "How do I add a collective of my own?": ("extend.md", "collective"),
    "How do I couple it with my SystemC?": ("tutorials/systemc.md", "target_socket"),
    "Which key is vc_buf_size here?": ("coming_from.md", "vc_buf_size"),
    "How do I make one link longer than others?": ("keys/link.exceptions.md", "link"),
    "What does this message want from me?": ("errors.md", "unknown key"),
    "Why does my network deadlock?": ("catalogs/routings.md", "VC"),
}


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
        page = pages.files.get(f"commands/{'_'.join(command)}.md", "")
        yield from (f"{' '.join(command)}: no {option}" for option in re.findall(r"^ +(?:-\w,)?(--[\w-]+)", text, re.M) if option not in page)


def missing_blocks(pages):
    """RTL blocks without a page, and ports or parameters that their pages lack."""
    for file in (ROOT / "rtl").rglob("*.sv"):
        head = re.sub(r"//.*", "", re.search(r"^module .*?\);", file.read_text(), re.M | re.S)[0].split("if (")[0])
        page = pages.files.get(f"rtl/{file.stem}.md", "")
        names = re.findall(r"(\w+)\s*(?:=[^=,]*)?(?:,|\n\)|$)", re.sub(r"\[[^\]]*\]", "", head))
        yield from (f"{file.stem}: no {name}" for name in names if re.match(r"[A-Z]\w*[a-z]|\w+_n?[io]$", name) and f"| `{name}` |" not in page)
        if page.count("\n| `") != len(re.findall(r"\b(?:parameter|input|output)\b", head)):
            yield f"{file.stem}: other numbers of parameters and ports"


def unknown_names(pages, program):
    """Keys and figures that a written page names, or that stand for a word of another program, which there are not."""
    names = {entry["name"] for name in program.lists for entry in program.listed(name)}
    sections = {name.partition(".")[0] for name in names if "." in name}
    for file in written.TEXT.rglob("*.md"):
        for word in re.findall(r"`(\w+(?:\[\])?(?:\.[a-z_]+(?:\[\])?)+)`", file.read_text()):
            is_section = any(name.startswith(f"{word}.") for name in names)
            if word.partition(".")[0] in sections and word not in names and not is_section and not word.endswith((".h", ".yaml")):
                yield f"{file.name}: there is no {word}"
    for there, here in re.findall(r"^\| (.*?) \| (.*?) \| .*\|$", (written.TEXT / "coming_from.md").read_text(), re.M):
        yield from (f"{there}: there is no {word}" for word in re.findall(r"`([^`]+)`", here) if word not in names)


def wrong_numbers(program):
    """Comparisons of the page truth.md that leave their tolerance, and times of the page of a router that are not by formula."""
    truth, runs = Truth(program), Timing(program).runs
    yield from (f"BookSim2, {point.row['curve']} at {point.load}: {point.theirs}, here {point.ours}" for point in truth.points
                if not abs(point.difference) <= point.allowed)
    yield from (f"a queue at {load} takes {mean} +- {half}, not {formula}" for load, _, formula, mean, half in truth.queues
                if not abs(mean - formula) <= 2 * half)
    yield from (f"{network}, {pattern}: {found} enumerated, {stated} stated" for network, pattern, found, stated in truth.bounds
                if not math.isclose(found, stated, rel_tol=1e-9))
    yield from (f"BookSim2, {one.point.row['curve']}: saturates between {one.low} and {one.high}, here at {one.ours}" for one in truth.saturations
                if not abs(one.ours / one.point.load - 1) <= one.ALLOWED)
    reference = sum(len((ROOT / "testbenches" / "conformance" / f"{name}.csv").read_text().splitlines()) - 1 for name in ("curves", "zero_load", "lengths"))
    if len(truth.points) + len(truth.stand_ins) + len(truth.saturations) != reference or len(truth.points) < 25:
        yield f"{len(truth.points)} points, {len(truth.stand_ins)} by stand-ins and {len(truth.saturations)} saturations of {reference} rows"
    if min(len(truth.queues), len(truth.bounds), truth.proofs, len(truth.expected), len(truth.cosims)) < 3:
        yield "comparisons are missing"
    # Four stages and a link of a cycle each; with one virtual channel L flits take L + 2 cycles, with two no more than L.
    yield from (f"{name}: {seen} cycles, not {wanted}" for name, seen, wanted in (
        ("hop", runs["pipeline"].per_hop, 4 + 1), ("bubble", runs["pipeline"].bubble, 1 + 2), ("bubble of two VCs", runs["two_vcs"].bubble, 1)) if seen != wanted)
    last = {name: max(row["left_cycle"] for row in run.rows) for name, run in runs.items()}
    if not last["two_vcs"] < last["pipeline"] < last["credits"]:
        yield f"the last flits leave at {last}"


def wrong_errors(pages, program):
    """Faulty experiments of the tests whose messages the program does not say, or says without what to do; rows that the page lacks."""
    members = [one for _, some in refusals.asked(program) for one in some]
    written_there = sum(len(re.findall(r'^    \{"', refusals.body_of(name), re.M)) for name in refusals.LISTS)
    if len(members) < written_there - 10:
        yield f"{len(members)} of {written_there} faulty experiments are read"
    for one in members:
        if len(one.shown) < len(one.says):
            yield f"{one.claim}: {one.messages} instead of {one.says}"
        yield from (f"{one.claim}: nothing to do: {message}" for message in one.shown if not refusals.halves(message)[1])
    if pages.files["errors.md"].count("\n| ") < len(members):
        yield "errors are missing"


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


def clicks_from(pages, start):
    """The least number of links from a page to every page that can be reached."""
    clicks, todo = {start: 0}, [start]
    for path in todo:
        for address in re.findall(r"\]\(([^)\s#]+)", pages.files[path]):
            target = os.path.normpath(os.path.join(os.path.dirname(path), address))
            if target.endswith(".md") and target in pages.files and target not in clicks:
                clicks[target] = clicks[path] + 1
                todo.append(target)
    return clicks


def far_answers(pages):
    """Pages to which no link leads from the front page, and answers that are more than three clicks from it."""
    clicks = clicks_from(pages, "index.md")
    yield from (f"no link leads to {path}" for path in pages.files if path.endswith(".md") and path not in clicks)
    for question, (path, words) in ANSWERS.items():
        if clicks.get(path, MOST_CLICKS + 1) > MOST_CLICKS or words not in pages.files.get(path, ""):
            yield f"{question} {path}: {clicks.get(path)} clicks from the front page, or without {words}"


def main():
    program = Program(pathlib.Path(sys.argv[1]).absolute())
    pages = build.make_pages(program)
    faults = [*missing_pages(pages, program), *missing_options(pages, program), *missing_blocks(pages), *unknown_names(pages, program), *wrong_numbers(program),
              *wrong_errors(pages, program), *dead_links(pages), *far_answers(pages)]
    faults += [f"the navigation has {page}, which there is not" for _, section in written.NAVIGATION for _, page in section
               if page not in pages.files and not page.startswith("cpp/")]
    print(f"{sum(path.endswith('.md') for path in pages.files)} pages", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
