# SPDX-License-Identifier: Apache-2.0
"""The recipes of README.md's "Add one of each" suffice: follows them in a scratch copy, compiles what they touch and counts
the files.

usage: recipes_test.py SOURCES COMPILE_COMMANDS     exit code 1 and a line for each recipe that does not suffice

A topology, a routing, a router, a collective and a workload come from testbenches/extension, whose build is a test of its own
(testbenches/install); here their files are counted: one of their own, the catalog and CMakeLists.txt. A key, a figure and a
command are patches of the scratch copy, whose changed files must compile.
"""
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

# Addition -> the file in testbenches/extension, the catalog and the CMakeLists.txt that name it.
ENTRIES = {
    "topology": ("star_topology.cpp", "models/topology/catalog.cpp", "models/topology/CMakeLists.txt"),
    "routing": ("diagonal_routing.cpp", "models/routing/catalog.cpp", "models/routing/CMakeLists.txt"),
    "router": ("half_clock_router.cpp", "models/network/catalog.cpp", "models/network/CMakeLists.txt"),
    "collective": ("one_by_one_collective.cpp", "models/collective/catalog.cpp", "models/collective/CMakeLists.txt"),
    "workload": ("all_to_one_workload.cpp", "sim/workloads/catalog.cpp", "sim/CMakeLists.txt"),
}

COMMAND = """// SPDX-License-Identifier: Apache-2.0
#include <iostream>

#include "sim/commands/command.h"

namespace flitcast {

Command greet_command() {
  return {"greet", "Print a greeting", [](CLI::App& app) -> Action {
            const auto name = std::make_shared<std::string>("world");
            app.add_option("NAME", *name, "Name of the reader");
            return [name] {
              std::cout << "hello " << *name << '\\n';
              return kDone;
            };
          }};
}

}  // namespace flitcast
"""

# Addition -> (file, text before which a line is put, line); no text: a new file.
PATCHES = {
    "key": [
        ("sim/measure/measurement.h", "  // The members below are options of the command line.", "  bool greeting = false;\n"),
        ("sim/measure/measure_keys.cpp", "      {&P::fairness,",
         '      {&P::greeting, Param::boolean("greeting", false, "Greet.").dumped_if_changed()},\n'),
    ],
    "figure": [
        ("sim/results/result.cpp", '    {"cycles", "cycles",',
         '    {"half_cycles", "cycles", "Half of them.", [](const auto& r) { return r.measurement.cycles / 2; }},\n'),
    ],
    "command": [
        ("sim/commands/greet_command.cpp", None, COMMAND),
        ("sim/commands/catalog.cpp", "Catalog<Command>& commands() {", "Command greet_command();\n\n"),
        ("sim/commands/catalog.cpp", "       list_commands(),", "       {greet_command()},\n"),
        ("sim/CMakeLists.txt", "  commands/check_command.cpp\n", "  commands/greet_command.cpp\n"),
    ],
}


def readme_section(sources):
    return (sources / "README.md").read_text().partition("## Add one of each")[2].partition("\n## ")[0]


def flags_of(sources, commands):
    """How the files of sim are compiled, without the source and the output."""
    entry = next(e for e in json.loads(commands.read_text()) if "flitcast_sim.dir" in e["command"] and "Unity" in e["command"])
    words = shlex.split(entry["command"])
    start = next(i for i, word in enumerate(words) if re.search(r"(g\+\+|clang\+\+|c\+\+)[\d.-]*$", word))
    words = words[start:]
    for option in ("-o", "-c"):
        at = words.index(option)
        del words[at:at + 2]
    return words, entry["directory"]


def patch(tree, file, before, line):
    path = tree / file
    if before is None:
        path.write_text(line)
        return
    text = path.read_text()
    assert before in text, f"{file} has no line {before!r}"
    path.write_text(text.replace(before, line + before, 1))


def compiles(tree, sources, words, folder, file):
    own = [word.replace(str(sources), str(tree)) for word in words]
    run = subprocess.run([*own, "-O0", "-fsyntax-only", str(tree / file)], cwd=folder, capture_output=True, text=True, check=False)
    return run.stderr if run.returncode != 0 else ""


def main():
    sources, commands = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    recipes, faults = readme_section(sources), []
    for concept, files in ENTRIES.items():
        own, catalog, cmake = files
        missing = [f for f in (f"testbenches/extension/{own}", catalog, cmake) if not (sources / f).is_file()]
        faults += [f"{concept}: there is no {f}" for f in missing]
        told = catalog in recipes or (concept == "collective" and "models/collective" in recipes)
        if not told:
            faults.append(f"{concept}: README.md does not name {catalog}")
        print(f"{concept}: {len(files)} files")
    words, folder = flags_of(sources, commands)
    for concept, patches in PATCHES.items():
        with tempfile.TemporaryDirectory() as scratch:
            tree = pathlib.Path(scratch) / "flitcast"
            for top in ("models", "sim"):
                shutil.copytree(sources / top, tree / top, ignore=shutil.ignore_patterns("*.yaml", "*.json", "examples"))
            for file, before, line in patches:
                patch(tree, file, before, line)
            touched = list(dict.fromkeys(file for file, _, _ in patches))
            print(f"{concept}: {len(touched)} files")
            for file in touched:
                if file.endswith(".cpp") and (said := compiles(tree, sources, words, folder, file)):
                    faults.append(f"{concept}: {file} does not compile\n{said}")
        named = [file for file in touched if file in recipes or os.path.basename(file) in ("greet_command.cpp", "CMakeLists.txt")]
        faults += [f"{concept}: README.md does not name {file}" for file in touched if file not in named]
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
