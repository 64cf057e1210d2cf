# SPDX-License-Identifier: Apache-2.0
"""The table of routers, and the command that makes it: scripts/synth --routers.

usage: routers_test.py table           the README has the rows of routers.csv, which are of the present RTL
       routers_test.py refusals        wrong options are refused, each with its reason
       routers_test.py synthesis OUT   a small router is synthesized, and its figures agree with each other
exit code 1 and a line for each thing that is not so
"""
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SYNTHESIS = ROOT / "scripts" / "synthesis"
sys.path.insert(0, str(SYNTHESIS))
import blocks  # noqa: E402
import router_table  # noqa: E402
import routers  # noqa: E402

# Area of a NAND2X1 of osu018 in um2, and of its flip-flop in NAND2.
NAND2, FLIP_FLOP = 24, 4


def command(*words):
    return subprocess.run([sys.executable, "-B", SYNTHESIS / "routers.py", *words], capture_output=True, text=True, check=False)


def flip_flops(block):
    """Registers of a router, counted in the files of rtl/wormhole and rtl/common."""
    ports, vcs, depth, bits = block.ports, block.vcs, block.depth, block.bits
    inputs = ports * vcs
    count, pointer = depth.bit_length(), (depth - 1).bit_length()
    number = (vcs - 1).bit_length()                                 # Bits of the number of a VC.
    buffers = inputs * (depth * bits + count + 2 * pointer)         # Slots, count, tail and head.
    routes = inputs * (ports + vcs)                                 # Output, and VC there.
    choices = inputs * vcs if block.kind == "vc" else 0             # VCs that may be taken: in a mesh router all.
    stages = 5 * inputs                                             # busy, unserved, active, two delays of a cycle.
    free = inputs
    vc_allocator = inputs * (vcs - 1) + inputs * (inputs - 1)       # An order of n requesters has n - 1 bits that change.
    ports_order = ports - 1 + vcs - 1 if vcs > 1 else 0             # With one VC an input port has nothing to choose.
    switch_allocator = ports * (ports - 1 + ports_order)
    credits = inputs * count
    outputs = ports * (1 + number + bits)                           # Valid, VC, flit.
    rest = 1                                                        # The clock of the output stage until it is idle.
    return buffers + routes + choices + stages + free + vc_allocator + switch_allocator + credits + outputs + rest


def wrong_figures(block, row):
    """Figures of a row that disagree with each other, or with the registers of the RTL."""
    cells, flops = int(row["cells"]), int(row["flip_flops"])
    nand2, area, period = (float(row[column]) for column in ("area_nand2", "area_um2", "period_ns"))
    name = block.name
    if abs(area - NAND2 * nand2) > 1:
        yield f"{name}: {area} um2, but {nand2} NAND2"
    if not flops < cells < nand2 * 2 or FLIP_FLOP * flops >= nand2:
        yield f"{name}: {cells} cells and {flops} flip-flops, but {nand2} NAND2"
    if block.kind != "source" and flops != flip_flops(block):
        yield f"{name}: {flops} flip-flops instead of {flip_flops(block)}"
    # A path has at least a flip-flop and its setup.
    if not 0.4 < period < 20 or not row["path_to"] or row["not_done"]:
        yield f"{name}: {period} ns to {row['path_to']} {row['not_done']}"


def table():
    rows = router_table.read()
    if router_table.in_readme()[1] != router_table.markdown(rows):
        yield "the table of rtl/wormhole/README.md is not that of routers.csv; run scripts/synth --routers --commit"
    if len(rows) != len(blocks.NAMES):
        yield f"routers.csv has {len(rows)} rows instead of {len(blocks.NAMES)}"
    for name, row in zip(blocks.NAMES, rows):
        block = blocks.block_of(name)
        sizes = [block.top, *map(str, (block.ports, block.vcs, block.depth, block.bits))]
        if [row[column] for column in router_table.COLUMNS[:5]] != sizes:
            yield f"routers.csv has {row} instead of {name}"
        if row["sources"] != routers.state(block)[:16]:
            yield f"the row of {name} in routers.csv is of other RTL; run scripts/synth --routers --commit"
        yield from wrong_figures(block, row)


# An option and parts of all messages about it.
REFUSED = [
    ("--configurations", "mesh-5x2x4x34", ['"mesh" is no kind; take from wormhole, vc, source']),
    ("--configurations", "torus-5x2x4,vc-3x1x1x0", ['"torus" is no kind', '"torus-5x2x4": write KIND-PORTSxVCSxDEPTHxBITS',
                                                    '"vc-3x1x1x0": write KIND-PORTSxVCSxDEPTHxBITS']),
    ("--configurations", "wormhole-4x33x65536x34", ["3, 5, 7, ... ports", "at most 32 VCs", "at most 65535 flits"]),
    ("--configurations", "wormhole-5x2x4x8", ["a flit needs 9 bits"]),
    ("--configurations", "vc-65x2x4x3", ["a flit needs 4 bits", "all ports together 128"]),
    ("--configurations", "source-2x3x4x34,vc-3x1x1x4,", ["no multiple of the streams", '"" is no kind', '"": write']),
    ("--limit", "0", ['--limit: "0" is not a whole number from 1 up']),
    ("--jobs", "two", ['--jobs: "two" is not a whole number from 1 up']),
]


def refusals():
    for option, value, reasons in REFUSED:
        done = command(option, value, "--check-options")
        said = done.stderr.splitlines()
        if done.returncode != 2 or len(said) != len(reasons) or any(reason not in line for reason, line in zip(reasons, said)):
            yield f"{option} {value}: exit code {done.returncode} and {said}"
    done = command("--configurations", "x,vc-3x1x1x4", "--limit", "x", "--jobs", "0", "--commit", "--check-options")
    if done.returncode != 2 or len(done.stderr.splitlines()) != 5:
        yield f"not all of 5 problems are named: {done.stderr}"
    done = command("--check-options", "--configurations", ",".join([*blocks.NAMES, "wormhole-3x21x1x7", "vc-64x2x65535x4", "source-2x4x1x4"]))
    if done.returncode != 0:
        yield f"valid configurations are refused: {done.stderr}"


def synthesis(out):
    words = "--configurations", "vc-3x1x1x4", "--out", out
    done = command(*words)
    if done.returncode != 0:
        yield f"exit code {done.returncode}: {done.stderr}"
        return
    folder = pathlib.Path(out)
    row, = router_table.read(folder / "table.csv")
    yield from wrong_figures(blocks.block_of(words[1]), row)
    if done.stdout != router_table.markdown([row]) or (folder / "table.md").read_text(encoding="utf-8") != done.stdout:
        yield f"table.csv and table.md differ: {done.stdout}"
    netlist = folder / "vc-3x1x1x4" / "mapped.v"
    made = netlist.stat().st_mtime_ns
    if command(*words).stdout != done.stdout or netlist.stat().st_mtime_ns != made:
        yield "a point with unchanged RTL was repeated, or came out differently"


def main():
    claims = {"table": table, "refusals": refusals, "synthesis": synthesis}
    faults = list(claims[sys.argv[1]](*sys.argv[2:]))
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
