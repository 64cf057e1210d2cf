# SPDX-License-Identifier: Apache-2.0
"""Files of ASTRA-sim become experiments: with its times where both programs can have them, and with every other key named.

usage: FLITCAST=PROGRAM astra_test.py [TESTS of unittest]

Expected times are the closed forms of ASTRA-sim's congestion-aware back end: n ranks, S bytes, links of L ns and B bytes/ns
(1 GB/s of a network file is 2^30 bytes/s), end-point delay o, memory of M bytes/ns, m = S / n:
  ring all-gather      n o + (n-1) (L + S/B)
  ring reduce-scatter  n o + (n-1) (L + m/B + 3 m/M)
  ring all-reduce      (2n-1) o + 2 (n-1) (L + m/B) + 3 (n-1) m/M
where L + m/B and m/M are whole ns. Times here differ by less than 1 % and 15 ns for each message on the critical path.
"""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "sim" / "python"))
import flitcast  # noqa: E402
from flitcast.astra import ConversionError, convert  # noqa: E402

EXAMPLES = ROOT / "sim" / "examples"
MIB = 2 ** 20
COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
ALL_REDUCE, ALL_GATHER, BROADCAST, ALL_TO_ALL, REDUCE_SCATTER = 0, 2, 5, 6, 7

NETWORK = """# One ring.
topology: [ Ring ]   # Ring, Switch, FullyConnected
npus_count: [ 8 ]
bandwidth: [ 50.0 ]  # GB/s
latency: [ 500.0 ]   # ns
"""
SYSTEM = {"endpoint-delay": 1, "preferred-dataset-splits": 1, "all-reduce-implementation": ["ring"], "all-gather-implementation": ["ring"],
          "reduce-scatter-implementation": ["ring"], "all-to-all-implementation": ["ring"], "local-mem-bw": 1600}


NO_ALGORITHMS = {key: None for key in SYSTEM if key.endswith("-implementation")}


def network(kinds, counts, rates=None, latencies=None):
    """The text of a network file; without rates and latencies all links have 50 GB/s and 500 ns."""
    return (f"topology: [{', '.join(kinds)}]\nnpus_count: {list(counts)}\nbandwidth: {list(rates or [50] * len(kinds))}\n"
            f"latency: {list(latencies or [500] * len(kinds))}\n")


def varint(number):
    low, rest = number & 0x7f, number >> 7
    return bytes([low | 0x80]) + varint(rest) if rest else bytes([low])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    data = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(data)) + data


def node(number, kind, after=(), **attributes):
    """A node of a Chakra trace; attributes are int64, bool or text."""
    def value(given):
        return field(27, int(given)) if isinstance(given, bool) else field(29 if isinstance(given, str) else 9, given)
    data = field(1, number) + field(2, f"node{number}") + field(3, kind) + b"".join(field(5, other) for other in after)
    return data + b"".join(field(10, field(1, name) + value(given)) for name, given in attributes.items())


def trace(*nodes):
    messages = [field(1, "0.0.4"), *nodes]
    return b"".join(varint(len(message)) + message for message in messages)


def collective(kind, size, number=1, after=(), **more):
    return node(number, COLLECTIVE, after, is_cpu_op=False, comm_type=kind, comm_size=size, **more)


class AstraTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        text = json.dumps(text, indent=1) if isinstance(text, dict) else text
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def traces(self, ranks, *nodes):
        """Traces of ranks that all do the same; there are no others."""
        for old in self.folder.glob("traces/t.*.et"):
            old.unlink()
        for rank in range(ranks):
            self.write(f"traces/t.{rank}.et", trace(*nodes))
        return self.folder / "traces" / "t"

    def message(self, ranks, source, target, size):
        """Traces of ranks of which one sends to another."""
        prefix = self.traces(ranks)
        self.write(f"traces/t.{source}.et", trace(node(1, SEND, comm_dst=target, comm_size=size)))
        self.write(f"traces/t.{target}.et", trace(node(1, RECEIVE, comm_src=source, comm_size=size)))
        return prefix

    def convert(self, *nodes, ranks=8, network=NETWORK, system=None, prefix=None, **more):
        """The files and notes of a conversion; keys of `system` take the place of those of SYSTEM, None leaves one out."""
        system = {key: value for key, value in {**SYSTEM, **(system or {})}.items() if value is not None}
        prefix = prefix or self.traces(ranks, *(nodes or [collective(ALL_GATHER, MIB)]))
        return convert(self.write("network.yml", network), self.write("system.json", system), prefix, out=self.folder / "x.yaml", **more)

    def text(self, *nodes, **more):
        """The lines of the experiment that are no comments."""
        files, _ = self.convert(*nodes, **more)
        return [line.strip() for line in files[self.folder / "x.yaml"].splitlines() if "# " not in line]

    def refusals(self, *nodes, **more):
        with self.assertRaises(ConversionError) as refused:
            self.convert(*nodes, **more)
        return [line.replace(f"{self.folder}/", "") for line in refused.exception.refusals]

    def cycles(self, *nodes, **more):
        """The cycles of a run of the converted files, which are ns."""
        files, _ = self.convert(*nodes, **more)
        for path, text in files.items():
            path.write_text(text)
        result = flitcast.run(self.folder / "x.yaml")
        self.assertTrue(result.ok)
        return result["critical_path.cycles"]

    def assert_takes(self, cycles, expected, messages):
        self.assertLess(abs(cycles - expected), 0.01 * expected + 15 * messages, f"{cycles} instead of {expected}")

    # Times.

    def test_collectives_of_1_mib_on_rings_take_the_times_of_the_closed_forms_and_of_the_manual(self):
        page = (ROOT / "scripts" / "site" / "text" / "coming_from.md").read_text()
        names = {ALL_GATHER: "all-gather", ALL_REDUCE: "all-reduce", REDUCE_SCATTER: "reduce-scatter"}
        for ranks, kind, expected in ((8, ALL_GATHER, 8 + 7 * 20031),                    # 500 + 1048576 / 53.687.
                                      (8, ALL_REDUCE, 15 + 14 * 2941 + 7 * 3 * 81),      # 500 + 131072 / 53.687; 131072 / 1600.
                                      (8, REDUCE_SCATTER, 8 + 7 * (2941 + 3 * 81)),
                                      (16, ALL_GATHER, 16 + 15 * 20031),
                                      (16, ALL_REDUCE, 31 + 30 * 1720 + 15 * 3 * 40),    # 500 + 65536 / 53.687; 65536 / 1600.
                                      (16, REDUCE_SCATTER, 16 + 15 * (1720 + 3 * 40))):
            cycles = self.cycles(collective(kind, MIB), ranks=ranks, network=NETWORK.replace("[ 8 ]", f"[ {ranks} ]"))
            self.assertLess(abs(cycles / expected - 1), 0.01, (ranks, kind, cycles, expected))
            self.assertIn(f"| {names[kind]} | {ranks} | {expected} | {cycles} | {100 * (cycles / expected - 1):+.1f} % |", page)

    def test_adding_up_takes_the_time_of_two_reads_and_a_write(self):
        with_slow_memory = self.cycles(collective(ALL_REDUCE, MIB), system={"local-mem-bw": 16})
        self.assert_takes(with_slow_memory, 15 + 14 * 2941 + 7 * 3 * 8192, 14)

    def test_an_endpoint_delay_is_paid_for_every_message(self):
        short = self.cycles(collective(ALL_GATHER, 1024))
        self.assertEqual(self.cycles(collective(ALL_GATHER, 1024), system={"endpoint-delay": 101}) - short, 7 * 100)
        self.assertEqual(self.cycles(collective(ALL_GATHER, 1024), options={"injection-scale": 101.0}) - short, 7 * 100)

    def test_a_kernel_takes_the_time_of_the_roofline_or_its_duration(self):
        kernel = node(2, COMPUTE, is_cpu_op=False, num_ops=2 * 10 ** 9, tensor_size=10 ** 6)
        nodes = kernel, collective(ALL_GATHER, 1024, after=[2])
        alone = self.cycles(collective(ALL_GATHER, 1024))
        self.assertEqual(self.cycles(*nodes, system={"roofline-enabled": 1, "peak-perf": 100}) - alone, 20000)
        self.assertEqual(self.cycles(*nodes, system={"roofline-enabled": 1, "peak-perf": 10 ** 6, "local-mem-bw": 40}) - alone, 25000)

    def test_messages_take_the_bandwidth_and_latency_of_their_dimension(self):
        # A message of 100000 bytes from rank 0 to a neighbour in each dimension: links L + S/B, where a switch is two of them.
        size, rates, latencies = 100000, (100, 50), (300, 700)
        for kinds in (("FullyConnected", "FullyConnected"), ("Switch", "Ring"), ("Ring", "Switch"), ("FullyConnected", "Ring"),
                      ("Ring", "FullyConnected"), ("Switch", "Switch")):
            for kind, rate, latency, target in zip(kinds, rates, latencies, (1, 4)):
                links = 2 if kind == "Switch" else 1
                expected = links * latency + size / (rate * 1.073741824)
                with self.subTest(kinds=kinds, target=target):
                    prefix = self.message(12, 0, target, size)
                    text = network(kinds, [4, 3], rates, latencies)
                    self.assert_takes(self.cycles(network=text, system=NO_ALGORITHMS, prefix=prefix), expected, 1)

    def test_npus_are_numbered_along_the_first_dimension(self):
        # On rings of 4 and of 3: ranks 0, 4 and 8 are a ring; rank 3 is a neighbour of rank 0.
        text = network(["Ring", "Ring"], [4, 3])
        for source, target, links in ((0, 3, 1), (0, 4, 1), (0, 8, 1), (0, 2, 2), (3, 4, 2)):
            cycles = self.cycles(network=text, system=NO_ALGORITHMS, prefix=self.message(12, source, target, 10000))
            self.assert_takes(cycles, links * 500 + 10000 / 53.687, links)

    def test_groups_gather_among_their_ranks_in_their_order(self):
        # A link for each pair; a ring of 4 in each group: 4 + 3 x (500 + 3052).
        for rank in range(8):
            self.write(f"traces/t.{rank}.et", trace(collective(ALL_GATHER, 163840, pg_name=str(1 + rank // 4))))
        groups = self.write("groups.json", {"1": [0, 1, 2, 3], "2": [4, 5, 6, 7]})
        cycles = self.cycles(prefix=self.folder / "traces" / "t", comm_group=groups, network=NETWORK.replace("Ring ]", "FullyConnected ]"))
        self.assert_takes(cycles, 4 + 3 * (500 + 163840 / 53.687), 3)
        self.assertIn('groups: [{name: "1", ranks: [0, 1, 2, 3]}, {name: "2", ranks: [4, 5, 6, 7]}, {name: "0", ranks: '
                      '[0, 1, 2, 3, 4, 5, 6, 7]}]', self.text(prefix=self.folder / "traces" / "t", comm_group=groups))

    # Keys.

    def test_topologies_become_those_with_the_same_links(self):
        for kinds, counts, expected in (
                (["Ring"], [5], "{kind: ring, nodes: 5}"), (["FullyConnected"], [5], "{kind: complete, nodes: 5}"),
                (["Switch"], [5], "{kind: folded_clos, nodes: 1, leaves: 5, spines: 1}"), (["Ring"], [2], "{kind: complete, nodes: 2}"),
                (["Ring", "Ring"], [3, 4], "{kind: torus, sizes: [3, 4]}"),
                (["FullyConnected", "FullyConnected"], [3, 4], "{kind: hyperx, sizes: [3, 4]}"),
                (["Ring", "FullyConnected", "Switch"], [3, 2, 4], '{kind: custom, file: "x.graph"}')):
            files, _ = self.convert(network=network(kinds, counts), ranks=math.prod(counts),
                                    system={**NO_ALGORITHMS, "all-gather-implementation": ["oneRing"] * len(kinds)})
            for path, content in files.items():
                path.write_text(content)
            self.assertIn(f"topology: {expected}", files[self.folder / "x.yaml"].splitlines())
            self.assertIn("deadlock-free", flitcast.call("check", self.folder / "x.yaml"))

    def test_a_graph_has_the_cycles_of_its_links_and_as_many_virtual_channels_as_its_paths_have_links(self):
        text = network(["Ring", "Switch"], [9, 3], [100, 50], [300, 936.25])
        files, _ = self.convert(network=text, ranks=27, system=NO_ALGORITHMS, clock=2)
        for path, content in files.items():
            path.write_text(content)
        graph = files[self.folder / "x.graph"].splitlines()
        # 2 GHz: 600 and 1872.5 cycles; 4 links half round the ring and 2 through a switch.
        self.assertEqual(len([line for line in graph if line.startswith("link ") and " latency 600 " in line]), 27)
        self.assertEqual(len([line for line in graph if line.startswith("link ") and " latency 1873 " in line]), 27)
        self.assertIn("virtual_channels: 6", self.text(network=text, ranks=27, system=NO_ALGORITHMS, clock=2))
        self.assertIn("deadlock-free", flitcast.call("check", self.folder / "x.yaml"))
        rings = network(["Ring", "Ring"], [60, 9], [100, 50])
        self.assertIn("paths of 34 links need as many virtual channels", self.refusals(network=rings, ranks=540, system=NO_ALGORITHMS)[0])

    def test_checks_have_nothing_to_say_of_buffers(self):
        for network in (NETWORK, NETWORK.replace("50.0", "400").replace("500.0", "2000"), NETWORK.replace("Ring ]", "Switch ]")):
            files, _ = self.convert(network=network)
            (self.folder / "x.yaml").write_text(files[self.folder / "x.yaml"])
            done = subprocess.run([flitcast.program(), "check", self.folder / "x.yaml"], capture_output=True, text=True, check=True)
            self.assertEqual(done.stderr, "")

    def test_flits_represent_bandwidths_within_a_thousandth(self):
        for rates in ([50], [400], [3.125], [200, 100, 50], [900, 25]):
            text = network(["Switch"] * len(rates), [2] * len(rates), rates)
            files, _ = self.convert(network=text, ranks=2 ** len(rates), system=NO_ALGORITHMS)
            lines = "\n".join(files.values())
            width = int(lines.split("flit_width: ")[1].split(" B")[0])
            cycles = {int(part.split()[0]) for part in lines.replace("cycles_per_flit: ", "cycles_per_flit ").split("cycles_per_flit ")[1:]}
            for rate in rates:
                self.assertTrue(any(abs(width / count / (rate * 2 ** 30 / 1e9) - 1) <= 0.001 for count in cycles), (rates, width, cycles))

    def test_a_faster_clock_represents_short_latencies(self):
        text = NETWORK.replace("500.0", "3.39")
        self.assertIn("latency: 3.39 ns would be 4 cycles of 1 ns; take shorter cycles, such as --clock 10, or keep the difference with "
                      "--accept latency", self.refusals(network=text)[0])
        self.assertIn("clock: 100 GHz", self.text(network=text, clock=100))
        self.assertIn("latency: 3.39 ns", self.text(network=text, accepted=["latency"]))
        self.assertIn("latency: 1", self.text(network=NETWORK.replace("500.0", "0"), accepted=["latency"]))

    def test_each_key_of_a_system_has_its_own_effect(self):
        kernel = [node(2, COMPUTE, num_ops=1), *(collective(kind, 8, 3 + kind) for kind in (ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER))]
        base = {"roofline-enabled": 1, "peak-perf": 100}
        before = set(self.text(*kernel, system=base))
        for change, lost, found in (
                ({"endpoint-delay": 7}, "startup: 1 ns", "startup: 7 ns"),
                ({"endpoint-delay": None}, "startup: 1 ns", "startup: 10 ns"),
                ({"peak-perf": 50}, "compute: {peak: 100, memory: 1600}", "compute: {peak: 50, memory: 1600}"),
                ({"all-reduce-implementation": ["halvingDoubling"]}, "all_reduce: ring", "all_reduce: rabenseifner"),
                ({"all-reduce-implementation": ["doubleBinaryTree"]}, "all_reduce: ring", "all_reduce: two_trees"),
                ({"all-gather-implementation": ["halvingDoubling"]}, "all_gather: ring", "all_gather: recursive_doubling"),
                ({"reduce-scatter-implementation": ["halvingDoubling"]}, "reduce_scatter: ring", "reduce_scatter: recursive_halving")):
            after = set(self.text(*kernel, system={**base, **change}))
            self.assertEqual((before - after, after - before), ({lost}, {found}))
        after = set(self.text(*kernel, system={**base, "local-mem-bw": 300}))
        self.assertEqual(after - before, {"compute: {peak: 100, memory: 300}", "combine: 100"})
        self.assertEqual(before - set(self.text(*kernel)), {"compute: {peak: 100, memory: 1600}"})

    def test_each_value_has_the_place_of_its_origin_above_it(self):
        files, _ = self.convert()
        lines = files[self.folder / "x.yaml"].splitlines()
        at = lines.index("  startup: 1 ns")
        self.assertIn("system.json:2: endpoint-delay", " ".join(lines[at - 3:at]))
        at = lines.index("topology: {kind: ring, nodes: 8}")
        self.assertIn("network.yml:2: topology", lines[at - 1])
        self.assertEqual(files, self.convert()[0])
        self.assertIn('  file: "traces/t"', lines)

    def test_a_key_without_an_effect_is_noted(self):
        effects = {"scheduling-policy": "LIFO", "collective-optimization": "localBWAware", "active-chunks-per-dimension": 2,
                   "boost-mode": 0, "trace-enabled": 1, "track-local-mem": 1,
                   "local-mem-trace-filename": "x", "local-reduction-delay": 1, "L": 1, "o": 1, "g": 1, "G": 1, "peak-perf": 9,
                   "intra-dimension-scheduling": "FIFO", "inter-dimension-scheduling": "baseline"}
        _, notes = self.convert(system=effects)
        for key in (*effects, "all-to-all-implementation"):
            self.assertEqual(len([note for note in notes if f": {key}: has no effect" in note]), 1, key)
        _, notes = self.convert(collective(BROADCAST, 64), system={"local-mem-bw": None})
        self.assertTrue(any("local-mem-bw: is missing: adding up takes no time" in note for note in notes))
        self.assertTrue(any("comm_type 5" in note for note in notes))
        self.write("traces/comm_group.json", {"1": [0]})
        self.assertTrue(any("comm_group.json: is not read" in note for note in self.convert()[1]))

    def test_a_difference_is_refused_by_its_key_unless_it_is_accepted(self):
        memory = self.write("memory.json", {"memory-type": "MEMORY_POOL", "remote-mem-latency": 100})
        cases = [("system.json", key, {"system": {key: value}}) for key, value in (
            ("preferred-dataset-splits", 4), ("all-gather-implementation", ["direct"]), ("all-gather-implementation", ["direct4"]),
            ("all-gather-implementation", ["doubleBinaryTree"]), ("all-gather-implementation-custom", ["x"]),
            ("per-node-custom-implementation", "x.yml"), ("model-shared-bus", 1), ("replay-only", 1), ("local-mem-bW", 3))]
        cases += [("command line", key, {"options": {key: value}}) for key, value in (
            ("comm-scale", 2.0), ("compute-scale", 2.0), ("num-queues-per-dim", 2), ("rendezvous-protocol", True))]
        cases.append(("memory.json", "memory-type", {"remote_memory": memory}))
        cases.append(("network.yml", "bandwidth", {"network": NETWORK.replace("50.0", "0.0005")}))
        for file, key, change in cases:
            with self.subTest(key=key):
                line, = self.refusals(**change)
                self.assertRegex(line, f"^{file}[:0-9]*: {key}: .*; .* with --accept {key}$")
                _, notes = self.convert(accepted=[key], **change)
                self.assertEqual(len([note for note in notes if f": {key}: " in note]), 1)
        key = "all-gather-implementation"
        self.assertIn("all_gather: shift_exchange", self.text(system={key: ["direct"]}, accepted=[key]))
        self.assertIn("write local-mem-bw", self.refusals(system={"local-mem-bW": 3})[0])
        self.assertIn("all-to-all-implementation", self.refusals(collective(ALL_TO_ALL, 64))[0])
        self.assertEqual(self.refusals(accepted=["bandwidth"]),
                         ["--accept bandwidth: no difference of that key is refused; keys to accept: none here"])

    def test_phases_in_dimensions_are_a_difference_and_one_ring_over_all_is_none(self):
        text, key = network(["Ring", "Ring"], [4, 2]), "all-gather-implementation"
        self.assertIn('one ring over all ranks would take the place of phases in each dimension; write "oneRing", "oneRing", or keep',
                      self.refusals(network=text, system={**NO_ALGORITHMS, key: ["ring", "ring"]})[0])
        self.assertIn("all_gather: ring", self.text(network=text, system={**NO_ALGORITHMS, key: ["oneRing", "oneRing"]}))
        for mixed in (["oneRing", "ring"], ["oneRing", "oneHalvingDoubling"]):
            self.assertIn("one ring over all ranks", self.refusals(network=text, system={**NO_ALGORITHMS, key: mixed})[0])
        self.assertIn("1 algorithms for 2 dimensions", self.refusals(network=text, system={**NO_ALGORITHMS, key: ["ring"]})[0])

    # Bad input.

    def test_all_problems_are_named_at_once_with_file_line_key_and_hint(self):
        memory = self.write("memory.json", {"memory-type": 3})
        lines = self.refusals(network=NETWORK.replace("Ring ]", "Torus ]"),
                              system={"endpoint-delay": "x", "peak-perf": -1, "roofline-enabled": 2},
                              prefix=self.folder / "none", remote_memory=memory, comm_group=self.folder / "absent.json")
        for expected in ('network.yml:2: topology: "Torus" is no topology of the analytical back end; write one of Ring, FullyConnected, '
                         "Switch",
                         'system.json:2: endpoint-delay: "x" is not a number, at least 0; write a number, at least 0',
                         "system.json:17: peak-perf: -1 is not a number above 0; write a number above 0",
                         "system.json:18: roofline-enabled: 2 is not 0 or 1; write 0 or 1",
                         "memory.json:2: memory-type: 3 is not text; write text",
                         "absent.json: cannot be read (No such file or directory); name a file that can be read"):
            self.assertIn(expected, lines)
        self.assertTrue(any("there is no file none.0.et" in line for line in lines), lines)
        self.assertEqual(len(lines), 7)

    def test_a_bad_network_is_refused(self):
        for change, expected in (
                (("[ 8 ]", "[ 8, 2 ]"), "network.yml:3: npus_count: 2 values for 1 dimensions; write one for each dimension"),
                (("[ 8 ]", "8"), "network.yml:3: npus_count: 8 is not a list"), (("[ 8 ]", "[ 8.5 ]"), "npus_count: [8.5] is not a list"),
                (("[ 8 ]", "[ 1 ]"), "a dimension has less than 2 NPUs"), (("[ 50.0 ]", "[ tbd ]"), 'bandwidth: ["tbd"] is not'),
                (("[ 50.0 ]", "[ 0 ]"), "bandwidth: [0] is not"), (("[ 500.0 ]", "[ -1 ]"), "latency: [-1] is not"),
                (("[ 500.0 ]", "[ 500.0"), "network.yml:5: latency: the value cannot be read"),
                (("latency:", "latency"), 'network.yml:5: "latency [ 500.0 ]" cannot be read'),
                (("latency:", "lateny:"), "write latency"),
                (("latency:", "npus_count:"), "network.yml:5: npus_count: the key stands there twice"),
                (("[ 8 ]", "{a: 8}"), "npus_count: \"{a: 8}\" is not a list")):
            lines = self.refusals(network=NETWORK.replace(*change))
            self.assertTrue(any(expected in line for line in lines), (expected, lines))
        big = NETWORK.replace("[ 8 ]", "[ 200 ]")
        for kind in ("Switch", "FullyConnected"):
            self.assertIn("128 is the most", self.refusals(network=big.replace("Ring ]", kind + " ]"), ranks=200)[0])
        files, notes = self.convert(network=NETWORK.replace("[ 8 ]", "[ 100 ]").replace("Ring ]", "FullyConnected ]"), ranks=100)
        self.assertTrue(any("one of its 99 links at a time" in note for note in notes))
        (self.folder / "x.yaml").write_text(files[self.folder / "x.yaml"])
        self.assertIn("deadlock-free", flitcast.call("check", self.folder / "x.yaml"))

    def test_lists_may_be_in_blocks_or_over_lines(self):
        blocks = "topology:\n  - Ring\nnpus_count:\n- 8\nbandwidth: [\n  50.0,  # GB/s\n]\nlatency: ['500.0']\n".replace("'", "")
        self.assertEqual(self.text(network=blocks), self.text())

    def test_bad_json_is_refused_by_its_place(self):
        prefix, given = self.traces(8, collective(ALL_GATHER, MIB)), self.write("n.yml", NETWORK)
        for text, expected in (("{", "bad.json:1:2: is no JSON"), ("[1]", "bad.json: is no JSON object"),
                               ('{"o": 1,\n"o": 2}', "bad.json:1: o: the key stands there twice"), (b"\xff", "is no text in UTF-8")):
            with self.assertRaises(ConversionError) as refused:
                convert(given, self.write("bad.json", text), prefix, out=self.folder / "x.yaml")
            self.assertIn(expected, str(refused.exception))

    def test_traces_and_groups_must_fit_the_network(self):
        self.assertIn("there is no trace of rank 7", self.refusals(ranks=7)[0])
        self.assertIn("there is a trace of rank 8", self.refusals(ranks=9)[0])
        self.assertIn("traces/NAME.0.et; name the start of the files, such as traces/t", self.refusals(prefix=self.traces(8).parent)[0])
        for groups, expected in (({"1": [8]}, "8 is none of the 8 ranks"), ({"1": [0, 0]}, "a rank is named twice"),
                                 ({"x": [0]}, "is not the number"), ({"0": [0]}, "is not the number of a group"),
                                 ({"1": []}, "[] is not a list"), ({"1": [True]}, "[true] is not a list")):
            self.assertIn(expected, self.refusals(comm_group=self.write("g.json", groups))[0])

    # The command.

    def command(self, *arguments, cwd=None):
        return subprocess.run([sys.executable, "-B", "-m", "flitcast", "astra", *map(str, arguments)],
                              capture_output=True, text=True, check=False, cwd=cwd,
                              env={**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")})

    def test_the_command_takes_the_options_of_astra_sim_and_writes_all_or_nothing(self):
        prefix, out = self.traces(8, collective(ALL_GATHER, MIB)), self.folder / "o.yaml"
        given, system = self.write("n.yml", NETWORK), self.write("s.json", SYSTEM)
        words = [f"--workload-configuration={prefix}", f"--system-configuration={system}", f"--network-configuration={given}",
                 "--out", out]
        done = self.command(*words, "--comm-scale=2")
        self.assertEqual((done.returncode, out.exists()), (2, False))
        self.assertIn("command line: comm-scale: 2.0: sizes of messages would not be scaled", done.stderr)
        done = self.command(*words, "--comm-scale=1", "--rendezvous-protocol=false", "--logging-folder=x", "--injection-scale=3")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"^note: .*all-reduce-implementation: has no effect: the traces have no all-reduce\n")
        self.assertIn("startup: 3 ns", out.read_text())
        self.assertIn("valid", flitcast.call("check", out))
        self.assertEqual(self.command(*words[:-1], self.folder / "no" / "o.yaml").returncode, 2)
        self.assertEqual(self.command(*words, "--clock=0").returncode, 2)

    def test_the_example_is_what_the_files_beside_it_become(self):
        (self.folder / "astra_ring").symlink_to(EXAMPLES / "astra_ring")
        done = self.command("--workload-configuration=astra_ring/step", "--system-configuration=astra_ring/system.json",
                            "--network-configuration=astra_ring/network.yml",
                            "--remote-memory-configuration=astra_ring/remote_memory.json", "--out=astra_ring.yaml", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.folder / "astra_ring.yaml").read_text(), (EXAMPLES / "astra_ring.yaml").read_text())
        for rank in range(8):
            self.assertEqual((EXAMPLES / "astra_ring" / f"step.{rank}.et").read_bytes(), EXAMPLE)


# A kernel of 20 us, an all-gather of the weights, and an all-reduce of the gradients.
EXAMPLE = trace(node(1, COMPUTE, is_cpu_op=False, num_ops=2 * 10 ** 9, tensor_size=10 ** 7),
                collective(ALL_GATHER, 131072, 2, [1]), collective(ALL_REDUCE, MIB, 3, [2]))


if __name__ == "__main__":
    unittest.main()
