# SPDX-License-Identifier: Apache-2.0
"""A page for every key of an experiment, from `flitcast list parameters --json` and the examples."""
import json
import re

import effects as effects_of_keys
import examples as example_files
from pages import block, link, plain, slug, table
from program import SECTIONS

SECTION_FIRST = "top level"


def path_of(name):
    return f"keys/{slug(name)}.md"


def number(value):
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else f"{value:g}"


def bounds(entry):
    least, most = entry.get("minimum"), entry.get("maximum")
    if least is None and most is None:
        return "any" if entry["type"] in ("integer", "number") else ""
    if most is None:
        return f"from {number(least)}"
    return f"up to {number(most)}" if least is None else f"{number(least)} to {number(most)}"


def default(entry):
    if "default" not in entry:
        return "none; it may be absent" if entry.get("optional") else "none; the key is required where it applies"
    return "empty" if entry["default"] in ("", [], {}) else f"`{as_text(entry['default'])}`"


def as_text(value):
    """A value as a file of an experiment has it."""
    return value if isinstance(value, str) else json.dumps(value)


def choices(entry, page_of_choice):
    names = [page_of_choice(entry, name) or f"`{name}`" for name in entry.get("choices", ())]
    names += [f"`{{{name}: integer}}`" for name in entry.get("counted", ())]
    names += [f"`{{{name}: [integers]}}`" for name in entry.get("enumerated", ())]
    return ", ".join(names)


def applies(entry):
    return " and ".join(f"`{given['key']}` is " + " or ".join(f"`{value}`" for value in given["values"])
                        for given in entry.get("when", ()))


def facts(entry, page_of_choice):
    """The table of one declaration of a key."""
    rows = [("type", entry["type"]), ("unit", entry.get("unit", "")), ("also in", ", ".join(entry.get("units", ()))),
            ("range", bounds(entry)), ("default", default(entry)), ("choices", choices(entry, page_of_choice)), ("applies when", applies(entry))]
    return table(("", ""), [(what, said) for what, said in rows if said])


def as_yaml(name, value):
    """The lines of an experiment that set a key."""
    lines, depth = [], 0
    for part in name.split("."):
        item = part.endswith("[]")
        lines.append("  " * depth + part.removesuffix("[]") + ":")
        depth += 1
        if item:
            lines.append("  " * depth + "-")
            depth += 1
    lines[-1] += f" {value}"
    return "\n".join(lines)


def sample(entry):
    """A value that the key may have."""
    if entry.get("default") not in (None, "", [], {}):
        return as_text(entry["default"])
    return (entry.get("choices") or ["..."])[0]


def keys_of(section, declared):
    """Pairs of a key in a section, sections in it among them, and its help."""
    inside = re.compile(re.escape(section) + r"(\[\])?\.(NAME\.)?[\w\[\]]+")
    return [(name, entries[0]["help"]) for name, entries in declared.items() if inside.fullmatch(name)]


def page(name, declared, used, path, page_of_choice, effects, below):
    text = f"# `{name}`\n"
    for number_of, entry in enumerate(declared, 1):
        text += f"\n## Declaration {number_of} of {len(declared)}\n" if len(declared) > 1 else ""
        text += f"\n{plain(entry['help'])}\n" + facts(entry, page_of_choice)
    entry = declared[0]
    if below:
        text += "\n## Its keys\n" + table(("key", "what it is"), [(link(f"`{key}`", path, path_of(key)), plain(said)) for key, said in below])
    elif entry["type"] not in SECTIONS and "NAME" not in name:
        text += "\n## In a file and on the command line\n" + block(as_yaml(name, sample(entry)), "yaml")
        if "[]" not in name:
            text += block(f"flitcast run FILE --set {name}={sample(entry)}", "sh")
    text += effects_of_keys.part(name, effects, path, path_of)
    text += "\n## Examples\n\n" + (example_files.links(used, path) if used else "No file of `sim/examples` sets it.\n")
    return text + f"\n{link('All keys', path, 'keys/index.md')}\n"


def add_pages(pages, program, examples, page_of_choice):
    """@param page_of_choice  link from a key's page to the catalog entry that one of its choices names; None if there is none"""
    declared, effects = program.keys, effects_of_keys.measured(program)
    sections = {}
    for name, entries in declared.items():
        path = path_of(name)
        pages.add(path, page(name, entries, [e for e in examples if e.has(name)], path, page_of_choice, effects, keys_of(name, declared)))
        if name == "sweep" or "." in name or entries[0]["type"] not in SECTIONS:  # Sections have the names of common words.
            pages.name(name, path)
        sections.setdefault(name.split(".")[0].split("[")[0] if "." in name else SECTION_FIRST, []).append((name, entries))
    index = "keys/index.md"
    text = ("# Keys\n\nWhat a file of an experiment can say. A key may be set in the file, by `--set KEY=VALUE`, or in `sweep`; "
            "`flitcast list parameters` prints the same, `flitcast schema` writes it as JSON Schema for an editor.\n")
    for section, members in sections.items():
        rows = [(link(f"`{name}`", index, path_of(name)), ", ".join(dict.fromkeys(entry["type"] for entry in entries)),
                 " / ".join(dict.fromkeys(entry.get("unit", "") for entry in entries if entry.get("unit"))), plain(" / ".join(dict.fromkeys(entry["help"] for entry in entries))))
                for name, entries in members]
        text += f"\n## {section}\n" + table(("key", "type", "unit", "what it is"), rows)
    pages.add(index, text)
    pages.name("--set", index)
