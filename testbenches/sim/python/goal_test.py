# SPDX-License-Identifier: Apache-2.0
"""GOAL schedules become Chakra traces with their order and times, and collectives of the program become GOAL.

usage: FLITCAST=PROGRAM goal_test.py [TESTS of unittest]

Public samples are not part of the project: FLITCAST_SAMPLES names the folder that holds traces-made/goal; without it their tests are skipped.

Messages of tests go over one link of an idle complete graph: 12 cycles for the head, 1 for each flit, of which a header is the first.
"""
import csv
import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "sim" / "python"))
import flitcast  # noqa: E402
from flitcast.goal import Costs, GoalError, convert, from_schedule, write  # noqa: E402
from flitcast.outputs import Refused, write_all  # noqa: E402

HEAD = 12  # Cycles of a message over one link of an idle network, beyond one for each flit.


def arrival(size):
    """Cycles of a message of `size` bytes in flits of a byte, and its header."""
    return HEAD + 1 + size


def goal(*ranks):
    """A schedule of ranks, each a text with operations behind semicolons or lines."""
    return f"num_ranks {len(ranks)}\n" + "".join(f"rank {rank} {{\n" + re.sub(r"; *", "\n", text) + "\n}\n" for rank, text in enumerate(ranks))


class GoalTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.runs = 0

    def file(self, text):
        path = self.folder / "small.goal"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    def made(self, text, **costs):
        return convert(self.file(text), self.folder / "t", costs=Costs(**costs))

    def refusals(self, text, **costs):
        with self.assertRaises(GoalError) as refused:
            self.made(text, **costs)
        return [line.replace(str(self.folder) + "/", "") for line in refused.exception.refusals]

    def refused(self, text, *parts, **costs):
        """Asserts that there is one refusal for each of some parts of lines, in that order."""
        lines = self.refusals(text, **costs)
        self.assertEqual(len(lines), len(parts), lines)
        for line, part in zip(lines, parts):
            self.assertIn(part, line)

    def result(self, made, flit_bytes=1, mtu=4096):
        """The result of the traces on a complete graph."""
        self.runs += 1
        place = self.folder / f"run{self.runs}"
        write(made._replace(files={place / path.name: data for path, data in made.files.items()}))
        return flitcast.run({"topology": {"kind": "complete", "nodes": max(len(made.ends), 2)}, "routing": {"kind": "shortest_path"},
                             "workload": {"kind": "trace", "format": "chakra", "file": str(place), "clock_mhz": 1, "flit_bytes": flit_bytes,
                                          "mtu": mtu}})

    def cycles(self, text, **costs):
        """The cycle in which the last rank ends."""
        result = self.result(self.made(text, **costs))
        self.assertEqual(result.status, "ok")
        # A message, or the begin of a calc, that takes no time of the second CPU of a rank is such a node.
        self.assertTrue(all(note.startswith("compute nodes without a duration") for note in result.get("notes", [])))
        return result["critical_path.cycles"]

    def command(self, *words):
        return subprocess.run([sys.executable, "-B", "-m", "flitcast", "goal", *map(str, words)], cwd=self.folder, text=True, check=False,
                              capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")})


class ReadingTest(GoalTest):
    def test_every_problem_is_reported_with_its_line_and_a_hint_and_nothing_is_written(self):
        text = ("num_ranks 3\nrank 0 {\na: calc 5\na: calc 6\nb: calc soon\nc requires a\n}\nrank 3 {\ncalc 5 nic 1\n}\nsend 5b to 1\n"
                "rank 0 {\nsend 5 to 1\n}\nrank 1 {\n")
        lines = self.refusals(text)
        places = [line.split(": ", 1)[0] for line in lines]
        self.assertEqual(places, [f"small.goal:{line}" for line in (4, 5, 6, 8, 9, 11, 12, 13, 15, 15)])
        for line, words in zip(lines, ("label a is there already, in line 3", "`b: calc soon` cannot be read; write `calc NS",
                                       "label c is not defined", "rank 3 is none of 3 ranks", "a calc has no nic", "is not in a rank",
                                       "rank 0 is there already, in line 2", "`send 5 to 1` cannot be read", "rank 1 has no end",
                                       "1 of 3 ranks are missing, the first is 2")):
            self.assertIn(words, line)
        said = self.command("small.goal", "t", "--experiment", "t.yaml")
        self.assertEqual((said.returncode, said.stdout, len(said.stderr.splitlines())), (2, "", len(lines)))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["small.goal"])

    def test_a_file_of_another_format_is_refused_by_its_first_line(self):
        for text in ('<algo name="x">\n<gpu/>\n</algo>\n', "\n// 1\ncycle,src,dst\n" + "1,2,3\n" * 500, "rank 0 {\n}\n" + "x" * 1000):
            line = self.refusals(text)
            self.assertEqual(len(line), 1, line)
            self.assertRegex(line[0], "^small.goal:[13]: `.*` is no begin of a GOAL schedule; name a GOAL schedule, or begin it with a line `num_r")
        self.refused("num_ranks 1\nrank 0 {\n" + "x" * 1000 + "\n}", f"`{'x' * 60}...` cannot be read; ")

    def test_a_byte_order_mark_is_no_part_of_the_text(self):
        text = goal("send 10b to 1", "recv 10b from 0")
        self.assertEqual(self.made("\ufeff" + text).files, self.made(text).files)

    def test_twenty_problems_are_printed_in_the_order_of_lines_and_the_number_of_others(self):
        self.file(goal("\n".join(f"send 5b to {rank} tag {2 ** 32}" for rank in range(9, 25))))
        lines = self.command("small.goal", "t").stderr.splitlines()
        self.assertEqual((len(lines), lines[-1]), (21, "and 12 more problems"))
        places = [int(line.split(":")[1]) for line in lines[:-1]]
        self.assertEqual(places, sorted(places))

    def test_numbers_out_of_range_are_refused(self):
        text = goal("send 5000000000b to 1; send 5b to 7; calc 5 cpu 256; send 1b to 1 tag 4294967295 nic 300", "recv 5b from 9")
        self.refused(text, "small.goal:3: the size is 5000000000", "small.goal:4: send to 7, tag 0: there are 2 ranks", "small.goal:5: cpu is 256",
                     "small.goal:6: nic is 300", "small.goal:6: the tag is 4294967295", "small.goal:9: recv from 9, tag 0: there are 2 ranks")
        self.refused("num_ranks 0\n", "`num_ranks 0` is no number of ranks")
        self.refused("", "there is no num_ranks")
        self.refused(b"\xff\xfe", "is neither a text in UTF-8 nor")

    def test_ranks_come_in_any_order_with_comments_and_blanks(self):
        text = ("// one\nnum_ranks 2 /* two\nlines */\nrank 1 {\n\n  r : recv 8 b from 0 tag 2 cpu 0 nic 0 // behind\n}\n"
                "rank 0 {\nsend 8b to 1 tag 2\n}\n")
        self.assertEqual(self.made(text).files, self.made(goal("send 8b to 1 tag 2", "recv 8b from 0 tag 2")).files)

    def test_sends_and_receives_without_each_other_are_refused(self):
        self.refused(goal("send 8b to 1 tag 3; send 8b to 1 tag 4", "recv 8b from 0 tag 3; recv 8b from 0 tag 5"),
                     "small.goal:4: no receive for this send of rank 0 line 4 (send to 1, tag 4): from rank 0 to rank 1 with tag 4, "
                     "sends: 1, receives: 0; ",
                     "small.goal:8: no send for this receive of rank 1 line 8 (recv from 0, tag 5): from rank 0 to rank 1 with tag 5, "
                     "sends: 0, receives: 1; ")
        # With receives from anywhere, the numbers of all together are known before, and the rest in the end.
        self.refused(goal("send 8b to 1", "recv 8b from -1; recv 8b from -1"), "for rank 1, sends: 1, receives: 2; ")
        self.refused(goal("send 8b to 1 tag 1", "recv 8b from -1 tag 2"), "small.goal:3: no receive takes the message of rank 0 line 3",
                     "small.goal:6: no send is left for rank 1 line 6 (recv from any, tag 2)")

    def test_cycles_are_named(self):
        self.refused(goal("a: calc 1; b: calc 2; c: calc 3; a requires c; c irequires b; b requires a", "calc 1"),
                     "small.goal:3: operations that require each other: rank 0 line 3 (calc 1), which requires rank 0 line 5 (calc 3), which "
                     "requires rank 0 line 4 (calc 2), which requires rank 0 line 3 (calc 1); ")
        crossed = goal("r: recv 8b from 1; s: send 8b to 1; s requires r", "r: recv 8b from 0; s: send 8b to 0; s requires r")
        self.refused(crossed, "deadlock: rank 0 line 3 (recv from 1, tag 0), which waits for rank 1 line 9 (send to 0, tag 0), which waits for "
                     "rank 1 line 8 (recv from 0, tag 0), which waits for rank 0 line 4 (send to 1, tag 0), which waits for rank 0 line 3")
        # Sends before receives are no deadlock, unless they wait for the receives.
        eager = goal("s: send 80b to 1; r: recv 8b from 1; r requires s", "s: send 8b to 0; r: recv 80b from 0; r requires s")
        self.assertEqual(self.made(eager, S=80).messages, 2)
        self.refused(eager.replace("8b", "80b").replace("800b", "80b"), "deadlock: rank 0 line 3 (send to 1, tag 0), which waits for rank 1", S=79)

    def test_a_schedule_without_messages_is_refused_with_its_time(self):
        self.refused(goal("calc 7; calc 8", "calc 9"), "the program replays no trace without packets; it ends after 15 ns: by rank 15; 9")

    def test_binary_files_are_those_in_text(self):
        text = goal("a: calc 70; s: send 8b to 1 tag 5 cpu 1 nic 2; s irequires a; c: calc 3; c requires a; c requires s", "recv 8b from -1 tag -1")

        def operation(dependences, kind, peer, size, tag, cpu, nic, *successors):
            return struct.pack("<IBIQIBBIIII", dependences, kind, peer, size, tag, cpu, nic, *successors)

        ranks = [struct.pack("<III", 3, 1, 0) + operation(0, 3, 0, 70, 0, 0, 0, 1, 0, 1, 1) + operation(1, 1, 1, 8, 5, 1, 2, 1, 2, 0, 0)
                 + operation(2, 3, 0, 3, 0, 0, 0, 0, 0, 0, 0) + struct.pack("<III", 2, 1, 2),
                 struct.pack("<III", 1, 1, 0) + operation(0, 2, 2 ** 32 - 1, 8, 2 ** 32 - 1, 0, 0, 0, 0, 0, 0)]
        begin = 6 + 2 * 16
        spans = [begin, begin + len(ranks[0]), begin + len(ranks[0]), begin + sum(map(len, ranks))]
        data = struct.pack("<QIBBQQQQ", 4223, 2, 1, 2, *spans) + b"".join(ranks)
        read, expected = self.made(data), self.made(text)
        self.assertEqual((read.files, read.ends, len(read.notes)), (expected.files, expected.ends, len(expected.notes)))
        self.refused(struct.pack("<Q", 2342) + data[8:], "has been changed by a run of LogGOPSim")
        for cut in (9, 20, len(data) - 1):
            self.refused(data[:cut], "is cut off or damaged")
        self.refused(data[:8 + begin + 12] + b"\7" + data[8 + begin + 13:], "rank 0: counts other dependences than its lists have")
        broken = data[:8 + begin] + struct.pack("<I", 10 ** 9) + data[8 + begin + 4:]
        self.refused(broken, "rank 0: is cut off or damaged")


