# SPDX-License-Identifier: Apache-2.0
"""SynFull models become traces: of the model's shares, of whole transactions, each message after the one that it reacts to.

usage: FLITCAST=PROGRAM synfull_test.py [TESTS of unittest]

Published models are not part of the project: FLITCAST_SAMPLES names the folder that holds synfull/*.model; without it their test is skipped.

Bounds of chance are five standard deviations of the count that a test looks at; seeds are fixed.
"""
import collections
import csv
import hashlib
import heapq
import io
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "sim" / "python"))
import flitcast  # noqa: E402
from flitcast.astra.inputs import Report  # noqa: E402
from flitcast.synfull import SynfullError, convert, write  # noqa: E402
from flitcast.synfull.model import read_model  # noqa: E402
from flitcast.synfull.traffic import steps_of  # noqa: E402

KINDS = ("WRITE", "READ", "CCR", "DCR")
NODES, CACHES, DIRECTORIES = 6, (0, 2, 4), (1, 3, 5)
DATA = ("DATA", "PUTD")


def rows(table):
    return "".join(" ".join(str(int(one) if one is True or one is False else one) for one in row) + "\n" for row in table)


def table(name, table_rows):
    return f"{name}\n{rows(table_rows)}END\n"


def flows(sources, targets, states, weight):
    """All combinations in the order of published files; weight(source, target, state) counts them."""
    return [(s, t, state, weight(s, t, state)) for state in range(1, states + 1) for t in targets for s in sources]


def macro_class(number, *, markov=((1,),), volumes=None, sources=None, to=lambda s, t, state: 1, forward=None, owner=lambda s, t, state: 1,
                invalidations=(), invalidated=lambda s, t, state: 1, resolution=10):
    """The text of a macro class.

    @param volumes, sources  By kind: rows of weights with a column for each state; kinds left out send nothing.
    @param forward           By directory: the shares of writes and of reads.
    @param invalidations     Rows (state, directory, caches, weight).
    """
    states = len(markov)
    none, even = [[1] * states], [[1] * states for _ in CACHES]
    text = f"HIER_BEGIN_ID  {number} \nMEMORY 1\nNUM_NODES {NODES}\nNUM_CLASSES {states}\nRESOLUTION {resolution}\n"
    text += table("MARKOV", markov) + table("MARKOV_STEADY", [[1 / states]] * states)
    text += "".join(table(f"{kind}_SPATIAL", (sources or {}).get(kind, even)) for kind in KINDS)
    text += "".join(table(f"{kind}_FLOWS", flows(CACHES, DIRECTORIES, states, to)) for kind in KINDS)
    text += "".join(table(f"{kind}_INJECTION", (volumes or {}).get(kind, none)) for kind in KINDS)
    text += table("FORWARD_PROBABILITY", [(directory, *shares) for directory, shares in (forward or {}).items()])
    text += table("FORWARD_FLOWS", flows(DIRECTORIES, CACHES, states, owner)) + table("INVALIDATE_PROBABILITY", invalidations)
    return text + table("INVALIDATE_FLOWS", flows(DIRECTORIES, CACHES, states, invalidated)) + "END_HIER\n"


def model(*classes, chain=((1,),), steady=(1,), span=1000):
    return (f"HIER_CLASSES {len(classes)}\nTIME_SPAN {span}\n" + table("HIER_MARKOV", chain)
            + table("HIER_MARKOV_STEADY", [[share] for share in steady]) + "".join(classes))


def one_each_step(kind, states=1):
    """Volumes: one message of the kind in every step."""
    return {kind: [[0] * states, [1] * states]}


# All that a model can do: two phases, three states, and all kinds of messages.
RICH = model(
    macro_class(1, markov=((0.5, 0.25, 0.25), (0.2, 0.8, 0), (1, 0, 0)),
                volumes={kind: [[2, 1, 0], [1, 1, 3], [0, 2, 1]] for kind in KINDS}, forward={1: (0.5, 0.5), 3: (1, 0)},
                invalidations=[(state, d, n, n != 2) for state in (1, 3) for d in DIRECTORIES for n in range(4)]),
    macro_class(2, volumes={kind: [[1], [1]] for kind in KINDS}, forward={5: (1, 1)}), chain=((0.5, 0.5), (0.5, 0.5)), steady=(0.5, 0.5),
    span=200)


