# SPDX-License-Identifier: Apache-2.0
"""A page for every figure of a result, from `flitcast list figures --json` and the committed results of the examples."""
import json

from pages import ROOT, block, link, plain, slug, table


def path_of(name):
    return f"figures/{slug(name)}.md"


def values(result, parts):
    """All values of a figure in a result; lists are looked through."""
    if isinstance(result, list):
        for item in result:
            yield from values(item, parts)
    elif not parts:
        yield result
    elif isinstance(result, dict) and parts[0] in result:
        yield from values(result[parts[0]], parts[1:])


def found_in(results, name):
    """Names of examples whose committed results have the figure, and the first value."""
    found = {}
    for case in results:
        for value in values(case.get("figures", {}), name.replace("[]", "").split(".")):
            if not isinstance(value, (dict, list)):
                found.setdefault(case["example"], value)
                break
    return found


def page(entry, found, examples, path):
    name = entry["name"]
    text = f"# `{name}`\n\n{plain(entry['meaning'])}\n" + table(("", ""), [("unit", entry["unit"])] if entry.get("unit") else [])
    text += "\n## Read it\n" + block(f'result = flitcast.run("FILE.yaml")\nresult["{name}"]', "python")
    used = [example for example in examples if example.name in found]
    if used:
        rows = [(link(f"`{example.name}`", path, example.path), found[example.name]) for example in used[:12]]
        text += "\n## In committed results\n" + table(("example, first point that has it", "value"), rows)
    return text + f"\n{link('All figures', path, 'figures/index.md')}\n"


def add_pages(pages, program, examples):
    results = json.loads((ROOT / "sim" / "expected" / "examples.json").read_text(encoding="utf-8"))
    groups = {}
    for entry in program.listed("figures"):
        path = path_of(entry["name"])
        pages.add(path, page(entry, found_in(results, entry["name"]), examples, path))
        pages.name(entry["name"], path)
        groups.setdefault(entry["name"].split(".")[0].removesuffix("[]"), []).append(entry)
    index = "figures/index.md"
    text = ("# Figures\n\nWhat a result says, `out/NAME.json`. Tables of sweeps have a column for each figure that is a number or a "
            "word, by the same name; objectives and constraints of `optimise` take these names, too.\n")
    single = [group for group in groups.values() if len(group) == 1]
    for title, members in [("single figures", [entry for group in single for entry in group]),
                           *((name, group) for name, group in groups.items() if len(group) > 1)]:
        rows = [(link(f"`{entry['name']}`", index, path_of(entry["name"])), entry.get("unit", ""), plain(entry["meaning"])) for entry in members]
        text += f"\n## {title}\n" + table(("figure", "unit", "meaning"), rows)
    pages.add(index, text)
