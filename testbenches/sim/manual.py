#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual page and the completion name every command and option that the help of the program names.

usage: manual.py PROGRAM
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def output(*words, **more):
    return subprocess.run(words, check=True, capture_output=True, text=True, **more).stdout


def commands(program, path=()):
    """Every command with its options, by the help that users read."""
    text = output(program, *path, "--help")
    yield path, set(re.findall(r"^ +(?:-\w,)?(--[\w-]+)", text, re.M))
    listed = text.partition("\nSubcommands:\n")[2]
    for name in re.findall(r"^  (\w+)  ", listed, re.M):
        yield from commands(program, (*path, name))


def completed(script, line, folder):
    """The completions that bash offers for the last word of a line, which may be empty."""
    words = line.split(" ")
    bash = f'source {script}; COMP_WORDS=({" ".join(w or chr(39) * 2 for w in words)}); COMP_CWORD={len(words) - 1}; '
    bash += '_flitcast; printf "%s\\n" "${COMPREPLY[@]}"'
    return output("bash", "-uc", bash, cwd=folder).split()


def check_manual(program, folder):
    page = folder / "flitcast.1"
    page.write_text(output(program, "manual"))
    lint = subprocess.run(("mandoc", "-T", "lint", "-W", "warning", str(page)), capture_output=True, text=True).stdout
    # The same sources give the same page on every day.
    assert not (said := [line for line in lint.splitlines() if "missing date" not in line]), said
    text = output("mandoc", "-T", "ascii", str(page))
    plain = re.sub(".\b", "", text)  # Bold letters are struck twice.
    sections = re.split(r"^   (flitcast[\w ]*)$", plain, flags=re.M)
    by_command = dict(zip(sections[1::2], sections[2::2]))
    for path, options in commands(program):
        part = by_command[" ".join(("flitcast", *path))] if path else plain.partition("\nOPTIONS\n")[2]
        for option in options:
            assert re.search(rf"^ +(-\w,)?{option}( |$)", part, re.M), (path, option)
    for code in ("2 bad input", "4 deadlock"):
        assert code in re.sub(r"\s+", " ", plain.partition("\nEXIT STATUS\n")[2]), code


def check_completion(program, folder):
    script = folder / "completion"
    script.write_text(output(program, "completion"))
    for path, options in commands(program):
        line = " ".join(("flitcast", *path))
        assert set(completed(script, line + " --", folder)) == options, path
    (folder / "experiment.yaml").touch()
    expected = {
        "flitcast ch": ["check"],
        "flitcast clos mi": ["minimum"],
        "flitcast run ex": ["experiment.yaml"],
        "flitcast run experiment.yaml --uns": ["--unsafe"],
        "flitcast run --rerun ": ["failed"],
        "flitcast run --point ": [],
        "flitcast check x.yaml --set router.buffer_d": ["router.buffer_depth="],
        "flitcast clos route --join re": ["reroute"],
        "flitcast list topo": ["topologies"],
        "flitcast nothing": [],
    }
    for line, words in expected.items():
        assert completed(script, line, folder) == words, (line, completed(script, line, folder))


def main():
    with tempfile.TemporaryDirectory() as folder:
        check_manual(sys.argv[1], Path(folder))
        check_completion(sys.argv[1], Path(folder))


main()