def transactions_of(packets):
    """Checks the packets of a trace, dictionaries with whole numbers, against the rules of the protocol; returns the transactions, each as
    {kind: packets}, by the request's id. Nothing here knows how they were drawn."""
    by_id, found = {packet["id"]: packet for packet in packets}, {}
    assert len(by_id) == len(packets)
    for packet in packets:
        root = packet
        while root["deps"] is not None:
            root = by_id[root["deps"]]
        found.setdefault(root["id"], []).append(packet)
    for number, parts in found.items():
        request, kinds = by_id[number], collections.Counter(part["class"] for part in parts)
        cache, directory = request["src"], request["dst"]
        assert cache % 2 == 0 and directory % 2 == 1, request
        forwards = kinds["FORWARD"]
        expected = {"PUTC": {"PUTC": 1, "WB_ACK": 1}, "PUTD": {"PUTD": 1, "WB_ACK": 1}}.get(
            request["class"], {request["class"]: 1, "FORWARD": forwards, "DATA": 1, "UNBLOCK": 1, "INV": kinds["INV"], "ACK": kinds["INV"]})
        assert kinds == +collections.Counter(expected) and forwards <= 1, (request, kinds)
        assert kinds["INV"] == 0 or (request["class"] == "WRITE" and forwards), (request, kinds)
        for part in parts:
            check_message(part, by_id, cache, directory)
        targets = [part["dst"] for part in parts if part["class"] == "INV"]
        assert len(set(targets)) == len(targets), targets
    return found


def check_message(packet, by_id, cache, directory):
    """Asserts that the cause of a message is the right one, that it leaves from there, and goes where the protocol says."""
    if packet["deps"] is None:
        return
    cause, kind = by_id[packet["deps"]], packet["class"]
    allowed = {"FORWARD": ("READ", "WRITE"), "INV": ("WRITE",), "DATA": ("READ", "WRITE", "FORWARD"), "UNBLOCK": ("DATA",), "ACK": ("INV",),
               "WB_ACK": ("PUTC", "PUTD")}[kind]
    assert cause["class"] in allowed and cause["dst"] == packet["src"], (packet, cause)
    target = {"DATA": cache, "ACK": cache, "WB_ACK": cache, "UNBLOCK": directory}.get(kind)
    assert packet["dst"] == target or target is None and packet["dst"] % 2 == 0, packet
    assert packet["cycle"] == cause["cycle"] + (80 if kind == "DATA" and cause["class"] != "FORWARD" else 1), (packet, cause)


def packets_of(text):
    """The packets of a trace of format csv."""
    return [{"class": row["class"], "deps": int(row["deps"]) if row["deps"] else None,
             **{key: int(row[key]) for key in ("cycle", "src", "dst", "flits", "id")}} for row in csv.DictReader(io.StringIO(text))]


class SynfullTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def model(self, text):
        path = self.folder / "small.model"
        path.write_text(text)
        return path

    def packets(self, text, cycles=100_000, **more):
        made = convert(self.model(text), self.folder / "t.csv", cycles=cycles, **more)
        return packets_of(made.files[self.folder / "t.csv"].decode())

    def refusals(self, text, **more):
        with self.assertRaises(SynfullError) as refused:
            convert(self.model(text), self.folder / "t.csv", **more)
        return [line.replace(str(self.folder) + "/", "") for line in refused.exception.refusals]

    def command(self, *words, **environment):
        return subprocess.run([sys.executable, "-B", "-m", "flitcast", "synfull", *map(str, words)], cwd=self.folder, text=True, check=False,
                              capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python"), **environment})

    def near(self, count, trials, share, factor=1.0):
        """Asserts that a count is that of independent trials within chance; `factor` widens the variance for dependent ones."""
        bound = 5 * (factor * trials * share * (1 - share)) ** 0.5
        self.assertLessEqual(abs(count - trials * share), bound, f"{count} of {trials}, {share} expected")


class ReadingTest(SynfullTest):
    def test_every_problem_is_reported_with_its_line_and_a_hint_and_nothing_is_written(self):
        text = model(macro_class(1))
        edits = [("TIME_SPAN 1000", "TIME_SPAN soon"), ("MARKOV\n1\n", "MARKOV\n0.8\n"), ("READ_SPATIAL\n1\n1\n", "READ_SPATIAL\n1\n-1\n"),
                 ("WRITE_FLOWS\n0 1 1 1\n", "WRITE_FLOWS\n1 1 1 1\n"), ("CCR_FLOWS\n0 1 1 1\n2", "CCR_FLOWS\n0 1 1 1\n0 1 1 1\n2"),
                 ("DCR_INJECTION\n1\n", "DCR_INJECTION\n1 1\n"), ("FORWARD_PROBABILITY\n", "FORWARD_PROBABILITY\n3 0.5 nan\n"),
                 ("INVALIDATE_FLOWS\n1 0 1 1\n", "INVALIDATE_FLOWS\n1 0 2 1\n"), ("MEMORY 1\n", "MEMORY 1\nMAGIC 3\n")]
        for old, new in edits:
            self.assertEqual(text.count("\n" + old), 1, old)
            text = text.replace("\n" + old, "\n" + new)
        lines = text.splitlines()

        def line(heading, below):
            return lines.index(heading) + 1 + below

        self.assertEqual(self.refusals(text), [
            "small.model:2: TIME_SPAN: `soon` is not a whole number from 1 to 1000000000; write such a number",
            f"small.model:{line('MAGIC 3', 0)}: MAGIC: no such section is known; take a model file of SynFull",
            f"small.model:{line('MARKOV', 1)}: MARKOV: the probabilities add up to 0.8; write such as add up to 1",
            f"small.model:{line('READ_SPATIAL', 2)}: READ_SPATIAL: `-1` is not a weight, a whole number; write such a number",
            f"small.model:{line('WRITE_FLOWS', 1)}: WRITE_FLOWS: `1` is not a cache, an even number from 0 to 4; write such a number",
            f"small.model:{line('CCR_FLOWS', 2)}: CCR_FLOWS: 0 to 1 in state 1 stands there twice; keep one of them",
            f"small.model:{line('DCR_INJECTION', 1)}: DCR_INJECTION: 2 numbers; write 1: each a weight, a whole number",
            f"small.model:{line('FORWARD_PROBABILITY', 1)}: FORWARD_PROBABILITY: `nan` is not a number from 0 to 1.01; write such a number",
            f"small.model:{line('INVALIDATE_FLOWS', 1)}: INVALIDATE_FLOWS: `2` is not a state from 1 to 1; write such a number"])
        said = self.command("small.model", "t.csv", "--experiment", "t.yaml")
        self.assertEqual((said.returncode, said.stdout, len(said.stderr.splitlines())), (2, "", 9))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["small.model"])

    def test_files_that_are_cut_off_or_mixed_up_are_refused(self):
        text = model(macro_class(1))
        lines = text.splitlines()
        at = lines.index("READ_FLOWS") + 1
        cut = self.refusals("\n".join(lines[:at + 3]))
        self.assertIn(f"small.model:{at}: READ_FLOWS: the table has no END; close it with a line END", cut)
        begin = lines.index("HIER_BEGIN_ID  1 ") + 1
        self.assertIn(f"small.model:{begin}: HIER_BEGIN_ID: macro class 1 has no END_HIER; take the whole file", cut)
        self.assertIn(f"small.model:{begin}: CCR_FLOWS: macro class 1 does not have it; add it, or take the whole file", cut)
        self.assertIn("small.model:1: HIER_CLASSES: 2, and the file has 1; take the whole file",
                      self.refusals(text.replace("HIER_CLASSES 1", "HIER_CLASSES 2")))
        self.assertIn(f"small.model:{begin}: HIER_BEGIN_ID: `2` follows macro class 0; write 1: classes count from 1",
                      self.refusals(text.replace("_ID  1", "_ID  2")))
        twice = self.refusals(text.replace("MEMORY 1\n", "MEMORY 1\nMEMORY 1\nTIME_SPAN 5\n"))
        self.assertIn(f"small.model:{begin + 2}: MEMORY: stands in line {begin + 1}, too; keep one of them", twice)
        self.assertIn(f"small.model:{begin + 3}: TIME_SPAN: stands between HIER_BEGIN_ID and END_HIER; move it to the other side", twice)
        odd = self.refusals(text.replace("NUM_NODES 6", "NUM_NODES 5"))
        self.assertEqual(odd, [f"small.model:{begin + 2}: NUM_NODES: 5 nodes; write an even number, the same in all macro classes"])
        many = self.refusals(text.replace("\n0 1 1 1", "\n0 1 1 x").replace("\n2 1 1 1", "\n2 1 1 x").replace("\n4 1 1 1", "\n4 1 1 x")
                             .replace("\n0 3 1 1", "\n0 3 1 x"))
        self.assertEqual(sum("READ_FLOWS" in one for one in many), 4)
        self.assertIn("1 more problem of this table", many[3])
        for damaged in ("", "\x00\x01\x02", "MARKOV", "END", "END_HIER", "HIER_BEGIN_ID"):
            self.assertTrue(self.refusals(damaged))
        missing = self.command("absent.model", "t.csv")
        self.assertEqual((missing.returncode, missing.stderr.split(": ", 1)[0]), (2, "absent.model"))

    def test_a_file_of_another_format_is_refused_by_its_first_line(self):
        self.assertEqual(self.refusals("\ncycle,src,dst,flits\n" + "1,0,1,5\n" * 500),
                         ["small.model:2: `cycle,src,dst,flits` is no begin of a SynFull model; name a SynFull model"])
        self.assertEqual(self.refusals("x" * 100), [f"small.model:1: `{'x' * 60}...` is no begin of a SynFull model; name a SynFull model"])

    def test_twenty_problems_are_printed_in_the_order_of_lines_and_the_number_of_others(self):
        self.model(model(macro_class(1)).replace("END\n", "END\nX\nX\n"))
        lines = self.command("small.model", "t.csv").stderr.splitlines()
        self.assertEqual((len(lines), lines[-1]), (21, "and 20 more problems"))
        places = [int(line.split(":")[1]) for line in lines[:-1]]
        self.assertEqual(places, sorted(places))

    def test_messages_that_no_node_could_send_or_get_are_refused(self):
        silent = self.refusals(model(macro_class(1, volumes=one_each_step("READ"), sources={"READ": [[0]] * 3})))
        self.assertRegex(silent[0], r"^small.model:\d+: READ_SPATIAL: there are messages in state 1, and no cache has a weight; ")
        lost = self.refusals(model(macro_class(1, volumes=one_each_step("READ"), to=lambda s, t, state: s != 2)))
        self.assertRegex(lost[0], r"^small.model:\d+: READ_FLOWS: cache 2 sends in state 1, and no directory has a weight; ")
        dropped = self.refusals(model(macro_class(1, forward={3: (0, 0.5)}, owner=lambda s, t, state: s != 3)))
        self.assertRegex(dropped[0], r"^small.model:\d+: FORWARD_PROBABILITY: directory 3 forwards, and no cache has a weight in FORWARD_FLOWS")
        many = self.refusals(model(macro_class(1, invalidations=[(1, 3, 2, 1)], invalidated=lambda s, t, state: t == 4)))
        self.assertRegex(many[0], "INVALIDATE_PROBABILITY: directory 3 invalidates 2 caches, and fewer have a weight in INVALIDATE_FLOWS")
        self.assertRegex(self.refusals(model(macro_class(1)))[0], "sends nothing in 1000000 cycles; write a larger number with --cycles")

    def test_every_truncation_of_a_model_is_refused(self):
        lines = RICH.splitlines()
        for count in range(0, len(lines) - 1, 7):
            self.assertTrue(self.refusals("\n".join(lines[:count])), count)


