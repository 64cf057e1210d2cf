# SPDX-License-Identifier: Apache-2.0
"""Measures the rows of rows.csv, prints them, and compares them with the figures that stand there.

A row is sim/examples/quickstart.yaml with other settings. It runs twice, over a short and a long window, under
cachegrind; the difference of the counts belongs to the difference of the flit-hops, so that start-up does not count.
"""
import argparse
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
ROWS = os.path.join(HERE, "rows.csv")
PROGRAM = os.path.join(ROOT, "build/release/sim/flitcast")
TRANSACTIONS = os.path.join(ROOT, "build/release/testbenches/tlm/bench/flitcast-tlm-bench")
EXPERIMENT = os.path.join(ROOT, "sim/examples/quickstart.yaml")
COMMON = ["measure.warmup=500"]
# A first level of 32 KiB and a last level of 1 MiB, whatever this machine has.
CACHES = ["--cache-sim=yes", "--I1=32768,8,64", "--D1=32768,8,64", "--LL=1048576,16,64"]
# Each cost and the events of cachegrind that it is the sum of; branches and jumps are guessed as cachegrind does.
EVENTS = {
    "instructions": ["Ir"],
    "first_level_misses": ["D1mr", "D1mw"],
    "last_level_misses": ["DLmr", "DLmw"],
    "mispredictions": ["Bcm", "Bim"],
}
COSTS = list(EVENTS)
TOLERANCE = 1.02
# The addresses of objects change a few misses, those of instructions a few mispredictions.
SLACK = {"instructions": 0, "first_level_misses": 0.1, "last_level_misses": 0.1, "mispredictions": 0.1}


def run(command):
    """Standard output and error of a command, which must succeed or end not steady, as short windows do."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 3):
        sys.exit(f"{' '.join(command)}\n{done.stderr}")
    return done.stdout, done.stderr


def arguments(row, window):
    settings = COMMON + row["settings"].split() + [f"measure.window={window}"]
    sets = [word for setting in settings for word in ("--set", setting)]
    return ["run", EXPERIMENT, "--quiet", "--json", "-"] + sets


def count(row, window):
    """Flit-hops of a run, and the costs of each of its functions."""
    with tempfile.NamedTemporaryFile("r") as profile:
        tool = ["valgrind", "--tool=cachegrind", "--branch-sim=yes", f"--cachegrind-out-file={profile.name}"] + CACHES
        result, _ = run(tool + [PROGRAM] + arguments(row, window))
        return json.loads(result)["flits"]["hops"], costs_of_functions(profile)


def costs_of_functions(profile):
    """Function -> its costs, from a file of cachegrind: the names of events, then functions with lines of counts."""
    costs = defaultdict(lambda: [0] * len(COSTS))
    for line in profile:
        key, _, text = line.rstrip().partition("=" if line.startswith("fn") else " ")
        if key == "fn":
            function = costs[text]
        elif key == "events:":
            events = text.split()
            columns = [[events.index(event) for event in EVENTS[cost]] for cost in COSTS]
        elif key.isdigit():
            counts = [int(word) for word in text.split()]
            counts += [0] * (len(events) - len(counts))  # Zeros at the end may be left out.
            for n, those in enumerate(columns):
                function[n] += sum(counts[column] for column in those)
    return costs


def cost_of_hops(row):
    (few, short), (many, long) = (count(row, int(row[window])) for window in ("short", "long"))
    of = {name: [(b - a) / (many - few) for a, b in zip(short[name], costs)] for name, costs in long.items()}
    total = {cost: round(sum(values), 2) + 0.0 for cost, values in zip(COSTS, zip(*of.values()))}
    return {**total, "functions": of}


def cost_of_requests(_):
    """S1 on v(83, 16, 16), the m of Theorem 3, under random requests: from a request's checks to the links it takes."""
    inside = "--toggle-collect=flitcast::clos::ConnectionAdmission::connect*"
    tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", inside]
    traffic = "clos traffic --n 16 --r 16 --m 83 --strategy S1 --seed 1 --events 12000 --json".split()
    result, log = run(tool + [PROGRAM] + traffic)
    counted = int(re.search(r"Collected : (\d+)", log).group(1))
    if counted == 0:
        sys.exit("no request was counted")
    return {"instructions": round(counted / json.loads(result)["points"][0]["requests"], 2)}


