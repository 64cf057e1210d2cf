# SPDX-License-Identifier: Apache-2.0
"""Exported networks whose routers choose among several outputs in each clock. export_test.py runs these tests."""
import shutil
import unittest.mock

from experiments import ADAPTIVE
from folder_case import FolderCase

from flitcast.rtl import escapes, make
from flitcast.rtl.choices import Choice, levels_of
from flitcast.rtl.network import Port
from flitcast.rtl.simulation import SimulationError, simulate
from flitcast.rtl.tables import ANY, Answer, Reach
from flitcast.rtl.testbench import testbench_text
from flitcast.rtl.tosses import tosses_of
from flitcast.rtl.verify import verify

CYCLES = 100


def entries(design):
    """(Router, number of an input VC, key, Choice) of all tables."""
    for router, tables in design.tables.items():
        for number, table in enumerate(tables.of_input_vc):
            yield from ((router, number, key, choice) for key, choice in tables.tables[table].items())


def answered(design, router, number, key):
    """True if the table of an input VC has an answer to a header of this key, in which draws may be ANY."""
    tables = design.tables[router]
    return any(all(ANY in both or len(set(both)) == 1 for both in zip(key, own)) for own in tables.tables[tables.of_input_vc[number]])


def with_choices(design, change):
    """The design with `change` of every Choice."""
    tables = {router: one._replace(tables=[{key: change(choice) for key, choice in table.items()} for table in one.tables])
              for router, one in design.tables.items()}
    levels = levels_of([choice for one in tables.values() for table in one.tables for choice in table.values()])
    return design._replace(tables=tables, shape=design.shape._replace(levels=levels))


def on_top(choice, change):
    """The Choice with `change` of the highest level, where there are several."""
    return choice if len(choice.levels) == 1 else Choice((*choice.levels[:-1], change(choice.levels[-1])))


# Changes of a Choice, by what is wrong in it.
TABLE_FAULTS = {
    "the priorities are turned round": lambda choice: Choice(choice.levels[::-1]),
    "all priorities are equal": lambda choice: Choice((choice.options,)),
    "the highest priority is left out": lambda choice: Choice(choice.levels[:max(len(choice.levels) - 1, 1)]),
    "one of several options is left out": lambda choice: on_top(choice, lambda level: level[1:] or level),
    "an option has all VCs": lambda choice: on_top(choice, lambda level: tuple(answer._replace(vcs=7) for answer in level)),
    "an option lacks a VC": lambda choice: on_top(choice, lambda level: tuple(answer._replace(vcs=answer.vcs & -answer.vcs) for answer in level)),
    "packets wait for no output": lambda choice: Choice(((), *choice.levels)),
}

# Changes of the text of a block, by what is wrong in it.
BLOCK_FAULTS = {
    "packets wait for outputs of every priority": ("choice", "& vc_is_free & vc_has_space;", "& vc_is_free;"),
    "the order of output VCs does not move on": ("choice", ".take_i(granted_i)", ".take_i(1'b0)"),
    "the order of output VCs moves on without a grant": ("choice", ".take_i(granted_i)", ".take_i(waiting_i)"),
    "fewer credits are better": ("allocator", "+:SumWidth] > sums", "+:SumWidth] < sums"),
    "the credits of the first VC count alone": ("allocator", "v < NumVcs; v++) sum_of", "v < 1; v++) sum_of"),
    "a packet needs one credit more": ("credits", "> 32'(followers)", "> 32'(followers) + 1"),
    "a packet needs one credit": ("credits", "> 32'(followers)", "> 0"),
}


