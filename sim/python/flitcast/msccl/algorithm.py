# SPDX-License-Identifier: Apache-2.0
"""An MSCCL algorithm: thread blocks of GPUs, whose steps move chunks of buffers.

    <algo name nchannels nchunksperloop ngpus coll inplace>
      <gpu id i_chunks o_chunks s_chunks>
        <tb id send recv chan>                     send, recv: the other GPUs, or -1
          <step s type srcbuf srcoff dstbuf dstoff cnt depid deps hasdep/>
          <op step type buf off [cnt] [depid] [deps] [hasdep]/>     a newer form of a step that needs one buffer
"""
import re
import xml.parsers.expat
from typing import NamedTuple

MOST = 1_000_000
SENDS, RECEIVES, COMBINES = {"s", "rcs", "rrs", "rrcs"}, {"r", "rcs", "rrc", "rrs", "rrcs"}, {"rrc", "rrs", "rrcs", "re"}
READS, WRITES = {"s", "rrc", "rrs", "rrcs", "cpy", "re"}, {"r", "rcs", "rrc", "rrcs", "cpy", "re"}
TYPES = SENDS | RECEIVES | {"cpy", "re", "nop"}
BUFFERS = ("i", "o", "s")
_ALGO = {"name", "proto", "nchannels", "nchunksperloop", "ngpus", "coll", "inplace", "outofplace", "minBytes", "maxBytes", "redop", "nthreadblocks"}
_GPU = {"id", "i_chunks", "o_chunks", "s_chunks"}
_BLOCK = {"id", "send", "recv", "chan"}
_STEP = {"s", "step", "type", "srcbuf", "srcoff", "dstbuf", "dstoff", "buf", "off", "cnt", "depid", "deps", "hasdep"}


class Step(NamedTuple):
    """A step of a thread block."""
    type: str
    source: tuple    # (buffer, first chunk), or None.
    target: tuple
    count: int       # Chunks.
    depends: tuple   # (thread block, step) of the same GPU, or None.
    has_dependent: bool
    line: int


class Block(NamedTuple):
    """A thread block."""
    send: int        # The GPU that it sends to, or -1.
    receive: int
    channel: int
    steps: list
    line: int


class Gpu(NamedTuple):
    blocks: list
    chunks: dict     # By buffer: its chunks.
    line: int


class Algorithm(NamedTuple):
    """An algorithm of all GPUs."""
    file: str
    name: str
    collective: str
    is_in_place: bool
    chunks: int      # Chunks of the vector.
    gpus: list

    def steps(self):
        """All (gpu, block, step) in the order of the file."""
        return [(g, b, s) for g, gpu in enumerate(self.gpus) for b, block in enumerate(gpu.blocks) for s in range(len(block.steps))]

    def step(self, key):
        gpu, block, step = key
        return self.gpus[gpu].blocks[block].steps[step]

    def place(self, key):
        return f"{self.file}:{self.step(key).line}"

    def title(self, key):
        """A step for the middle of a sentence."""
        return f"GPU {key[0]} block {key[1]} step {key[2]} ({self.step(key).type}, line {self.step(key).line})"


class _Element(NamedTuple):
    tag: str
    attributes: dict
    children: list
    line: int


def read_algorithm(file, data, report):
    """The Algorithm of the bytes of a file, or None; everything that is wrong with single elements is reported."""
    root = _tree(file, data, report)
    return None if root is None else _Reader(file, report).algorithm(root)


def _tree(file, data, report):
    parser, open_, roots = xml.parsers.expat.ParserCreate(), [], []

    def start(tag, attributes):
        element = _Element(tag, attributes, [], parser.CurrentLineNumber)
        (open_[-1].children if open_ else roots).append(element)
        open_.append(element)

    def refuse_entities(*_):
        raise ValueError

    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: open_.pop()
    parser.EntityDeclHandler = refuse_entities
    try:
        parser.Parse(data, True)
    except xml.parsers.expat.ExpatError as error:
        words = xml.parsers.expat.errors.messages[error.code]
        report.refuse(f"{file}:{error.lineno}:{error.offset + 1}", f"is no XML ({words})", "correct the file")
        return None
    except ValueError:
        report.refuse(f"{file}:{parser.CurrentLineNumber}", "declares an entity", "write an algorithm without them")
        return None
    return roots[0]


