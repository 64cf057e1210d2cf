# SPDX-License-Identifier: Apache-2.0
"""A page for every notebook of sim/examples/notebooks, with the results that scripts/notebooks has left in build/notebooks."""
import base64
import json

from pages import ROOT, block, link, table

FOLDER = ROOT / "sim" / "examples" / "notebooks"
RESULTS = ROOT / "build" / "notebooks"


def cells_of(file):
    return json.loads(file.read_text(encoding="utf-8"))["cells"] if file.exists() else []


def sources(cells):
    return ["".join(cell["source"]) for cell in cells]


class Notebook:
    """A notebook: its cells, those of its last run if that was of the same sources, and its title."""

    def __init__(self, file):
        self.name = file.stem
        self.path = f"notebooks/{file.stem}.md"
        self.cells, ran = cells_of(file), cells_of(RESULTS / file.name)
        self.has_results = sources(ran) == sources(self.cells)
        if self.has_results:
            self.cells = ran
        self.title, _, about = sources(self.cells)[0].removeprefix("# ").partition("\n")
        self.about = " ".join(about.strip().split("\n\n")[0].split())


def results(cell, pages, notebook):
    """Text and pictures of a cell that has run, as Markdown; pictures become files beside the page."""
    for number, found in enumerate(cell.get("outputs", [])):
        data = found.get("data", {})
        if found["output_type"] == "stream":
            yield block("".join(found["text"]))
        elif "image/png" in data:
            picture = f"pictures/{notebook.name}_{cell['id']}_{number}.png"
            pages.add(f"notebooks/{picture}", base64.b64decode("".join(data["image/png"])))
            yield f"\n![result of the cell above]({picture})\n"
        elif "text/plain" in data:
            yield block("".join(data["text/plain"]))


def page(notebook, pages):
    parts = []
    for cell in notebook.cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(f"\n{text}\n")
        else:
            other = text.startswith("%%")
            parts += [block(text, "cpp" if other else "python"), *results(cell, pages, notebook)]
    said = "These are the results of its last run" if notebook.has_results else "Its results are on this page once it has been run"
    return "".join(parts).lstrip() + f"\nThe notebook is `{(FOLDER / notebook.name).relative_to(ROOT)}.ipynb`. {said}:\n" + block(
        f"scripts/notebooks {notebook.name}", "sh")


def add_pages(pages):
    notebooks = [Notebook(file) for file in sorted(FOLDER.glob("*.ipynb"))]
    for notebook in notebooks:
        pages.add(notebook.path, page(notebook, pages))
        pages.name(f"{notebook.name}.ipynb", notebook.path)
    index = "notebooks/index.md"
    pages.add(index, "# Notebooks\n\nJupyter notebooks of `sim/examples`, each from a question to a conclusion that it checks.\n"
              + table(("notebook", "begins with"), [(link(made.title, index, made.path), made.about) for made in notebooks]))
    pages.name("sim/examples/notebooks", index)