class ChoicesTest(FolderCase):
    def cut_through(self):
        return self.file_of("levels", router={"kind": "virtual_cut_through", "virtual_channels": 3, "buffer_depth": 4})

    def test_they_are_equal_to_the_model_in_every_buffer(self):
        for name, file in (("levels", self.file_of("levels")), ("levels", self.cut_through()), ("duato_no_stages", self.file_of("duato_no_stages"))):
            with self.subTest(name, file=file):
                exported = make(file, cycles=CYCLES)
                folder = self.write(exported)
                self.check_tools(folder, name, yosys=True)
                self.assertIn(f"PASS: {name}: {len(exported.vectors.expected)} flits and credits", simulate(folder, name, "icarus"))
                self.check_equal(exported, "icarus")
                shutil.rmtree(self.folder / "verified_icarus")

    def test_outputs_in_turn_are_equal_to_the_model(self):
        routing = ADAPTIVE["levels"]["routing"] | {"selection": "round_robin"}
        self.check_equal(make(self.file_of("levels", routing=routing), cycles=CYCLES), "icarus")

    def test_one_router_is_exported_alone_with_its_choices(self):
        exported = make(self.file_of("levels"), router=0, cycles=CYCLES)
        folder = self.write(exported, prefix="chip")
        self.check_tools(folder, "levels_router_0", yosys=True)
        self.assertIn("PASS", simulate(folder, "levels_router_0", "icarus"))

    def test_every_output_that_a_packet_may_choose_leads_to_an_answer_or_to_its_node(self):
        for name in ADAPTIVE:
            with self.subTest(name):
                exported = make(self.file_of(name), cycles=1)
                reach = Reach(exported.network, exported.design.shape.vcs)
                nodes = {outside.port: node for node, outside in enumerate(exported.design.outputs)}
                for router, _, key, choice in entries(exported.design):
                    for option in choice.options:
                        behind = reach.behind(router, option)
                        self.assertEqual([(end, vc) for end, vc in behind
                                          if not answered(exported.design, end.router, end.port * reach.vcs + vc, key)], [])
                        self.assertTrue(behind or nodes[Port(router, option.output)] == key[0])

    def test_tables_have_the_outputs_of_the_model_with_its_priorities(self):
        design = make(self.file_of("levels"), cycles=1).design
        table = design.tables[0]
        self.assertEqual(table.tables[table.of_input_vc[0]][2,], Choice(((Answer(1, 1),), (Answer(2, 4),), (Answer(0, 6), Answer(1, 6)))))
        self.assertEqual(design.shape.levels, 3)
        design = make(self.file_of("west_first"), cycles=1).design
        self.assertEqual(design.shape.levels, 1)
        self.assertEqual(design.tables[5].tables[0][15,], Choice(((Answer(0, 3), Answer(2, 3)),)))

    def test_the_testbench_finds_every_fault_of_a_choice(self):
        exported = make(self.file_of("levels"), cycles=CYCLES)
        for name, fault in TABLE_FAULTS.items():
            with self.subTest(name):
                self.check_found(exported, exported._replace(design=with_choices(exported.design, fault)), lambda files: files)
        with self.subTest("outputs are taken in turn"):
            turned = exported.design._replace(shape=exported.design.shape._replace(by_credits=False))
            self.check_found(exported, exported._replace(design=turned), lambda files: files)

    def test_the_testbench_finds_every_fault_of_the_blocks_that_choose(self):
        exported = make(self.cut_through(), cycles=3 * CYCLES)
        for name, (block, right, wrong) in BLOCK_FAULTS.items():
            path = f"blocks/flitcast_adaptive_{block}.sv"
            with self.subTest(name):
                self.check_found(exported, exported, lambda files, path=path, right=right, wrong=wrong:
                                 files | {path: self.replaced(files[path], right, wrong)})

    def replaced(self, text, right, wrong):
        self.assertEqual(text.count(right), 1)
        return text.replace(right, wrong)

    def check_found(self, exported, faulty, change):
        """The testbench of the right design finds the fault of the other one, whose files are changed."""
        bench = testbench_text(exported.design, exported.vectors)
        folder = self.write(faulty, change=lambda files: change(files) | {"levels_tb.sv": bench})
        self.assertRaisesRegex(SimulationError, r"FAIL: levels: clock \d+, node \d: ", simulate, folder, "levels", "icarus")

    def test_the_coins_of_escape_channels_are_those_of_the_model(self):
        exported = make(self.file_of("duato_ring"), cycles=CYCLES)
        self.check_equal(exported, "icarus")
        with unittest.mock.patch.object(escapes, "tosses_of", lambda packet: ~tosses_of(packet)):
            turned = make(self.file_of("duato_ring"), cycles=CYCLES)
        self.assertRegex(verify(turned, self.folder / "turned", "icarus"), "only in the (model|RTL): ")

    def test_the_readme_says_how_packets_choose(self):
        text = (self.write(make(self.file_of("levels"), cycles=1)) / "README.md").read_text(encoding="utf-8")
        self.assertIn("the highest level with an open output VC", " ".join(text.split()))
        self.assertIn("the output with the most credits", " ".join(text.split()))