class IdealTest(GoalTest):
    """The recurrence of LogGOPS, against its closed forms."""

    def test_a_message_takes_overheads_latency_and_bytes(self):
        costs = {"L": 500, "o": 20, "g": 30, "G": 2, "O": 1}
        once = 2 * 20 + 500 + 999 * 2
        self.assertEqual(self.made(goal("send 1000b to 1", "recv 1000b from 0"), **costs).ends, [20 + 999, once])
        back = goal("s: send 1000b to 1; r: recv 10b from 1; r requires s", "r: recv 1000b from 0; s: send 10b to 0; s requires r")
        self.assertEqual(self.made(back, **costs).ends, [once + 2 * 20 + 500 + 9 * 2, once + 20 + 9])

    def test_messages_of_a_nic_have_a_gap_and_those_of_two_do_not(self):
        costs = {"L": 500, "o": 20, "g": 100, "G": 1}
        for nic, gap in ((0, 100 + 9), (1, 20)):
            text = goal(f"send 10b to 1; send 10b to 2 nic {nic}", "recv 10b from 0", "recv 10b from 0")
            once = 2 * 20 + 500 + 9
            self.assertEqual(self.made(text, **costs).ends, [gap + 20, once, gap + once], nic)


    def test_what_has_waited_for_a_cpu_goes_before_a_message_that_arrives_when_it_is_free(self):
        text = goal("send 10b to 1", "calc 1000; calc 200; calc 300; r: recv 10b from 0; c: calc 1000 cpu 1; c requires r")
        self.assertEqual(self.made(text, L=1200).ends, [0, 1000 + 200 + 300 + 1000])


