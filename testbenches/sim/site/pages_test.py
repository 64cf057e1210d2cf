# SPDX-License-Identifier: Apache-2.0
"""The pages of the manual, before MkDocs makes a site of them: everything that the program lists has its page, and no link is dead.

usage: pages_test.py PROGRAM     exit code 1 and a line for each thing that is not so; 77 without PyYAML
"""
import importlib.util
import json
import math
import os
import pathlib
import re
import subprocess
import sys

if importlib.util.find_spec("yaml") is None:
    sys.exit(77)
ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts" / name) for name in ("site", "synthesis")]
import answers  # noqa: E402
import build  # noqa: E402
import committed  # noqa: E402
import effects  # noqa: E402
import keys  # noqa: E402
import refusals  # noqa: E402
import reports  # noqa: E402
import truth  # noqa: E402
import waveforms  # noqa: E402
import written  # noqa: E402
from area import Areas  # noqa: E402
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
        wanted = schema_keys(program) if name == "parameters" else {entry["name"] for entry in listed(name)}
        if sorted(found) != sorted(wanted):
            yield f"{name}: pages and entries differ by {sorted(set(found) ^ wanted)}"
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
        if page.count("\n| `") != len(re.findall(r"\b(?:parameter|localparam|input|output)\b", head)):
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
    """Comparisons of the page truth.md that leave their tolerance."""
    comparisons = written.computed("truth.md", program)
    yield from (f"BookSim2, {point.row['curve']} at {point.load}: {point.theirs}, here {point.ours}" for point in (*comparisons.points, *comparisons.own)
                if not abs(point.difference) <= point.allowed)
    yield from (f"a queue at {load} takes {mean} +- {half}, not {formula}" for load, _, formula, mean, half in comparisons.queues
                if not abs(mean - formula) <= 2 * half)
    yield from (f"{network}, {pattern}: {found} enumerated, {stated} stated" for network, pattern, found, stated in comparisons.bounds
                if not math.isclose(found, stated, rel_tol=1e-9))
    yield from (f"BookSim2, {one.point.row['curve']}: saturates between {one.low} and {one.high}, here at {one.ours}" for one in comparisons.saturations
                if not abs(one.ours / one.point.load - 1) <= one.ALLOWED)
    yield from (f"ASTRA-sim, {one.row['id']} {one.row['trace']}: {one.theirs}, here {one.ours}, which is {'no longer ' * one.is_off}off" for one in comparisons.astra.replays
                if (abs(one.difference) > one.allowed) != one.is_off)
    if (len(comparisons.astra.replays), len(comparisons.astra.not_run)) != (45, 70):
        yield f"{len(comparisons.astra.replays)} settings of ASTRA-sim are run, {len(comparisons.astra.not_run)} are not"
    yield from (f"no test breaks the rule {rule} of TLM-2.0" for rule, times in comparisons.rules if not times)
    if (len(comparisons.rules), len(comparisons.examples)) != (15, 10):
        yield f"{len(comparisons.rules)} rules and {len(comparisons.examples)} examples of TLM-2.0"
    reference = sum(len((ROOT / "testbenches" / "conformance" / f"{name}.csv").read_text().splitlines()) - 1 for name in ("curves", "zero_load", "lengths"))
    if len(comparisons.points) + len(comparisons.stand_ins) + len(comparisons.saturations) != reference or len(comparisons.points) < 25:
        yield f"{len(comparisons.points)} points, {len(comparisons.stand_ins)} by stand-ins and {len(comparisons.saturations)} saturations of {reference} rows"
    if min(len(comparisons.queues), len(comparisons.bounds), len(comparisons.own) // 7, comparisons.proofs, len(comparisons.expected), len(comparisons.cosims)) < 3:
        yield "comparisons are missing"


def false_intervals():
    """Rows of the measured coverage of intervals that are beyond the limits of scripts/interval_coverage, and cases without a row."""
    measured = truth.coverage_rows("measured")
    for row in measured:
        runs, stated, covered = (int(row[key]) for key in ("runs", "stated", "covered"))
        if runs < 200 or stated - covered > 0.08 * runs or (2 * stated >= runs and covered < 0.91 * stated):
            yield f"{row['case']}, {row['group']}, {row['window']}: {stated} of {runs} runs state an interval, {covered} of these cover"
    cases = {row["name"] for row in truth.coverage_rows("cases")}
    wanted = {(name, window) for name in cases for window in ("10000", "30000", "100000")}
    found = {(row["case"], row["window"]) for row in measured}
    yield from (f"{case}, {window}: no such case, or not in the table" for case, window in sorted(wanted ^ found))
    for row in truth.coverage_rows("brackets"):
        # 8 % and two standard deviations of 40 searches.
        if int(row["searches"]) < 40 or int(row["covered"]) < 0.835 * int(row["searches"]):
            yield f"{row['search']}: {row['covered']} of {row['searches']} brackets contain the crossing"
    if {row["search"] for row in truth.coverage_rows("brackets")} != {row["name"] for row in truth.coverage_rows("searches")}:
        yield "brackets.csv has other searches than searches.csv"


def wrong_timing(program):
    """Times of the page of a router that are not by formula, and flits that do not move as in the RTL."""
    timing = written.computed("how/router.md", program)
    runs = timing.runs
    # Four stages and a link of a cycle each; with one virtual channel L flits take L + 2 cycles, with two no more than L.
    yield from (f"{name}: {seen} cycles, not {wanted}" for name, seen, wanted in (
        ("hop", runs["pipeline"].per_hop, 4 + 1), ("bubble", runs["pipeline"].bubble, 1 + 2), ("bubble of two VCs", runs["two_vcs"].bubble, 1)) if seen != wanted)
    last = {name: max(row["left_cycle"] for row in run.rows) for name, run in runs.items()}
    if not last["two_vcs"] < last["pipeline"] < last["credits"]:
        yield f"the last flits leave at {last}"
    if timing.rtl_state != waveforms.rtl_state():
        yield "scripts/site/waveforms.csv is of other RTL; run scripts/waveforms"
    if timing.events.keys() != runs.keys():
        yield f"scripts/site/waveforms.csv has runs {sorted(timing.events)}"
    for name, run in runs.items():
        log, pins = ({tuple(row.values()) for row in rows} for rows in (run.rows, waveforms.buffers(timing.events[name])))
        if log != pins:
            yield f"{name}: flits of the model and of the RTL differ: {sorted(log ^ pins)[:4]}"
    first = [row["packet"] for row in sorted(runs["arbiters"].rows, key=lambda row: row["left_cycle"]) if row["router"] == 1]
    if first != ["2.0", "1.0", "2.1", "1.1", "2.2"]:
        yield f"arbiters serve in the order {first}"


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


def missing_reports(pages):
    """Rules of TLM-2.0 without a row, and texts that a module reports that are not on the page; of a text, the words before its first value."""
    page = pages.files["reports.md"]
    rules = (ROOT / "models/tlm/protocol_rules.h").read_text()
    wanted = len(re.findall(r"^  k\w+,", re.search(r"enum class Rule[^{]*\{(.*?)\};", rules, re.S)[1], re.M))
    if page.count("\n| `") != wanted or wanted < 10:
        yield f"{page.count(chr(10) + '| `')} rules on the page of reports, {wanted} in the program"
    for file in sorted((ROOT / "models").rglob("*.cpp")):
        lines = file.read_text().splitlines() if file.parent.name in ("pins", "fabric", "tlm") else []
        for line in lines:
            said = re.search(r"(?:report|report_error|misuse)\(\"[a-z_/]+\", (?:\w+\(\), )?(?:fmt::format\()?\"([^\"{:]{12,})", line)
            if said and said[1].strip() not in page.replace("\\", ""):
                yield f"{file.name} reports {said[1]}, which is on no page"


def wrong_ids(pages):
    """Ids of reports that the table lacks, or that no module reports, and calls without an id of the form that the table has."""
    listed, asked = re.findall(r"^\| `(/flitcast/[^`]*)` \|", pages.files["guide/reports.md"], re.M), reports.ids()
    yield from (f"the table of ids lacks {one}" for one in asked - set(listed))
    yield from (f"no module reports {one}" for one in set(listed) - asked)
    yield from (f"{one} is in the table of ids {listed.count(one)} times" for one in set(listed) if listed.count(one) > 1)
    for file in sorted((ROOT / "models").rglob("*.[hc]*")):
        text = file.read_text(encoding="utf-8")
        if "SC_REPORT_" in text and file.name != "report.h":
            yield f"{file.name} reports without report_error()"
        for rule in re.findall(r"(?:report_error|misuse|do_reporting)\(\s*(\"[^\"]*\"),", text):
            if not re.fullmatch(reports.ID, rule):
                yield f"{file.name} reports by the id {rule}, which is of no area"


# Figures that a key must move, whatever the experiment.
MOVED = {"router.buffer_depth": "cost.buffer_flits", "measure.window": "window_cycles", "workload.load": "offered_flits_per_node_cycle"}


def schema_keys(program):
    """Every name of `flitcast schema` that stands for a key: the properties of objects, but for those inside values."""
    values = {entry["name"] for entry in program.listed("parameters") if not entry["type"].endswith(("section", "sections"))} | {"sweep"}
    todo, found = [("", json.loads(program.output("schema")))], set()
    while todo:
        path, schema = todo.pop()
        inside = {f"{path}.{name}".lstrip("."): below for name, below in schema.get("properties", {}).items()}
        found |= set(inside)
        todo += [(key, below) for key, below in inside.items() if key not in values]
        todo += [(path, choice) for choice in schema.get("anyOf", [])]
        todo += [(f"{path}[]", schema["items"])] if "items" in schema else []
        todo += [(f"{path}.NAME", schema["additionalProperties"])] if schema.get("additionalProperties") else []
    return found


def facts(entry):
    return entry["type"], entry.get("unit"), entry.get("minimum"), entry.get("maximum"), str(entry.get("default"))


def acts_as(one, other, program):
    """True if all declarations of a key are those of the other one, maybe with fewer choices."""
    return all(any(facts(entry) == facts(own) and set(entry.get("choices", ())) <= set(own.get("choices", ())) for own in program.keys[other])
               for entry in program.keys[one])


def unexplained_keys(pages, program):
    """Keys of the schema whose pages say neither which figures they move, nor why none, nor as which other key they act, and that are no
    section of such keys."""
    asked, listed = schema_keys(program), {entry["name"] for entry in program.listed("parameters")}
    yield from (f"the schema lacks {key}" for key in listed - asked)
    for key in sorted(asked):
        page = pages.files.get(keys.path_of(key), "")
        said = page.partition("\n## Figures that it moves\n")[2].partition("\n## ")[0]
        other = re.match(r"\nIt acts as \[`(.*?)`\]", said)
        if other and not acts_as(key, other[1], program):
            yield f"{key} acts as {other[1]}, but is declared otherwise"
        elif not other and "\n| figure |" not in said and not said.startswith("\nNone: ") and "\n## Its keys\n\n| key |" not in page:
            yield f"{key}: neither figures that it moves, nor a reason; run scripts/site/effects.py PROGRAM, or add a row to effects.csv"


def wrong_effects(pages, program):
    """Keys whose effect on figures is gone, those that move figures although they shall not, and pages that show nothing of it."""
    measured = effects.measured(program)
    yield from (f"effects.csv has {key}, which there is not" for key in measured if key not in program.keys)
    for key, effect in measured.items():
        if effect is None:
            yield f"the program refuses the experiment of {key} in effects.csv"
        elif effect.why and (effect.rows or not effect.same):
            yield f"{key} moves {', '.join(row[0] for row in effect.rows) or 'the checksum'}, and effects.csv says that it moves nothing"
        elif not effect.why and not effect.rows:
            yield f"{key} moves no figure of the experiment in effects.csv"
    for key, figure in MOVED.items():
        if measured[key] and figure not in [row[0].removesuffix(".mean") for row in measured[key].rows]:
            yield f"{key} does not move {figure}"
    yield from (f"the page of {key} has no figures" for key, effect in measured.items()
                if effect and effect.changed not in pages.files[keys.path_of(key)])


def wrong_areas(pages, program):
    """Controllers whose rows are of other RTL, rows that are missing, and times that are not those of rtl/README.md."""
    areas = Areas(program)
    for design in committed.DESIGNS.values():
        rows = [row for row in areas.controllers if row["design"] == design.name]
        if len(rows) < 3 or any(row["sources"] != committed.state(design) for row in rows):
            yield f"scripts/synthesis/table.csv has {len(rows)} rows of {design.name}, or they are of other RTL; run scripts/synth, then committed.py"
    text = (ROOT / "rtl" / "README.md").read_text()
    for time, name, gates in re.findall(r"([\d.]+\s[nu]s) in `(\w+)` \(([\d,]+)(?: gates)?\)", text):
        row = next(row for row in areas.controllers if (row["design"], row["r"]) == (name, "16"))
        stated = float(time.split()[0]) * (1000 if time.endswith("us") else 1)
        if abs(areas.time(row) / stated - 1) > 0.01 or abs(float(row["gates"]) / int(gates.replace(",", "")) - 1) > 0.01:
            yield f"rtl/README.md says {time} and {gates} gates of {name}, the table {areas.time(row):.1f} ns and {row['gates']}"
    for block in ("flitcast_wormhole_router", "flitcast_vc_router", "flitcast_node_source", "flitcast_store_forward_router",
                  "flitcast_multicast_crossbar", "flitcast_replicating_crossbar", "flitcast_clos_controller", "flitcast_clos_par_thermo",
                  "flitcast_clos_seq_adder"):
        if "## Area and period" not in pages.files[f"rtl/{block}.md"]:
            yield f"{block} has no area"


def wrong_scale(program):
    """Estimates of the memory that are far from that of a run, checksums that depend on threads, and versions that are missing."""
    scale = written.computed("scale.md", program)
    yield from (f"{side}x{side}: {guess} MiB estimated, {seen} MiB taken" for side, guess, seen in scale.memory if seen and not guess / 2 < seen < 2 * guess + 16)
    if len({checksum for _, checksum in scale.checksums}) != 1:
        yield f"checksums by threads: {scale.checksums}"
    if not {"reference", "mesh_32x32", "mesh_64x64"} <= {row["row"] for row in scale.benchmark}:
        yield "rows of the benchmark are missing"


def wrong_versions(pages):
    text = pages.files["versions.md"]
    for heading in re.findall(r"^## \[(.*)\]", (ROOT / "CHANGELOG.md").read_text(), re.M):
        if f"[{heading}" not in text:
            yield f"versions.md lacks {heading}"
    if "run.realisation" not in text:
        yield "versions.md lacks the name that a key had"


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
    for question, (path, words) in answers.ANSWERS.items():
        if clicks.get(path, answers.MOST_CLICKS + 1) > answers.MOST_CLICKS or words not in " ".join(pages.files.get(path, "").split()):
            yield f"{question} {path}: {clicks.get(path)} clicks from the front page, or without {words}"


def main():
    program = Program(pathlib.Path(sys.argv[1]).absolute())
    pages = build.make_pages(program)
    faults = [*missing_pages(pages, program), *missing_options(pages, program), *missing_blocks(pages), *missing_reports(pages), *wrong_ids(pages), *unknown_names(pages, program), *wrong_numbers(program), *false_intervals(), *wrong_timing(program),
              *wrong_errors(pages, program), *wrong_effects(pages, program), *unexplained_keys(pages, program), *wrong_areas(pages, program), *wrong_scale(program), *wrong_versions(pages),
              *dead_links(pages), *far_answers(pages)]
    faults += [f"the navigation has {page}, which there is not" for _, section in written.NAVIGATION for _, page in section
               if page not in pages.files and not page.startswith("cpp/")]
    print(f"{sum(path.endswith('.md') for path in pages.files)} pages", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
