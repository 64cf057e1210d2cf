# SPDX-License-Identifier: Apache-2.0
"""Files that a converter writes: their places, and all of them or none."""
import contextlib
import os
import pathlib
import tempfile


class Refused(ValueError):
    """Inputs that cannot be converted; `refusals` is a line for each reason."""

    def __init__(self, refusals):
        super().__init__("\n".join(refusals))
        self.refusals = list(refusals)


def check_new_folder(folder, report):
    """Refuses a place for a folder where something is already, unless it is an empty folder."""
    folder = pathlib.Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        report.refuse(folder, "exists and is not an empty folder", "name another one, or remove it")


def check_different(paths, words, report):
    """Refuses paths that are one file. None stands for a file that is not wanted.

    @param words  The names of the files, for the hint: "the model and the trace".
    """
    named = [pathlib.Path(path).resolve() for path in paths if path is not None]
    for path in dict.fromkeys(path for path in named if named.count(path) > 1):
        report.refuse(path.name, "is named twice", f"give {words} names of their own")


def seen_from(experiment, trace):
    """The path of a trace as an experiment names it: relative to its folder where it is below that."""
    folder, trace = pathlib.Path(experiment).resolve().parent, pathlib.Path(trace).resolve()
    return trace.relative_to(folder) if folder in trace.parents else trace


def write_all(files):
    """Writes all files, {path: bytes}, or none of them: beside their places first. Folders are made."""
    with contextlib.ExitStack() as stack:
        moves = []
        for path, data in files.items():
            path = pathlib.Path(path)
            path.parent.mkdir(parents=True, exist_ok=True)
            beside = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent))) / path.name
            beside.write_bytes(data)
            moves.append((beside, path))
        for beside, path in moves:
            os.replace(beside, path)
