# SPDX-License-Identifier: Apache-2.0
"""MSCCL algorithms become Chakra traces that do what the algorithms do, and collectives of the program become algorithms.

usage: FLITCAST=PROGRAM msccl_test.py [TESTS of unittest]

Messages of tests go over one link of an idle complete graph: 12 cycles for the head, 1 for each flit, of which a header is the first.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "sim" / "python"))
import flitcast  # noqa: E402
from flitcast.dumps import Dump, Item, Message  # noqa: E402
from flitcast.msccl import MscclError, convert, from_schedule, write  # noqa: E402

HEAD = 12  # Cycles of a message over one link of an idle network, beyond one for each flit.


def arrival(size):
    """Cycles of a message of `size` bytes in flits of a byte, and its header."""
    return HEAD + 1 + size


def step(type_, source=("i", -1), target=("o", -1), count=1, depends=(-1, -1), has=0):
    """A step without its number."""
    return (f'type="{type_}" srcbuf="{source[0]}" srcoff="{source[1]}" dstbuf="{target[0]}" dstoff="{target[1]}" cnt="{count}" '
            f'depid="{depends[0]}" deps="{depends[1]}" hasdep="{has}"')


def algorithm(collective, chunks, gpus, *, in_place=0, scratch=0, inputs=None, outputs=None):
    """The XML of an algorithm with a line for each element.

    @param gpus  By GPU: blocks (send, receive, steps[, channel]).
    """
    lines = [f'<algo name="test" proto="Simple" nchannels="2" nchunksperloop="{chunks}" ngpus="{len(gpus)}" coll="{collective}" '
             f'inplace="{in_place}">']
    for number, blocks in enumerate(gpus):
        lines.append(f'<gpu id="{number}" i_chunks="{inputs or chunks}" o_chunks="{outputs or chunks}" s_chunks="{scratch}">')
        for place, (send, receive, steps, *channel) in enumerate(blocks):
            lines.append(f'<tb id="{place}" send="{send}" recv="{receive}" chan="{channel[0] if channel else 0}">')
            lines += [f'<step s="{s}" {text}/>' for s, text in enumerate(steps)] + ["</tb>"]
        lines.append("</gpu>")
    return "\n".join([*lines, "</algo>"])


def ring_all_gather(ranks):
    """Each rank passes on what has arrived, in place."""
    gpus = []
    for rank in range(ranks):
        chunks = [(rank - hop) % ranks for hop in range(ranks)]
        steps = [step("s", ("o", rank), ("o", rank))] + [step("rcs", ("o", chunk), ("o", chunk)) for chunk in chunks[1:-1]]
        gpus.append([((rank + 1) % ranks, (rank - 1) % ranks, [*steps, step("r", ("o", chunks[-1]), ("o", chunks[-1]))])])
    return algorithm("allgather", ranks, gpus, in_place=1, inputs=1)


def ring_all_reduce(ranks):
    """Chunk c is added up from rank c on, around the ring, and passed on once more."""
    gpus = []
    for rank in range(ranks):
        steps = [step("s", ("i", rank))] + [step("rrs", ("i", (rank - hop) % ranks)) for hop in range(1, ranks - 1)]
        steps.append(step("rrcs", ("i", (rank + 1) % ranks), ("o", (rank + 1) % ranks)))
        steps += [step("rcs", target=("o", (rank + 1 - hop) % ranks)) for hop in range(1, ranks - 1)]
        gpus.append([((rank + 1) % ranks, (rank - 1) % ranks, [*steps, step("r", target=("o", (rank + 2) % ranks))])])
    return algorithm("allreduce", ranks, gpus)


class MscclTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)
        self.runs = 0

    def made(self, text, size=1200, combine=0, **more):
        path = self.folder / "small.xml"
        path.write_text(text)
        self.runs += 1
        return convert(path, self.folder / f"t{self.runs}", size=size, combine=combine, **more)

    def refusals(self, text, **more):
        with self.assertRaises(MscclError) as refused:
            self.made(text, **more)
        return [line.replace(str(self.folder) + "/", "") for line in refused.exception.refusals]

    def refused(self, text, *parts, **more):
        """Asserts that there is one refusal for each of some parts of lines, in that order."""
        lines = self.refusals(text, **more)
        self.assertEqual(len(lines), len(parts), lines)
        for line, part in zip(lines, parts):
            self.assertIn(part, line)

    def result(self, made, ranks):
        write(made)
        return flitcast.run({"topology": {"kind": "complete", "nodes": ranks}, "routing": {"kind": "shortest_path"},
                             "workload": {"kind": "trace", "format": "chakra", "file": str(next(iter(made.files)).parent), "clock_mhz": 1,
                                          "flit_bytes": 1}})

    def cycles(self, text, ranks, **more):
        """The cycle in which the last rank ends."""
        result = self.result(self.made(text, **more), ranks)
        self.assertEqual((result.status, result.get("notes")), ("ok", None))
        return result["critical_path.cycles"]

    def command(self, *words):
        return subprocess.run([sys.executable, "-B", "-m", "flitcast", "msccl", *map(str, words)], cwd=self.folder, text=True, check=False,
                              capture_output=True, env={**os.environ, "PYTHONPATH": str(ROOT / "sim" / "python")})


class ReadingTest(MscclTest):
    def test_every_problem_is_reported_with_its_line_and_a_hint_and_nothing_is_written(self):
        text = ring_all_gather(3).splitlines()
        edits = {2: ('id="0"', 'id="1"'), 3: ('recv="2"', 'recv="3"'), 4: ('srcbuf="o"', 'srcbuf="q"'), 5: ('type="rcs"', 'type="fly"'),
                 6: ('cnt="1"', 'cnt="none"'), 12: ('s="1"', 's="2"'), 13: ('depid="-1"', 'depid="0"'), 18: ('dstoff="2"', 'dstof="2"')}
        for line, (old, new) in edits.items():
            self.assertEqual(text[line - 1].count(" " + old), 1, (line, text[line - 1]))
            text[line - 1] = text[line - 1].replace(" " + old, " " + new)
        lines = self.refusals("\n".join(text))
        for words in ('small.xml:2: id="1" is not the next number; write id="0"', 'small.xml:3: recv="3" is not a whole number from -1 to 2',
                      'small.xml:4: srcbuf="q" is no buffer; write i, o or s', "small.xml:5: type fly is not known; write one of cpy, nop",
                      'small.xml:6: cnt="none" is not a whole number from 1', 'small.xml:12: s="2" is not the next number; write s="1"',
                      "small.xml:13: one of depid and deps is -1", "small.xml:18: dstof is no attribute of <step>; known are"):
            self.assertTrue(any(words in line for line in lines), (words, lines))
        said = self.command("small.xml", "t", "--bytes", 12, "--experiment", "t.yaml")
        self.assertEqual((said.returncode, said.stdout, len(said.stderr.splitlines())), (2, "", len(lines)))
        self.assertEqual([path.name for path in self.folder.iterdir()], ["small.xml"])

    def test_bad_xml_has_its_place(self):
        self.refused("<algo>\n <gpu>\n</algo>", "small.xml:3:3: is no XML (mismatched tag)")
        self.refused('<!DOCTYPE a [<!ENTITY x "y">]>\n<algo/>', "declares an entity")
        self.refused("<graph/>", "small.xml:1: <graph> is no algorithm")
        self.refused('<algo coll="allgather"/>', "ngpus is missing", "nchunksperloop is missing")

    def test_a_byte_order_mark_is_no_part_of_the_text(self):
        text = ring_all_gather(2)
        self.assertEqual(list(self.made("\ufeff" + text).files.values()), list(self.made(text).files.values()))

    def test_twenty_problems_are_printed_in_the_order_of_lines_and_the_number_of_others(self):
        (self.folder / "small.xml").write_text(ring_all_gather(8).replace('srcbuf="o"', 'srcbuf="q"').replace('cnt="1"', 'cnt="0"'))
        lines = self.command("small.xml", "t", "--bytes", 8).stderr.splitlines()
        self.assertEqual((len(lines), lines[-1]), (21, f"and {8 * 8 + 8 - 20} more problems"))
        places = [int(line.split(":")[1]) for line in lines[:-1]]
        self.assertEqual(places, sorted(places))

    def test_the_newer_form_is_the_same_algorithm(self):
        blocks = []
        for rank in range(2):
            blocks.append(f'<gpu id="{rank}" i_chunks="1" o_chunks="2" s_chunks="0"><tb id="0" send="{1 - rank}" recv="{1 - rank}" chan="0">'
                          f'<op step="0" type="s" buf="o" off="{rank}"/><op step="1" type="r" buf="o" off="{1 - rank}"/></tb></gpu>')
        text = f'<algo name="t" nchunksperloop="2" ngpus="2" coll="allgather" inplace="1">{"".join(blocks)}</algo>'
        new, old = self.made(text), self.made(ring_all_gather(2))
        self.assertEqual(list(new.files.values()), list(old.files.values()))
        self.refused(text.replace('type="r"', 'type="cpy"'), *["cpy has one buffer; write srcbuf"] * 2)

    def test_chunks_beyond_a_buffer_and_copies_onto_themselves_are_refused(self):
        text = algorithm("custom", 4, [[(1, -1, [step("s", ("i", 3), count=2)])], [(-1, 0, [step("r", target=("s", 2), count=2)]),
                                                                                (-1, -1, [step("cpy", ("i", 0), ("i", 1), 2)])]], scratch=3)
        self.refused(text, "small.xml:4: chunks 3 to 4 of buffer i, which has 4 on GPU 0; raise i_chunks",
                     "small.xml:9: chunks 2 to 3 of buffer s, which has 3 on GPU 1", "small.xml:12: cpy: source and target overlap")
        self.refused(ring_all_gather(2), "--bytes: 13 bytes are no multiple of 2 chunks; write a multiple, such as 12", size=13)


class OrderTest(MscclTest):
    def test_sends_and_receives_without_each_other_are_refused(self):
        text = algorithm("custom", 2, [[(1, -1, [step("s", ("i", 0)), step("s", ("i", 1))])], [(-1, 0, [step("r", target=("o", 0))])]])
        self.refused(text, "small.xml:5: no step receives the message of GPU 0 block 0 step 1 (s, line 5): from GPU 0 to GPU 1 on channel 0, "
                     "sends: 2, receives: 1; ")
        self.refused(text.replace('chan="0">\n<step s="0" type="r"', 'chan="1">\n<step s="0" type="r"'),
                     "small.xml:4: no step receives", "small.xml:10: no step sends the message of GPU 1 block 0 step 0")
        self.refused(text.replace('s="1" type="s"', 's="1" type="nop"').replace('cnt="1"', 'cnt="2"', 1),
                     "receives 1 chunks, and GPU 0 block 0 step 0")
        self.refused(text.replace('send="1"', 'send="-1"'), "small.xml:4: s in a block with send=-1", "small.xml:5: s in a block with send=-1",
                     "small.xml:10: no step sends the message of GPU 1")

    def test_two_blocks_with_one_peer_and_channel_are_refused(self):
        text = algorithm("custom", 1, [[(1, -1, [step("s", ("i", 0))]), (1, -1, [step("s", ("i", 0))])], [(-1, 0, [step("r", target=("o", 0))] * 2)]])
        self.refused(text, "small.xml:6: block 0 has send=1 on channel 0, too; use another channel")
        self.refused(algorithm("custom", 1, [[(0, 0, [step("s", ("i", 0)), step("r", target=("o", 0))])]]), "send is the GPU itself",
                     "recv is the GPU itself")

    def test_dependences_must_be_there_and_marked(self):
        blocks = [(1, -1, [step("s", ("i", 0), depends=(1, 0))]), (-1, -1, [step("nop", has=1)])]
        text = algorithm("custom", 1, [blocks, [(-1, 0, [step("r", target=("o", 0))])]])
        self.assertEqual(len(self.made(text).files), 2)
        self.refused(text.replace('depid="1" deps="0"', 'depid="1" deps="1"'), "GPU 0 has no step 1 in a block 1, which GPU 0 block 0 step 0")
        self.refused(text.replace('hasdep="1"', 'hasdep="0"'), "small.xml:7: hasdep is 0, and GPU 0 block 0 step 0 (s, line 4) waits for this step")
        said = self.made(text.replace('depid="1" deps="0"', 'depid="-1" deps="-1"')).notes
        self.assertEqual(len(said), 2)
        self.assertIn("steps with hasdep that no step waits for: 1", said[0])

    def test_a_deadlock_names_its_steps(self):
        gpus = [[(1 - rank, 1 - rank, [step("r", target=("o", 1 - rank)), step("s", ("o", rank))])] for rank in range(2)]
        self.refused(algorithm("allgather", 2, gpus, in_place=1), "small.xml:4: deadlock: GPU 0 block 0 step 0 (r, line 4), which waits for GPU 1 "
                     "block 0 step 1 (s, line 11), which waits for GPU 1 block 0 step 0 (r, line 10), which waits for GPU 0 "
                     "block 0 step 1 (s, line 5)")
        blocks = [(1, -1, [step("s", ("i", 0), depends=(1, 0), has=1)]), (-1, -1, [step("nop", depends=(0, 0), has=1)])]
        self.refused(algorithm("custom", 1, [blocks, [(-1, 0, [step("r", target=("o", 0))])]]), "deadlock: GPU 0 block 0 step 0 (s, line 4), which "
                     "waits for GPU 0 block 1 step 0 (nop, line 7), which waits for GPU 0 block 0 step 0")


class ResultTest(MscclTest):
    def test_wrong_results_are_refused(self):
        gather, reduce = ring_all_gather(4), ring_all_reduce(4)
        self.assertEqual([self.made(text).notes for text in (gather, reduce)], [[], []])
        self.refused(gather.replace('allgather', 'allreduce'), "output chunk 0 of GPU 0 is wrong for coll allreduce: it lacks chunk 0 of rank 1")
        # The last step of rank 0 receives into another chunk.
        last = step("r", target=("o", 2))
        self.refused(reduce.replace(last, step("r", target=("o", 3)), 1),
                     "output chunk 2 of GPU 0 is wrong for coll allreduce: it lacks chunk 2 of rank 0; correct")
        self.refused(reduce.replace('type="rrcs"', 'type="rcs"', 1),
                     "output chunk 1 of GPU 0 is wrong for coll allreduce: it lacks chunk 1 of rank 0")
        self.refused(reduce.replace('type="s" srcbuf="i" srcoff="0"', 'type="s" srcbuf="s" srcoff="0"', 1).replace('s_chunks="0"', 's_chunks="1"'),
                     "GPU 0 block 0 step 0 (s, line 4) reads chunk 0 of buffer s, which has no data")
        twice = [[(1, 1, [step("s", ("i", 0)), step("rrc", ("i", 0), ("i", 0))]), (1, 1, [step("s", ("i", 0), depends=(0, 1)),
                                                                                          step("rrc", ("i", 0), ("i", 0))], 1)]]
        twice[0][0][2][1] = step("rrc", ("i", 0), ("i", 0), has=1)
        twice.append([(0, 0, twice[0][0][2]), (0, 0, twice[0][1][2], 1)])
        self.assertIn("adds the contribution of rank 1 twice", self.refusals(algorithm("allreduce", 1, twice, in_place=1))[0])

    def test_reduce_scatter_and_all_to_all_are_checked(self):
        scatter = [[(1 - rank, 1 - rank, [step("s", ("i", 1 - rank)), step("rrc", ("i", rank), ("o", 0))])] for rank in range(2)]
        self.assertEqual(self.made(algorithm("reduce_scatter", 2, scatter, outputs=1)).notes, [])
        self.refused(algorithm("reduce_scatter", 2, scatter, outputs=1).replace('type="rrc"', 'type="r"'),
                     "output chunk 0 of GPU 0 is wrong for coll reducescatter: it lacks chunk 0 of rank 0")
        exchange = [[(1 - rank, 1 - rank, [step("s", ("i", 1 - rank)), step("r", target=("o", 1 - rank)), step("cpy", ("i", rank), ("o", rank))])]
                    for rank in range(2)]
        self.assertEqual(self.made(algorithm("alltoall", 2, exchange)).notes, [])
        self.refused(algorithm("alltoall", 2, exchange).replace("cpy", "nop", 1), "output chunk 0 of GPU 0 is wrong for coll alltoall")
        self.refused(algorithm("alltoall", 3, exchange), "nchunksperloop is 3, no multiple of the 2 GPUs", size=3)
        combined = [[(1, -1, [step("s", ("i", 0))])], [(-1, 0, [step("r", target=("s", 0), has=1)]),
                                                      (-1, -1, [step("re", ("s", 0), ("i", 0), depends=(0, 0))])]]
        self.assertEqual(len(self.made(algorithm("custom", 1, combined, scratch=1)).notes), 1)

    def test_races_are_noted(self):
        gpus = [[(1, -1, [step("s", ("o", 0))]), (-1, 1, [step("r", target=("o", 1))])] for _ in range(1)]
        gpus.append([(0, -1, [step("s", ("o", 1))]), (-1, 0, [step("r", target=("o", 0))])])
        self.assertEqual(self.made(algorithm("allgather", 2, gpus, in_place=1, inputs=1)).notes, [])
        gpus[0].append((-1, -1, [step("cpy", ("o", 1), ("s", 0))]))
        said = self.made(algorithm("allgather", 2, gpus, in_place=1, inputs=1, scratch=1).replace('type="cpy" srcbuf="o" srcoff="1"',
                                                                                                'type="cpy" srcbuf="o" srcoff="0"')).notes
        self.assertEqual(said, [])
        gpus[0][2] = (-1, -1, [step("cpy", ("o", 0), ("o", 1))])
        # The copy writes the chunk into which another block receives.
        said = self.made(algorithm("custom", 2, gpus, in_place=1, inputs=1)).notes
        self.assertEqual(len(said), 2)
        self.assertIn("race: GPU 0 block ", said[1])
        self.assertIn("use chunk 1 of buffer i without an order; add a dependence", said[1])
        # One that reads is enough.
        gpus[0][2] = (-1, -1, [step("cpy", ("o", 1), ("s", 0))])
        said = self.made(algorithm("custom", 2, gpus, in_place=1, inputs=1, scratch=1)).notes
        self.assertIn("use chunk 1 of buffer i without an order; add a dependence", said[1])


class RunTest(MscclTest):
    def test_rings_have_the_messages_bytes_and_times_of_our_own(self):
        for text, operation, messages in ((ring_all_gather(4), "all_gather", 12), (ring_all_reduce(4), "all_reduce", 24)):
            result = self.result(self.made(text), 4)
            # An item is a quarter of 1200 bytes: flits of a byte, and a header.
            own = flitcast.run({"topology": {"kind": "complete", "nodes": 4}, "routing": {"kind": "shortest_path"},
                                "workload": {"kind": "collective", "operation": operation, "algorithm": "ring",
                                             "length": 4 * 301 if operation == "all_reduce" else 301}})
            for figure in ("packets.delivered", "flits.ejected"):
                self.assertEqual(result[figure], own[figure], (operation, figure))
            self.assertEqual(result["packets.delivered"], messages)
            self.assertEqual(result["critical_path.cycles"], messages // 4 * arrival(300))
            self.assertLessEqual(abs(result["critical_path.cycles"] - own["completion_cycle"]), 5)

    def test_combining_takes_its_time(self):
        # In 3 of 6 hops a chunk of 300 bytes is added up at 2.5 bytes/ns.
        self.assertEqual(self.cycles(ring_all_reduce(4), 4, combine=2.5), 6 * arrival(300) + 3 * 120)
        self.assertEqual(self.cycles(ring_all_gather(4), 4, combine=2.5), 3 * arrival(300))

    def test_steps_wait_for_their_block_and_their_dependence_and_blocks_run_side_by_side(self):
        def relay(depends, blocks):
            return algorithm("custom", 3, [[(1, -1, [step("s", ("i", 0), count=2)])],
                                           [(-1, 0, [step("r", target=("s", 0), count=2, has=int(depends))]), *blocks],
                                           [(-1, 1, [step("r", target=("o", 0))] * len(blocks[0][2]))]], scratch=2)

        send = [step("s", ("i", 0))]
        self.assertEqual(self.cycles(relay(False, [(2, -1, send)]), 3), arrival(800))
        after = [step("s", ("i", 0), depends=(0, 0))]
        self.assertEqual(self.cycles(relay(True, [(2, -1, after)]), 3), arrival(800) + arrival(400))
        nop = [step("nop", count=0, depends=(0, 0)), *send]
        text = relay(True, [(2, -1, nop)]).replace(f'<step s="1" {step("r", target=("o", 0))}/>\n', "")
        self.assertEqual(self.cycles(text, 3), arrival(800) + arrival(400))

    def test_the_experiment_replays_the_traces(self):
        (self.folder / "small.xml").write_text(ring_all_reduce(6))
        said = self.command("small.xml", "x/t", "--bytes", 6000, "--combine", "50", "--experiment", "x/t.yaml")
        self.assertEqual((said.returncode, said.stdout, said.stderr), (0, "x/t: 60 messages\n", ""))
        result = flitcast.run(self.folder / "x" / "t.yaml")
        self.assertEqual((result.status, result["packets.delivered"], result["topology.nodes"]), ("ok", 60, 6))

    def test_wrong_options_and_places_are_refused(self):
        (self.folder / "small.xml").write_text(ring_all_gather(2))
        (self.folder / "full").mkdir()
        (self.folder / "full" / "x").write_text("kept")
        for words, said in ((("full", "--bytes", 2), "full: exists and is not an empty folder; "), (("t",), "give --bytes, or --from-schedule"),
                            (("small.xml", "--bytes", 2), "small.xml: is named twice; "),
                            (("t", "--bytes", 2, "--from-schedule"), "give --bytes, or"),
                            (("t", "--from-schedule", "--experiment", "t.yaml", "--combine", "3"), "--experiment, --combine: no effect with --from"),
                            (("t", "--bytes", 2, "--point", 0), "--point: only with --from-schedule"),
                            (("t", "--bytes", 2, "--combine", "1e-320"), "1e-320 is not a number, 0 or from 1e-6 to 1e9"),
                            (("t", "--bytes", 2, "--combine", "nan"), "nan is not a number"), (("t", "--bytes", 3), "no multiple of 2 chunks"),
                            (("t", "--bytes", 2, "--experiment", "full"), "full: is a folder; name a file"),
                            (("small.xml/t", "--bytes", 2), "small.xml/t: small.xml is a file; name a place in a folder")):
            done = self.command("small.xml", *words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(said, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertNotIn("Errno", done.stderr)
        self.assertIn("cannot be read", self.command("absent.xml", "t", "--bytes", 2).stderr)
        self.assertEqual(sorted(path.name for path in self.folder.rglob("*")), ["full", "small.xml", "x"])


class ScheduleTest(MscclTest):
    def experiment(self, operation, algorithm_, length):
        keys = {"topology": {"kind": "torus", "sizes": [4]}, "routing": {"kind": "dimension_order"}, "router": {"virtual_channels": 2},
                "node": {"ports": "all" if operation == "gossip" else "one"},
                "workload": {"kind": "collective", "operation": operation, "algorithm": algorithm_, "length": length}}
        (self.folder / "x.yaml").write_text(json.dumps(keys))
        return keys

    def test_a_collective_has_its_packets_and_flits_when_it_comes_back_as_a_trace(self):
        for operation, algorithm_, length, chunks in (
                ("all_reduce", "ring", 16, 4), ("all_reduce", "recursive_doubling", 4, 1), ("all_reduce", "binomial", 4, 1),
                ("all_gather", "ring", 4, 4), ("reduce_scatter", "ring", 16, 4), ("all_to_all", "shift_exchange", 4, 4),
                ("gossip", "hamiltonian_cycles", 4, 4)):
            keys = self.experiment(operation, algorithm_, length)
            write(from_schedule(self.folder / "x.yaml", self.folder / "x.xml"))
            # The conversion checks the result of the algorithm, and finds no race.
            made = self.made((self.folder / "x.xml").read_text(), size=chunks * 3)
            self.assertEqual(made.notes, [])
            write(made)
            own = flitcast.run(keys)
            back = flitcast.run({**keys, "workload": {"kind": "trace", "format": "chakra", "file": str(next(iter(made.files)).parent),
                                                      "flit_bytes": 1}})
            for figure in ("packets.delivered", "flits.ejected"):
                self.assertEqual(back[figure], own[figure], (operation, algorithm_, figure))
            if algorithm_ == "ring":
                self.assertLessEqual(abs(back["critical_path.cycles"] - own["completion_cycle"]), 5, operation)

    def test_messages_of_several_chunks_and_dependences_are_carried(self):
        for operation, algorithm_ in (("all_reduce", "rabenseifner"), ("all_gather", "bruck"), ("all_reduce", "two_trees"),
                                      ("reduce_scatter", "recursive_halving"), ("all_reduce", "grid_ring"), ("all_gather", "unicast_rounds")):
            self.experiment(operation, algorithm_, 16)
            said = self.command("--from-schedule", "x.yaml", "x.xml")
            self.assertEqual((said.returncode, said.stderr), (0, ""), algorithm_)
            self.assertEqual(self.made((self.folder / "x.xml").read_text(), size=240).notes, [], algorithm_)

    def test_a_point_of_a_sweep_is_taken_with_its_keys_and_others(self):
        keys = self.experiment("all_reduce", "ring", 16)
        (self.folder / "x.yaml").write_text(json.dumps({**keys, "sweep": {"workload.algorithm": ["ring", "binomial"]}}))
        words = ("--from-schedule", "x.yaml", "x.xml")
        self.assertIn("choose one with --point K", self.command(*words).stderr)
        self.assertEqual(self.command(*words, "--point", 1).stdout, "x.xml: 6 messages\n")
        self.assertEqual(self.command(*words, "--point", 0, "--set", "topology.sizes=[8]").stdout, "x.xml: 112 messages\n")

    def test_a_step_with_several_dependences_has_a_nop_for_each_but_the_last(self):
        block = Item("partial", 0)
        dump = Dump("x.yaml", "all_reduce", "made", 3, [Message(1, 0, 1, [block]), Message(1, 0, 2, [block]),
                                                       Message(2, 1, 0, [Item("result", 0)])])
        with unittest.mock.patch("flitcast.msccl.from_schedule.read_dump", return_value=dump):
            made = from_schedule("x.yaml", "x.xml")
        text = made.files[pathlib.Path("x.xml")].decode()
        first = text[:text.index("</gpu>")]
        self.assertEqual(re.findall(r'type="(\w+)" .* depid="(-?\d+)" deps="(-?\d+)" hasdep="(\d)"', first),
                         [("s", "-1", "-1", "1"), ("s", "-1", "-1", "1"), ("nop", "0", "0", "0"), ("r", "1", "0", "0")])

    def test_schedules_that_msccl_cannot_have_are_refused(self):
        for operation, algorithm_, words in (("reduce", "binomial", "MSCCL has no reduce; choose one of all_reduce"),
                                             ("all_to_all", "bruck", "its messages go through other ranks"),
                                             ("broadcast", "recursive_doubling", "the schedule is none of messages from one rank to another")):
            self.experiment(operation, algorithm_, 8)
            said = self.command("--from-schedule", "x.yaml", "x.xml")
            self.assertEqual(said.returncode, 2)
            self.assertIn(words, said.stderr)
            self.assertFalse((self.folder / "x.xml").exists())


if __name__ == "__main__":
    unittest.main()
