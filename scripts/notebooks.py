# SPDX-License-Identifier: Apache-2.0
"""Runs notebooks of sim/examples/notebooks, each in a kernel of its own. See scripts/notebooks.

usage: notebooks.py OUT [NAME...]
"""
import os
import pathlib
import sys
import time

import nbclient
import nbformat
from jupyter_client.kernelspec import KernelSpec
from jupyter_client.manager import AsyncKernelManager

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "sim" / "examples" / "notebooks"
MOST_SECONDS = 600  # For a cell.


class ThisPython(AsyncKernelManager):
    """Kernels of the interpreter that runs this file, whatever kernels are installed under the name in the notebook."""

    @property
    def kernel_spec(self):
        return KernelSpec(argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"], language="python")


def failed_cell(notebook):
    """The source of the cell with an error among its results."""
    return next(cell.source for cell in notebook.cells if any(found.output_type == "error" for found in cell.get("outputs", [])))


def run(file, out):
    """Writes the notebook with its results into `out`, also if a cell fails; returns what failed."""
    notebook = nbformat.read(file, as_version=4)
    client = nbclient.NotebookClient(notebook, timeout=MOST_SECONDS, kernel_manager_class=ThisPython,
                                     resources={"metadata": {"path": str(FOLDER)}})
    try:
        client.execute()
    except nbclient.exceptions.CellExecutionError as failure:
        return f"{failure.ename}: {failure.evalue}\nin the cell\n{failed_cell(notebook)}"
    finally:
        draft = out / f"{file.name}.draft"
        nbformat.write(notebook, draft)
        os.replace(draft, out / file.name)
    return None


def main(out, *names):
    files = [FOLDER / f"{name.removesuffix('.ipynb')}.ipynb" for name in names] or sorted(FOLDER.glob("*.ipynb"))
    failed = False
    for file in files:
        if not file.exists():
            sys.exit(f"there is no notebook {file.stem}; take {', '.join(one.stem for one in sorted(FOLDER.glob('*.ipynb')))}")
        begin = time.monotonic()
        failure = run(file, pathlib.Path(out))
        print(f"{file.stem}: {'failed' if failure else 'passed'} in {time.monotonic() - begin:.0f} s", flush=True)
        if failure:
            failed = True
            print(failure)
    sys.exit(failed)


if __name__ == "__main__":
    main(*sys.argv[1:])