class RunTest(GoalTest):
    def test_the_calcs_of_a_cpu_run_one_after_another_and_those_of_two_at_once(self):
        self.assertEqual(self.cycles(goal("calc 300; calc 500; send 8b to 1", "recv 8b from 0")), 800)
        self.assertEqual(self.cycles(goal("calc 300; calc 500 cpu 1; send 8b to 1", "recv 8b from 0 cpu 9")), 500)

    def test_a_send_is_done_when_its_cpu_is_and_a_receive_with_the_message(self):
        text = goal("s: send 100b to 1; c: calc 50; c requires s", "r: recv 100b from 0; c: calc 70; c requires r")
        self.assertEqual(self.cycles(text), arrival(100) + 70)
        self.assertEqual(self.cycles(text.replace("calc 50", "calc 500")), 500)
        # With an overhead of 30 at both ends, and 2 a byte.
        self.assertEqual(self.cycles(text, o=30), 30 + arrival(100) + 30 + 70)
        self.assertEqual(self.cycles(text, o=30, O=2), 30 + arrival(100) + 30 + 99 * 2 + 70)
        self.assertEqual(self.cycles(text, L=1000), 1000 + arrival(100) + 70)

    def test_a_message_waits_for_its_cpu_and_a_receive_for_what_it_requires(self):
        busy = goal("send 10b to 1", "c: calc 400; r: recv 10b from 0; s: send 20b to 2; s requires r", "recv 20b from 1")
        self.assertEqual(self.cycles(busy), 400 + arrival(20))
        self.assertEqual(self.cycles(busy.replace("recv 10b from 0", "recv 10b from 0 cpu 1"), o=1), 400 + 1 + arrival(20) + 1)
        free = goal("send 10b to 1", "c: calc 400; r: recv 10b from 0 cpu 1; s: send 20b to 2 cpu 1; s requires r", "recv 20b from 1; calc 5")
        self.assertEqual(self.cycles(free), 400)
        self.assertEqual(self.cycles(free.replace("\ns requires r", "\ns requires r\nr requires c").replace("calc 5", "calc 900")), 900)

    def test_irequires_waits_for_a_begin(self):
        text = goal("a: calc 100; b: calc 300 cpu 1; b requires a; s: send 10b to 1; s requires b", "recv 10b from 0")
        self.assertEqual(self.cycles(text.replace("b requires a", "b irequires a")), 300 + arrival(10))
        self.assertEqual(self.cycles(text), 400 + arrival(10))
        # A receive has begun before its message is there, and a calc when its CPU is free.
        posted = goal("c: calc 500; s: send 10b to 1; s requires c", "r: recv 10b from 0; c: calc 600 cpu 1; c requires r")
        self.assertEqual(self.cycles(posted.replace("c requires r", "c irequires r")), 600)
        self.assertEqual(self.cycles(posted), 500 + arrival(10) + 600)
        queued = goal("a: calc 100; b: calc 10; c: calc 50 cpu 1; c irequires b; s: send 10b to 1 cpu 1; s requires c", "recv 10b from 0")
        self.assertEqual(self.cycles(queued), 100 + 50 + arrival(10))

    def test_a_cpu_serves_first_what_was_ready_first(self):
        # The calc of 200 is behind in the file, and ready before the message is there.
        text = goal("send 10b to 1", "a: calc 1000; r: recv 10b from 0 cpu 1; b: calc 100; b requires r; c: calc 200; s: send 10b to 2 cpu 1; "
                    "s requires c",
                    "r: recv 10b from 1; c: calc 900; c requires r")
        self.assertEqual(self.cycles(text, L=50), 1000 + 200 + 50 + arrival(10) + 900)

    def test_two_cpus_of_a_rank_are_exclusive_and_others_keep_the_order_without_contention(self):
        text = goal("a: calc 300; b: calc 300; c: calc 200 cpu 3; d: calc 200 cpu 3; e: calc 500 cpu 7; f: calc 500 cpu 7; g: calc 400 cpu 7; "
                    "s: send 8b to 1", "recv 8b from 0")
        made = self.made(text)
        self.assertEqual(len(made.notes), 1)
        self.assertIn("operations of CPU 3 of rank 0 keep the order that they have without contention", made.notes[0])
        self.assertEqual(self.result(made)["critical_path.cycles"], 1400)

    def test_messages_above_s_wait_for_their_receive(self):
        text = goal("s: send 100b to 1; c: calc 50; c requires s", "c: calc 400; r: recv 100b from 0; r requires c")
        made = self.made(text, S=99)
        result = self.result(made)
        self.assertEqual((made.messages, result["packets.delivered"]), (3, 3))
        # The answer leaves when the receive is posted; messages without bytes have a header flit.
        self.assertEqual(result["critical_path.cycles"], 400 + arrival(0) + arrival(100))
        self.assertEqual(self.cycles(text, S=100), 400)
        self.assertEqual(self.cycles(text.replace("calc 50", "calc 1000"), S=99), 400 + arrival(0) + 1000)

    def test_messages_of_a_rank_to_itself_take_no_network(self):
        text = goal("s: send 100b to 0; r: recv 100b from 0; t: send 10b to 1; t requires r", "recv 10b from 0")
        result = self.result(self.made(text, o=5, L=70))
        self.assertEqual((result["packets.delivered"], result["critical_path.cycles"]), (1, 5 + 5 + 5 + 70 + arrival(10) + 5))

    def test_what_is_not_carried_is_noted(self):
        for text, costs, words in (
                (goal("send 8b to 1 nic 1", "recv 8b from 0"), {}, ["numbers of NICs have no effect"]),
                (goal("send 8b to 1 nic 1", "recv 8b from 0"), {"g": 5}, ["messages at a NIC keep the order"]),
                (goal("send 8b to 1", "recv 8b from -1"), {}, ["receives from any source or of any tag take the messages that they get"]),
                (goal("send 8b to 1", "recv 7b from 0"), {}, ["receives with fewer bytes than their messages: 1"]),
                (goal("send 8b to 1", "recv 8b from 0"), {}, [])):
            made = self.made(text, **costs)
            self.assertEqual(len(made.notes), len(words), made.notes)
            for note, part in zip(made.notes, words):
                self.assertIn(part, note)
            self.assertEqual(self.result(made)["packets.delivered"], 1)


