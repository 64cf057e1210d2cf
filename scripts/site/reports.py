# SPDX-License-Identifier: Apache-2.0
"""The page of reports: the rules of the TLM-2.0 base protocol, and the errors of modules with pins and of terminals, from the sources."""
import re

from pages import ROOT, plain, table

MODULES = ("models/network", "models/tlm")
# Calls with the rule and the text of an error, and variables that hold a text.
REPORTING = r"(?:\b(?:report_error|report|misuse|require)\(|std::string message =)(.*?);\n"
ID = r'"((?:fabric|pins|stream|terminal|tlm)/[a-z_]+)"'  # A rule in the sources, without "/flitcast/".


def rules():
    """Pairs of the name of a rule and its demand."""
    text = (ROOT / "models/tlm/protocol_rules.cpp").read_text(encoding="utf-8").partition("kTexts{{")[2].partition("}};")[0]
    for name, demand in re.findall(r'\{("(?:[^"])*"),\s*((?:"[^"]*"\s*)+)\}', text):
        yield name.strip('"'), "".join(re.findall(r'"([^"]*)"', demand))


def ids():
    """The ids of all reports: those of the rules of the base protocol, and those in the sources."""
    found = {"tlm/" + name.lower().replace(" ", "_") for name, _ in rules()}
    for top in MODULES:
        for file in (ROOT / top).rglob("*.[hc]*"):
            found |= set(re.findall(ID, file.read_text(encoding="utf-8")))
    return {f"/flitcast/{one}" for one in found}


def errors():
    """Pairs of a file and the fixed text of an error that it reports."""
    for top in MODULES:
        for file in sorted((ROOT / top).rglob("*.[hc]*")):
            text = file.read_text(encoding="utf-8")
            for call in re.findall(REPORTING, text, re.S) if "report_error(" in text or "misuse(" in text else ():
                words = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', re.sub(ID + r'|"tlm/"', "", call))).replace('\\"', '"')
                if len(re.findall(r"[a-z]+", words)) > 2:  # Others take the whole text from elsewhere.
                    yield file.relative_to(ROOT), words


def add_pages(pages):
    pages.add("reports.md", "# Reports of modules\n\n[Errors in files and on command lines](errors.md) have a page of their own. "
              "Modules report misuse as errors of SystemC with their name, the cycle and [an id](guide/reports.md), by which a kind is counted or silenced.\n"
              "\n## Rules of the TLM-2.0 base protocol\n\nA violation is reported as `rule \"NAME\" of the base protocol`, with the time and what "
              "was seen.\n" + table(("rule", "what it demands"), [(f"`{name}`", plain(demand)) for name, demand in rules()])
              + "\n## Errors of modules\n\nHere `{}` stands for what the report names.\n"
              + table(("message", "reported by"), [(plain(words), f"`{file}`") for file, words in errors()]))
