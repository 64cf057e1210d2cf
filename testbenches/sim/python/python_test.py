# SPDX-License-Identifier: Apache-2.0
"""The Python package: what it runs and reads is what the program says.

usage: FLITCAST=PROGRAM python_test.py [TESTS of unittest]
"""
import csv
import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "sim" / "python"))
import flitcast  # noqa: E402

EXPERIMENT = {
    "name": "small", "topology": {"kind": "mesh", "sizes": [4, 4]}, "routing": {"kind": "dimension_order"},
    "workload": {"kind": "traffic", "load": 0.1}, "measure": {"warmup": 100, "window": 500},
}
SWEEP = {**EXPERIMENT, "sweep": {"router.virtual_channels": [1, 2], "workload.load": [0.1, 0.2, 0.3]}, "repeat": 2}


class PackageTest(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory()
        self.addCleanup(self.scratch.cleanup)
        self.folder = pathlib.Path(self.scratch.name)

    def program_says(self, *arguments):
        done = subprocess.run([os.environ["FLITCAST"], *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, check=False)
        return done.stdout

    def table(self, jobs=1):
        return flitcast.sweep(SWEEP, out=self.folder / f"o{jobs}", jobs=jobs)

    def test_a_run_has_the_figures_that_the_program_prints(self):
        (self.folder / "x.yaml").write_text(json.dumps(EXPERIMENT))
        said = json.loads(self.program_says("run", "x.yaml", "--json", "-", "--quiet", "--set", "workload.load=0.2"))
        result = flitcast.run(EXPERIMENT, {"workload.load": 0.2})
        self.assertEqual(result["checksum"], said["checksum"])
        self.assertEqual(result["latency_cycles.mean"], said["latency_cycles"]["mean"])
        self.assertEqual(result.figures()["accepted_flits_per_node_cycle.mean"], said["accepted_flits_per_node_cycle"]["mean"])
        self.assertTrue(result.ok)
        self.assertNotIn("collective.cycles", result)

    def test_a_figure_of_a_class_goes_by_its_name_and_makes_curves(self):
        classes = [{"name": name, "load": load, "packet_length": 2} for name, load in (("bulk", 0.05), ("control", 0.1))]
        experiment = {**EXPERIMENT, "workload": {"kind": "traffic", "classes": classes}}
        result = flitcast.run(experiment)
        self.assertEqual(result["classes.control.latency_cycles.mean"], result.data["classes"][1]["latency_cycles"]["mean"])
        self.assertNotIn("classes.other.latency_cycles.mean", result)
        self.assertNotIn("links.control", result)
        table = flitcast.sweep({**experiment, "sweep": {"workload.classes[0].load": [0.05, 0.2]}}, out=self.folder / "classes")
        self.assertEqual(table.curves("workload.classes[0].load", "classes.bulk.accepted_flits_per_node_cycle"),
                         {"": [(load, result.data["classes"][0]["accepted_flits_per_node_cycle"])
                                      for load, result in zip((0.05, 0.2), table)]})

    def test_a_run_beyond_saturation_is_a_result_and_a_wrong_key_is_an_error(self):
        self.assertEqual(flitcast.run(EXPERIMENT, {"workload.load": 0.9, "measure.drain_limit": 500}).status, "saturated")
        with self.assertRaises(flitcast.FlitcastError) as refused:
            flitcast.run({**EXPERIMENT, "nonsense": 1})
        self.assertEqual(refused.exception.exit_code, 2)
        self.assertIn("nonsense", str(refused.exception))

    def test_a_sweep_has_the_rows_of_the_table_that_the_program_makes(self):
        table = self.table()
        with open(self.folder / "o1" / "results.csv", newline="", encoding="utf-8") as file:
            said = list(csv.DictReader(file))
        rows = table.rows()
        self.assertEqual(len(rows), len(said))
        self.assertEqual(set(said[0]), set(table.columns()))
        for name in ("router.virtual_channels", "workload.load", "seed", "point", "latency_cycles.mean", "packets.delivered"):
            self.assertEqual([float(row[name]) for row in said], [float(row[name]) for row in rows], name)

    def test_a_sweep_is_the_same_however_many_run_at_a_time_and_is_not_run_twice(self):
        one, three = self.table(), self.table(3)
        self.assertEqual(one.rows(), three.rows())
        files = {file: file.stat().st_mtime_ns for file in (self.folder / "o1" / "points").iterdir()}
        self.assertEqual(self.table().rows(), one.rows())
        self.assertEqual(files, {file: file.stat().st_mtime_ns for file in (self.folder / "o1" / "points").iterdir()})

    def test_curves_are_means_over_seeds_for_every_combination_of_other_keys(self):
        table = self.table()
        curves = table.curves("workload.load", "latency_cycles.mean")
        self.assertEqual(list(curves), ["virtual_channels 1", "virtual_channels 2"])
        rows = [row for row in table.rows() if row["router.virtual_channels"] == 2 and row["workload.load"] == 0.2]
        self.assertEqual(len(rows), 2)
        self.assertEqual([x for x, _ in curves["virtual_channels 2"]], [0.1, 0.2, 0.3])
        self.assertAlmostEqual(curves["virtual_channels 2"][1][1], sum(row["latency_cycles.mean"] for row in rows) / 2)

    def test_labels_have_no_keys_that_a_curve_has_not_and_none_that_follow_from_others(self):
        sections = [{"kind": "mesh", "sizes": [4, 4], "label": "mesh"}, {"kind": "hypercube", "dimension": 4, "label": "cube"}]
        together = {"topology": sections, "routing.kind": ["dimension_order", "e_cube"]}
        table = flitcast.sweep({**EXPERIMENT, "sweep": {"zip": together, "workload.load": [0.1, 0.2]}}, out=self.folder / "o")
        self.assertEqual(list(table.curves("workload.load", "hops_mean")), ["mesh", "cube"])
        apart = flitcast.load(self.folder / "o" / "points")
        self.assertEqual(apart.keys[:2], ["topology.kind", "topology.sizes"])
        self.assertEqual(set(apart.curves("workload.load", "hops_mean")), {"mesh", "hypercube"})
        self.assertEqual(set(apart.curves("workload.load", "hops_mean", apart.keys[:2])), {"mesh, sizes 4x4", "hypercube"})

    def test_intervals_are_those_of_the_means_that_the_program_makes(self):
        table = self.table()
        with open(self.folder / "o1" / "means.csv", newline="", encoding="utf-8") as file:
            said = [float(row["latency_cycles.mean.half_width_95"]) for row in csv.DictReader(file)]
        widths = table.intervals("workload.load", "latency_cycles.mean")
        for width, expected in zip(widths["virtual_channels 1"] + widths["virtual_channels 2"], said):
            self.assertAlmostEqual(width / expected, 1, places=3)
        one = flitcast.sweep({**EXPERIMENT, "measure": {"warmup": 500, "window": 20000}, "sweep": {"workload.load": [0.1]}}, out=self.folder / "p")
        self.assertEqual(list(one.intervals("workload.load", "latency_cycles.mean").values()), [[one[0]["latency_cycles.mean_half_width_95"]]])

    def test_saturation_is_the_least_load_with_a_saturated_run(self):
        loads = [0.1, 0.8, 0.9, 0.95]
        table = flitcast.sweep({**EXPERIMENT, "measure": {"warmup": 100, "window": 500, "drain_limit": 500},
                                "sweep": {"workload.load": loads}}, out=self.folder / "o")
        beyond = [result.values["workload.load"] for result in table if result.status == "saturated"]
        self.assertGreater(len(beyond), 1)
        self.assertEqual(list(table.saturation("workload.load", "latency_cycles.mean").values()), [min(beyond)])

    def test_a_folder_of_results_is_compared_by_the_keys_that_differ(self):
        for name, load in (("a", 0.1), ("b", 0.2)):
            self.written(name, load)
        table = flitcast.load(self.folder / "out")
        self.assertEqual(table.keys, ["name", "workload.load"])
        self.assertEqual(table.column("workload.load"), [0.1, 0.2])
        self.assertEqual(flitcast.load(self.folder / "out" / "b.json")["config.workload.load"], 0.2)

    def test_points_without_a_result_are_left_out(self):
        (self.folder / "x.yaml").write_text(json.dumps(SWEEP))
        self.program_says("run", "x.yaml", "--out", "o", "--points", "3", "--quiet")
        table = flitcast.load(self.folder / "o")
        self.assertEqual([result.point for result in table], [3])
        self.assertEqual([one["point"] for one in table.missing], [0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11])
        self.assertEqual({one["reason"] for one in table.missing}, {"it has not been run to its end"})

    def test_a_sweep_says_which_points_failed_and_which_files_are_damaged(self):
        failing = {"workload.hot_spots": [[3], [99], [5]], "workload.pattern": ["hot_spot"]}
        out = self.folder / "o"
        self.assertEqual(len(flitcast.sweep({**EXPERIMENT, "sweep": failing}, out=out)), 2)
        file = out / "points" / f"{json.loads((out / 'sweep.json').read_text())['points'][2]['id']}.json"
        file.write_text(file.read_text()[:-20])
        table = flitcast.load(out)
        self.assertEqual([result.point for result in table], [0])
        self.assertEqual([(one["point"], one["values"]["workload.hot_spots"]) for one in table.missing], [(1, [99]), (2, [5])])
        self.assertIn("there is no node 99", table.missing[0]["reason"])
        self.assertIn(f"{file} is damaged", table.missing[1]["reason"])

    def written(self, name, load):
        """The file of a result."""
        flitcast.call("run", self.experiment_file(), "--quiet", "--set", f"name={name}", "--set", f"workload.load={load}",
                      "--out", self.folder / "out")
        return self.folder / "out" / f"{name}.json"

    def test_a_damaged_file_is_named_and_says_what_is_wrong(self):
        file = self.written("Größe \"a\"", 0.15)
        whole = file.read_bytes()
        self.assertEqual(flitcast.load(file)["config.workload.load"], 0.15)
        digit = whole.index(b'"mean": ') + 8
        other = b"1" if whole[digit:digit + 1] != b"1" else b"2"
        for damaged, why in ((whole[:-40], "no JSON"), (b"", "no JSON"), (whole.replace(b'"mesh"', b'"m\xffsh"'), "no JSON"),
                             (whole[:digit] + other + whole[digit + 1:], "digest")):
            file.write_bytes(damaged)
            with self.assertRaises(flitcast.DamagedResult) as refused:
                flitcast.load(file)
            self.assertIn(f"{file} is damaged: ", str(refused.exception))
            self.assertIn(why, str(refused.exception))
        file.write_bytes(whole.replace(b'"wall_seconds": ', b'"wall_seconds": 1'))
        self.assertTrue(flitcast.load(file).ok)

    def test_a_damaged_file_among_others_is_left_out_with_a_warning(self):
        kept, damaged = self.written("a", 0.1), self.written("b", 0.2)
        damaged.write_bytes(damaged.read_bytes()[:-100])
        with self.assertWarnsRegex(UserWarning, "b.json is damaged"):
            table = flitcast.load(self.folder / "out")
        self.assertEqual([result["name"] for result in table], ["a"])
        self.assertEqual(kept.name, "a.json")

    def test_the_modules_of_the_package_are_there_without_an_import_of_their_own(self):
        calls = "(flitcast.astra.convert, flitcast.goal.convert, flitcast.msccl.convert, flitcast.rtl.export, flitcast.synfull.convert)"
        for text in (f"print(len({calls}))", "print(5 if not hasattr(flitcast, 'nonsense') else 0)"):
            done = subprocess.run([sys.executable, "-B", "-c", f"import flitcast; {text}"], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")})
            self.assertEqual((done.stdout, done.stderr), ("5\n", ""))

    def test_without_matplotlib_a_picture_is_refused_in_words(self):
        (self.folder / "matplotlib.py").write_text("raise ImportError('not installed')\n")
        done = subprocess.run([sys.executable, "-m", "flitcast", "links", "x.json", "x.svg"], capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": f"{self.folder}:{ROOT / 'sim' / 'python'}"})
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr, "pictures need matplotlib, from Debian's python3-matplotlib or from PyPI: not installed\n")

    def experiment_file(self):
        file = self.folder / "x.yaml"
        file.write_text(json.dumps(EXPERIMENT))
        return file


class PictureTest(PackageTest):
    """Needs matplotlib and pandas."""

    def test_frames_have_the_columns_of_the_table(self):
        table = self.table()
        frame = table.frame()
        self.assertEqual(list(frame.columns), table.columns())
        self.assertEqual(list(frame["latency_cycles.mean"]), table.column("latency_cycles.mean"))

    def test_a_plot_has_a_line_for_every_curve_with_its_points(self):
        table = self.table()
        figure = flitcast.plots.latency_over_load(table)
        drawn = {line.get_label(): [tuple(point) for point in line.get_xydata()] for line in figure.axes[0].lines}
        self.assertEqual(drawn, table.curves("workload.load", "latency_cycles.mean"))

    def test_curves_by_a_figure_lie_over_another_figure(self):
        table = self.table()
        x, y = "accepted_flits_per_node_cycle.mean", "latency_cycles.mean"
        axes = flitcast.plots.curves(table, x, y, by=["topology.name"], logarithmic="x").axes[0]
        self.assertEqual([line.get_label() for line in axes.lines], [table[0]["topology.name"]])
        self.assertEqual(set(axes.lines[0].get_xdata()), {row[x] for row in table.rows()})
        self.assertEqual(axes.get_xscale(), "log")

    def test_plots_have_short_words_with_units_marks_of_saturation_and_bars(self):
        table = flitcast.sweep({**SWEEP, "sweep": {"router.virtual_channels": [1, 2], "workload.load": [0.1, 0.2, 0.9]},
                                "measure": {"warmup": 100, "window": 500, "drain_limit": 500}}, out=self.folder / "o")
        axes = flitcast.plots.latency_over_load(table).axes[0]
        self.assertEqual(axes.get_xlabel(), "offered load (flits per node and cycle)")
        self.assertEqual(axes.get_ylabel(), "mean latency (cycles)")
        self.assertEqual(flitcast.plots.axis_text("link.latency"), "latency (cycles)")
        self.assertEqual(flitcast.plots.axis_text("router.buffer_depth"), "buffer depth")   # Flits or packets.
        top = axes.get_ylim()[1]
        marks = [tuple(line.get_xydata()[-1]) for line in axes.lines if line.get_label() == "_saturated"]
        self.assertEqual(marks, [(0.9, top)] * 2)
        self.assertGreaterEqual(axes.get_xlim()[1], 0.9)
        self.assertIn("saturated", [text.get_text() for text in axes.get_legend().get_texts()])
        (low, high), = [segment[:, 1] for segment in axes.collections[0].get_segments()][:1]
        mean, width = (values["virtual_channels 1"][0] for values in (table.curves("workload.load", "latency_cycles.mean"),
                                                                     table.intervals("workload.load", "latency_cycles.mean")))
        self.assertAlmostEqual((high + low) / 2, mean[1])
        self.assertAlmostEqual((high - low) / 2, width)
        self.assertEqual(axes.figure.get_size_inches().tolist(), [5.0, 3.2])

    def test_a_bar_for_every_combination_is_as_long_as_its_mean(self):
        table = self.table()
        axes = flitcast.plots.bars(table, "hops_mean", by=["router.virtual_channels"]).axes[0]
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()], ["virtual_channels 1", "virtual_channels 2"])
        column = [row["hops_mean"] for row in table.rows() if row["router.virtual_channels"] == 2]
        self.assertAlmostEqual(axes.patches[1].get_width(), sum(column) / len(column))

    def test_channels_and_bins_of_a_result_are_drawn(self):
        result = flitcast.run(EXPERIMENT)
        lines = flitcast.plots.links(result).axes[0].collections[0]
        self.assertEqual(len(lines.get_segments()), result["topology.channels"])
        self.assertEqual(max(lines.get_array()), max(link["load"] for link in result["links"] if link["kind"] == "router"))
        bars = flitcast.plots.histogram(result).axes[0].patches
        self.assertEqual([bar.get_height() for bar in bars], [packets for _, packets in result["latency_cycles.histogram"]])

    def test_the_command_line_draws_into_a_file(self):
        self.table()
        file = self.folder / "curve.svg"
        subprocess.run([sys.executable, "-m", "flitcast", "curves", "workload.load", "latency_cycles.p99", self.folder / "o1", file],
                       check=True, env={**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")})
        self.assertIn("<svg", file.read_text())


for name in [name for name in dir(PackageTest) if name.startswith("test_")]:
    setattr(PictureTest, name, None)   # Tests of the other class only.

def main():
    if "PictureTest" in sys.argv and not all(importlib.util.find_spec(name) for name in ("matplotlib", "pandas")):
        print("there is no matplotlib, or no pandas: scripts/setup report")
        return 77
    unittest.main()
    return 0


if __name__ == "__main__":
    sys.exit(main())
