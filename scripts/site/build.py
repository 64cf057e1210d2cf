# SPDX-License-Identifier: Apache-2.0
"""Builds the manual. See scripts/manual.

usage: build.py PROGRAM OUT [--pages]     --pages: the Markdown alone, which needs no MkDocs
"""
import concurrent.futures
import json
import pathlib
import shutil
import subprocess
import sys

import yaml

import catalogs
import commands
import cpp
import examples
import figures
import keys
import notebooks
import readmes
import refusals
import reports
import rtl
import versions
import written
from pages import Pages
from program import Program

THEME = pathlib.Path(__file__).parent / "theme"


def make_pages(program):
    """All pages of the manual."""
    pages, files = Pages(), examples.read()
    with concurrent.futures.ThreadPoolExecutor(1) as beside:
        computed = beside.submit(written.compute, program)
        add_generated(pages, program, files)
        computed.result()
    written.add_pages(pages, program)
    for file in THEME.glob("assets/*"):
        pages.add(f"assets/{file.name}", file.read_bytes())
    pages.finish()
    return pages


def add_generated(pages, program, files):
    keys.add_pages(pages, program, files, catalogs.link_of_choice(program))
    figures.add_pages(pages, program, files)
    catalogs.add_pages(pages, program, files)
    commands.add_pages(pages, program)
    examples.add_pages(pages, files, program)
    notebooks.add_pages(pages)
    reports.add_pages(pages)
    refusals.add_pages(pages, program)
    rtl.add_pages(pages, program)
    versions.add_pages(pages, program)
    cpp.add_pages(pages)
    readmes.add_pages(pages)


def configuration(program, out):
    """The configuration of MkDocs: no fonts, no addresses of others, links that work without a server."""
    return {
        "site_name": "flitcast", "site_description": f"Manual of flitcast {program.version}", "docs_dir": str(out / "pages"),
        "site_dir": str(out / "site"), "use_directory_urls": False, "copyright": f"flitcast {program.version}, Apache-2.0",
        "theme": {
            "name": "material", "custom_dir": str(THEME / "overrides"), "font": False, "language": "en",
            "features": ["navigation.tabs", "navigation.top", "search.highlight"],
            "icon": {"logo": "material/grid"}, "favicon": "assets/icon.svg",
            "palette": [
                {"media": "(prefers-color-scheme: light)", "scheme": "default", "primary": "indigo", "accent": "indigo",
                 "toggle": {"icon": "material/weather-night", "name": "Dark"}},
                {"media": "(prefers-color-scheme: dark)", "scheme": "slate", "primary": "indigo", "accent": "indigo",
                 "toggle": {"icon": "material/weather-sunny", "name": "Light"}},
            ],
        },
        "plugins": [{"search": {"lang": "en", "separator": r"[\s\-.,:;=\[\](){}/`]+"}}],
        "markdown_extensions": ["tables", "pymdownx.superfences", {"toc": {"permalink": True, "toc_depth": 3}}, "pymdownx.highlight"],
        "extra_css": ["assets/extra.css"], "extra": {"generator": False},
        "nav": [{title: [{name: path} for name, path in below]} for title, below in written.NAVIGATION],
    }


REFERENCE = ("keys/", "figures/", "catalogs/", "commands/", "examples/", "rtl/")  # Folders of short pages.


def add_offline_search(site):
    """Puts index and worker of the search into scripts, because a page that is opened from a disk may not fetch files. The index
    has short pages as a whole, without an entry for each of their headings: it is built anew by every page that is opened."""
    file = site / "search" / "search_index.json"
    index = json.loads(file.read_text(encoding="utf-8"))
    index["docs"] = [doc for doc in index["docs"] if not ("#" in doc["location"] and doc["location"].startswith(REFERENCE))]
    index = json.dumps(index, separators=(",", ":"))
    file.write_text(index, encoding="utf-8")
    worker = next((site / "assets" / "javascripts" / "workers").glob("search.*.js")).read_text(encoding="utf-8")
    (site / "assets" / "offline_worker.js").write_text(f"var searchWorker = {json.dumps(worker)};\n", encoding="utf-8")
    (site / "assets" / "offline_index.js").write_text(f"searchIndexIs({index});\n", encoding="utf-8")


def main(program_path, out, *options):
    out = pathlib.Path(out).absolute()
    program = Program(pathlib.Path(program_path).absolute())
    shutil.rmtree(out / "pages", ignore_errors=True)
    make_pages(program).write(out / "pages")
    if "--pages" in options:
        return
    cpp.make_reference(out / "pages" / "cpp", program.version)
    (out / "mkdocs.yml").write_text(yaml.safe_dump(configuration(program, out), sort_keys=False), encoding="utf-8")
    subprocess.run([sys.executable, "-m", "mkdocs", "build", "--quiet", "--clean", "--strict", "-f", str(out / "mkdocs.yml")], check=True)
    add_offline_search(out / "site")


if __name__ == "__main__":
    main(*sys.argv[1:])
