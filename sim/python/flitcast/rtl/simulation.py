# SPDX-License-Identifier: Apache-2.0
"""Simulations of an exported folder."""
import pathlib
import shutil
import subprocess

from . import routers
from .blocks import OURS

SIMULATORS = ("verilator", "icarus")
FAST_BUILD = "OPT_FAST=-O0 OPT_SLOW=-O0 OPT_GLOBAL=-O0"  # Compilation takes longer than such short runs.


class SimulationError(RuntimeError):
    """A tool that has ended with an error; its words are the text."""


SLOW = ".FlitTimes("  # A parameter of routers that Verilator 5.006 passes wrongly to blocks that it compiles apart.

# The program that `verilator --binary` would write, which 5.006 does not do beside --hierarchical.
MAIN = """#include "BENCH.h"
int main(int count, char** words) {
  VerilatedContext context;
  context.commandArgs(count, words);
  BENCH bench{&context};
  while (!context.gotFinish()) {
    bench.eval();
    if (!bench.eventsPending()) break;
    context.time(bench.nextTimeSlot());
  }
  bench.final();
}
"""


def simulate(folder, name, simulator):
    """Builds the testbench of a design in its folder and runs it there; returns what it prints.

    Raises SimulationError where it cannot be built, and where it ends with another exit code than 0.
    """
    folder, bench = pathlib.Path(folder), f"{name}_tb"
    if simulator == "icarus":
        _tool(folder, "iverilog", "-g2012", "-o", f"{bench}.vvp", "-s", bench, "-c", f"{name}.f", f"{bench}.sv")
        return _tool(folder, "vvp", "-n", f"{bench}.vvp")
    _build(folder, name, bench)
    return _tool(folder, f"obj_dir/V{bench}")


def _build(folder, name, bench):
    """Verilates routers of equal parameters once: that is what takes the time, and without it each router has C++ code of its own."""
    (folder / "obj_dir").mkdir(exist_ok=True)
    (folder / "obj_dir" / "blocks.vlt").write_text(_apart((folder / f"{name}.sv").read_text(encoding="utf-8")), encoding="utf-8")
    (folder / "obj_dir" / "main.cpp").write_text(MAIN.replace("BENCH", f"V{bench}"), encoding="utf-8")
    _tool(folder, "verilator", "--cc", "--exe", "--build", "--timing", "--hierarchical", "--assert", "-Wno-fatal", "-Wno-lint", "-Wno-style",
          "-MAKEFLAGS", build_flags(), "--top-module", bench, "obj_dir/blocks.vlt", "-f", f"{name}.f", f"{bench}.sv", "main.cpp")


def _apart(top):
    """The blocks of a top module that are compiled once for all instances with the same parameters, under any prefix."""
    names = [] if SLOW in top else [name.removeprefix(OURS) for name in routers.BLOCKS]
    return "`verilator_config\n" + "".join(f'hier_block -module "*_{name}"\n' for name in names)


def build_flags():
    """Flags of make; ccache has the parts that do not depend on the design."""
    return FAST_BUILD + (" OBJCACHE=ccache" if shutil.which("ccache") else "")


def _tool(folder, *command):
    program = str(folder.resolve() / command[0]) if "/" in command[0] else command[0]
    try:
        done = subprocess.run([program, *command[1:]], cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    except FileNotFoundError as error:
        raise SimulationError(f"{command[0]} is not installed: install it, or choose another simulator") from error
    if done.returncode != 0:
        raise SimulationError(done.stdout)
    return done.stdout
