# SPDX-License-Identifier: Apache-2.0
"""Traces, communicators and remote memories of ASTRA-sim: keys of the workload."""
import json
import os
import pathlib
import re

from .experiment import Setting
from .inputs import AMOUNT, COUNT, TEXT, list_of

RANK = ("a rank, from 0", lambda value: isinstance(value, int) and not isinstance(value, bool) and value >= 0)
# An attribute comm_type in a trace: its name, and the value as one byte of an int32, int64, uint32 or uint64.
COMM_TYPE = re.compile(rb"\x0a\x09comm_type(?:[\x38\x48\x58\x68]([\x00-\x09]))?")
OPERATIONS = {0: "all-reduce", 2: "all-gather", 6: "all-to-all", 7: "reduce-scatter", 8: "reduce-scatter"}
MEMORY_KEYS = {"remote-mem-latency": AMOUNT, "remote-mem-bw": AMOUNT, "num-nodes": COUNT, "num-npus-per-node": COUNT}


def read_workload(prefix, npus, folder, flit_bytes, report):
    """The settings for traces PREFIX.RANK.et of `npus` ranks, which are None if they are unknown; paths are relative to `folder`."""
    place = f"--workload-configuration {prefix}"
    prefix = pathlib.Path(prefix)
    ranks = _ranks(prefix)
    if not ranks:
        found = sorted({match[1] for file in _files(prefix if prefix.is_dir() else prefix.parent)
                        if (match := re.fullmatch(r"(.+)\.\d+\.et", file))})
        base = prefix if prefix.is_dir() else prefix.parent
        report.refuse(place, "there is no file " + (f"{prefix}/NAME.0.et" if prefix.is_dir() else f"{prefix}.0.et"),
                      f"name the start of the files, such as {base / found[0]}" if found else "name the start of files NAME.RANK.et")
    elif npus is not None and ranks != list(range(npus)):
        missing = sorted(set(range(npus)) - set(ranks))
        report.refuse(place, f"there is no trace of rank {missing[0]}" if missing else f"there is a trace of rank {ranks[-1]}",
                      f"give {npus} traces, one for each NPU of the network, from {prefix}.0.et on")
    return [Setting("workload.kind", "trace", f"--workload-configuration {prefix}: {len(ranks)} traces."),
            Setting("workload.format", "chakra", "Chakra execution traces."),
            Setting("workload.file", json.dumps(pathlib.Path(os.path.relpath(prefix, folder)).as_posix(), ensure_ascii=False),
                    "Relative to this file."),
            Setting("workload.mtu", min(1_000_000, 65_535 * flit_bytes), "ASTRA-sim sends messages whole: the longest packets.")]


def operations_in(prefix):
    """ASTRA-sim's names of the collectives in the traces, those that it does not play by their comm_type; None if one is unknown."""
    prefix, types = pathlib.Path(prefix), set()
    ranks = _ranks(prefix)
    for rank in ranks:
        types.update(match[1] for match in COMM_TYPE.finditer((prefix.parent / f"{prefix.name}.{rank}.et").read_bytes()))
    return None if None in types or not ranks else {OPERATIONS.get(number[0], number[0]) for number in types}


def _files(folder):
    return os.listdir(folder) if folder.is_dir() else []


def _ranks(prefix):
    start = re.escape(prefix.name) + r"\.(0|[1-9]\d*)\.et"
    return sorted(int(match[1]) for file in _files(prefix.parent) if (match := re.fullmatch(start, file)))


def read_groups(source, npus, report):
    """The setting for a file of communicators: {"1": [0, 1], "2": [2, 3]}. Collectives of no group or of group 0 are of all ranks."""
    groups = []
    for name in source.values:
        if not re.fullmatch(r"[1-9]\d*", name):
            report.refuse(source.place(name), "is not the number of a group", "write a whole number above 0")
            continue
        ranks = source.take(report, name, list_of(RANK))
        if ranks is None:
            continue
        if len(set(ranks)) < len(ranks):
            report.refuse(source.place(name), "a rank is named twice", "name each once")
        if npus is not None and max(ranks) >= npus:
            report.refuse(source.place(name), f"{max(ranks)} is none of the {npus} ranks", f"write ranks from 0 to {npus - 1}")
        groups.append((name, ranks))
    if npus is not None:
        groups.append(("0", list(range(npus))))
    lists = ", ".join(f'{{name: "{name}", ranks: {ranks}}}' for name, ranks in groups)
    return [Setting("workload.groups", f"[{lists}]", f"{source.name}; group 0 has all ranks there.")]


def check_memory(source, report):
    """Refuses a remote memory, which is not modelled here."""
    kind = source.take(report, "memory-type", TEXT, required=True)
    has_memory = kind not in (None, "NO_MEMORY_EXPANSION")
    if has_memory:
        report.differ(source, "memory-type", f"nodes that load and store would not wait for a memory of type {kind}, but take their "
                      "durations", "write NO_MEMORY_EXPANSION")
    for key, kind in MEMORY_KEYS.items():
        if source.has(key):
            source.take(report, key, kind)
            report.note(source.place(key), "has no effect: remote memories are not modelled")
    source.refuse_rest(report)