class RandomTest(GoalTest):
    def schedule(self, seed):
        """Operations in an order that can be done, with random requirements among those before."""
        draw = random.Random(seed)
        ranks, lines = 3, [[], [], []]
        counts = [0] * ranks

        def add(rank, text):
            number, counts[rank] = counts[rank], counts[rank] + 1
            lines[rank].append(f"n{number}: {text}")
            for before in draw.sample(range(number), min(number, draw.choice((1, 1, 2)))):
                lines[rank].append(f"n{number} {'requires' if before == 0 else draw.choice(('requires', 'irequires'))} n{before}")

        # All others are after these calcs, which differ: what becomes ready at once would be served in any order.
        for rank in range(ranks):
            add(rank, f"calc {draw.randrange(10 ** 5)}")
        for tag in range(25):
            source, target = draw.sample(range(ranks), 2)
            if draw.random() < 0.5:
                add(source, f"calc {draw.randrange(10 ** 5)} cpu {draw.choice((0, 0, 1))}")
            else:
                size = draw.randrange(50_000)
                # A message that comes before its receive goes to the CPU of its send in the recurrence.
                cpu = draw.choice((0, 0, 1))
                add(source, f"send {size}b to {target} tag {tag} cpu {cpu}")
                add(target, f"recv {size}b from {source} tag {tag} cpu {cpu}")
        return goal(*("\n".join(text) for text in lines))

    def test_replays_end_when_the_recurrence_says(self):
        for seed in range(30):
            draw = random.Random(seed)
            # With a latency far above the cycles of the network, these change no order of what is ready for a CPU.
            costs = {name: draw.choice((0, most)) for name, most in (("o", 2000), ("g", 900), ("G", 3), ("O", 2))}
            made = self.made(self.schedule(seed), L=3000, **costs)
            result, expected = self.result(made, flit_bytes=65_536, mtu=1_000_000), max(made.ends)
            self.assertEqual((result.status, result["packets.delivered"]), ("ok", made.messages))
            self.assertLessEqual(abs(result["critical_path.cycles"] - expected), 15 * made.messages, (seed, costs))