def cost_of_sleep(_):
    """A cycle of a router that sleeps: what a mesh of 64x64 takes besides one of 32x32, while one node of either sends
    a packet of six flits to its neighbour every eight cycles. Without searches for deadlock, which visit all."""
    few, many = 250, 1000

    def counted(side, packets):
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as trace:
            trace.write("cycle,src,dst,flits\n" + "".join(f"{8 * p},0,1,6\n" for p in range(packets)))
            trace.flush()
            settings = ["measure.watchdog=0", f"topology.sizes=[{side},{side}]",
                        f"workload={{kind: trace, format: csv, file: {trace.name}}}"]
            words = [word for setting in settings for word in ("--set", setting)]
            tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
            _, log = run(tool + [PROGRAM, "run", EXPERIMENT, "--unsafe", "--quiet", "--json", "-"] + words)
        return int(re.search(r"Collected : (\d+)", log).group(1))

    large, small = (counted(side, many) - counted(side, few) for side in (64, 32))
    return {"instructions": round((large - small) / (8 * (many - few) * (64**2 - 32**2)), 3)}


def cost_of_transactions(row):
    """A transaction of TLM-2.0 through an interconnect; the settings are the pause before it in ns, and a quantum."""
    pause, *quantum = row["settings"].split()

    def counted(each):
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        words, log = run(tool + [TRANSACTIONS, pause, each] + quantum)
        return int(words.split()[0]), int(re.search(r"Collected : (\d+)", log).group(1))

    (few, short), (many, long) = (counted(row[window]) for window in ("short", "long"))
    return {"instructions": round((long - short) / (many - few), 2)}


# Rows that do not measure flit-hops.
OTHERS = {"clos_request": cost_of_requests, "router_asleep": cost_of_sleep,
          **{f"transaction_{name}": cost_of_transactions for name in ("after_500", "after_20", "estimated")}}


def measure(row):
    return OTHERS.get(row["row"], cost_of_hops)(row)


