# SPDX-License-Identifier: Apache-2.0
"""The notebooks of sim/examples/notebooks before they are run: valid, without results, with conclusions that can fail, and with keys, figures,
commands and options that there are. scripts/notebooks runs them.

usage: notebooks_test.py PROGRAM [FOLDER]     exit code 1 and a line for each thing that is not so
"""
import ast
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "sim" / "examples" / "notebooks"
FEWEST = 6
OPEN = {"sweep", "zip"}  # Sections of an experiment whose keys are names of other keys.


class Program:
    """Keys, figures and commands that the program lists."""

    def __init__(self, path):
        self.path = path
        self.keys = self.listed("parameters")
        self.names = self.keys | self.listed("figures")
        self.sections = {name.partition(".")[0] for name in self.names if "." in name}

    def says(self, *words):
        return subprocess.run([self.path, *words], capture_output=True, text=True, check=False).stdout

    def listed(self, what):
        return {entry["name"] for entry in json.loads(self.says("list", what, "--json"))[what]}

    def has(self, name):
        """True for a key, a figure, or a section of them."""
        return name in self.names or any(known.startswith((f"{name}.", f"{name}[]")) for known in self.names)

    def faults_of_call(self, words):
        """Commands and options among the words of a call that there are not; words of other kinds than constants are None."""
        command = []
        while words and words[0] and re.fullmatch("[a-z]+", words[0]) and re.search(rf"^  {words[0]} ", self.says(*command, "--help"), re.M):
            command.append(words.pop(0))
        if not command:
            yield f"there is no command {words[0]}"
        options = self.says(*command, "--help")
        yield from (f"{' '.join(command)} has no option {word}" for word in words if word and word.startswith("--")
                    and not re.search(rf"{word}\b", options))


def constant(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def keys_of(node, path=""):
    """Full names of the keys of a dictionary that is written out."""
    for key, value in zip(node.keys, node.values):
        name = constant(key) if key else None
        if name is None:
            continue
        swept = path in OPEN
        full = name if swept or not path else f"{path}.{name}"
        if name not in OPEN:
            yield full
        if isinstance(value, ast.Dict) and (not swept or name in OPEN):  # Values of a sweep are steps.
            yield from keys_of(value, full)


def faults_of_code(source, program):
    tree = ast.parse(source)
    inner = {id(value) for node in ast.walk(tree) if isinstance(node, ast.Dict) for value in node.values}
    for node in ast.walk(tree):
        text = constant(node)
        if text and re.fullmatch(r"[a-z_]+(\.\w+)+", text) and text.partition(".")[0] in program.sections and not program.has(text):
            yield f"there is no key or figure {text}"
        if isinstance(node, ast.Dict) and id(node) not in inner and {constant(key) for key in node.keys if key} & {"topology", "workload"}:
            yield from (f"there is no key {name}" for name in keys_of(node) if not program.has(name) and name not in ("name", "seed"))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "flitcast.call":
            yield from program.faults_of_call([constant(word) for word in node.args])


def faults_of_text(source, program):
    for word in re.findall(r"`([^`\n]+)`", source):
        if re.fullmatch(r"[a-z_]+(\.\w+)+", word) and word.partition(".")[0] in program.sections and not program.has(word):
            yield f"there is no key or figure {word}"
        if word.startswith("flitcast "):
            yield from program.faults_of_call(word.split()[1:])


def faults_of(file, program):
    try:
        notebook = json.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        yield f"it is no JSON: {error}"
        return
    try:
        import nbformat
        nbformat.validate(notebook)
    except ImportError:
        pass  # The form is also checked where notebooks are run.
    except nbformat.ValidationError as error:
        yield f"it is no notebook: {error.message}"
    if notebook["nbformat"] != 4 or notebook["metadata"].get("kernelspec", {}).get("name") != "python3":
        yield "it is not of format 4 for the kernel python3"
    cells = notebook["cells"]
    if len({cell["id"] for cell in cells}) != len(cells):
        yield "two cells have one id"
    if not (cells[0]["cell_type"] == "markdown" and "".join(cells[0]["source"]).startswith("# ")):
        yield "it does not begin with a title"
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    if any(cell["outputs"] or cell["execution_count"] is not None for cell in cells if cell["cell_type"] == "code"):
        yield "it has results, which are not for the version control"
    if "assert " not in "".join(code[-1:]):
        yield "its last cell, the conclusion, has no assertion"
    for source in code:
        if not source.startswith("%%"):  # Files in another language.
            yield from faults_of_code(source, program)
    for cell in cells:
        if cell["cell_type"] == "markdown":
            yield from faults_of_text("".join(cell["source"]), program)


def main(program, folder=FOLDER):
    program = Program(program)
    files = sorted(pathlib.Path(folder).glob("*.ipynb"))
    faults = [f"{file.name}: {fault}" for file in files for fault in faults_of(file, program)]
    if len(files) < FEWEST:
        faults.append(f"there are only {len(files)} notebooks")
    print(f"{len(files)} notebooks", *faults, sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
