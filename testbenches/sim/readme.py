# SPDX-License-Identifier: Apache-2.0
"""The statements of the READMEs and of the written pages of the manual hold: their commands succeed, the outputs they show come out,
the files they name exist, and what a flit costs is what the benchmark has counted. READMEs are short.

usage: readme.py PROGRAM     exit code 1 and a line for each thing that is not so

In a block marked `sh` every line `flitcast ...` must succeed. In a block marked `console` a line `$ flitcast ...` must
print the lines that follow it; there `...` stands for the rest of a line, or alone for any number of lines.
"""
import concurrent.futures
import csv
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Maximum of lines; the README of a layer leads to the manual, where the rest stands.
MOST_LINES, MOST_OF_A_LAYER = {"README.md": 150, "sim/README.md": 120, "rtl/README.md": 140, "sim/examples/README.md": 80,
                               "testbenches/README.md": 80}, 60
FILES = {file.name for top in ("models", "sim", "rtl", "testbenches", "scripts") for file in (ROOT / top).rglob("*")}
MODULES = ["sim", "sim/examples", "testbenches", "rtl", *(f"models/{room.name}" for room in sorted((ROOT / "models").iterdir()) if room.is_dir())]


def blocks(text):
    """Pairs of the mark and the lines of every fenced block."""
    return [(mark, body.splitlines()) for mark, body in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.S | re.M)]


def shown_commands(lines):
    """Pairs of a command and the lines that it is shown to print."""
    for line in lines:
        if line.startswith("$ "):
            command, shown = line[2:], []
            yield command, shown
        else:
            shown.append(line)


def pattern_of(shown):
    """A regular expression for the shown lines."""
    parts = [r"(?:.*\n)*?" if line.strip() == "..." else r"[^\n]*".join(map(re.escape, line.rstrip().split("..."))) + r"[^\n]*\n"
             if line.rstrip().endswith("...") else re.escape(line.rstrip()) + r"[ ]*\n" for line in shown]
    return re.compile("".join(parts))


def call(program, command, folder):
    """Runs `command` at the top of the sources, its results in a folder of its own."""
    words = shlex.split(command, comments=True)
    words = [f"{folder}/{word}" if option == "--draw" else word for option, word in zip(["", *words], words)]
    if words[1] == "run":
        words += ["--out", folder]
    return subprocess.run([program, *words[1:]], cwd=ROOT, capture_output=True, text=True, check=False)


def check_command(program, command, shown, folder):
    done = call(program, command, folder)
    done.stdout = done.stdout.replace(folder, "out")
    if done.returncode != 0:
        return f"`{command}` ends with {done.returncode}: {done.stderr.strip()}"
    if shown is not None and not pattern_of(shown).fullmatch(done.stdout):
        return f"`{command}` prints\n{done.stdout}instead of\n" + "\n".join(shown)
    return None


def commands_of(text):
    for mark, lines in blocks(text):
        if mark == "sh":
            yield from ((line, None) for line in lines if line.startswith("flitcast "))
        elif mark == "console":
            yield from ((command, shown) for command, shown in shown_commands(lines) if command.startswith("flitcast "))


def missing_files(readme, text):
    """Files and folders in backquotes, by the folder of the README or by the top, that do not exist; /flitcast/ begins an id of reports."""
    prose = re.sub(r"^```.*?^```$", "", text, flags=re.S | re.M)
    for name in re.findall(r"`([\w./-]+/[\w./-]*|[\w-]+\.(?:h|cpp|sv|py|yaml|md))`", prose):
        if name in ("GB/s", "Gb/s") or "/x" in name or "NAME" in name or "NNN" in name or name.startswith(("out/", "points/", "build/", "/flitcast/", "-")) or "FOLDER" in name:
            continue
        if "/" not in name:
            if name not in FILES:
                yield name
        elif not any((base / name).exists() for base in (readme.parent, readme.parent.parent, ROOT, ROOT / "models")):
            yield name


def wrong_costs(text):
    """Costs of the README that are not those of the benchmark's table, rounded."""
    with open(ROOT / "scripts" / "benchmark" / "rows.csv", newline="", encoding="utf-8") as file:
        costs = {row["row"]: round(float(row["instructions"])) for row in csv.DictReader(file)}
    for row, words in (("reference", r"(\d+) instructions on an 8x8 mesh"), ("clos_request", r"(\d+) for a request to a Clos")):
        said = re.findall(words, text)
        if said != [str(costs[row])]:
            yield f"README.md says {said} instructions for {row}, rows.csv {costs[row]}"


def main():
    program = os.path.abspath(sys.argv[1])
    faults, jobs = list(wrong_costs((ROOT / "README.md").read_text())), []
    faults += [f"{room} has no README.md" for room in MODULES if not (ROOT / room / "README.md").exists()]
    readmes = [ROOT / "README.md", *(file for top in ("models", "rtl", "sim", "testbenches") for file in sorted((ROOT / top).rglob("README.md")))]
    for file in readmes:
        lines, most = len(file.read_text().splitlines()), MOST_LINES.get(str(file.relative_to(ROOT)), MOST_OF_A_LAYER)
        if lines > most:
            faults.append(f"{file.relative_to(ROOT)} has {lines} lines, more than {most}")
    files = [str(file.relative_to(ROOT)) for file in (*readmes, *sorted((ROOT / "scripts" / "site" / "text").rglob("*.md")))]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name in files:
            text = (ROOT / name).read_text()
            faults += [f"{name}: there is no {file}" for file in missing_files(ROOT / name, text)]
            for number, (command, shown) in enumerate(commands_of(text)):
                own = f"{folder}/{name.replace('/', '_')}_{number}"
                jobs.append((name, pool.submit(check_command, program, command, shown, own)))
        faults += [f"{name}: {job.result()}" for name, job in jobs if job.result()]
    print(f"{len(jobs)} commands of {len(files)} READMEs and pages", *faults, sep="\n")
    return 1 if faults or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
