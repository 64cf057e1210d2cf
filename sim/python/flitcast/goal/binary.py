# SPDX-License-Identifier: Apache-2.0
"""GOAL in binary, as txt2bin of LogGOPSim writes it: little endian, without gaps.

    u64 4223; offsets are counted from behind it: u32 ranks; u8 highest CPU; u8 highest NIC; for each rank u64 begin, u64 end
    a rank:       u32 operations; u32 roots; u32 for each root; the operations; the list of successors, u32 each
    an operation: u32 dependences; u8 type (1 send, 2 receive, 3 calc); u32 peer; u64 size; u32 tag; u8 cpu; u8 nic;
                  u32 successors by requires; u32 the first of them in the list; the same two by irequires
"""
import struct

from .schedule import ANY, CALC, Operation, RECEIVE, SEND, Schedule

MAGIC, SPOILED = 4223, 2342
_MAGIC, _HEAD, _SPAN, _COUNTS = struct.Struct("<Q"), struct.Struct("<IBB"), struct.Struct("<QQ"), struct.Struct("<II")
_OPERATION = struct.Struct("<IBIQIBBIIII")
_KINDS = {1: SEND, 2: RECEIVE, 3: CALC}
_ANY = 2 ** 32 - 1


def is_binary(data):
    return len(data) >= _MAGIC.size and _MAGIC.unpack_from(data)[0] in (MAGIC, SPOILED)


def read_binary(file, data, report):
    """The Schedule of a binary file, or None."""
    if _MAGIC.unpack_from(data)[0] == SPOILED:
        report.refuse(file, "has been changed by a run of LogGOPSim, which counts its dependences down", "make it again with txt2bin")
        return None
    data = data[_MAGIC.size:]
    try:
        count, _, _ = _HEAD.unpack_from(data)
        spans = [_SPAN.unpack_from(data, _HEAD.size + rank * _SPAN.size) for rank in range(min(count, len(data)))]
        if count == 0 or any(end > len(data) or begin > end for begin, end in spans):
            raise struct.error
    except struct.error:
        report.refuse(file, "is cut off or damaged: its ranks are not where its head says", "make it again with txt2bin")
        return None
    return Schedule(file, [_operations(file, rank, data[begin:end], report) for rank, (begin, end) in enumerate(spans)], True)


def _operations(file, rank, data, report):
    try:
        count, roots = _COUNTS.unpack_from(data)
        first = _COUNTS.size + 4 * roots
        facts = [_OPERATION.unpack_from(data, first + number * _OPERATION.size) for number in range(min(count, len(data)))]
        behind = data[first + count * _OPERATION.size:]
        successors = struct.unpack(f"<{len(behind) // 4}I", behind[:len(behind) // 4 * 4])
        operations = [_operation(number, *fact[1:7]) for number, fact in enumerate(facts)]
        for number, fact in enumerate(facts):
            for name, place in (("requires", 7), ("irequires", 9)):
                size, begin = fact[place:place + 2]
                if size and begin + size > len(successors):
                    raise struct.error
                for after in successors[begin:begin + size]:
                    getattr(operations[after], name).append(number)
    except (struct.error, KeyError, IndexError):
        report.refuse(f"{file}: rank {rank}", "is cut off or damaged", "make the file again with txt2bin")
        return []
    if any(fact[0] != len(one.requires) + len(one.irequires) for fact, one in zip(facts, operations)):
        report.refuse(f"{file}: rank {rank}", "counts other dependences than its lists have", "make the file again with txt2bin")
    return operations


def _operation(number, kind, peer, size, tag, cpu, nic):
    kind = _KINDS[kind]
    is_any = {_ANY: ANY} if kind == RECEIVE else {}
    if kind == CALC:
        peer, tag, nic = ANY, 0, 0
    return Operation(kind, size, is_any.get(peer, peer), is_any.get(tag, tag), cpu, nic, number, [], [])
