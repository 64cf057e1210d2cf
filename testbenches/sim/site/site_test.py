# SPDX-License-Identifier: Apache-2.0
"""The site of the manual in a browser: built within five minutes, no dead link, nothing asked of a network, a clean console, and a search
that finds what newcomers look for, also where the pages are opened from a disk.

usage: site_test.py PROGRAM FOLDER [--look]     builds into FOLDER; --look: also takes screenshots into FOLDER/pictures
Exit code 1 and a line for each thing that is not so; 77 without the packages or a browser.
"""
import base64
import functools
import html.parser
import http.server
import os
import pathlib
import subprocess
import sys
import threading
import time
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "testbenches" / "sim" / "report"))
import answers  # noqa: E402
import chromium  # noqa: E402

MOST_SECONDS = 300
# Words that a newcomer types, and the end of an address that the search must name.
SEARCHES = {"credit": "", "saturated": "", "--set": "start.html", "grid_ring": "grid_ring.html", "router.buffer_depth": "router.buffer_depth.html",
            "latency_cycles.mean": "latency_cycles.mean.html", "deadlock": ""}
LOOKED_AT = ["index.html", "start.html", "keys/index.html", "keys/router.buffer_depth.html", "catalogs/topologies/dragonfly.html",
             "catalogs/collectives/all_reduce.grid_ring.html", "commands/run.html", "overview.html", "tutorials/rtl.html", "coming_from.html", "rtl/flitcast_wormhole_router.html", "cpp.html",
             "how/verdicts.html", "how/router.html", "truth.html", "reports.html"]


class Page(html.parser.HTMLParser):
    """Addresses that a page links to, those that it loads, its anchors, and the words and links of its text, without the navigation."""

    def __init__(self, file):
        super().__init__()
        self.links, self.loads, self.anchors = set(), set(), set()
        self.words, self.text_links, self.in_text = "", [], False
        self.feed(file.read_text(encoding="utf-8"))

    def handle_endtag(self, tag):
        self.in_text &= tag != "article"

    def handle_data(self, data):
        self.words += data if self.in_text else ""

    def handle_starttag(self, tag, attrs):
        has = dict(attrs)
        self.in_text |= tag == "article"
        self.anchors.update(filter(None, (has.get("id"), has.get("name"))))
        if tag == "a" and has.get("href"):
            self.links.add(has["href"])
            self.text_links += [has["href"]] if self.in_text else []
        elif tag == "link" and has.get("rel") != "canonical":
            self.loads.add(has.get("href"))
        elif has.get("src"):
            self.loads.add(has["src"])


def static_faults(site):
    pages = {file: Page(file) for file in site.rglob("*.html")}
    for file, page in pages.items():
        if file.name == "404.html":
            continue
        where = file.relative_to(site)
        for address in page.links | page.loads:
            parts = urllib.parse.urlsplit(address)
            if parts.scheme or parts.netloc:
                if address in page.loads and parts.scheme not in ("data", "javascript"):
                    yield f"{where} loads {address}"
                continue
            target = pathlib.Path(os.path.normpath(file.parent / urllib.parse.unquote(parts.path))) if parts.path else file
            if not target.exists():
                yield f"{where}: there is no {address}"
            elif parts.fragment and target in pages and where.parts[0] != "cpp" \
                    and urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
                yield f"{where}: {address} has no such anchor"
    yield from far_answers(site, pages)
    print(f"{len(pages)} pages")


def far_answers(site, pages):
    """Answers that are not found by a few clicks on links in the text of pages."""
    clicks, todo = {site / "index.html": 0}, [site / "index.html"]
    for file in todo:
        for address in pages[file].text_links:
            parts = urllib.parse.urlsplit(address)
            target = pathlib.Path(os.path.normpath(file.parent / urllib.parse.unquote(parts.path)))
            if not parts.scheme and target in pages and target not in clicks:
                clicks[target] = clicks[file] + 1
                todo.append(target)
    for question, (path, words) in answers.ANSWERS.items():
        file = site / path.replace(".md", ".html")
        if clicks.get(file, answers.MOST_CLICKS + 1) > answers.MOST_CLICKS or words not in " ".join(pages[file].words.split()):
            yield f"{question} {path}: {clicks.get(file)} clicks from the front page, or without {words}"


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        """Prints nothing."""