class CommandTest(GoalTest):
    def test_the_experiment_replays_the_traces_and_the_summary_has_the_time_without_contention(self):
        self.file(goal(*(f"r: recv 900b from {(rank - 1) % 6}; s: send 900b to {(rank + 1) % 6}" for rank in range(6))))
        said = self.command("small.goal", "x/t", "--experiment", "x/t.yaml", "-o", "40", "-L", "100")
        self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "x/t: 6 messages, 180 ns without contention\n", ""))
        result = flitcast.run(self.folder / "x" / "t.yaml")
        self.assertEqual((result.status, result["packets.delivered"], result["topology.nodes"]), ("ok", 6, 6))

    def test_one_message_is_no_plural(self):
        self.file(goal("send 8b to 1", "recv 8b from 0"))
        self.assertEqual(self.command("small.goal", "t").stdout, "t: 1 message, 0 ns without contention\n")

    def test_wrong_options_and_places_are_refused(self):
        self.file(goal("send 8b to 1", "recv 8b from 0"))
        (self.folder / "full").mkdir()
        (self.folder / "full" / "x").write_text("kept")
        for words, said in ((("full",), "full: exists and is not an empty folder; "), (("small.goal",), "small.goal: is named twice; "),
                            (("t", "-o", "-1"), "-o"), (("t", "-L", "x"), "x is not a whole number from 0"),
                            (("t", "--from-schedule"), "--from-schedule needs one of --bytes and --block-bytes"),
                            (("t", "--from-schedule", "--bytes", "4", "--block-bytes", "4"), "needs one of --bytes and --block-bytes"),
                            (("t", "--from-schedule", "--bytes", "4", "--experiment", "t.yaml", "-o", "7", "-S", "0"),
                             "--experiment, -o, -S: no effect with --from-schedule"),
                            (("t", "--block-bytes", "4"), "--block-bytes: only with --from-schedule"),
                            (("t", "--point", "0", "--set", "a=1"), "--set, --point: only with --from-schedule")):
            done = self.command("small.goal", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
        self.assertIn("cannot be read", self.command("absent.goal", "t").stderr)
        self.assertEqual(sorted(path.name for path in self.folder.rglob("*")), ["full", "small.goal", "x"])

    def test_places_that_cannot_be_written_are_refused_before_anything_is_written(self):
        self.file(goal("send 8b to 1", "recv 8b from 0"))
        (self.folder / "q").mkdir()
        for words, said in ((("new", "--experiment", "q"), "q: is a folder; name a file"),
                            (("new", "--experiment", "small.goal/x"), "small.goal/x: small.goal is a file; name a place in a folder"),
                            (("small.goal/t",), "small.goal/t: small.goal is a file; name a place in a folder"),
                            (("new/sub", "--experiment", "new"), "new: cannot be written (Is a directory); name a place")):
            done = self.command("small.goal", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertTrue(done.stderr.startswith(said), done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertEqual(sorted(path.name for path in self.folder.rglob("*")), ["q", "small.goal"])

    def test_an_experiment_in_the_place_of_a_trace_is_refused(self):
        self.file(goal("a: send 8b to 1", "a: recv 8b from 0"))
        said = self.command("small.goal", "t", "--experiment", "t/t.0.et")
        self.assertEqual((said.returncode, said.stderr), (2, "t/t.0.et: is the place of a trace; name another file for the experiment\n"))
        self.assertFalse((self.folder / "t").exists())

    def test_what_no_simulation_reaches_is_refused(self):
        text = goal("a: send 4000000000b to 1", "a: recv 4000000000b from 0")
        self.assertIn("takes 3999999999000000000 units of time, and no simulation more than 1000000000000000", self.refused(text, O=10 ** 9))

    def test_a_full_standard_output_is_said_in_words(self):
        self.file(goal("a: send 8b to 1", "a: recv 8b from 0"))
        with open("/dev/full", "w", encoding="utf-8") as full:
            said = subprocess.run([sys.executable, "-B", "-m", "flitcast", "goal", "small.goal", "t"], cwd=self.folder, check=False, text=True,
                                  stdout=full, stderr=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT / "sim" / "python")})
        self.assertEqual((said.returncode, said.stderr), (2, "standard output: No space left on device\n"))

    def refused(self, text, **costs):
        with self.assertRaises(Refused) as refused:
            self.made(text, **costs)
        return str(refused.exception)

    def test_what_was_written_before_a_failure_is_undone(self):
        (self.folder / "kept").write_bytes(b"old")
        replace = os.replace

        def fail_at_last(source, target):
            if pathlib.Path(target).name == "last":
                raise OSError(28, "No space left on device")
            replace(source, target)

        files = {self.folder / name: b"new" for name in ("kept", "a/b/first", "last")}
        with unittest.mock.patch("os.replace", fail_at_last), self.assertRaises(Refused) as refused:
            write_all(files)
        self.assertEqual(refused.exception.refusals,
                         [f"{self.folder}/last: cannot be written (No space left on device); name a place where files can be written"])
        self.assertEqual([path.name for path in self.folder.rglob("*")], ["kept"])
        self.assertEqual((self.folder / "kept").read_bytes(), b"old")
        write_all(files)
        self.assertEqual([path.read_bytes() for path in files], [b"new"] * 3)
        self.assertEqual(sorted(path.name for path in self.folder.rglob("*")), ["a", "b", "first", "kept", "last"])


class ScheduleTest(GoalTest):
    RING = {"topology": {"kind": "torus", "sizes": [4]}, "routing": {"kind": "dimension_order"}, "router": {"virtual_channels": 2}}

    def experiment(self, **workload):
        workload = {"kind": "collective", **workload}
        path = self.folder / "x.yaml"
        keys = {**self.RING, "workload": workload}
        path.write_text(json.dumps(keys))
        return path, keys

    def test_a_collective_has_its_packets_flits_and_time_when_it_comes_back_as_a_trace(self):
        for operation, algorithm, length in (("all_reduce", "ring", 16), ("all_gather", "ring", 4), ("reduce_scatter", "ring", 16),
                                             ("broadcast", "binomial", 4)):
            experiment, keys = self.experiment(operation=operation, algorithm=algorithm, length=length)
            # Blocks of 4 flits: a header and 3 bytes.
            said = self.command("--from-schedule", experiment, "x.goal", "--block-bytes", 3)
            self.assertEqual((said.returncode, said.stderr), (0, ""))
            there = convert(self.folder / "x.goal", self.folder / algorithm / operation)
            write(there)
            back = flitcast.run({**self.RING, "workload": {"kind": "trace", "format": "chakra", "file": str(self.folder / algorithm / operation),
                                                           "flit_bytes": 1}})
            own = flitcast.run(keys)
            for figure in ("packets.delivered", "flits.ejected"):
                self.assertEqual(back[figure], own[figure], (operation, figure))
            self.assertLessEqual(abs(back["critical_path.cycles"] - own["completion_cycle"]), 5, operation)

    def test_sends_require_the_messages_that_brought_their_data(self):
        experiment, _ = self.experiment(operation="reduce", algorithm="binomial", length=8)
        write(from_schedule(experiment, self.folder / "x.goal", block_bytes=100))
        self.assertEqual((self.folder / "x.goal").read_text().splitlines()[1:],
                         ["num_ranks 4", "rank 0 {", "m0: recv 100b from 1 tag 0", "m2: recv 100b from 2 tag 2", "}", "rank 1 {",
                          "m0: send 100b to 0 tag 0", "}", "rank 2 {", "m1: recv 100b from 3 tag 1", "m2: send 100b to 0 tag 2",
                          "m2 requires m1", "}",
                          "rank 3 {", "m1: send 100b to 2 tag 1", "}"])

    def test_schedules_without_messages_between_ranks_are_refused(self):
        self.experiment(operation="broadcast", algorithm="recursive_doubling", length=8)
        said = self.command("--from-schedule", "x.yaml", "x.goal", "--block-bytes", 3)
        self.assertEqual(said.returncode, 2)
        self.assertIn("x.yaml: the schedule is none of messages from one rank to another", said.stderr)
        (self.folder / "x.yaml").write_text("topology: {kind: mush}")
        said = self.command("--from-schedule", "x.yaml", "x.goal", "--block-bytes", 3)
        self.assertEqual(said.returncode, 2)
        self.assertIn("mush", said.stderr)
        said = self.command("--from-schedule", "x.yaml", ".", "--block-bytes", 3)
        self.assertEqual((said.returncode, said.stderr.splitlines()[0]), (2, ".: is a folder; name a file"))
        self.assertFalse((self.folder / "x.goal").exists())

    def test_the_bytes_of_the_vector_are_divided_among_the_blocks_of_the_algorithm(self):
        for operation, algorithm, blocks, messages in (("all_reduce", "ring", 4, 24), ("all_reduce", "binomial", 1, 6), ("broadcast", "binomial", 1, 3),
                                                       ("all_gather", "bruck", 4, 8), ("all_to_all", "shift_exchange", 4, 12),
                                                       ("scatter", "binomial", 4, 3), ("gather", "binomial", 4, 3)):
            self.experiment(operation=operation, algorithm=algorithm, length=16)
            said = self.command("--from-schedule", "x.yaml", "x.goal", "--bytes", 400)
            self.assertEqual((said.returncode, said.stderr), (0, ""), algorithm)
            self.assertEqual(said.stdout, f"x.goal: {messages} messages, the vector of a rank has {blocks} block{'s' * (blocks > 1)}, 400 bytes\n")
            text = (self.folder / "x.goal").read_text()
            self.assertEqual(min(map(int, re.findall(r"send (\d+)b", text))), 400 // blocks)
            self.command("--from-schedule", "x.yaml", "y.goal", "--block-bytes", 400 // blocks)
            self.assertEqual((self.folder / "y.goal").read_text(), text)
        self.experiment(operation="all_reduce", algorithm="ring", length=16)
        said = self.command("--from-schedule", "x.yaml", "z.goal", "--bytes", 403)
        self.assertEqual((said.returncode, said.stderr), (2, "--bytes: 403 bytes are no multiple of the 4 blocks of the vector; write a multiple, "
                                                         "such as 400\n"))
        self.assertFalse((self.folder / "z.goal").exists())

    def test_a_point_of_a_sweep_is_taken_with_its_keys_and_others(self):
        path, keys = self.experiment(operation="all_reduce", algorithm="ring", length=16)
        path.write_text(json.dumps({**keys, "sweep": {"workload.algorithm": ["ring", "binomial"]}}))
        words = ("--from-schedule", "x.yaml", "x.goal", "--bytes", 80)
        self.assertIn("choose one with --point K", self.command(*words).stderr)
        with unittest.mock.patch.dict(os.environ, FLITCAST="/bin/true"):
            self.assertIn("/bin/true printed nothing, so it is no flitcast", self.command(*words).stderr)
        self.assertIn("1 block, 80 bytes", self.command(*words, "--point", 1).stdout)
        self.assertIn("8 blocks, 80 bytes", self.command(*words, "--point", 0, "--set", "topology.sizes=[8]").stdout)


class SampleTest(GoalTest):
    def test_samples_end_at_their_times_and_others_are_refused_for_their_reason(self):
        if "FLITCAST_SAMPLES" not in os.environ:
            self.skipTest("FLITCAST_SAMPLES does not name the folder of the samples")
        samples = pathlib.Path(os.environ["FLITCAST_SAMPLES"], "traces-made")
        reasons = {"g11_recv_alone": ":6: no send for this receive", "g12_no_label": ":4: label b is not defined",
                   "g13_deadlock": ": deadlock: rank 0 "}
        runs = 0
        with open(samples / "expected-goal.csv", encoding="utf-8", newline="") as table:
            for row in csv.DictReader(table):
                name, costs = pathlib.Path(row["file"]).stem, Costs(*(int(row[key]) for key in "LogGOS"))
                try:
                    made = convert(samples / row["file"], self.folder / row["id"], costs=costs)
                except GoalError as refused:
                    # A trace without packets is not run; the refusal has the time.
                    ends = row["expected_ns"].replace(";", "; ")
                    expected = f"it ends after {row['expected_max_ns']} ns: by rank {ends}" if row["expected"] == "time" else reasons[name]
                    self.assertIn(expected, str(refused), row["id"])
                    self.assertIn(name, (*reasons, "g01_calc", "g09_cross"))
                    continue
                self.assertEqual(made.ends, [int(end) for end in row["expected_ns"].split(";")], row["id"])
                # A network with nothing but its head and router cycles, which the table does not have.
                result, expected = self.result(made, flit_bytes=65_536, mtu=1_000_000), int(row["expected_max_ns"])
                self.assertLessEqual(abs(result["critical_path.cycles"] - expected), expected / 100 + 15 * made.messages, row["id"])
                runs += 1
        self.assertEqual(runs, 24)


if __name__ == "__main__":
    unittest.main()