class _Reader:
    def __init__(self, file, report):
        self._file, self._report = file, report
        self._gpus = self._channels = 0

    def algorithm(self, root):
        if root.tag != "algo":
            self._refuse(root, f"<{root.tag}> is no algorithm", "name a file of MSCCL with <algo>")
            return None
        for name in sorted(set(root.attributes) - _ALGO):
            self._report.note(f"{self._file}:{root.line}: {name}", "has no effect")
        self._gpus = self._number(root, "ngpus", 1, MOST)
        self._channels = self._number(root, "nchannels", 1, MOST, MOST)
        chunks, is_in_place = self._number(root, "nchunksperloop", 1, MOST), self._number(root, "inplace", 0, 1, 0)
        if "coll" not in root.attributes:
            self._refuse(root, "coll is missing", 'write coll="allreduce", or the collective that it is')
        found = self._numbered(root, "gpu", "id", _GPU, None if self._gpus is None else self._gpus)
        if None in (self._gpus, chunks, is_in_place):
            return None
        collective = root.attributes.get("coll", "")
        gpus = [self._gpu(element) for element in found]
        return Algorithm(self._file, root.attributes.get("name", ""), collective.replace("_", ""), is_in_place == 1, chunks, gpus)

    def _refuse(self, element, what, hint):
        self._report.refuse(f"{self._file}:{element.line}", what, hint)

    def _number(self, element, name, least, most, default=None):
        """A whole number; None, with a refusal, if it is missing without a default or wrong."""
        text = element.attributes.get(name)
        if text is None and default is not None:
            return default
        if text is not None and re.fullmatch(r"-?\d{1,18}", text, re.ASCII) and least <= int(text) <= most:
            return int(text)
        self._refuse(element, f"{name} is missing" if text is None else f'{name}="{text}" is not a whole number from {least} to {most}',
                     "write such a number" if text is not None else f"write {name}, a whole number from {least} to {most}")
        return None

    def _numbered(self, parent, tags, key, known, count=None):
        """The children of a parent, which have numbers from 0 in order; `count` of them, if that is given."""
        found = []
        for child in parent.children:
            if child.tag not in tags.split():
                self._refuse(child, f"<{child.tag}> is not known in <{parent.tag}>", f"write <{tags.split()[0]}>")
                continue
            for name in sorted(set(child.attributes) - known):
                self._refuse(child, f"{name} is no attribute of <{child.tag}>", f"known are {', '.join(sorted(known))}")
            name = key if key in child.attributes or child.tag != "op" else "step"
            number = self._number(child, name, 0, MOST)
            if number is not None and number != len(found):
                self._refuse(child, f'{name}="{number}" is not the next number', f'write {name}="{len(found)}": they count from 0 in order')
            found.append(child)
        if count is not None and len(found) != count:
            self._refuse(parent, f"there are {len(found)} <{tags}>, and n{tags}s is {count}", f"write {count} of them")
        return found

    def _gpu(self, element):
        chunks = {name: self._number(element, f"{name}_chunks", 0, MOST, 0) or 0 for name in BUFFERS}
        blocks = [self._block(child) for child in self._numbered(element, "tb", "id", _BLOCK)]
        return Gpu(blocks, chunks, element.line)

    def _block(self, element):
        peers = [self._number(element, name, -1, (self._gpus or 1) - 1, -1) for name in ("send", "recv")]
        channel = self._number(element, "chan", -1, self._channels - 1 if self._channels else MOST, 0)
        return Block(*(-1 if peer is None else peer for peer in peers), channel or 0,
                     [self._step(child) for child in self._numbered(element, "step op", "s", _STEP)], element.line)

    def _step(self, element):
        type_ = element.attributes.get("type")
        if type_ not in TYPES:
            self._refuse(element, f"type {type_} is not known" if type_ else "type is missing", f"write one of {', '.join(sorted(TYPES))}")
            type_ = "nop"
        count = self._number(element, "cnt", 0 if type_ == "nop" else 1, MOST, 1)
        source, target = (self._chunk(element, type_, end, kinds) for end, kinds in (("src", READS), ("dst", WRITES)))
        depends = [self._number(element, name, -1, MOST, -1) for name in ("depid", "deps")]
        if None not in depends and (depends[0] < 0) != (depends[1] < 0):
            self._refuse(element, "one of depid and deps is -1", "write both, or -1 twice")
        has = self._number(element, "hasdep", 0, 1, 0)
        return Step(type_, source, target, count or 1, tuple(depends) if None not in depends and min(depends) >= 0 else None, has == 1,
                    element.line)

    def _chunk(self, element, type_, end, kinds):
        """The buffer and the first chunk of an end, if steps of this type use it."""
        if type_ not in kinds:
            return None
        buffer, offset = f"{end}buf", f"{end}off"
        if buffer not in element.attributes and "buf" in element.attributes:
            if type_ in ("cpy", "re") and end == "src":
                self._refuse(element, f"{type_} has one buffer", "write srcbuf, srcoff, dstbuf and dstoff")
            buffer, offset = "buf", "off"
        if element.attributes.get(buffer) not in BUFFERS:
            given = element.attributes.get(buffer)
            self._refuse(element, f"{buffer} is missing" if given is None else f'{buffer}="{given}" is no buffer', "write i, o or s")
            return None
        first = self._number(element, offset, 0, MOST)
        return None if first is None else (element.attributes[buffer], first)
