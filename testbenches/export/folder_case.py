# SPDX-License-Identifier: Apache-2.0
"""A folder for exported networks, and what is verified there."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from experiments import EXPERIMENTS, FILES, ROOT

sys.path.insert(0, str(ROOT / "sim" / "python"))
from flitcast.rtl.files import all_files, write_folder  # noqa: E402
from flitcast.rtl.verify import verify, visits_of_model  # noqa: E402

CYCLES = 60


def said_by(*command, folder):
    """Everything that a tool prints, and its exit code unless that is 0."""
    done = subprocess.run([*map(str, command)], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    return done.stdout + (f"exit code {done.returncode}" if done.returncode else "")


class FolderCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file_of(self, name, **keys):
        """The file of an experiment, beside those that it names."""
        for file, text in FILES.items():
            (self.folder / file).write_text(text, encoding="utf-8")
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(EXPERIMENTS[name] | keys), encoding="utf-8")
        return path

    def write(self, exported, prefix=None, change=None, name="rtl"):
        folder = self.folder / name
        shutil.rmtree(folder, ignore_errors=True)
        files = all_files(exported.design, prefix, exported.vectors, exported.facts)
        write_folder(folder, change(files) if change else files)
        return folder

    def tools_without(self, *names):
        """A folder with links to all programs of /usr/bin but some."""
        tools = self.folder / "tools"
        shutil.rmtree(tools, ignore_errors=True)
        tools.mkdir()
        for program in pathlib.Path("/usr/bin").iterdir():
            if program.name not in names:
                (tools / program.name).symlink_to(program)
        return tools

    def check_tools(self, folder, top, files=None, yosys=False):
        listed = files or f"{top}.f"
        self.assertEqual(said_by("verilator", "--lint-only", "-Wall", "--top-module", top, "-f", listed, folder=folder), "")
        self.assertEqual(said_by("iverilog", "-g2012", "-t", "null", "-s", top, "-c", listed, folder=folder), "")
        if yosys:
            sources = (folder / listed).read_text(encoding="utf-8").split()
            script = f"read_verilog -sv {' '.join(sources)}; hierarchy -check -top {top}; proc; check -assert"
            self.assertEqual(said_by("yosys", "-q", "-p", script, folder=folder), "")

    def check_equal(self, exported, simulator, folder=None):
        self.assertGreater(len(visits_of_model(exported)), 100)
        self.assertIsNone(verify(exported, self.folder / (folder or f"verified_{simulator}"), simulator))
