# SPDX-License-Identifier: Apache-2.0
"""The C++ API: a page of the public headers, and the pages that Doxygen makes of them and of the headers that they include."""
import re
import subprocess

from pages import ROOT, plain, table

PUBLIC = ROOT / "models" / "include" / "flitcast"
STYLE = "/usr/share/doxygen-awesome-css/doxygen-awesome.css"


def comment_of(file):
    """The first sentence of the comment at the top."""
    text = file.read_text(encoding="utf-8").partition("#include")[0]
    words = " ".join(line.lstrip("/ ").strip() for line in text.splitlines() if line.startswith("//") and "SPDX" not in line)
    return words.removeprefix("@file ").split(". ")[0].rstrip(".") + "."


def headers():
    """The public headers and all that they include, by their paths."""
    todo, seen = sorted(PUBLIC.glob("*.h")), []
    while todo:
        file = todo.pop(0)
        if file in seen:
            continue
        seen.append(file)
        for name in re.findall(r'^ *#include "([^"]+)"', file.read_text(encoding="utf-8"), re.M):
            todo += [found for found in (ROOT / "models" / name, ROOT / name) if found.exists()][:1]
    return seen


def add_pages(pages):
    pages.add("cpp.md", "# C++\n\nWhat a project elsewhere includes. The comments of the headers are the reference: units, latency, errors, source "
              "in the literature. [Classes and functions](cpp/index.html) has all of them.\n"
              + table(("header", "what it offers"), [(f"`<flitcast/{file.name}>`", plain(comment_of(file))) for file in sorted(PUBLIC.glob("*.h"))]))


def make_reference(folder, version):
    """Runs Doxygen; its pages are in `folder`/html."""
    settings = {
        "PROJECT_NAME": "flitcast", "PROJECT_NUMBER": version, "PROJECT_BRIEF": '"C++ API"', "INPUT": " ".join(map(str, headers())),
        "OUTPUT_DIRECTORY": folder.parent, "HTML_OUTPUT": folder.name, "GENERATE_LATEX": "NO", "HAVE_DOT": "NO", "QUIET": "YES",
        "WARNINGS": "NO", "WARN_IF_UNDOCUMENTED": "NO", "WARN_IF_DOC_ERROR": "NO", "JAVADOC_AUTOBRIEF": "YES", "STRIP_FROM_PATH": ROOT / "models",
        "EXTRACT_ALL": "YES", "SHOW_USED_FILES": "NO", "GENERATE_TREEVIEW": "YES", "HTML_EXTRA_STYLESHEET": STYLE, "MARKDOWN_SUPPORT": "NO",
        "HTML_TIMESTAMP": "NO", "VERBATIM_HEADERS": "NO", "EXCLUDE_SYMBOLS": "detail", "CLASS_GRAPH": "TEXT",
    }
    text = "".join(f"{name} = {value}\n" for name, value in settings.items())
    subprocess.run(["doxygen", "-"], input=text, text=True, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
