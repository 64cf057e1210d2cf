# SPDX-License-Identifier: Apache-2.0
"""Events in a router, by cycle, from the log of a bench.

Names of events are those of the tables and of models/network/energy; what each counts stands in MEANING.
"""
MEANING = {
    "flits_in": "flits that come in",
    "bits_in": "bits of flits and valid at all inputs that differ from the cycle before; those of idle ones are zero",
    "flits_out": "flits that are sent",
    "bits_out": "the same of the outputs as bits_in",
    "packets": "packets that are given an output VC, or taken out of the queue of an output",
    "waits": "heads that wait for an output VC, or packets in queues, in every cycle",
    "crowds": "where packets are kept whole: for every packet taken, those in queues with it, itself included",
    "vc_changes": "flits that leave an input by another VC than the flit before them",
    "length_changes": "where packets are kept whole: bits of a length that differ from the packet before at an output",
    "send_changes": "input VCs that start or stop sending from one cycle to the next",
    "source_changes": "pairs of an input and an output that the switch joins or parts from one cycle to the next",
}
COLUMNS = {"in_valid": 2, "in_vc": 16, "in_flit": 16, "out_valid": 2, "out_flit": 16, "credits_out": 2, "credits_in": 2,
           "waiting": 2, "joins": 2, "takes": 2, "sends": 2, "sources": 16}

# Fields of a flit in the benches: a destination of 4 bits, 4 bits of `remaining`, the head bit.
REMAINING_BIT, REMAINING_MASK, HEAD_BIT = 4, 15, 8


def _log(file):
    """The columns of the line of every cycle, as integers."""
    bases = list(COLUMNS.values())
    with open(file, encoding="ascii") as lines:
        rows = [[int(word.replace("x", "0"), base) for word, base in zip(line.split(), bases)] for line in lines]
    return dict(zip(COLUMNS, zip(*rows)))


def _counts(column):
    return [bin(value).count("1") for value in column]


def _changes(*columns):
    """Bits that differ from the cycle before, over all columns; none in the first cycle."""
    return [0] + [sum(bin(column[t] ^ column[t - 1]).count("1") for column in columns) for t in range(1, len(columns[0]))]


def _vc_changes(sends, vcs):
    last, result = {}, []
    for sending in sends:
        changes = 0
        for number in (at for at in range(sending.bit_length()) if sending >> at & 1):
            port, vc = divmod(number, vcs)
            changes += last.setdefault(port, vc) != vc
            last[port] = vc
        result.append(changes)
    return result


def _length_changes(valid, flits, width):
    last, result = {}, []
    for port_valid, all_flits in zip(valid, flits):
        changes = 0
        for port in (at for at in range(port_valid.bit_length()) if port_valid >> at & 1):
            flit = all_flits >> (port * width)
            if flit >> HEAD_BIT & 1:
                length = flit >> REMAINING_BIT & REMAINING_MASK
                changes += bin(length ^ last.setdefault(port, length)).count("1")
                last[port] = length
        result.append(changes)
    return result


def events(file, subject):
    """Name -> number of events in each cycle."""
    log = _log(file)
    packets, waits = _counts(log["takes"]), _counts(log["waiting"])
    return {
        "flits_in": _counts(log["in_valid"]),
        "bits_in": _changes(log["in_valid"], log["in_flit"]),
        "flits_out": _counts(log["out_valid"]),
        "bits_out": _changes(log["out_valid"], log["out_flit"]),
        "packets": packets,
        "waits": waits,
        "crowds": [taken * waiting for taken, waiting in zip(packets, waits)],
        "vc_changes": _vc_changes(log["sends"], subject.key.get("virtual_channels", 1)),
        "length_changes": _length_changes(log["out_valid"], log["out_flit"], subject.key["width"]),
        "send_changes": _changes(log["sends"]),
        "source_changes": _changes(log["sources"]),
    }
