#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manifests of rtl/ as FuseSoC and Bender read them: complete, in an order that compiles, and compared with the modules.

usage: rtl_packages_test.py
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
RTL = ROOT / "rtl"


def said_by(*command, folder=RTL):
    run = subprocess.run(command, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return run.stdout + (f"exit code {run.returncode}" if run.returncode else "")


def core():
    head, text = (RTL / "flitcast.core").read_text(encoding="utf-8").split("\n", 1)
    return head, yaml.safe_load(text)


def bender_files():
    manifest = yaml.safe_load((RTL / "Bender.yml").read_text(encoding="utf-8"))
    return [file for group in manifest["sources"] for file in group["files"]]


def files_of(target, core):
    return [file for name in core["targets"][target]["filesets"] for file in core["filesets"][name]["files"]]


class ManifestTest(unittest.TestCase):
    def test_files_are_those_of_the_folder_each_once_in_both(self):
        present = sorted(str(file.relative_to(RTL)) for file in RTL.rglob("*.sv"))
        self.assertGreater(len(present), 40)
        self.assertEqual(sorted(bender_files()), present)
        self.assertEqual(sorted(files_of("default", core()[1])), present)

    def test_the_core_has_the_form_and_the_version_that_fusesoc_asks_for(self):
        head, found = core()
        self.assertEqual(head, "CAPI=2:")
        self.assertEqual(set(found), {"name", "description", "filesets", "targets"})
        vendor, library, name, version = found["name"].split(":")
        self.assertEqual((vendor, library, name), ("flitcast", "rtl", "flitcast"))
        self.assertIn(f"\nversion: {version}\n", (ROOT / "CITATION.cff").read_text(encoding="utf-8"))
        for fileset in found["filesets"].values():
            self.assertIn(fileset["file_type"], ("systemVerilogSource", "vlt"))
            for file in fileset["files"]:
                self.assertTrue((RTL / file).is_file(), file)
        for target in found["targets"].values():
            self.assertLessEqual(set(target["filesets"]), set(found["filesets"]))

    def test_a_file_compiles_with_those_before_it_alone(self):
        files = bender_files()
        self.assertEqual(files, files_of("default", core()[1]))
        for number, file in enumerate(files, 1):
            with self.subTest(file):
                self.assertEqual(said_by("iverilog", "-g2012", "-t", "null", "-s", pathlib.Path(file).stem, *files[:number]), "")

    def test_every_design_has_a_target_that_verilator_reads_without_a_warning(self):
        _, found = core()
        designs = {name for name in found["targets"] if name != "default"}
        self.assertLessEqual({"mesh", "store_forward_router", "clos_network"}, designs)
        for name in designs:
            with self.subTest(name):
                target = found["targets"][name]
                options = target["tools"]["verilator"]
                self.assertEqual(options["mode"], "lint-only")
                self.assertEqual(said_by("verilator", "--lint-only", *options["verilator_options"], "--top-module", target["toplevel"],
                                         *files_of(name, found)), "")


class StaleTest(unittest.TestCase):
    """Each change of a copy of rtl/ makes both manifests stale, and writing them again makes them right."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = pathlib.Path(folder.name)
        shutil.copytree(RTL, self.tree / "rtl")
        shutil.copy(ROOT / "CMakeLists.txt", self.tree)

    def check(self):
        said = said_by(sys.executable, "-B", ROOT / "scripts" / "rtl_packages", "--check", self.tree)
        return [line.split(":")[0] for line in said.splitlines() if line.startswith("rtl/")], said.endswith("exit code 1")

    def assert_stale(self, *manifests):
        self.assertEqual(self.check(), ([f"rtl/{name}" for name in manifests], True))
        said_by(sys.executable, "-B", ROOT / "scripts" / "rtl_packages", self.tree)
        self.assertEqual(self.check(), ([], False))

    def test_the_present_manifests_are_those_that_would_be_written(self):
        self.assertEqual(self.check(), ([], False))

    def test_a_new_module(self):
        (self.tree / "rtl/common/flitcast_new.sv").write_text("module flitcast_new;\nendmodule\n")
        self.assert_stale("flitcast.core", "Bender.yml")

    def test_a_removed_module(self):
        (self.tree / "rtl/common/flitcast_matrix_arbiter.sv").unlink()
        self.assert_stale("flitcast.core", "Bender.yml")

    def test_a_new_instance_changes_the_order(self):
        file = self.tree / "rtl/common/flitcast_credit_counter.sv"
        file.write_text(file.read_text().replace("endmodule", "  flitcast_xy_route route ();\nendmodule"))
        self.assert_stale("flitcast.core", "Bender.yml")

    def test_another_version_concerns_the_core_alone(self):
        file = self.tree / "CMakeLists.txt"
        file.write_text(file.read_text().replace("flitcast VERSION ", "flitcast VERSION 9."))
        self.assert_stale("flitcast.core")


unittest.main()
