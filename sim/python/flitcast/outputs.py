# SPDX-License-Identifier: Apache-2.0
"""Files that a converter writes: their places, and all of them or none."""
import contextlib
import os
import pathlib
import re
import shutil
import sys
import tempfile

from .astra.inputs import Report
from .program import BAD_INPUT, DONE, FlitcastError


MOST_PRINTED = 20
_LINE = re.compile(r".*?:(\d+):")


class Refused(ValueError):
    """Inputs that cannot be converted; `refusals` is a line for each reason, in the order of lines of the input. str() has the first ones."""

    def __init__(self, refusals):
        self.refusals = sorted(refusals, key=_line_of)
        more = len(self.refusals) - MOST_PRINTED
        super().__init__("\n".join(self.refusals[:MOST_PRINTED] + ([f"and {counted(more, 'more problem')}"] if more > 0 else [])))


def _line_of(refusal):
    """The line of the input that a refusal is about; 0 if it is about none."""
    found = _LINE.match(refusal.split(" ", 1)[0])
    return int(found[1]) if found else 0


def shown(text):
    """The begin of a text for a message."""
    return text if len(text) <= 60 else f"{text[:60]}..."


def counted(number, noun):
    """A number with a noun, whose plural has an s."""
    return f"{number} {noun}{'s' if number != 1 else ''}"


def check_new_folder(folder, report):
    """Refuses a place for a folder where something is already, unless it is an empty folder."""
    folder = pathlib.Path(folder)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        report.refuse(folder, "exists and is not an empty folder", "name another one, or remove it")
    _check_parents(folder, report)


def check_file(path, report):
    """Refuses a place for a file where a folder is, or below a file."""
    path = pathlib.Path(path)
    if path.is_dir():
        report.refuse(path, "is a folder", "name a file")
    _check_parents(path, report)


def _check_parents(path, report):
    existing = next((parent for parent in path.parents if parent.exists()), None)
    if existing is not None and not existing.is_dir():
        report.refuse(path, f"{existing} is a file", "name a place in a folder")


def check_different(paths, words, report):
    """Refuses paths that are one file. None stands for a file that is not wanted.

    @param words  The names of the files, for the hint: "the model and the trace".
    """
    named = [pathlib.Path(path).resolve() for path in paths if path is not None]
    for path in dict.fromkeys(path for path in named if named.count(path) > 1):
        report.refuse(path.name, "is named twice", f"give {words} names of their own")


def add_experiment(files, experiment, text):
    """Adds an experiment to {path: bytes} of the traces that it replays. Raises Refused if its place is that of one of them."""
    if pathlib.Path(experiment).resolve() in {pathlib.Path(path).resolve() for path in files}:
        raise Refused([f"{experiment}: is the place of a trace; name another file for the experiment"])
    files[pathlib.Path(experiment)] = text.encode()


def seen_from(experiment, trace):
    """The path of a trace as an experiment names it: relative to its folder where it is below that."""
    folder, trace = pathlib.Path(experiment).resolve().parent, pathlib.Path(trace).resolve()
    return trace.relative_to(folder) if folder in trace.parents else trace


def write_all(files):
    """Writes all files, {path: bytes}, or none of them: beside their places first. Folders are made. Raises Refused."""
    report = Report()
    for path in files:
        check_file(path, report)
    if report.refusals:
        raise Refused(report.refusals)
    place = None
    try:
        # The stacks unwind in this order: files, then the folders beside them, then new folders.
        with contextlib.ExitStack() as made, contextlib.ExitStack() as beside, contextlib.ExitStack() as moved:
            moves = []
            for place, data in files.items():
                path = pathlib.Path(place)
                _make_folder(path.parent, made)
                scratch = pathlib.Path(beside.enter_context(tempfile.TemporaryDirectory(prefix=f".{path.name[:100]}.", dir=path.parent)))
                (scratch / "new").write_bytes(data)
                moves.append((scratch, path))
            for scratch, place in moves:
                _move(scratch, place, moved)
            moved.pop_all()
            made.pop_all()
    except OSError as error:
        raise Refused([f"{place}: cannot be written ({error.strerror}); name a place where files can be written"]) from error


def run_conversion(make, summary):
    """Makes and writes what a command asks for, and prints its notes and a line on it. The exit code.

    @param make     Returns the files, {path: bytes}, as `files`, and lines as `notes`.
    @param summary  The line, of what `make` has returned.
    """
    try:
        made = make()
        write_all(made.files)
    except (Refused, FlitcastError, OSError) as error:
        print(error, file=sys.stderr)
        return BAD_INPUT
    for note in made.notes:
        print(f"note: {note}", file=sys.stderr)
    print(summary(made))
    return DONE


def _make_folder(folder, undo):
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir()
        undo.callback(one.rmdir)


def _move(scratch, path, undo):
    """Moves the new file of a folder to its place; a copy of the old one is kept in the folder."""
    if path.is_symlink() or path.exists():
        shutil.copy2(path, scratch / "old", follow_symlinks=False)
        os.replace(scratch / "new", path)
        undo.callback(os.replace, scratch / "old", path)
    else:
        os.replace(scratch / "new", path)
        undo.callback(path.unlink)