def serve(site):
    """A server of the site."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def open_address(browser, address):
    browser.events = []
    browser.call("Page.navigate", url=address)
    while not any(event["method"] == "Page.loadEventFired" for event in browser.events):
        browser.events.append(browser.next_message())


def found(browser, words):
    """Addresses that the search shows for the words."""
    script = """(async () => {
      const field = document.querySelector(".md-search__input");
      document.querySelector("#__search").checked = true;
      field.focus(); field.value = WORDS;
      field.dispatchEvent(new KeyboardEvent("keyup", {key: "a", bubbles: true})); field.dispatchEvent(new Event("input", {bubbles: true}));
      for (let wait = 0; wait < 300; ++wait) {
        await new Promise((done) => setTimeout(done, 100));
        if (wait % 20 == 19) {  // Types on, as a reader does whose first letters came before the index.
          field.value = wait % 40 == 19 ? WORDS.slice(0, -1) : WORDS;
          field.dispatchEvent(new KeyboardEvent("keyup", {key: "a", bubbles: true}));
        }
        if (wait % 40 < 5 || wait % 40 >= 19) continue;  // The field has only a part of the words, or has just got the rest.
        const links = [...document.querySelectorAll(".md-search-result__link")].map((link) => link.href);
        if (links.length && !/Type to start|Initializing/.test(document.querySelector(".md-search-result__meta").textContent)) return links;
      }
      return [document.querySelector(".md-search-result__meta").textContent];
    })()"""
    return browser.tell(script.replace("WORDS", repr(words)))


def browser_faults(site, top):
    """@param top  address of the site, by a server or on the disk"""
    with chromium.Browser() as browser:
        for words, end in SEARCHES.items():
            open_address(browser, f"{top}/start.html")
            links = found(browser, words)
            if not any(link.startswith(top) and end in link for link in links):
                yield f"{top}: the search for {words} finds {links[:5]}"
            yield from (f"{top}: {said}" for said in browser.complaints())
        for page in filter(lambda page: (site / page).exists(), LOOKED_AT):
            open_address(browser, f"{top}/{page}")
            yield from (f"{page}: {said}" for said in browser.complaints())
            yield from (f"{page} asks for {address}" for address in browser.requests() if not address.startswith((top, "data:", "blob:")))
            width = browser.painted("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if width > 0:
                yield f"{page} is {width} pixels wider than the window"


def look(site, folder, pages):
    """Screenshots of pages at two widths, dark and light."""
    folder.mkdir(parents=True, exist_ok=True)
    for scheme in ("light", "dark"):
        with chromium.Browser() as browser:  # The theme remembers the first choice of a browser.
            browser.prefer(scheme)
            for width in (1280, 400):
                browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False)
                for page in filter(lambda page: (site / page).exists(), pages):
                    browser.open(site / page)
                    reply = browser.call("Page.captureScreenshot", format="png")
                    name = f"{page.replace('/', '_')}-{width}-{scheme}.png"
                    (folder / name).write_bytes(base64.b64decode(reply["data"]))


def main(program, folder, *options):
    if chromium.path() is None or subprocess.run(["/usr/bin/python3", "-c", "import mkdocs, material"], capture_output=True).returncode:
        return 77
    folder = pathlib.Path(folder).absolute()
    begin = time.monotonic()
    if "--built" not in options:
        subprocess.run([ROOT / "scripts" / "manual", "--out", folder], env={**os.environ, "FLITCAST": program}, check=True)
    faults = [] if time.monotonic() - begin < MOST_SECONDS else [f"the build took {time.monotonic() - begin:.0f} s"]
    site = folder / "site"
    faults += static_faults(site)
    server = serve(site)
    faults += browser_faults(site, f"http://127.0.0.1:{server.server_port}")
    faults += browser_faults(site, site.as_uri())
    if "--look" in options:
        look(site, folder / "pictures", LOOKED_AT)
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
