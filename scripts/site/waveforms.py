# SPDX-License-Identifier: Apache-2.0
"""Flits and credits on the pins of the wormhole routers of the page how/router.md, cycle by cycle: runs of the RTL, committed in
waveforms.csv beside this file.

usage: waveforms.py PROGRAM [--write]     PROGRAM is `router_waveforms`, of testbenches/cosim
Compares the rows of RTL and model with each other and with those committed; --write commits them. Exit code 1 if some differ.
"""
import collections
import csv
import hashlib
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLE = pathlib.Path(__file__).parent / "waveforms.csv"
ROUTERS = (0, 1, 2)
LOCAL = 2  # The last port of a router in a line; 0 faces the router with the next higher number, 1 that with the next lower one.

Run = collections.namedtuple("Run", "virtual_channels buffer_depth packets")  # Packets are (cycle, source, destination, flits).
TWO = ((0, 0, 2, 3), (0, 0, 2, 3))
RUNS = {
    "pipeline": Run(1, 8, TWO),
    "credits": Run(1, 2, TWO),
    "two_vcs": Run(2, 8, TWO),
    # Heads from router 2 and from node 1 ask for the same output in one cycle; one goes alone; then two ask again.
    "arbiters": Run(1, 8, ((0, 2, 0, 1), (5, 1, 0, 1), (8, 2, 0, 1), (14, 2, 0, 1), (19, 1, 0, 1))),
}

# One flit or credit on a pin: an input counts in the cycle that begins with the edge that samples it, an output in the cycle in which it
# is high. Credits have no packet.
Event = collections.namedtuple("Event", "cycle router wire port vc packet flit")


def named(raw):
    """Events of (cycle, router, wire, port, vc, slot, remaining, head) in their order, with packets named SOURCE.NUMBER, as in logs."""
    names, lengths, counts, events = {}, {}, collections.Counter(), []
    for cycle, router, wire, port, vc, slot, remaining, head in sorted(raw, key=lambda row: row[:4]):
        if wire == "in_valid_i" and port == LOCAL and head:
            names[slot], lengths[slot] = f"{router}.{counts[router]}", remaining + 1
            counts[router] += 1
        has_flit = wire in ("in_valid_i", "out_valid_o")
        events.append(Event(cycle, router, wire, port, vc, names[slot] if has_flit else "", lengths[slot] - 1 - remaining if has_flit else ""))
    return events


def events_of(path, kind, run):
    """The events of routers of a kind, `rtl` or `model`, by the program router_waveforms."""
    packets = [",".join(map(str, packet)) for packet in run.packets]
    done = subprocess.run([path, kind, str(run.virtual_channels), str(run.buffer_depth), *packets], capture_output=True, text=True, check=True)
    rows = csv.DictReader(done.stdout.splitlines())
    return named([tuple(row[key] if key == "wire" else int(row[key] or 0) for key in rows.fieldnames) for row in rows])


def buffers(events):
    """The rows of a flit log that events amount to: the k-th credit of an input VC is that of its k-th flit."""
    credits = collections.defaultdict(list)
    for event in events:
        if event.wire == "in_credit_valid_o":
            credits[event.router, event.port, event.vc].append(event.cycle)
    for place in credits.values():
        place.reverse()
    return [{"packet": one.packet, "flit": one.flit, "router": one.router, "port": one.port, "vc": one.vc, "arrived_cycle": one.cycle,
             "left_cycle": credits[one.router, one.port, one.vc].pop()} for one in events if one.wire == "in_valid_i"]


def rtl_state():
    """A hash of the RTL that the router may be made of."""
    files = sorted([*(ROOT / "rtl" / "common").glob("*.sv"), *(ROOT / "rtl" / "wormhole").glob("*.sv")])
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:16]


def committed():
    """The hash of the RTL whose events are committed, and the events of each run."""
    with open(TABLE, newline="", encoding="utf-8") as file:
        state = file.readline().split()[-1]
        runs = {name: [] for name in RUNS}
        for row in csv.DictReader(file):
            runs.setdefault(row.pop("run"), []).append(Event(**{key: value if key in ("wire", "packet") or not value else int(value) for key, value in row.items()}))
    return state, runs


def write(runs):
    with open(TABLE, "w", newline="", encoding="utf-8") as file:
        file.write(f"# Written by scripts/waveforms from runs of rtl/common and rtl/wormhole, whose hash is {rtl_state()}\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["run", *Event._fields])
        writer.writerows([name, *event] for name, events in runs.items() for event in events)


def main(path, *options):
    runs, model = ({name: events_of(path, kind, run) for name, run in RUNS.items()} for kind in ("rtl", "model"))
    if runs != model:
        sys.exit("the pins of the model are not those of the RTL")
    if "--write" in options:
        write(runs)
    elif committed() != (rtl_state(), runs):
        sys.exit("scripts/site/waveforms.csv is not what the RTL does now; run scripts/waveforms, and see what that changes")


if __name__ == "__main__":
    main(*sys.argv[1:])
