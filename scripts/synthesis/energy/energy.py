# SPDX-License-Identifier: Apache-2.0
"""Energies per event of routers and crossbars of rtl/, from their netlists. See scripts/synth --energy."""
import argparse
import hashlib
import json
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import activity  # noqa: E402
import events  # noqa: E402
import fit  # noqa: E402
import flow  # noqa: E402
import netlist  # noqa: E402
import table  # noqa: E402
from cells import Library  # noqa: E402
from subjects import NAMES, subject_of  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
RTL = ROOT / "rtl"


def package_file(name):
    files = subprocess.run(["dpkg", "-L", "qflow-tech-osu018"], capture_output=True, text=True, check=False).stdout
    found = [line for line in files.splitlines() if line.endswith(name)]
    if not found:
        sys.exit("flitcast: no osu018 cells here; scripts/setup synth installs qflow-tech-osu018")
    return pathlib.Path(found[0])


def hash_of(files, *texts):
    parts = [file.read_bytes() for file in files if file.is_file()] + [text.encode() for text in texts]
    return hashlib.sha256(b"".join(parts)).hexdigest()[:16]


def rtl_hash(subject):
    """Changes with the RTL of a subject."""
    return hash_of(flow.files_under(subject.top, RTL))


class Bench:
    """A subject with its netlist in Icarus Verilog."""

    def __init__(self, subject, folder, library, limit):
        self.subject, self.folder, self.limit = subject, folder, limit
        folder.mkdir(parents=True, exist_ok=True)
        # A hash of everything that decides the result of a run, except the run.
        self.recipe = hash_of([*flow.files_under(subject.top, RTL), *sorted(HERE.glob("*.sv*")),
                               *(HERE / f"{module}.py" for module in ("activity", "cells", "netlist"))],
                              repr((subject.parameters, subject.bench, subject.parts)))
        self._synthesize(package_file("stdcells.lib"))
        self.netlist = netlist.Netlist(folder, library, subject.part_of)
        self.parts = [*self.netlist.parts, "link"]
        self.nets = self.netlist.nets()

    def _synthesize(self, cells):
        """Unless the netlist is there already."""
        done = self.folder / "netlist.done"
        if done.exists() and done.read_text(encoding="utf-8") == self.recipe:
            return
        for old in [*self.folder.glob("*.vvp"), *self.folder.glob("*.json")]:
            old.unlink()
        netlist.synthesize(self.subject.top, self.subject.parameters, flow.files_under(self.subject.top, RTL), cells, self.folder,
                           self.limit)
        done.write_text(self.recipe, encoding="utf-8")

    def _compile(self, bench):
        """The cells' file comes first: behind a file without `timescale its delays would be lost."""
        program = self.folder / f"{bench}.vvp"
        if not program.exists():
            folders = [f"-y{folder}" for folder in sorted({file.parent for file in flow.files_under(self.subject.top, RTL)})]
            command = ["iverilog", "-g2012", "-gspecify", "-Ttyp", "-o", program.name, f"-I{HERE}", *folders, "-Y", ".sv",
                       "-s", bench, *(f"-D{name}" for name in self.subject.defines),
                       *(f"-P{bench}.{name}={value}" for name, value in self.subject.bench.items()),
                       str(package_file("stdcells.v")), str(HERE / f"{bench}.sv"), "gates.v"]
            flow.run(command, self.folder, f"{bench}.log", self.limit)
        return program.name

    def measure(self, run):
        """Events by name and pJ by part of every cycle. A run that was done before is not repeated."""
        place = self._place(run)
        kept = place.with_suffix(".json")
        if not kept.exists() or json.loads(kept.read_text(encoding="utf-8"))["run"] != repr(run):
            draft = place.with_suffix(".draft")  # The file appears whole or not at all, also if the run is stopped here.
            draft.write_text(json.dumps({"run": repr(run), "spent": self._simulate(run, place)}), encoding="utf-8")
            draft.replace(kept)
        # The dump begins within its first cycle, which the energies leave out, too.
        happened = events.events(place.with_suffix(".cycles"), self.subject)
        return ({name: values[1:] for name, values in happened.items()},
                json.loads(kept.read_text(encoding="utf-8"))["spent"])

    def _place(self, run):
        return self.folder / re.sub(r"[^a-z0-9]+", "_", run.name)

    def _simulate(self, run, place):
        """pJ by part and cycle; the log of its cycles stays."""
        program = self._compile(self.subject.mesh_bench if run.mesh else self.subject.single_bench)
        options = self.subject.options_of(run)
        if "+len" not in options:
            options += f" +len={min(4, self.subject.longest)}"
        said = flow.run(["vvp", "-n", program, *options.split(), f"+cycles={run.cycles}", f"+log={place}.cycles",
                         f"+dump={place}.vcd"], self.folder, f"{place.name}.log", self.limit)
        if "differences 0" not in said.split("\n"):
            raise flow.NotDone(f"{run.name}: the netlist differs from the RTL; see {place}.log")
        energies = activity.energies(f"{place}.vcd", self.nets, self.parts, run.cycles)
        pathlib.Path(f"{place}.vcd").unlink()
        return {part: values[1:] for part, values in zip(self.parts, energies)}


