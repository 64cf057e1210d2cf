# SPDX-License-Identifier: Apache-2.0
"""Networks exported as RTL: equal to the model in every buffer, clean in every tool, alone in their folder; faults are found.

usage: FLITCAST=PROGRAM export_test.py [TESTS of unittest]       default: FoldersTest DrawsTest ChoicesTest FaultsTest RefusalsTest
       FLITCAST=PROGRAM export_test.py EveryExperimentTest       minutes: all experiments, in both simulators
       FLITCAST=PROGRAM export_test.py EveryEntryTest            a minute: each entry of some tables changed
       FLITCAST=PROGRAM CYCLES=1000000 export_test.py LongRunsTest                three experiments for as many cycles, in Verilator
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock

try:
    import yaml
except ImportError:
    yaml = None

import random_experiments
from choices_test import ChoicesTest  # noqa: F401  A test of this program.
from experiments import DRAWN, EXPERIMENTS, ROOT
from folder_case import CYCLES, FolderCase, said_by
from stream_bench import stream_bench

sys.path.insert(0, str(ROOT / "sim" / "python"))
from flitcast.rtl import ExportError, make  # noqa: E402
from flitcast.rtl.command import main  # noqa: E402
from flitcast.rtl.dies import Dies, Part  # noqa: E402
from flitcast.rtl.draws import Drawn, draws_of  # noqa: E402
from flitcast.rtl.files import all_files, write_folder  # noqa: E402
from flitcast.rtl.grids import Mirror  # noqa: E402
from flitcast.rtl.legs import Leg  # noqa: E402
from flitcast.rtl.names import module_name  # noqa: E402
from flitcast.rtl.network import Port  # noqa: E402
from flitcast.rtl.readme import readme_text  # noqa: E402
from flitcast.rtl.simulation import SimulationError, build_flags, simulate  # noqa: E402
from flitcast.rtl.tables import ANY  # noqa: E402
from flitcast.rtl.testbench import testbench_text  # noqa: E402
from flitcast.rtl.verify import verify  # noqa: E402

CHIP_BENCH = """\
module own_chip_tb;
  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = ~clk;
  logic [3:0]   done;
  logic [127:0] sums;
  own_chip u_chip (.clk_i(clk), .rst_ni(rst_n), .done_o(done), .sums_o(sums));
  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (int clock = 0; clock < 2000 && done != '1; clock++) @(negedge clk);
    if (done == '1) $display("PASS: sum %0d", sums[31:0] + sums[63:32] + sums[95:64] + sums[127:96]);
    else $fatal(1, "FAIL: done %b", done);
    $finish;
  end
endmodule
"""


CHIP_BENCH = """\
module own_chip_tb;
  logic clk = 1'b0, rst_n = 1'b0;
  always #5 clk = ~clk;
  logic [3:0]   done;
  logic [127:0] sums;
  own_chip u_chip (.clk_i(clk), .rst_ni(rst_n), .done_o(done), .sums_o(sums));
  initial begin
    repeat (3) @(negedge clk);
    rst_n = 1'b1;
    for (int clock = 0; clock < 2000 && done != '1; clock++) @(negedge clk);
    if (done == '1) $display("PASS: sum %0d", sums[31:0] + sums[63:32] + sums[95:64] + sums[127:96]);
    else $fatal(1, "FAIL: done %b", done);
    $finish;
  end
endmodule
"""


class FoldersTest(FolderCase):
    def test_a_folder_stands_alone_and_its_testbench_passes_in_icarus(self):
        for name in ("ring_5", "custom", "no_stages"):
            with self.subTest(name):
                exported = make(self.file_of(name), cycles=CYCLES)
                folder = self.write(exported)
                self.check_tools(folder, name, yosys=name == "custom")
                self.assertIn(f"PASS: {name}: {len(exported.vectors.expected)} flits and credits", simulate(folder, name, "icarus"))

    def test_every_flit_is_in_every_buffer_when_it_is_in_that_of_the_model(self):
        for name in ("butterfly", "cut_through", "link_classes"):
            with self.subTest(name):
                self.check_equal(make(self.file_of(name), cycles=CYCLES), "icarus")
                shutil.rmtree(self.folder / "verified_icarus")

    def test_the_testbench_passes_with_modules_of_a_prefix(self):
        folder = self.folder / "out" / "rtl"
        self.assertEqual(main([str(self.file_of("hyperx")), str(folder), "--prefix", "chip", "--cycles", "50"]), 0)
        self.check_tools(folder, "chip")
        modules = [line.split()[1] for file in folder.rglob("*.sv") for line in file.read_text(encoding="utf-8").splitlines()
                   if line.startswith("module ")]
        self.assertEqual([module for module in modules if not module.startswith("chip")], [])
        self.assertIn("PASS: chip", simulate(folder, "chip", "icarus"))

    def test_the_commands_of_its_readme_run_in_the_folder_alone(self):
        folder = self.write(make(self.file_of("narrow"), router=0, cycles=20))
        blocks = re.findall(r"```sh\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), re.S)
        said = said_by("env", f"MAKEFLAGS= -- {build_flags()}", "bash", "-ec", "".join(blocks), folder=folder)
        self.assertEqual(said.count("PASS: narrow_router_0"), 2, said)
        self.assertIn("Number of cells:", said)
        self.assertNotIn("exit code", said)

    def test_streams_of_packets_cross_an_exported_network(self):
        for name in ("ring_5", "even_classes", "spines", "duato_ring"):
            with self.subTest(name):
                exported = make(self.file_of(name), streams=True, cycles=20)
                folder = self.write(exported)
                self.check_tools(folder, f"{name}_streams", files=f"{name}.f", yosys=True)
                nodes, classes = len(exported.design.inputs), exported.facts.stream_classes
                bench = stream_bench(name, nodes, exported.design.shape.flit.header, classes, rounds=4)
                (folder / f"{name}_streams_tb.sv").write_text(bench, encoding="utf-8")
                shutil.copy(folder / f"{name}.f", folder / f"{name}_streams.f")
                self.assertIn(f"PASS: {4 * classes * nodes ** 2} packets", simulate(folder, f"{name}_streams", "icarus"))

    def test_a_top_of_ones_own_moves_packets_between_its_nodes_by_an_exported_mesh(self):
        exported = make(ROOT / "sim" / "examples" / "quickstart.yaml", settings=["topology.sizes=[2,2]"], prefix="chip", streams=True, cycles=20)
        folder = self.write(exported, prefix="chip")
        shutil.copy(ROOT / "sim" / "examples" / "own_chip.sv", folder)
        (folder / "own_chip.f").write_text((folder / "chip.f").read_text(encoding="utf-8") + "own_chip.sv\n", encoding="utf-8")
        self.check_tools(folder, "own_chip", yosys=True)
        (folder / "own_chip_tb.sv").write_text(CHIP_BENCH, encoding="utf-8")
        total = sum(node << 10 | packet << 2 | word for node in range(4) for packet in range(16) for word in range(3))
        self.assertIn(f"PASS: sum {total}\n", simulate(folder, "own_chip", "icarus"))

    def test_the_testbench_runs_where_there_is_one_simulator_and_nothing_else(self):
        folder = self.write(make(self.file_of("narrow"), router=0, cycles=20))
        commands = re.search(r"```sh\n(.*?)```", (folder / "README.md").read_text(encoding="utf-8"), re.S)[1].splitlines()
        for command, *others in ((commands[0], "verilator", "verilator_bin", "g++", "make", "python3"), (commands[1], "iverilog", "vvp")):
            with self.subTest(command):
                path = f"PATH={self.tools_without('yosys', 'flitcast', *others)}"
                said = said_by("/usr/bin/env", "-i", path, f"MAKEFLAGS= -- {build_flags()}", "/bin/bash", "-ec", command, folder=folder)
                self.assertIn("PASS: narrow_router_0", said)

    def test_one_router_is_exported_alone_with_its_routing(self):
        exported = make(self.file_of("custom"), router=2, cycles=CYCLES)
        folder = self.write(exported)
        self.check_tools(folder, "custom_router_2", yosys=True)
        self.assertIn("PASS", simulate(folder, "custom_router_2", "icarus"))
        self.check_equal(exported, "icarus")

    def test_blocks_are_found_where_the_project_is_installed(self):
        for python, rtl in (("share/flitcast/python", "share/flitcast/rtl"), ("lib/python3/dist-packages", "share/flitcast/rtl")):
            with self.subTest(python):
                prefix = self.folder / python.replace("/", "_")
                shutil.copytree(ROOT / "sim" / "python", prefix / python)
                shutil.copytree(ROOT / "rtl", prefix / rtl)
                self.assertEqual(said_by(sys.executable, "-B", "-c", "from flitcast.rtl.blocks import library; print(library(), end='')",
                                         folder=prefix / python), str((prefix / rtl).resolve()))

    def test_files_name_each_other_and_no_place_of_this_machine(self):
        folder = self.write(make(self.file_of("ring_5"), cycles=20))
        listed = (folder / "ring_5.f").read_text(encoding="utf-8").split()
        sources = {str(file.relative_to(folder)) for file in folder.rglob("*.sv")} - {"ring_5_tb.sv"}
        self.assertEqual(set(listed), sources)
        for file in ("ring_5.core", "Bender.yml"):
            text = (folder / file).read_text(encoding="utf-8")
            self.assertEqual([name for name in sources if name not in text], [], file)
            if yaml:
                self.assertIsInstance(yaml.safe_load(text.removeprefix("CAPI=2:\n")), dict)
        for file in folder.rglob("*"):
            if file.is_file():
                self.assertNotRegex(file.read_text(encoding="utf-8"), f"{self.folder}|{ROOT}")


def head_packets(exported):
    """(Routers visited, destination, draws) of each packet."""
    flit, visits = exported.design.shape.flit, {}
    for stay in sorted(exported.traffic.stays, key=lambda stay: stay.arrived):
        visits.setdefault(stay.flit, []).append(stay.router)
    for number, routers in visits.items():
        word = exported.traffic.words[number]
        if word >> flit.header + flit.remaining & 1:
            values = [word >> sum(flit.fields[:field]) & (1 << width) - 1 for field, width in enumerate(flit.fields)]
            yield routers, values[0], tuple(values[1:])


def answers(tables, number, header):
    """All answers of the table of an input VC to a header."""
    return [answer for key, answer in tables.tables[tables.of_input_vc[number]].items()
            if all(value in (ANY, given) for value, given in zip(key, header))]


def arrivals(exported, source, header):
    """The nodes at which packets of a header arrive from a node, over all VCs that they may take."""
    design, vcs = exported.design, exported.design.shape.vcs
    links = {link.source: link.target for link in design.links}
    nodes = {outside.port: number for number, outside in enumerate(design.outputs)}
    found, seen, open_ends = set(), set(), [(design.inputs[source].port, vc) for vc in range(exported.facts.starts)]
    while open_ends:
        end, vc = open_ends.pop()
        if (end, vc) in seen:
            continue
        seen.add((end, vc))
        answer, = answers(design.tables[end.router], end.port * vcs + vc, header)
        output = Port(end.router, answer.output)
        found |= {nodes[output]} if output in nodes else set()
        open_ends += [(links[output], vc) for vc in range(vcs) if output in links and answer.vcs >> vc & 1]
    return found


class DrawsTest(FolderCase):
    """Networks whose sources draw a part of the path of each packet."""

    def small_valiant(self):
        return self.file_of("valiant_mesh", topology={"kind": "mesh", "sizes": [2, 2]})

    def test_they_are_equal_to_the_model_in_every_buffer(self):
        for name, file in (("valiant_mesh", self.small_valiant()), ("coins_ring", self.file_of("coins_ring")), ("spines", self.file_of("spines"))):
            with self.subTest(name):
                exported = make(file, cycles=CYCLES)
                folder = self.write(exported)
                self.check_tools(folder, name, yosys=True)
                self.assertIn(f"PASS: {name}: {len(exported.vectors.expected)} flits and credits", simulate(folder, name, "icarus"))
                self.check_equal(exported, "icarus")
                shutil.rmtree(self.folder / "verified_icarus")

    def test_one_router_is_exported_alone_with_its_draws(self):
        exported = make(self.small_valiant(), router=1, cycles=CYCLES)
        folder = self.write(exported)
        self.check_tools(folder, "valiant_mesh_router_1", yosys=True)
        self.assertIn("PASS", simulate(folder, "valiant_mesh_router_1", "icarus"))
        self.check_equal(exported, "icarus")

    def test_every_draw_leads_from_each_node_to_each_by_one_entry_at_each_router(self):
        for name in DRAWN:
            with self.subTest(name):
                exported = make(self.file_of(name), cycles=1)
                nodes = range(len(exported.design.inputs))
                for draws in draws_of(exported.facts.draws):
                    wrong = [(source, to) for source in nodes for to in nodes if arrivals(exported, source, (to, *draws)) != {to}]
                    self.assertEqual(wrong, [], draws)

    def test_packets_visit_the_intermediate_router_that_their_header_names(self):
        for name in (name for name, keys in DRAWN.items() if keys["routing"]["kind"] in ("valiant", "romm", "y_x_y")):
            with self.subTest(name):
                for routers, _, draws in head_packets(make(self.file_of(name), cycles=CYCLES)):
                    self.assertIn(draws[-1], routers)

    def test_the_draws_inferred_are_those_that_the_model_makes(self):
        for routers, destination, (middle,) in head_packets(make(self.file_of("romm_mesh"), cycles=CYCLES)):
            for at in (lambda router: router % 4, lambda router: router // 4):
                self.assertIn(at(middle), range(min(at(routers[0]), at(destination)), max(at(routers[0]), at(destination)) + 1))
        for routers, _, (middle,) in head_packets(make(self.file_of("y_x_y_mesh"), cycles=CYCLES)):
            self.assertEqual(middle % 4, routers[0] % 4)
        for routers, _, (spine,) in head_packets(make(self.file_of("spines"), cycles=CYCLES)):
            self.assertIn(routers[1:2], ([], [3 + spine]))

    def test_coins_turn_packets_at_half_way_and_choose_the_order_of_dimensions(self):
        halves = 0
        for routers, destination, (minus,) in head_packets(make(self.file_of("coins_ring"), cycles=CYCLES)):
            if (destination - routers[0]) % 6 == 3:
                halves += 1
                self.assertEqual(routers[1], (routers[0] + (-1 if minus else 1)) % 6)
        self.assertGreater(halves, 10)
        for routers, destination, (descending,) in head_packets(make(self.file_of("o1turn_mesh"), cycles=CYCLES)):
            if routers[0] % 4 != destination % 4 and routers[0] // 4 != destination // 4:
                self.assertEqual(routers[1] // 4 == routers[0] // 4, not descending)

    def test_tables_composed_wrongly_lead_no_packet_along_its_path_in_the_model(self):
        leg = Leg.answer
        faults = (("coins_ring", Mirror, "port", lambda self, port: port),
                  ("o1turn_mesh", Drawn, "_halves", lambda self: ((self._vcs // 2, self._vcs // 2), (0, self._vcs // 2))),
                  ("valiant_mesh", Leg, "answer", lambda self, end, vc, to, starts=False: leg(self, end, vc, to)),
                  ("dies_planes", Dies, "_first", lambda self, arrival: 0),
                  ("dies_planes", Dies, "_spread", lambda self, vcs: vcs),
                  ("dies_coins", Part, "mirrored", lambda self, minus: self))
        for name, owner, attribute, fault in faults:
            with self.subTest(name), unittest.mock.patch.object(owner, attribute, fault):
                self.assertRaisesRegex(RuntimeError, "no draw leads a packet to node", make, self.file_of(name), cycles=CYCLES)

    def test_the_testbench_finds_every_fault_of_a_header_with_draws(self):
        exported = make(self.small_valiant(), cycles=CYCLES)
        bench = testbench_text(exported.design, exported.vectors)
        self.assertIn("PASS", simulate(self.write(exported), "valiant_mesh", "icarus"))
        for name, fault in DRAW_FAULTS.items():
            with self.subTest(name):
                design = exported.design._replace(tables={router: tables._replace(tables=[fault(table) for table in tables.tables])
                                                          for router, tables in exported.design.tables.items()})
                folder = self.write(exported._replace(design=design), change=lambda files: files | {"valiant_mesh_tb.sv": bench})
                self.assertRaisesRegex(SimulationError, r"FAIL: valiant_mesh: clock \d+, node \d: ", simulate, folder, "valiant_mesh", "icarus")

    def test_packets_in_dies_begin_on_the_virtual_channels_that_the_readme_names(self):
        exported = make(self.file_of("dies"), cycles=CYCLES)
        self.assertIn("A packet may start on any VC from 0 to 1.", " ".join(readme_text(*exported[:1], exported.vectors, exported.facts).split()))
        self.assertEqual({event.vc for event in exported.vectors.stimuli if event.kind == 0}, {0, 1})

    def test_the_readme_names_each_field_that_a_source_draws(self):
        text = (self.write(make(self.file_of("valiant_torus"), cycles=1, streams=True)) / "README.md").read_text(encoding="utf-8")
        self.assertIn("| `[3:0]` | destination", text)
        self.assertIn("| `[4]` | drawn by the source, 0 to 1, in every flit: at exactly half way round dimension 0: 0 goes plus, 1 minus |", text)
        self.assertIn("| `[8:5]` | drawn by the source, 0 to 11, in every flit: intermediate router, any |", text)
        self.assertIn("The design draws nothing", text)
        self.assertIn("tdest is the header of a packet", " ".join(text.split()))


def changed_keys(change):
    """A fault that puts the answer of another key in the place of each, where the table has one."""
    return lambda table: {key: table.get(change(key), answer) for key, answer in table.items()}


# Functions of a table with keys (destination, intermediate router).
DRAW_FAULTS = {
    "fields in the wrong order": lambda table: {key[::-1]: answer for key, answer in table.items()},
    "another intermediate router": changed_keys(lambda key: (key[0], key[1] ^ 1) if key[0] == ANY else key),
    "no change of phases": lambda table: {key: answer._replace(vcs=1) if ANY not in key and answer.vcs == 2 else answer
                                          for key, answer in table.items()},
    "VCs of both phases": lambda table: {key: answer._replace(vcs=3) for key, answer in table.items()},
    "the destination instead of the intermediate router": lambda table: {
        (key[1], ANY) if key[0] == ANY else key: answer for key, answer in table.items() if ANY in key or (key[0], ANY) not in table},
}


def other_answer(design, router, **keys):
    """The design with another answer for the first destination of a router that leaves it to another one."""
    tables = design.tables[router]
    table = dict(tables.tables[0])
    destination = next(node for node, answer in sorted(table.items()) if Port(router, answer.output) in {link.source for link in design.links})
    answer = table[destination]
    table[destination] = answer._replace(**{key: change(getattr(answer, key)) for key, change in keys.items()})
    return design._replace(tables=design.tables | {router: tables._replace(tables=[table, *tables.tables[1:]])})


def swapped(ports):
    """Port groups of which the first two are at each other's routers."""
    first, second, *rest = ports
    return [first._replace(port=second.port), second._replace(port=first.port), *rest]


def swapped_targets(links):
    first, second, *rest = links
    return [first._replace(target=second.target), second._replace(target=first.target), *rest]


def other_link(design, **keys):
    first, *rest = design.links
    return design._replace(links=[first._replace(**{key: change(getattr(first, key)) for key, change in keys.items()}), *rest])


def other_shape(design, **keys):
    return design._replace(shape=design.shape._replace(**{key: change(getattr(design.shape, key)) for key, change in keys.items()}))


FAULTS = {
    "the output of a reachable entry": lambda design: other_answer(design, 0, output=lambda output: 1 - output),
    "the VCs of a reachable entry": lambda design: other_answer(design, 0, vcs=lambda vcs: 3 - vcs),
    "VCs too many": lambda design: other_answer(design, 0, vcs=lambda vcs: 3),
    "the latency of a channel": lambda design: other_link(design, latency=lambda latency: latency + 1),
    "the latency of credits": lambda design: other_link(design, credit_latency=lambda latency: latency + 1),
    "the inputs that two channels lead to": lambda design: design._replace(links=swapped_targets(design.links)),
    "the inputs of two nodes": lambda design: design._replace(inputs=swapped(design.inputs)),
    "the outputs of two nodes": lambda design: design._replace(outputs=swapped(design.outputs)),
    "the depth of buffers": lambda design: other_shape(design, depth=lambda depth: depth - 1),
    "the cycles of a stage": lambda design: other_shape(design, vc_allocation_cycles=lambda cycles: cycles + 1),
    "the width of a field": lambda design: other_shape(design, flit=lambda flit: flit._replace(remaining=flit.remaining - 1)),
    "the width of flits": lambda design: other_shape(design, flit=lambda flit: flit._replace(payload=flit.payload - 20)),
}


class FaultsTest(FolderCase):
    def test_the_testbench_names_the_first_difference_of_each_fault_of_the_generator(self):
        exported = make(self.file_of("ring_5"), cycles=100)
        for name, fault in FAULTS.items():
            with self.subTest(name):
                bench = testbench_text(exported.design, exported.vectors)
                folder = self.write(exported._replace(design=fault(exported.design)), change=lambda files: files | {"ring_5_tb.sv": bench})
                with self.assertRaises(SimulationError) as found:
                    simulate(folder, "ring_5", "icarus")
                self.assertRegex(str(found.exception), r"FAIL: ring_5: clock \d+, node \d: |other widths")

    def test_the_comparison_of_buffers_names_router_port_vc_and_clock(self):
        exported = make(self.file_of("ring_5"), cycles=CYCLES)
        files = all_files(FAULTS["the VCs of a reachable entry"](exported.design), None, exported.vectors, exported.facts)
        found = verify(exported, self.folder / "faulty", "icarus", change=lambda _: files)
        self.assertRegex(found, r"only in the (model|RTL): .* router \d, port \d, VC \d in clock \d+")

    def test_the_comparison_finds_a_channel_to_a_node_that_takes_longer(self):
        exported = make(self.file_of("narrow"), cycles=20)
        first, *rest = exported.design.outputs
        late = exported.design._replace(outputs=[first._replace(latency=first.latency + 1), *rest])
        files = all_files(late, None, exported.vectors, exported.facts)
        self.assertRegex(verify(exported, self.folder / "late", "icarus", change=lambda _: files), r"FAIL: narrow: clock \d+, (.*\n)+  expected at node 0: ")

    def test_a_random_experiment_fails_by_a_difference_and_by_a_reason_that_is_not_documented(self):
        exported = make(self.file_of("narrow"), cycles=20)
        faulty = exported._replace(design=other_shape(exported.design, vc_allocation_cycles=lambda cycles: cycles + 1))
        for made, wrong in ((exported, r"^None$"), (faulty, r"only in the (model|RTL)")):
            with unittest.mock.patch.object(random_experiments, "make", return_value=made):
                self.assertRegex(str(random_experiments.verdict(self.file_of("narrow"), self.folder / made.design.name, 20)[2]), wrong)
            shutil.rmtree(self.folder / made.design.name)
        file = self.file_of("narrow", router={"allocator": "wavefront"})
        self.assertEqual(random_experiments.verdict(file, self.folder / "rtl", 20), ("refused", 0, None))
        with unittest.mock.patch.object(random_experiments, "REASONS", []):
            self.assertRegex(random_experiments.verdict(file, self.folder / "rtl", 20)[2], "not documented: .*router.allocator")


class EveryEntryTest(FolderCase):
    def test_the_testbench_finds_a_wrong_output_in_every_entry_of_every_table(self):
        for name, cycles in (("ring_5", 100), ("custom", 100), ("coins_ring", 600)):
            exported = make(self.file_of(name), cycles=cycles)
            bench = testbench_text(exported.design, exported.vectors)
            for fault in entries_with_another_output(exported.design):
                with self.subTest(name, fault=fault[0]):
                    folder = self.write(exported._replace(design=fault[1]), change=lambda files: files | {f"{name}_tb.sv": bench})
                    self.assertRaisesRegex(SimulationError, f"FAIL: {name}: clock", simulate, folder, name, "icarus")


def entries_with_another_output(design):
    """The place of each entry, and the design with the next output there."""
    for router, tables in design.tables.items():
        for number, table in enumerate(tables.tables):
            for key, answer in table.items():
                wrong = answer._replace(output=(answer.output + 1) % design.routers[router].outputs)
                changed = [*tables.tables[:number], table | {key: wrong}, *tables.tables[number + 1:]]
                place = f"router {router}, table {number}, key {key}"
                yield place, design._replace(tables=design.tables | {router: tables._replace(tables=changed)})


def refused(file, *options, **variables):
    """The exit code and the words of an export, with other variables of the environment."""
    done = subprocess.run([sys.executable, "-B", "-m", "flitcast", "rtl", file, file.parent / "rtl", *options], text=True, capture_output=True,
                          check=False, env=os.environ | {"PYTHONPATH": str(ROOT / "sim" / "python")} | variables)
    return done.returncode, done.stderr


class RefusalsTest(FolderCase):
    def check(self, words, *settings, name="mesh_3x3", **keys):
        file = self.file_of(name, **keys)
        before = sorted(self.folder.iterdir())
        code, said = refused(file, *(word for setting in settings for word in ("--set", setting)))
        self.assertEqual(code, 2, said)
        for word in words:
            self.assertIn(word, said)
        self.assertNotIn("Traceback", said)
        self.assertEqual(sorted(self.folder.iterdir()), before)

    def test_every_reason_is_named_at_once_with_a_hint(self):
        self.check(["router.allocator: the allocator output_first has no RTL; use input_first\n", "router.iterations: ", "node.ports: ",
                    "routing.kind: "],
                   "router.allocator=output_first", "router.iterations=2", "node.ports=2", "routing.tie=spread",
                   name="complete")

    def test_routers_without_equal_rtl_are_refused(self):
        self.check(["router.speculation"], "router.speculation=true")
        self.check(["router.arbitration"], "router.arbitration=age")
        self.check(["router.input_speedup"], "router.input_speedup=2")
        self.check(["router.vc_reuse"], "router.vc_reuse=tail_credit")
        self.check(["at most 128 together", "use 1"], name="crossbar", topology={"kind": "crossbar", "nodes": 65})
        self.check(["there are 18 at 5 ports; use 16"], "router.virtual_channels=18", name="mesh_3x3")

    def test_routings_that_draw_among_shortest_paths_choose_or_copy_are_refused(self):
        self.check(["routing.kind: the phases on a slim_fly draw among shortest paths, of which there is no table; use shortest_path"],
                   name="slim_fly", routing={"kind": "valiant"}, router={"virtual_channels": 4})
        self.check(["routing.kind: detours through leaves and spines are not composed of minimal paths; use dragonfly_minimal\n"],
                   name="leaves", routing={"kind": "dragonfly_valiant"}, router={"virtual_channels": 3})
        self.check(["sources draw"], "routing.tie=spread", name="complete")
        self.check(["several outputs at once"], "routing.kind=dual_path")
        ugal = "routing.kind: routers weigh their queues to choose between the minimal path and a detour, which has no RTL; use "
        self.check([f"{ugal}dragonfly_minimal, or dragonfly_valiant without leaves\n"], name="dragonfly", routing={"kind": "ugal"}, router={"virtual_channels": 3})
        self.check([f"{ugal}valiant or o1turn\n"], name="mesh_3x3", routing={"kind": "ugal"}, router={"virtual_channels": 4})
        self.check(["routing.selection: routers of the model draw among open outputs, and those in RTL have no random numbers; use free_credits or "
                    "round_robin\n"], name="odd_even", routing={"kind": "odd_even", "selection": "random"})
        self.check(["link.cycles_per_flit: routers in RTL whose packets choose among outputs send a flit in every cycle; use 1\n"],
                   "link.cycles_per_flit=2", name="odd_even")
        self.check(["routing.kind: the first router of a packet weighs its queues to choose between XY and YX, which has no RTL; use o1turn or "
                    "odd_even\n"], "routing.kind=adaptive_xy_yx")
        self.check(["routing.kind: routers draw two parents and weigh their queues to choose between these, which has no RTL; use "
                    "nearest_common_ancestor, or shortest_path with tie: adaptive\n"], name="ancestors", routing={"kind": "adaptive_ascent"})

    def test_a_refusal_names_the_file_of_the_experiment_and_no_other(self):
        self.check([f"{self.folder}/even_classes.json: routing.kind: no table holds this routing: sources draw the paths"], name="even_classes",
                   topology={"kind": "complete", "nodes": 4}, routing={"kind": "shortest_path", "tie": "spread"})

    def test_dies_have_one_class_of_messages_and_no_streams(self):
        dies = {"topology": EXPERIMENTS["dies"]["topology"], "routing": EXPERIMENTS["dies"]["routing"]}
        classes = [{"name": name, "load": 0.1, "virtual_channels": vcs} for name, vcs in (("low", [0, 6]), ("high", [7, 13]))]
        self.check(["workload.classes: the virtual channels of hierarchical are those of one class"], name="even_classes",
                   router={"virtual_channels": 14}, workload={"kind": "traffic", "classes": classes}, **dies)
        code, said = refused(self.file_of("dies"), "--streams")
        self.assertEqual((code, said.splitlines()), (2, ["--streams: sources of streams begin packets on any VC, and hierarchical has some for that; "
                                                         "leave it out, or use up_down"]))

    def test_names_are_those_of_modules(self):
        self.assertEqual([module_name(word) for word in ("mesh 4x4", "table", "4x4", "a.b")], ["mesh_4x4", "network_table", "network_4x4", "a_b"])
        code, said = refused(self.file_of("mesh_3x3"), "--prefix", "table")
        self.assertEqual(code, 2)
        self.assertEqual(said, "--prefix: table is no name of a module: it is a keyword of SystemVerilog; add a letter or digit\n")
        for word, fault in (("9chip", "begins with 9; begin it with a letter"), ("_a", "begins with _; begin it with a letter"),
                            ("a-b", "has other characters than letters, digits and _; leave them out"), ("", "an empty word is no name of a module: it has no characters")):
            self.assertRaisesRegex(ExportError, fault, make, self.file_of("mesh_3x3"), prefix=word)

    def test_a_folder_that_is_not_empty_and_a_router_that_there_is_not_are_refused(self):
        file = self.file_of("mesh_3x3")
        code, said = refused(file, "--router", "9")
        self.assertEqual((code, said), (2, "--router: 9 is no router; use a number from 0 to 8\n"))
        (self.folder / "rtl").mkdir()
        (self.folder / "rtl" / "mine").write_text("", encoding="utf-8")
        code, said = refused(file)
        self.assertEqual(code, 2)
        self.assertIn("is not an empty folder", said)
        self.assertEqual([path.name for path in (self.folder / "rtl").iterdir()], ["mine"])
        self.assertRaisesRegex(ExportError, "mesh_3x3.json is a file; name a place in a folder", write_folder, file / "rtl", {})


class EveryExperimentTest(FolderCase):
    def test_every_experiment_is_equal_in_every_buffer(self):
        for name in EXPERIMENTS:
            with self.subTest(name):
                exported = make(self.file_of(name), cycles=200)
                folder = self.write(exported, name=f"{name}_rtl")
                self.check_tools(folder, name, yosys=True)
                self.assertIn("PASS", simulate(folder, name, "icarus"))
                self.check_equal(exported, "verilator")
                shutil.rmtree(self.folder / "verified_verilator")


class LongRunsTest(FolderCase):
    def test_networks_are_equal_in_every_buffer_for_a_million_cycles(self):
        for name, load in (("ring_5", 0.02), ("cut_through", 0.01), ("dies", 0.005)):
            with self.subTest(name):
                exported = make(self.file_of(name), settings=[f"workload.load={load}"], cycles=int(os.environ.get("CYCLES", "1000000")))
                self.check_equal(exported, "verilator")
                shutil.rmtree(self.folder / "verified_verilator")

    def test_draws_and_classes_of_messages_are_refused_together(self):
        self.check(["workload.classes: sources that draw paths have one class of messages in RTL; use routing.tie: plus"], "routing.tie=coin", name="classes")
        self.check(["workload.classes: sources that draw paths"], name="even_classes", routing={"kind": "o1turn"})

    def test_circuits_buffers_of_their_own_and_nodes_that_do_not_accept_packets_are_refused(self):
        self.check(["router.kind: circuit"], name="clos", router={"kind": "circuit"}, routing={"kind": "central_control"})
        self.check(["node.reply_queue"], "node.reply_queue=1", name="classes")
        self.check(["link.classes.dimension_0: buffers of RTL are alike; leave buffer_depth out there", "link.exceptions[1]: buffers of RTL"],
                   name="link_classes", link={"classes": {"dimension_0": {"buffer_depth": 3}, "wrap": {"latency": 2}},
                                              "exceptions": [{"from": 0, "to": 1, "latency": 2}, {"from": 1, "to": 2, "buffer_depth": 9}]})

    def test_the_program_refuses_what_is_no_experiment(self):
        self.check(["cyclic"], "routing.vc_classes=none", name="torus_4x4")
        self.check(["sweep or search: there are several runs; choose a point with --point K"], sweep={"workload.load": [0.1, 0.2]})
        code, said = refused(self.file_of("mesh_3x3", search={"find": "saturation"}), "--point", "0")
        self.assertEqual(code, 2)
        self.assertIn("search: there are several runs; leave out this section", said)
        self.check(["topology.sizes"], "topology.sizes=abc")

    def test_a_program_that_does_not_start_is_named_with_its_variable(self):
        code, said = refused(self.file_of("mesh_3x3"), FLITCAST="/no/flitcast")
        self.assertEqual((code, said), (2, "/no/flitcast cannot be started (No such file or directory): name the program in the variable FLITCAST\n"))

    def test_a_program_that_prints_something_else_is_named_with_its_variable(self):
        self.assertEqual(refused(self.file_of("mesh_3x3"), FLITCAST="/bin/true"),
                         (2, "/bin/true printed no JSON, so it is no flitcast, or a damaged one: name the program in the variable FLITCAST\n"))

    def test_a_tool_that_is_missing_is_named(self):
        with unittest.mock.patch.dict(os.environ, PATH=str(self.folder)):
            self.assertRaisesRegex(SimulationError, "iverilog is not installed", simulate, self.folder, "none", "icarus")

    def test_streams_need_nodes_and_equal_shares_of_classes(self):
        code, said = refused(self.file_of("classes"), "--streams")
        self.assertEqual(code, 2)
        self.assertIn("workload.classes: with --streams class c has the VCs from c * virtual_channels / classes on", said)
        self.assertEqual(refused(self.file_of("ring_5"), "--streams", "--router", "1")[1], "--streams: one router has no nodes; leave out --router\n")


if __name__ == "__main__":
    unittest.main(verbosity=2, argv=sys.argv if len(sys.argv) > 1 else [*sys.argv, "FoldersTest", "DrawsTest", "ChoicesTest", "FaultsTest", "RefusalsTest"])
