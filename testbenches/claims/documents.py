# SPDX-License-Identifier: Apache-2.0
"""sim/claims/documents.md leads from every section of the documents to the statements of the catalog.

usage: documents.py PROGRAM [--write]     exit code 1 if the page is not that of the catalog; --write writes it
"""
import pathlib
import re
import subprocess
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "sim/claims/documents.md"
BEGIN = """# From the documents to the statements

Every section of the five documents, with the ids of its statements in the order of the page. `flitcast claims ID` shows one at
the example of its page, `flitcast claims 001` all of a document, `flitcast claims` their sentences.
`testbenches/claims/documents.py` writes this page from the catalog.
"""


def documents_of(listing):
    """The documents of the list, each as (heading, count, sections); a section is (name, ids)."""
    documents = []
    for line in listing.splitlines():
        heading = re.fullmatch(r"(\d{3} .*), (\d+ statements)", line)
        if heading:
            documents.append((heading[1], heading[2], []))
        elif re.match(r" {2}\S", line):
            documents[-1][2].append((line.strip(), []))
        elif re.match(r" {4}\S", line):
            documents[-1][2][-1][1].append(f"`{line.strip()}`")
    return documents


def text_of(heading, count, sections):
    rows = [f"| {name} | {', '.join(ids)} |" for name, ids in sections]
    return "\n".join([f"\n## {heading}\n", f"{count}.\n", "| section | statements |", "|---|---|", *rows]) + "\n"


def page_of(listing):
    return BEGIN + "".join(text_of(*document) for document in documents_of(listing))


def main():
    done = subprocess.run([sys.argv[1], "claims"], capture_output=True, text=True, check=True)
    page = page_of(done.stdout)
    if "--write" in sys.argv:
        PAGE.write_text(page)
        return 0
    if PAGE.read_text() == page:
        return 0
    print(f"{PAGE.name} is not the page of the catalog: python3 {pathlib.Path(__file__).name} PROGRAM --write")
    return 1


if __name__ == "__main__":
    sys.exit(main())
