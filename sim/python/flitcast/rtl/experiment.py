# SPDX-License-Identifier: Apache-2.0
"""An experiment as the program is asked about it."""
import pathlib
from typing import NamedTuple

from ..program import words_of

FILES = ("file", "escape_table")  # Keys whose values are paths.


class Experiment(NamedTuple):
    file: str
    settings: tuple = ()  # KEY=VALUE in place of the file's own.
    point: int = None     # Index in its sweep, from 0.

    @property
    def words(self):
        """Arguments of every command."""
        return words_of(self.file, self.settings, self.point)

    def short(self, cycles):
        """Arguments of a run of that many cycles, without a warm-up."""
        return ["--set", "measure.warmup=0", "--set", f"measure.window={cycles}"]

    def with_paths(self, config):
        """Parts of a configuration as an experiment in any folder can have them."""
        return {key: self._resolved(value) if isinstance(value, dict) else value for key, value in config.items()}

    def _resolved(self, section):
        return {key: self._resolved(value) if isinstance(value, dict) else self._path(value) if key in FILES else value
                for key, value in section.items()}

    def _path(self, value):
        """Relative to the folder of the experiment, or else to the working directory."""
        beside = pathlib.Path(self.file).resolve().parent / value
        return str(beside if beside.exists() else pathlib.Path(value).resolve())
