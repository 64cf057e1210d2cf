# SPDX-License-Identifier: Apache-2.0
"""The shared library: networks in the process of their user deliver as `flitcast run` does.

usage: FLITCAST=PROGRAM FLITCAST_LIBRARY=LIBRARY DRIVE=PROGRAM library_test.py [TESTS of unittest]     DRIVE is made of drive.c

The test in SystemVerilog compiles drive.sv, if Verilator is installed.
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "sim" / "python"))
import flitcast  # noqa: E402

CYCLES = 4000
MESH = {"topology": {"kind": "mesh", "sizes": [4, 4]}, "routing": {"kind": "dimension_order"}}
# Experiments, their nodes and the length of their longest packets.
NETWORKS = {
    "mesh": (MESH, 16, 9),
    "cut_through": ({**MESH, "router": {"kind": "virtual_cut_through", "buffer_depth": 12}}, 16, 12),
    "adaptive": ({"topology": {"kind": "torus", "sizes": [4, 4]}, "routing": {"kind": "minimal_adaptive"},
                  "router": {"virtual_channels": 3}}, 16, 7),
    "circuits": ({"topology": {"kind": "clos", "ports": [2], "switches": 4, "middle_switches": 5}, "router": {"kind": "circuit"},
                  "routing": {"kind": "central_control"}}, 8, 6),
    "pins": ({**MESH, "run": {"implementation": "pins"}}, 16, 5),
    "threads": ({**MESH, "run": {"threads": 2}, "topology": {"kind": "mesh", "sizes": [8, 8]}}, 64, 5),
}
# Members of results that differ between a run and a network of the library with the same packets.
OWN = ("name", "id", "config", "digest", "wall_seconds", "host", "cycles", "notes")


def packets(seed, nodes, longest):
    """Packets of all nodes in rising cycles, several of one node in a cycle among them; all arrive before CYCLES."""
    draw = random.Random(seed)
    cycles = sorted(draw.randrange(CYCLES // 2) for _ in range(60 * nodes))
    return [(cycle, source, (source + draw.randrange(1, nodes)) % nodes, draw.randint(1, longest))
            for cycle in cycles for source in [draw.randrange(nodes)] for _ in range(draw.choice([1, 1, 1, 3]))]


class LibraryTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def run_of(self, name, seed):
        """The result of `flitcast run` with the packets of a seed as a trace."""
        experiment, nodes, longest = NETWORKS[name]
        trace = self.folder / f"{name}{seed}.csv"
        trace.write_text("cycle,src,dst,flits\n" + "".join(f"{c},{s},{d},{n}\n" for c, s, d, n in packets(seed, nodes, longest)))
        return flitcast.run({**experiment, "workload": {"kind": "trace", "format": "csv", "file": str(trace)}}).data

    def files_of(self, name, seed):
        """The files of an experiment and its packets for DRIVE."""
        experiment, nodes, longest = NETWORKS[name]
        files = self.folder / f"{name}.json", self.folder / f"{name}{seed}.txt"
        files[0].write_text(json.dumps({**experiment, "workload": {"kind": "given"}}))
        files[1].write_text("".join(f"{c} {s} {d} {n} 0\n" for c, s, d, n in packets(seed, nodes, longest)))
        return files

    def driven(self, *networks):
        """The figures of networks that a program in C has driven by turns."""
        files = [file for name, seed in networks for file in self.files_of(name, seed)]
        done = subprocess.run([os.environ["DRIVE"], str(CYCLES), *files], capture_output=True, text=True, check=False)
        self.assertEqual(done.stderr, "")
        return json.loads(f"[{done.stdout}]")

    def assert_same(self, figures, result):
        self.assertEqual(figures["checksum"], result["checksum"])
        self.assertEqual(figures["status"], "ok")
        self.assertEqual({key: value for key, value in figures.items() if key not in OWN}, {key: value for key, value in result.items() if key not in OWN})

    def test_packets_sent_in_c_are_delivered_as_those_of_a_trace(self):
        for name in NETWORKS:
            with self.subTest(name):
                self.assert_same(self.driven((name, 1))[0], self.run_of(name, 1))

    def verilated(self, top, file):
        """A program that Verilator has made of a module which drives networks."""
        if shutil.which("verilator") is None:
            self.skipTest("no verilator")
        library = pathlib.Path(os.environ["FLITCAST_LIBRARY"])
        made = subprocess.run(["verilator", "--binary", "-Wall", "-Wno-UNUSEDSIGNAL", "-Wno-DECLFILENAME", "--top-module", top, "--Mdir", self.folder / top,
                               ROOT / "sim" / "library" / "flitcast_dpi_pkg.sv", file, "-LDFLAGS", f"{library} -Wl,-rpath,{library.parent}"],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual((made.returncode, made.stderr), (0, ""))
        return self.folder / top / f"V{top}"

    def test_packets_sent_in_systemverilog_are_delivered_as_those_of_a_trace(self):
        drive = self.verilated("drive", ROOT / "testbenches" / "sim" / "library" / "drive.sv")

        def driven(experiment, trace):
            return subprocess.run([drive, f"+experiment={experiment}", f"+trace={trace}", f"+cycles={CYCLES}"], capture_output=True, text=True, check=False)

        for name in NETWORKS:
            with self.subTest(name):
                done = driven(*self.files_of(name, 6))
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assert_same(json.loads(done.stdout[:done.stdout.rindex("}") + 1]), self.run_of(name, 6))
        refused = self.folder / "refused.yaml"
        refused.write_text("topology: {kind: magic}\n")
        done = driven(refused, self.files_of("mesh", 6)[1])
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("topology.kind", done.stdout)

    def test_the_module_of_the_manual_prints_what_it_shows(self):
        page = (ROOT / "scripts" / "site" / "text" / "guide" / "library.md").read_text()
        (module, output), = re.findall(r"^```systemverilog\n(.*?)^```\n+```console\n(?:\$ .*?\n)+(.*?)^```", page, re.M | re.S)
        (self.folder / "top.sv").write_text(module)
        top = self.verilated("top", "top.sv")
        done = subprocess.run([top], capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout + done.stderr, output)

    def test_the_package_of_systemverilog_is_that_of_the_header(self):
        header, package = ((ROOT / "sim" / "library" / name).read_text() for name in ("flitcast.h", "flitcast_dpi_pkg.sv"))
        imported = re.findall(r'import "DPI-C" (?:(\w+) = )?function [\w ]+? (\w+)\(', package)
        self.assertEqual(re.findall(r"^\w[\w *]+?(flitcast_\w+)\(", header, re.M), [of_c or name for of_c, name in imported])
        numbers = re.findall(r"^#define (FLITCAST_[A-Z_]+) (\d+)$", header, re.M)
        self.assertEqual(numbers, re.findall(r"parameter int (FLITCAST_[A-Z_]+) *= (\d+);", package))
        members = re.search(r"typedef struct flitcast_delivery \{(.*?)\}", header, re.S).group(1)
        bits = re.search(r"typedef struct packed \{(.*?)\}", package, re.S).group(1)
        self.assertEqual(re.findall(r"uint(\d+)_t (\w+);", members),
                         [(str(int(high) + 1), name) for high, name in re.findall(r"bit \[(\d+):0\] (\w+);", bits)[:0:-1]])

    def test_packets_sent_in_python_are_delivered_as_those_of_a_trace(self):
        for name, (experiment, nodes, longest) in NETWORKS.items():
            with self.subTest(name), flitcast.Network(experiment) as network:
                sent = packets(2, nodes, longest)
                for number, (cycle, source, destination, length) in enumerate(sent):
                    self.assertEqual(network.send(source, destination, length, cycle), number)
                arrived = []
                while network.next_event is not None and network.now < CYCLES:
                    network.step_to_delivery(CYCLES)
                    arrived += network.poll()
                network.step_to(CYCLES)
                self.assert_same(network.figures().data, self.run_of(name, 2))
                self.assertEqual(sorted(one.packet for one in arrived), list(range(len(sent))))
                self.assertEqual([(one.arrived, one.destination) for one in arrived], sorted((one.arrived, one.destination) for one in arrived))
                for one in arrived:
                    self.assertEqual((one.created, one.source, one.destination, one.length), sent[one.packet])

    def test_networks_that_take_turns_are_each_as_alone(self):
        networks = [("mesh", 3), ("circuits", 1), ("mesh", 4), ("pins", 2), ("threads", 1)]
        for figures, network in zip(self.driven(*networks), networks):
            self.assert_same(figures, self.run_of(*network))

    def test_networks_of_several_threads_are_each_as_alone(self):
        found = {}

        def drive(seed):
            with flitcast.Network(MESH) as network:
                for cycle, source, destination, length in packets(seed, 16, 9):
                    network.send(source, destination, length, cycle)
                while network.now < CYCLES:
                    network.step_to(network.now + 50)
                found[seed] = network.figures().data

        threads = [threading.Thread(target=drive, args=(seed,)) for seed in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for seed in range(4):
            self.assert_same(found[seed], self.run_of("mesh", seed))

    def test_a_routing_that_can_deadlock_is_refused(self):
        ring = {"topology": {"kind": "torus", "sizes": [4]}, "routing": {"kind": "dimension_order"}}
        with self.assertRaises(flitcast.FlitcastError) as refused:
            flitcast.Network({**ring, "router": {"virtual_channels": 1}})
        self.assertEqual(refused.exception.exit_code, 2)
        self.assertIn("router.virtual_channels", str(refused.exception))

    def test_problems_are_those_of_check(self):
        text = "topology: {kind: mesh, sizes: [4, 0], sizs: 3}\nrouting: {kind: magic}\nrouter: {buffer_depth: -1}\nworkload: {kind: %s}\n"
        file = self.folder / "experiment"
        file.write_text(text % "given")
        with self.assertRaises(flitcast.FlitcastError) as refused:
            flitcast.Network(file)
        file.write_text(text % "traffic")
        said = subprocess.run([os.environ["FLITCAST"], "check", "experiment"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(refused.exception.words.strip(), said.stderr.strip())
        self.assertEqual(len(said.stderr.splitlines()), 4)

    def test_classes_keep_their_virtual_channels_and_are_in_the_figures(self):
        classes = [{"name": "request", "virtual_channels": [0, 1]}, {"name": "reply", "virtual_channels": [2, 3]}]
        experiment = {**MESH, "router": {"virtual_channels": 4}, "workload": {"kind": "given", "classes": classes}}
        with flitcast.Network(experiment) as network:
            network.send(0, 5, 2)
            network.send(5, 0, 4, message_class=1)
            with self.assertRaises(flitcast.FlitcastError):
                network.send(5, 0, 4, message_class=2)
            network.step_to(500)
            self.assertEqual([(one.packet, one.message_class) for one in network.poll()], [(0, 0), (1, 1)])
            figures = network.figures()
            self.assertEqual((figures["classes.request.packets.delivered"], figures["classes.reply.packets.delivered"]), (1, 1))

    def test_figures_can_be_read_while_packets_are_in_flight_and_change_nothing(self):
        with flitcast.Network(MESH) as asked, flitcast.Network(MESH) as unasked:
            for network in (asked, unasked):
                for cycle, source, destination, length in packets(5, 16, 9):
                    network.send(source, destination, length, cycle)
            for cycle in range(0, CYCLES + 1, 100):
                asked.step_to(cycle)
                figures = asked.figures()
                self.assertEqual(figures["cycles"], cycle)
            unasked.step_to(CYCLES)
            self.assert_same(figures.data, unasked.figures().data)

    def test_a_closed_network_refuses_calls_and_memory_is_returned(self):
        network = flitcast.Network(MESH)
        network.close()
        with self.assertRaises(flitcast.FlitcastError):
            network.send(0, 1)
        sizes = []
        for _ in range(100):
            with flitcast.Network({**MESH, "topology": {"kind": "mesh", "sizes": [16, 16]}}) as network:
                network.send(0, 1)
                network.step_to(10)
            sizes.append(int(pathlib.Path("/proc/self/statm").read_text().split()[1]))
        # Pages, which the allocator gives back now and then; a network of this size takes more than 500.
        self.assertLess(max(sizes[70:]) - max(sizes[10:40]), 500)

    def test_arrivals_are_an_array_of_numpy(self):
        try:
            import numpy
        except ImportError:
            self.skipTest("no numpy")
        with flitcast.Network(MESH) as network:
            self.assertEqual(len(network.poll_array()), 0)
            for packet in range(5000):
                network.send(packet % 16, (packet + 5) % 16, cycle=packet)
            network.step_to(10000)
            arrived = network.poll_array()
            self.assertEqual(len(arrived), 5000)
            self.assertEqual(numpy.unique(arrived["packet"]).size, 5000)
            self.assertGreater((arrived["arrived"] - arrived["created"]).mean(), 3)

    def test_a_library_that_is_not_there_is_named(self):
        done = subprocess.run([sys.executable, "-c", "import flitcast; flitcast.Network({})"], capture_output=True, text=True, check=False,
                              env={**os.environ, "FLITCAST_LIBRARY": "/nowhere.so", "PYTHONPATH": str(ROOT / "sim" / "python")})
        self.assertIn("FLITCAST_LIBRARY", done.stderr)

    def test_only_the_interface_is_exported(self):
        done = subprocess.run(["nm", "-D", "--defined-only", os.environ["FLITCAST_LIBRARY"]], capture_output=True, text=True, check=True)
        names = {line.split()[-1] for line in done.stdout.splitlines()}
        header = (ROOT / "sim" / "library" / "flitcast.h").read_text()
        self.assertEqual(names, set(re.findall(r"^[\w *]+?(flitcast_\w+)\(", header, re.M)) | {"sc_main"})

    def test_programs_of_the_manual_print_what_it_shows(self):
        page = (ROOT / "scripts" / "site" / "text" / "guide" / "library.md").read_text()
        shown = re.findall(r"^```python\n(.*?)^```\n+```console\n\$ python3 .*?\n(.*?)^```", page, re.M | re.S)
        self.assertEqual(len(shown), 1)
        for program, output in shown:
            self.assertLessEqual(len(program.splitlines()), 16)
            done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False,
                                  env={**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")})
            self.assertEqual(done.stdout + done.stderr, output)


if __name__ == "__main__":
    unittest.main()