class StatisticsTest(SynfullTest):
    def test_the_chains_have_their_shares_of_the_long_run(self):
        # Macro classes have shares 1/4 and 3/4, states of class 2 those of a chain that begins in state 1 with every span of 20 steps.
        chain = ((0.7, 0.3), (0.1, 0.9))
        text = model(macro_class(1, volumes=one_each_step("READ")),
                     macro_class(2, markov=chain, volumes={"WRITE": [[0, 1], [1, 0]], "CCR": [[1, 0], [0, 1]]}),
                     chain=((0.4, 0.6), (0.2, 0.8)), steady=(0.25, 0.75), span=200)
        spans, state, in_first = 4_000, 1.0, 0.0
        for _ in range(20):
            state = state * chain[0][0] + (1 - state) * chain[1][0]
            in_first += state / 20
        counts = collections.Counter(packet["class"] for packet in self.packets(text, cycles=spans * 200) if packet["deps"] is None)
        self.assertEqual(sum(counts.values()), spans * 20)  # One message in every step.
        # A chain with the second eigenvalue x has the variance of independent draws times (1 + x) / (1 - x).
        self.near(counts["READ"] / 20, spans, 0.25, factor=1.2 / 0.8)
        self.near(counts["WRITE"], counts["WRITE"] + counts["PUTC"], in_first, factor=1.6 / 0.4)

    def test_the_steps_are_those_of_the_spans_and_of_each_class(self):
        text = model(macro_class(1, volumes=one_each_step("READ"), resolution=10), macro_class(2, volumes=one_each_step("READ"), resolution=40),
                     chain=((0, 1), (1, 0)), steady=(0.5, 0.5), span=100)
        read = read_model(self.model(text), Report())
        steps = list(steps_of(read, random.Random(1), 200))
        self.assertEqual([step.cycle for step in steps], [*range(0, 100, 10), 100, 140, 180])
        self.assertEqual([step.macro for step in steps], [0] * 10 + [1] * 3)

    def test_volumes_sources_targets_and_owners_have_the_shares_of_their_weights(self):
        sources = [[1], [2], [5]]
        text = model(macro_class(1, volumes={"READ": [[5], [0], [3], [2]]}, sources={"READ": sources},
                                 to=lambda s, t, state: {0: (1, 0, 0), 2: (1, 1, 2), 4: (3, 1, 0)}[s][DIRECTORIES.index(t)],
                                 forward={1: (1, 0.25), 5: (0, 1)}, owner=lambda s, t, state: (1, 2, 7)[CACHES.index(t)]))
        packets = self.packets(text, cycles=200_000)
        steps, by_step = 20_000, collections.Counter()
        reads = [packet for packet in packets if packet["class"] == "READ"]
        self.assertTrue(all(packet["cycle"] % 2 == 0 for packet in reads))
        by_step.update(packet["cycle"] // 10 for packet in reads)
        sizes = collections.Counter(by_step.values())
        self.assertEqual(set(sizes), {2, 3})
        self.near(sizes[2], steps, 0.3)
        self.near(sizes[3], steps, 0.2)
        offsets = collections.Counter(packet["cycle"] % 10 for packet in reads)
        for offset in range(0, 10, 2):
            self.near(offsets[offset], len(reads), 0.2)
        by_source = collections.Counter(packet["src"] for packet in reads)
        by_flow = collections.Counter((packet["src"], packet["dst"]) for packet in reads)
        for cache, weight in zip(CACHES, (1, 2, 5)):
            self.near(by_source[cache], len(reads), weight / 8)
        self.assertEqual(by_flow[0, 1], by_source[0])
        for flow, share in {(2, 1): 0.25, (2, 3): 0.25, (2, 5): 0.5, (4, 1): 0.75, (4, 3): 0.25, (4, 5): 0}.items():
            self.near(by_flow[flow], by_source[flow[0]], share)
        forwards = [packet for packet in packets if packet["class"] == "FORWARD"]
        by_directory = collections.Counter(packet["src"] for packet in forwards)
        to = collections.Counter(packet["dst"] for packet in reads)
        self.near(by_directory[1], to[1], 0.25)
        self.assertEqual((by_directory[3], by_directory[5]), (0, to[5]))
        owners = collections.Counter(packet["dst"] for packet in forwards)
        for cache, weight in zip(CACHES, (1, 2, 7)):
            self.near(owners[cache], len(forwards), weight / 10)

    def test_invalidations_have_the_numbers_and_caches_of_the_model(self):
        # The owner is cache 4. One invalidation goes there; of two the other goes to cache 0 or, three times as often, to cache 2.
        text = model(macro_class(1, volumes=one_each_step("WRITE"), forward={d: (1, 0) for d in DIRECTORIES}, owner=lambda s, t, state: t == 4,
                                 invalidations=[(1, d, n, w) for d in (1, 3) for n, w in enumerate((5, 2, 3))],
                                 invalidated=lambda s, t, state: (1, 3, 4)[CACHES.index(t)]))
        found = transactions_of(self.packets(text))
        targets = collections.Counter()
        for parts in found.values():
            caches = tuple(part["dst"] for part in parts if part["class"] == "INV")
            self.assertTrue(not caches or parts[0]["dst"] != 5, "directory 5 has no row")
            if parts[0]["dst"] != 5:
                targets[caches] += 1
        self.assertEqual(set(targets), {(), (4,), (0, 4), (2, 4)})
        for caches, share in {(): 0.5, (4,): 0.2, (0, 4): 0.075, (2, 4): 0.225}.items():
            self.near(targets[caches], sum(targets.values()), share)

    def test_a_state_has_its_own_sources_targets_and_invalidations(self):
        text = model(macro_class(1, markov=((0, 1), (1, 0)), volumes=one_each_step("WRITE", 2), sources={"WRITE": [[1, 0], [0, 0], [0, 1]]},
                                 to=lambda s, t, state: (t == 1) == (state == 1) and t != 3, forward={d: (1, 0) for d in DIRECTORIES},
                                 invalidations=[(state, d, state - 1, 1) for state in (1, 2) for d in DIRECTORIES]), span=10 ** 6)
        for parts in transactions_of(self.packets(text, cycles=1000)).values():
            sent = parts[0]["src"], parts[0]["dst"], sum(part["class"] == "INV" for part in parts)
            self.assertEqual(sent, (0, 1, 0) if parts[0]["cycle"] % 20 < 10 else (4, 5, 1))

    def test_a_state_has_its_own_owners_and_without_any_those_of_all_states(self):
        # The states take turns. Owners have the weights 1, 0, 3 in state 1 and 0, 4, 0 in state 3; state 2 takes 1, 4, 3.
        weights = {1: (1, 0, 3), 2: (0, 0, 0), 3: (0, 4, 0)}
        text = model(macro_class(1, markov=((0, 1, 0), (0, 0, 1), (1, 0, 0)), volumes=one_each_step("READ", 3), forward={d: (0, 1) for d in DIRECTORIES},
                                 owner=lambda s, t, state: weights[state][CACHES.index(t)]), span=10 ** 6)
        owners = collections.Counter((packet["cycle"] // 10 % 3 + 1, packet["dst"]) for packet in self.packets(text, cycles=120_000)
                                     if packet["class"] == "FORWARD" and packet["cycle"] % 10 != 0)
        for state, shares in {1: (1 / 4, 0, 3 / 4), 2: (1 / 8, 4 / 8, 3 / 8), 3: (0, 1, 0)}.items():
            count = sum(owners[state, cache] for cache in CACHES)
            self.assertGreater(count, 3000)
            for cache, share in zip(CACHES, shares):
                self.near(owners[state, cache], count, share)

    def test_a_trace_ends_early_when_the_phases_have_had_their_shares(self):
        def last_of(steady, chain=((0, 1), (1, 0))):
            read = read_model(self.model(model(macro_class(1), macro_class(2), chain=chain, steady=steady, span=100)), Report())
            return list(steps_of(read, random.Random(1), 10_000, True))[-1].cycle

        self.assertEqual(last_of((0.5, 0.5)), 3090)  # The classes take turns: 16 and 15 spans of 31, within 4 % of a half.
        self.assertEqual(last_of((0.6, 0.4)), 7090)  # They never have these shares; the end of span 71 is the first after 70 %.
        self.assertEqual(last_of((1, 0), ((1, 0), (0, 1))), 7090)  # A class that never comes has none, as in the published generator.

    def test_cycles_that_are_few_for_the_phases_are_noted(self):
        volumes = one_each_step("CCR")
        two = model(macro_class(1, volumes=volumes), macro_class(2, volumes=volumes), chain=((0, 1), (1, 0)), steady=(0.5, 0.5), span=1000)
        one = model(macro_class(1, volumes=volumes), span=1000)

        def notes(text, cycles, until_steady):
            made = convert(self.model(text), self.folder / "t.csv", cycles=cycles, until_steady=until_steady)
            return [note.replace(f"{self.folder}/small.model: ", "") for note in made.notes]

        idle = ("--until-steady had no effect: a trace ends at a multiple of TIME_SPAN, 1000 cycles, and none lies in the last 30 % of 1500 cycles; "
                "write more --cycles")
        few = "1500 cycles do not cover the phases of the program: each lasts TIME_SPAN, 1000 cycles, or a multiple of it; write --cycles 5000 or more"
        self.assertEqual(notes(two, 1500, True), [idle, few])
        self.assertEqual(notes(two, 1500, False), [few])
        self.assertEqual(notes(one, 1500, False), [])
        self.assertEqual(notes(two, 5000, True), [])
        self.assertEqual(notes(two, 5000, False), [])


class TransactionsTest(SynfullTest):
    def test_every_transaction_is_complete_and_every_reaction_has_its_cause(self):
        packets = self.packets(RICH)
        found = transactions_of(packets)
        kinds = collections.Counter(packet["class"] for packet in packets)
        self.assertEqual(len(kinds), 10)
        self.assertGreater(min(kinds.values()), 500)
        self.assertEqual(len(found), kinds["READ"] + kinds["WRITE"] + kinds["PUTC"] + kinds["PUTD"])
        self.assertEqual({(packet["class"] in DATA, packet["flits"]) for packet in packets}, {(False, 1), (True, 5)})
        self.assertTrue(all(packet["cycle"] < 100_000 for packet in packets if packet["deps"] is None))

    def test_lengths_memory_and_nodes_are_as_told(self):
        packets = self.packets(RICH, cycles=1000, control=2, data=9, memory=200, nodes=[7, 7, 0, 0, 3, 4])
        original = self.packets(RICH, cycles=1000)
        self.assertEqual({(packet["class"] in DATA, packet["flits"]) for packet in packets}, {(False, 2), (True, 9)})
        self.assertEqual([(packet["src"], packet["dst"]) for packet in packets],
                         [tuple((7, 7, 0, 0, 3, 4)[packet[end]] for end in ("src", "dst")) for packet in original])
        by_id = {packet["id"]: packet for packet in packets}
        fetched = [packet["cycle"] - by_id[packet["deps"]]["cycle"] for packet in packets
                   if packet["class"] == "DATA" and by_id[packet["deps"]]["class"] != "FORWARD"]
        self.assertEqual(set(fetched), {200})
        self.assertEqual(self.refusals(RICH, nodes=[1, 2]), ["--nodes: 2 nodes; write 6, one for each node of the model"])

    def test_the_same_seed_makes_the_same_bytes_and_another_one_others(self):
        self.model(RICH)
        texts = {}
        for seed, hashes in ((1, "1"), (1, "2"), (2, "1")):
            done = self.command("small.model", "t.csv", "--cycles", 2000, "--seed", seed, PYTHONHASHSEED=hashes)
            self.assertEqual(done.returncode, 0, done.stderr)
            texts[seed, hashes] = (self.folder / "t.csv").read_bytes()
        self.assertEqual(texts[1, "1"], texts[1, "2"])
        self.assertNotEqual(texts[1, "1"], texts[2, "1"])
        self.assertEqual(hashlib.sha256(texts[1, "1"]).hexdigest()[:16], "0295842679ab5493")  # The same in all versions of Python.

    def test_longer_traces_begin_as_shorter_ones(self):
        whole = self.packets(RICH, cycles=2000)
        requests = [packet["cycle"] for packet in whole if packet["deps"] is None]
        last = max(cycle for cycle in requests if cycle < 1010)
        for cycles in (1000, last - 1, last, last + 1):
            part = self.packets(RICH, cycles=cycles)
            self.assertEqual(part[:500], whole[:500])
            self.assertEqual(sum(packet["deps"] is None for packet in part), sum(cycle < cycles for cycle in requests))

    def test_published_models_make_whole_transactions(self):
        if "FLITCAST_SAMPLES" not in os.environ:
            self.skipTest("FLITCAST_SAMPLES does not name the folder of the samples")
        files = sorted(pathlib.Path(os.environ["FLITCAST_SAMPLES"], "synfull").glob("*.model"))
        self.assertTrue(files)
        for file in files:
            made = convert(file, self.folder / "t.csv", cycles=300_000, experiment=self.folder / "t.yaml")
            write(made)
            packets = packets_of((self.folder / "t.csv").read_text())
            transactions_of(packets)
            result = flitcast.run(self.folder / "t.yaml")
            self.assertEqual((result.status, result["packets.delivered"], result["topology.nodes"]), ("ok", len(packets), 32))


class ReplayTest(SynfullTest):
    def replay(self, text, form, *settings, **more):
        """The messages of a trace, each with the cycles of its creation and its arrival when the program runs the written experiment."""
        trace = self.folder / f"t{len(list(self.folder.iterdir()))}_{form}"
        made = convert(self.model(text), trace, form=form, experiment=trace.with_suffix(".yaml"), **more)
        write(made)
        done = subprocess.run([os.environ["FLITCAST"], "run", trace.with_suffix(".yaml"), "--quiet", "--packet-log", "log.csv", *settings],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        times = self.times(made.messages, more.get("nodes") or range(NODES), form == "chakra")
        return [(message, *times[number]) for number, message in enumerate(made.messages)]

    def times(self, messages, places, exact):
        """By number of a message: its creation and its arrival in the log, which is checked.

        Goes through time: a message is due at the arrival of its cause and its delay later, or with format csv at its cycle or in the cycle
        after that arrival. The log numbers the packets of a node by creation, those of one cycle in the order of the trace.
        """
        with open(self.folder / "log.csv", encoding="utf-8") as file:
            log = {row.pop("packet"): {key: int(number) for key, number in row.items()} for row in csv.DictReader(file)}
        self.assertEqual(len(log), len(messages))
        reactions, counts, times = collections.defaultdict(list), collections.Counter(), {}
        for number, message in enumerate(messages):
            reactions[message.cause].append(number)
        due = [(messages[number].cycle, number) for number in reactions[None]]
        heapq.heapify(due)
        while due:
            cycle, number = heapq.heappop(due)
            message = messages[number]
            source = places[message.source]
            row = log[f"{source}.{counts[source]}"]
            counts[source] += 1
            self.assertEqual((row["destination"], row["length_flits"], row["created_cycle"]),
                             (places[message.target], 5 if message.kind in DATA else 1, cycle), message)
            times[number] = cycle, row["arrived_cycle"]
            for other in reactions[number]:
                delay = messages[other].delay
                begin = row["arrived_cycle"] + (delay if exact else 1)
                heapq.heappush(due, (begin if exact else max(begin, messages[other].cycle), other))
        return times

    def test_a_read_from_memory_takes_the_cycles_of_an_empty_network(self):
        """The nodes are in a row of six: a packet of n flits over h routers takes 5 h + 2 + (n - 1) cycles, five for the pipeline and the
        channel of each router, two for the channels of the nodes. Between cache 0 and directory 3 are 4 routers: 22 cycles."""
        text = model(macro_class(1, volumes=one_each_step("READ"), sources={"READ": [[1], [0], [0]]}, to=lambda s, t, state: t == 3,
                                 resolution=1000))
        for form, fetched in (("chakra", 22 + 80), ("csv", 80)):  # Format csv counts from the creation of the request.
            times = self.replay(text, form, "--set", "topology.sizes=[6]", cycles=1000, seed=3)
            t = times[0][1]
            self.assertEqual([(message.kind, message.source, message.target, created - t, arrived - t) for message, created, arrived in times], [
                ("READ", 0, 3, 0, 22), ("DATA", 3, 0, fetched, fetched + 26), ("UNBLOCK", 0, 3, fetched + 27, fetched + 27 + 22)])

    def test_a_forwarded_write_takes_the_cycles_of_an_empty_network(self):
        """In the same row directory 1 sends a FORWARD to cache 4, and in the next cycles INVs to caches 2 and 4."""
        text = model(macro_class(1, volumes=one_each_step("WRITE"), sources={"WRITE": [[1], [0], [0]]}, to=lambda s, t, state: t == 1,
                                 forward={1: (1, 0)}, owner=lambda s, t, state: t == 4, invalidations=[(1, 1, 2, 1)],
                                 invalidated=lambda s, t, state: t > 0, resolution=1000))
        for form in ("chakra", "csv"):
            times = self.replay(text, form, "--set", "topology.sizes=[6]", cycles=1000, seed=3)
            t = times[0][1]
            found = {(message.kind, message.source, message.target): (created - t, arrived - t) for message, created, arrived in times}
            self.assertEqual(len(found), len(times))
            # The last INV may wait for the two packets before it, and its ACK for the DATA, whose five flits left node 4 just before.
            (begun, invalidated), (sent, arrived) = found.pop(("INV", 1, 4)), found.pop(("ACK", 4, 0))
            self.assertEqual((begun, sent), (13, invalidated + 1))
            self.assertIn(invalidated - (15 + 22), (0, 1, 2))
            self.assertIn(arrived - (sent + 27), range(6))
            self.assertEqual(found, {
                ("WRITE", 0, 1): (0, 12), ("FORWARD", 1, 4): (13, 13 + 22), ("DATA", 4, 0): (36, 36 + 31), ("UNBLOCK", 0, 1): (68, 68 + 12),
                ("INV", 1, 2): (13, 14 + 12), ("ACK", 2, 0): (27, 27 + 17)})

    def test_messages_are_created_when_their_causes_have_arrived_in_a_loaded_network(self):
        for form in ("csv", "chakra"):
            for settings in ((), ("--set", "link.latency=20"), ("--set", "link.cycles_per_flit=3")):
                times = self.replay(RICH, form, *settings, cycles=3000)
                self.assertGreater(len(times), 2000)

    def test_several_nodes_of_the_model_may_be_at_one_of_the_network(self):
        for form in ("csv", "chakra"):
            self.assertGreater(len(self.replay(RICH, form, cycles=1000, nodes=[5, 5, 0, 0, 2, 2])), 500)

    def test_a_slower_network_delays_reactions_and_no_requests(self):
        quick, slow = (self.replay(RICH, "chakra", "--set", f"link.latency={latency}", cycles=1000) for latency in (1, 50))
        for (message, created, _), (other, later, _) in zip(quick, slow):
            self.assertEqual(message, other)
            self.assertEqual(created, later) if message.cause is None else self.assertGreaterEqual(later, created)
        # At least a link between a request, its data and its UNBLOCK on a mesh of 2 x 3.
        last = max(range(len(quick)), key=lambda number: quick[number][2])
        self.assertGreater(slow[last][2], quick[last][2] + 2 * 49)

    def test_the_command_writes_what_it_says(self):
        self.model(RICH)
        done = self.command("small.model", "out/t.csv", "--cycles", 500, "--experiment", "t.yaml", "--nodes", *range(NODES))
        self.assertEqual(done.returncode, 0, done.stderr)
        packets = packets_of((self.folder / "out" / "t.csv").read_text())
        requests = sum(packet["deps"] is None for packet in packets)
        self.assertEqual(done.stdout, f"out/t.csv: {len(packets)} messages, {requests} of which are requests of caches\n")
        self.assertIn("note: out/t.csv: an access to memory lasts 80 cycles from the creation of its request", done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.rglob("*")), ["out", "small.model", "t.csv", "t.yaml"])
        result = flitcast.run(self.folder / "t.yaml")
        self.assertEqual((result.status, result["packets.delivered"]), ("ok", len(packets)))

    def test_an_experiment_finds_its_trace_below_its_folder_and_elsewhere(self):
        for trace, experiment in (("a: b #1.csv", "x.yaml"), ("x/t.csv", "x.yaml"), ("t.csv", "y/x.yaml")):
            made = convert(self.model(RICH), self.folder / trace, cycles=100, experiment=self.folder / experiment)
            write(made)
            self.assertEqual(flitcast.run(self.folder / experiment)["packets.delivered"], len(made.messages))

    def test_wrong_options_and_places_are_refused(self):
        self.model(RICH)
        (self.folder / "full").mkdir()
        (self.folder / "full" / "x").write_text("kept")
        for words, said in ((("full", "--format", "chakra"), "full: exists and is not an empty folder; "), (("full",), "full: is a folder; "),
                            (("small.model",), "small.model: is named twice; "), (("t.csv", "--experiment", "t.csv"), "t.csv: is named twice; "),
                            (("small.model/t.csv",), "small.model/t.csv: small.model is a file; name a place in a folder"),
                            (("t.csv", "--experiment", "full"), "full: is a folder; name a file"),
                            (("t.csv", "--cycles", "0"), "0 is not a whole number from 1"),
                            (("t.csv", "--flits-data", "65537"), "65537 is not a whole number from 1 to 65536"),
                            (("--nodes", "0", "1", "t.csv"), "t.csv is not a whole number from 0 to 16777215; name MODEL and TRACE before --nodes")):
            done = self.command("small.model", *words, *(() if "--cycles" in words else ("--cycles", 100)))
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertNotIn("Errno", done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.rglob("*")), ["full", "small.model", "x"])
        self.assertEqual((self.folder / "small.model").read_text(), RICH)


if __name__ == "__main__":
    unittest.main()
