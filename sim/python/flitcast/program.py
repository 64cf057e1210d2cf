# SPDX-License-Identifier: Apache-2.0
"""The program, and what it says when it ends."""
import json
import os
import shutil
import subprocess

DONE, BAD_INPUT, NOT_CONVERGED, DEADLOCKED, POINTS_MISSING = 0, 2, 3, 4, 5


class FlitcastError(RuntimeError):
    """The program has ended without what it was to do. `exit_code` and `words` say why."""

    def __init__(self, exit_code, words):
        super().__init__(words.strip() or f"flitcast has ended with {exit_code}")
        self.exit_code, self.words = exit_code, words


def program():
    """The path of the program: FLITCAST, or that on the PATH."""
    found = os.environ.get("FLITCAST") or shutil.which("flitcast")
    if not found:
        raise FileNotFoundError("there is no flitcast on the PATH: name the program in the variable FLITCAST")
    return found


def words_of(file, settings=(), point=None):
    """The arguments of every command that name an experiment.

    @param settings  Texts KEY=VALUE in place of keys of the file.
    @param point     Of its sweep, from 0.
    """
    words = [file, *(word for setting in settings for word in ("--set", setting))]
    return words + (["--point", point] if point is not None else [])


def call(*arguments, accepted=(DONE,)):
    """Standard output of the program. Raises FlitcastError unless its exit code is `accepted`, OSError if it cannot be started."""
    path = program()
    try:
        done = subprocess.run([path, *map(str, arguments)], capture_output=True, text=True, check=False)
    except OSError as error:
        raise type(error)(f"{path} cannot be started ({error.strerror}): name the program in the variable FLITCAST") from error
    if done.returncode not in accepted:
        raise FlitcastError(done.returncode, done.stderr)
    return done.stdout


def call_json(*arguments, accepted=(DONE,)):
    """The value of the JSON that the program prints. Raises as call(), and FlitcastError if it is no JSON."""
    text = call(*arguments, accepted=accepted)
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise no_answer("no JSON") from error


def no_answer(what):
    """The FlitcastError of a program that ends well and prints something else than it was asked for."""
    return FlitcastError(DONE, f"{program()} printed {what}, so it is no flitcast, or a damaged one: name the program in the variable FLITCAST")