def processor_seconds(command):
    """Processor seconds of a command, which other programs lengthen less than wall time."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=out)
        _, status, usage = os.wait4(process.pid, 0)
        if os.waitstatus_to_exitcode(status) not in (0, 3):
            out.seek(0)
            sys.exit(f"{' '.join(command)}\n{out.read().decode()}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def cycles_of_model(side, load, starts=3):
    """Cycles per second of a mesh as testbenches/rtl/bench has it in RTL, by the difference of two windows."""
    row = {"settings": f"topology.sizes=[{side},{side}] router.virtual_channels=2 router.buffer_depth=4 "
                       f"workload.packet_length=4 workload.load={load}"}

    def once():
        short, long = (processor_seconds([PROGRAM] + arguments(row, window))[0] for window in (100_000, 600_000))
        return 500_000 / (long - short)

    return max(once() for _ in range(starts))


def print_against_rtl(bench):
    """The speed of the model beside that of the Verilated RTL of the same mesh, both cycle by cycle."""
    print(f"{'mesh':20}{'load':>8}{'model':>16}{'RTL':>16}{'times':>8}     (cycles per second)")
    for side, load in ((4, 0.05), (4, 0.1), (8, 0.1)):
        words, _ = run([bench, f"mesh_{side}x{side}_{round(100 * load)}"])
        rtl = float(words.split()[1])
        model = cycles_of_model(side, load)
        print(f"{f'{side}x{side}':20}{load:>8}{model:>16.0f}{rtl:>16.0f}{model / rtl:>8.1f}")


def time_of(row, starts=3):
    """Nanoseconds for a flit-hop, the best of some starts, since the load of other programs can only add to it."""

    def once():
        def timed(window):
            result = json.loads(run([PROGRAM] + arguments(row, window))[0])
            return result["wall_seconds"], result["flits"]["hops"]

        (short, few), (long, many) = timed(int(row["short"])), timed(20 * int(row["long"]))
        return 1e9 * (long - short) / (many - few)

    return {"nanoseconds": round(min(once() for _ in range(starts)), 1)}


def footprint(side, virtual_channels):
    """Peak bytes and seconds of the processor for 100 cycles of a square mesh, from start to end of the program."""
    settings = {"settings": f"topology.sizes=[{side},{side}] router.virtual_channels={virtual_channels} "
                            "workload.load=0.001 measure.warmup=0 measure.drain_limit=0"}
    seconds, size = processor_seconds([PROGRAM] + arguments(settings, 100))
    return size, seconds


def size_of_routers():
    """Bytes for a router with all its parts, and bytes and seconds of a process of 256x256."""
    sizes = {}
    for virtual_channels in (4, 2):
        (small, _), (large, seconds) = (footprint(side, virtual_channels) for side in (64, 256))
        per_router = (large - small) / (256**2 - 64**2)
        sizes[f"bytes_per_router_{virtual_channels}_vcs"] = round(per_router)
    sizes.update({"mesh_256x256_2_vcs_seconds": round(seconds, 2), "mesh_256x256_2_vcs_bytes": large})
    huge, seconds = footprint(1024, 2)
    return {**sizes, "mesh_1024x1024_2_vcs_seconds": round(seconds, 2), "mesh_1024x1024_2_vcs_bytes": huge}


def failures(row, costs):
    for cost in COSTS:
        if not row.get(cost):
            continue
        value = costs[cost]
        most = float(row[cost]) * TOLERANCE + SLACK[cost]
        if value > most:
            yield f"{row['row']}: {value} {cost}, more than {row[cost]} and the allowance"


def write_rows(rows, measured):
    for row in rows:
        costs = measured.get(row["row"], row)
        row.update({cost: costs.get(cost, "") for cost in COSTS})
    with open(ROWS, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def print_rows(rows, measured):
    columns = COSTS + (["nanoseconds"] if "nanoseconds" in measured[0] else [])
    print(f"{'row':20}" + "".join(f"{name:>20}" for name in columns))
    for row, costs in zip(rows, measured):
        print(f"{row['row']:20}" + "".join(f"{costs.get(name, ''):>20}" for name in columns))


def print_functions(name, costs, by_function):
    """The functions of a row that take a hundredth of any of its costs, the dearest first."""
    print(f"\n{name}: costs by function")
    for function, values in sorted(by_function.items(), key=lambda item: -item[1][0]):
        if any(value > 0.01 * costs[cost] and value >= 0.01 for cost, value in zip(COSTS, values)):
            print(" " * 20 + "".join(f"{value:>20.2f}" for value in values) + f"  {function}")


def options(words):
    parser = argparse.ArgumentParser(prog="scripts/bench")
    parser.add_argument("--rows", default="", help="only rows whose names match this regular expression")
    parser.add_argument("--gate", action="store_true", help="fail if a row costs over 2 %% more than in rows.csv")
    parser.add_argument("--write", action="store_true", help="write the measured costs into rows.csv")
    parser.add_argument("--functions", action="store_true", help="also the costs of each function")
    parser.add_argument("--times", action="store_true", help="also nanoseconds per flit-hop, and sizes of processes")
    parser.add_argument("--rtl", metavar="BENCH",
                        help="only the model against Verilated RTL, by that flitcast-rtl-bench")
    parser.add_argument("--json", metavar="FILE", help="also write the table as JSON")
    parser.add_argument("-j", type=int, default=os.cpu_count(), help="number of rows at a time")
    return parser.parse_args(words)


def read_rows():
    with open(ROWS, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def measure_rows(rows, asked):
    with ThreadPoolExecutor(asked.j) as pool:
        measured = dict(zip((row["row"] for row in rows), pool.map(measure, rows)))
    if asked.times:
        for row in rows:
            measured[row["row"]].update(time_of(row) if row["row"] not in OTHERS else {})
    return measured


def measure_again(rows, measured):
    """Measures rows that fail the gate again, with nothing beside them; these costs count: while a network is prepared, a thread reads the
    memory of the process a hundred times a second, so that counts of the largest network depend on its time."""
    for row in rows:
        if list(failures(row, measured[row["row"]])):
            measured[row["row"]].update(measure(row))


def main(asked):
    if asked.rtl:
        return print_against_rtl(asked.rtl)
    every = read_rows()
    rows = [row for row in every if re.search(asked.rows, row["row"])]
    if not rows:
        sys.exit(f"no row of {ROWS} matches")
    measured = measure_rows(rows, asked)
    if asked.gate:
        measure_again(rows, measured)
    sizes = size_of_routers() if asked.times else {}
    print_rows(rows, [measured[row["row"]] for row in rows])
    functions = {name: costs.pop("functions") for name, costs in measured.items() if "functions" in costs}
    if asked.functions:
        for name, by_function in functions.items():
            print_functions(name, measured[name], by_function)
    for name, value in sizes.items():
        print(f"{name:40}{value:>14}")
    if asked.json:
        with open(asked.json, "w", encoding="utf-8") as file:
            json.dump({"rows": measured, **sizes}, file, indent=1)
            file.write("\n")
    broken = [text for row in rows for text in failures(row, measured[row["row"]])]
    if asked.write:
        write_rows(every, measured)
    if asked.gate and broken:
        sys.exit("\n".join(broken))
    return None


if __name__ == "__main__":
    main(options(sys.argv[1:]))
