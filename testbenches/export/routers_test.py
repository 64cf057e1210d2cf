# SPDX-License-Identifier: Apache-2.0
"""Networks exported with routers that store packets, and with channels that take several cycles for a flit.

usage: FLITCAST=PROGRAM routers_test.py [TESTS of unittest]
"""
import unittest

from export_test import CYCLES, FolderCase, other_answer, other_link, other_shape, refused
from flitcast.rtl import make
from flitcast.rtl.simulation import SimulationError, simulate
from flitcast.rtl.testbench import testbench_text


class RouterCase(FolderCase):
    def check_exported(self, name, **options):
        """The export of an experiment is clean in every tool, passes its testbench, and is equal to the model in every buffer."""
        exported = make(self.file_of(name), cycles=CYCLES, **options)
        folder = self.write(exported, name=f"{name}_rtl")
        self.check_tools(folder, exported.design.name, yosys=True)
        self.assertIn(f"PASS: {exported.design.name}: {len(exported.vectors.expected)} flits and credits",
                      simulate(folder, exported.design.name, "icarus"))
        self.check_equal(exported, "icarus", folder=f"{name}_verified")

    def check_faults(self, name, faults, cycles=CYCLES):
        """The testbench of a network names the first difference of each fault of its generator."""
        exported = make(self.file_of(name), cycles=cycles)
        bench = testbench_text(exported.design, exported.vectors)
        for title, fault in faults.items():
            with self.subTest(title):
                folder = self.write(exported._replace(design=fault(exported.design)), change=lambda files: files | {f"{name}_tb.sv": bench})
                self.assertRaisesRegex(SimulationError, f"FAIL: {name}: |flitcast_store_forward", simulate, folder, name, "icarus")


def other_ports(design, change):
    """The design with `change` of what each router knows of its channels."""
    return design._replace(routers={number: change(router) for number, router in design.routers.items()})


def other_channels(**keys):
    """A change of all channels that a router knows: of each key by a function of its value."""
    def change(router):
        return router._replace(channels={output: channel._replace(**{key: of(getattr(channel, key)) for key, of in keys.items()})
                                         for output, channel in router.channels.items()})
    return lambda design: other_ports(design, change)


STORED_FAULTS = {
    "the VCs of a reachable entry": lambda design: other_answer(design, 0, vcs=lambda vcs: 3 - vcs),
    "the latency of a channel": lambda design: other_link(design, latency=lambda latency: latency + 1),
    "the latency that outputs wait for": other_channels(latency=lambda latency: latency + 1),
    "outputs to nodes like those to routers": other_channels(to_node=lambda _: False),
    "outputs to routers like those to nodes": other_channels(to_node=lambda _: True),
    "inputs from nodes like those from routers": lambda design: other_ports(design, lambda router: router._replace(node_inputs=frozenset())),
    "the slots of buffers": lambda design: other_shape(design, depth=lambda slots: slots + 1),
    "the cycles of a flit": lambda design: other_shape(design, flit_time=lambda cycles: cycles + 1),
    "the cycles of a stage": lambda design: other_shape(design, route_cycles=lambda cycles: cycles + 1),
    "the longest packet": lambda design: other_shape(design, longest=lambda longest: longest // 2),
    "the width of packet numbers": lambda design: other_shape(design, flit=lambda flit: flit._replace(packet=flit.packet - 1)),
}


class StoredTest(RouterCase):
    """Routers that store packets."""

    def test_rings_graphs_and_pipelines_of_no_cycle_are_equal_to_the_model(self):
        for name in ("stored_ring", "stored_custom", "stored_at_once", "stored_slow"):
            with self.subTest(name):
                self.check_exported(name)

    def test_one_router_is_exported_alone_with_the_credits_of_its_neighbours(self):
        self.check_exported("stored_custom", router=2)

    def test_the_number_of_a_packet_is_its_source_and_its_place_among_the_packets_of_that(self):
        exported = make(self.file_of("stored_ring"), cycles=CYCLES)
        flit = exported.design.shape.flit
        head = flit.header + flit.remaining
        numbers = {word >> head + 1 & (1 << flit.packet) - 1 for word in exported.traffic.words if word >> head & 1}
        self.assertEqual(len(numbers), sum(word >> head & 1 for word in exported.traffic.words))
        self.assertEqual({number >> flit.packet - flit.destination for number in numbers}, set(range(5)))

    def test_the_testbench_names_the_first_difference_of_each_fault_of_the_generator(self):
        self.check_faults("stored_ring", STORED_FAULTS)

    def test_what_has_no_equal_rtl_is_refused(self):
        for words, settings in (
                ("router.priority: queues in the order farthest have no RTL; use fifo\n", ["router.priority=farthest"]),
                ("router.buffer_depth: a router has slots for 400 packets, and one of RTL for at most 256; use 25\n", ["router.buffer_depth=40"]),
                ("router.pipeline: with route and vc_allocation 0 the model has no log of packets of one flit",
                 ["router.pipeline.route=0", "router.pipeline.vc_allocation=0"])):
            code, said = refused(self.file_of("stored_mesh"), *(word for setting in settings for word in ("--set", setting)))
            self.assertEqual(code, 2, said)
            self.assertIn(words, said)
        code, said = refused(self.file_of("stored_mesh"), "--streams")
        self.assertEqual(code, 2)
        self.assertIn("router.kind: --streams: sources of streams count credits in flits, and store_and_forward in packets", said)


class SlowTest(RouterCase):
    """Channels that take several cycles for a flit."""

    def test_wormhole_and_cut_through_routers_with_slow_channels_are_equal_to_the_model(self):
        for name in ("slow_classes", "slow_cut_through", "slow_at_once"):
            with self.subTest(name):
                self.check_exported(name)

    def test_one_router_is_exported_alone_with_its_slow_channels(self):
        self.check_exported("slow_classes", router=0)

    def test_the_testbench_names_the_first_difference_of_each_fault_of_the_generator(self):
        self.check_faults("slow_classes", {"channels that are fast": other_channels(cycles_per_flit=lambda _: 1),
                                           "channels that are slower": other_channels(cycles_per_flit=lambda cycles: cycles + 1)})


if __name__ == "__main__":
    unittest.main(verbosity=2)
