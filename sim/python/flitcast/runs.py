# SPDX-License-Identifier: Apache-2.0
"""Runs of experiments."""
import concurrent.futures
import contextlib
import json
import os
import pathlib
import tempfile

from .program import DEADLOCKED, DONE, NOT_CONVERGED, POINTS_MISSING, call, call_json
from .results import Result, load


@contextlib.contextmanager
def _file_of(experiment):
    """The path of an experiment; a dictionary becomes a file, which goes away again."""
    if not isinstance(experiment, dict):
        yield os.fspath(experiment)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "experiment.yaml"
        file.write_text(json.dumps(experiment), encoding="utf-8")  # JSON is YAML.
        yield os.fspath(file)


def _assignments(keys):
    return [word for key, value in (keys or {}).items() for word in ("--set", f"{key}={json.dumps(value)}")]


def run(experiment, keys=None, *, point=None, unsafe=False):
    """The Result of an experiment.

    @param experiment  A file, or a dictionary.
    @param keys        Values of keys in place of its own, by full names.
    @param point       Of its sweep, from 0.
    Raises FlitcastError for what is no experiment; a run that is saturated or deadlocked has a result that says so.
    """
    with _file_of(experiment) as file:
        words = ["run", file, "--json", "-", "--quiet", *_assignments(keys)]
        words += ["--point", point] if point is not None else []
        words += ["--unsafe"] if unsafe else []
        return Result(call_json(*words, accepted=(DONE, NOT_CONVERGED, DEADLOCKED)))


def sweep(experiment, keys=None, *, out, jobs=1):
    """The Table of all points of an experiment, `jobs` of them at a time, in the folder `out`; what is there already is not
    run again. Points that have failed are left out of the table, and are its `missing`.
    """
    with _file_of(experiment) as file:
        words = [file, *_assignments(keys)]
        points = [point["point"] for point in call_json("points", *words, "--out", out, "--json")]
        accepted = (DONE, NOT_CONVERGED, POINTS_MISSING)
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(lambda point: call("run", *words, "--out", out, "--points", point, "--quiet", accepted=accepted), points))
    return load(out)