def fitted(subject, runs):
    """Part -> event -> pJ."""
    result = {}
    for part, names in subject.events.items():
        of_part = [([happened[name] for name in names], spent[part]) for happened, spent in runs]
        result[part] = dict(zip(names, fit.energies_per_event(of_part)))
    return result


def predicted(energies, happened):
    """Dynamic pJ of a run."""
    return sum(price * sum(happened[name]) for prices in energies.values() for name, price in prices.items())


def dynamic(spent):
    """The same of the netlist; what its links take is not its own."""
    return sum(sum(cycles) for part, cycles in spent.items() if part != "link")


def verify(bench, energies, runs):
    """Name of a run -> error of the predicted dynamic energy, as a share, and the limit."""
    result = {}
    for run in runs:
        happened, spent = bench.measure(run)
        error = predicted(energies, happened) / dynamic(spent) - 1
        result[run.name] = error, run.limit
        print(f"flitcast: {bench.subject.name}: {run.name}: {100 * error:+.1f} % of "
              f"{dynamic(spent) / run.cycles:.1f} pJ per cycle", file=sys.stderr)
    return result


def row_of(subject, folder, library, limit):
    """The row of a subject for the table as text, and its errors."""
    bench = Bench(subject, folder, library, limit)
    energies = fitted(subject, [bench.measure(run) for run in subject.teaching])
    errors = verify(bench, energies, subject.verifying)
    return table.row(subject, bench.netlist, energies, errors, rtl_hash(subject)), errors


def make_table(arguments, library):
    """Writes the table; the errors of all its rows."""
    rows, errors = [], []
    for name in arguments.configurations:
        row, of_row = row_of(subject_of(name), arguments.out / name, library, arguments.limit)
        rows.append(row)
        errors += of_row.values()
    file = arguments.out / "energy.yaml"
    file.write_text(table.text("scripts/synth --energy", library.volts, rows), encoding="utf-8")
    print(f"flitcast: {file}: {len(rows)} rows", file=sys.stderr)
    return errors


def check_table(arguments, library):
    """The errors of a table that is there."""
    known, errors = table.read(arguments.check), []
    for subject in map(subject_of, arguments.configurations):
        row = table.find(known, subject)
        if row is None or row["rtl"] != rtl_hash(subject):
            sys.exit(f"flitcast: {arguments.check}: the row of {subject.name} is not of this RTL; run scripts/synth --energy "
                     f"and copy build/energy/energy.yaml")
        runs = [run for run in subject.verifying if any(text in run.name for text in arguments.runs)]
        if runs:
            bench = Bench(subject, arguments.out / subject.name, library, arguments.limit)
            errors += verify(bench, row["parts"], runs).values()
    return errors


def names(text):
    chosen = text.split(",")
    for name in chosen:
        try:
            subject_of(name)
        except ValueError as reason:
            raise argparse.ArgumentTypeError(str(reason)) from None
    return chosen


def options():
    parser = argparse.ArgumentParser(prog="scripts/synth --energy")
    parser.add_argument("--configurations", type=names, default=NAMES)
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build" / "energy")
    parser.add_argument("--limit", type=int, default=1200)
    parser.add_argument("--check", type=pathlib.Path, nargs="?", const=ROOT / "sim" / "energy" / "osu018.yaml")
    parser.add_argument("--runs", type=lambda text: text.split(","), default=[""])
    return parser.parse_args()


def main():
    arguments = options()
    library = Library(package_file("stdcells.lib"))
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    try:
        errors = (check_table if arguments.check else make_table)(arguments, library)
    except (flow.NotDone, activity.NoDelays) as reason:
        sys.exit(f"flitcast: {reason}")
    missed = sum(abs(error) > limit for error, limit in errors)
    print(f"flitcast: {len(errors)} runs, {missed} errors beyond their limits", file=sys.stderr)
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
