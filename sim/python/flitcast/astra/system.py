# SPDX-License-Identifier: Apache-2.0
"""System files and the scales of ASTRA-sim's command line: keys of the workload and of the nodes."""
import json

from .experiment import Setting
from .inputs import AMOUNT, ANYTHING, COUNT, POSITIVE, SWITCH, TEXT, choice, list_of
from .network import listed

# By ASTRA-sim's name of an operation: ours, and our algorithm for each of its algorithms.
OPERATIONS = {
    "all-reduce": ("all_reduce", {"ring": "ring", "halvingDoubling": "rabenseifner", "doubleBinaryTree": "two_trees"}),
    "all-gather": ("all_gather", {"ring": "ring", "halvingDoubling": "recursive_doubling"}),
    "reduce-scatter": ("reduce_scatter", {"ring": "ring", "halvingDoubling": "recursive_halving"}),
    "all-to-all": ("all_to_all", {}),
}
# Our algorithm where the difference is accepted: the one that is nearest in the number of bytes.
NEAREST = {"all-reduce": "ring", "all-gather": "shift_exchange", "reduce-scatter": "ring", "all-to-all": "shift_exchange"}

# Keys without an effect on the times of ASTRA-sim.
WITHOUT_EFFECT = {
    "trace-enabled": "has no effect: it writes a log",
    "track-local-mem": "has no effect: it writes a log of memory",
    "local-mem-trace-filename": "has no effect: it names a log of memory",
    "boost-mode": "has no effect: ASTRA-sim does not read it any more",
    "intra-dimension-scheduling": "has no effect: ASTRA-sim does not read it any more",
    "inter-dimension-scheduling": "has no effect: ASTRA-sim does not read it any more",
}
SHARED_BUS_KEYS = ("L", "o", "g", "G", "local-reduction-delay")

DEFAULT_ENDPOINT_DELAY = 10  # ns.


def read_system(source, dimensions, operations, injection_scale, report):
    """The settings of a system file for a network of these dimensions and traces with these collectives; None: unknown."""
    settings = _endpoint_delay(source, injection_scale, report) + _memory(source, report)
    for name in OPERATIONS:
        settings += _algorithm(source, name, dimensions, operations, report)
    _check_custom(source, operations, report)
    _check_chunks(source, operations, report)
    _check_shared_bus(source, report)
    _check_order(source, dimensions, report)
    for number in sorted(operation for operation in operations or () if isinstance(operation, int)):
        report.note("the traces", f"have collectives of comm_type {number}, which ASTRA-sim does not send; here they are sent")
    for key, effect in WITHOUT_EFFECT.items():
        if source.has(key):
            source.take(report, key, ANYTHING)
            report.note(source.place(key), effect)
    source.refuse_rest(report)
    return settings


def _endpoint_delay(source, scale, report):
    delay = source.take(report, "endpoint-delay", AMOUNT, DEFAULT_ENDPOINT_DELAY)
    given = source.place("endpoint-delay") if source.has("endpoint-delay") else f"{source.name} has no endpoint-delay"
    times = f" times {scale:g} (--injection-scale)" if scale != 1 else ""
    return [Setting("node.startup", f"{delay * scale:g} ns" if delay * scale > 0 else 0,
                    f"{given}{times}. Here before each message; there after each message of a collective and once before the first.")]


def _memory(source, report):
    roofline = source.take(report, "roofline-enabled", SWITCH, 0)
    peak = source.take(report, "peak-perf", POSITIVE, required=bool(roofline))
    memory = source.take(report, "local-mem-bw", POSITIVE, required=bool(roofline))
    settings = []
    if source.take(report, "replay-only", SWITCH, 0):
        report.differ(source, "replay-only", "recorded durations of collectives would not be replayed", "write 0")
    if roofline:
        settings.append(Setting("workload.compute", f"{{peak: {peak}, memory: {memory}}}",
                                f"{source.place('peak-perf')}, local-mem-bw, since roofline-enabled is 1."))
    elif source.has("peak-perf"):
        report.note(source.place("peak-perf"), "has no effect: roofline-enabled is not 1, so that kernels take their durations")
    if memory:
        settings.append(Setting("workload.combine", f"{memory / 3:.9g}",
                                f"{source.place('local-mem-bw')}: two reads and a write for each byte that is added up."))
    else:
        report.note(source.place("local-mem-bw"), "is missing: adding up takes no time")
    return settings


def _algorithm(source, name, dimensions, operations, report):
    key = f"{name}-implementation"
    given = source.take(report, key, list_of(TEXT))
    if given is None or dimensions is None or _is_unused(source, key, name, operations, report):
        return []
    ours, known = OPERATIONS[name]
    if len(given) != len(dimensions):
        report.refuse(source.place(key), f"{len(given)} algorithms for {len(dimensions)} dimensions", "name one for each dimension")
        return []
    setting = Setting(f"workload.collectives.{ours}", known.get(_plain(given[0]), NEAREST[name]), f"{source.place(key)}: {listed(given)}.")
    if not all(map(_is_algorithm, given)):
        report.refuse(source.place(key), f"{listed(given)}: no such algorithm is known",
                      "write ring, direct, halvingDoubling or doubleBinaryTree")
    elif set(map(_plain, given)) - set(known):
        report.differ(source, key, f"{listed(given)} is not among the algorithms here; {NEAREST[name]} would take its place",
                      f"write {' or '.join(known)}" if known else "leave the key out")
        setting = setting._replace(value=NEAREST[name])
    elif len(given) > 1 and (len(set(given)) > 1 or not given[0].startswith("one")):
        report.differ(source, key, f"one {setting.value} over all ranks would take the place of phases in each dimension",
                      f"write {listed(json.dumps('one' + known_name(given[0])) for _ in given)}")
    return [setting]


def _is_unused(source, key, name, operations, report):
    """True, with a note, if the traces lack the operation."""
    if operations is None or name in operations:
        return False
    report.note(source.place(key), f"has no effect: the traces have no {name}")
    return True


def _plain(algorithm):
    """The name of an algorithm without `one`, which lets it run over all dimensions together."""
    return algorithm[3:4].lower() + algorithm[4:] if algorithm.startswith("one") else algorithm


def known_name(algorithm):
    return algorithm[:1].upper() + algorithm[1:]


def _is_algorithm(name):
    plain = _plain(name)
    return plain in ("ring", "halvingDoubling", "doubleBinaryTree") or (plain.startswith("direct") and (plain[6:] or "0").isdigit())


def _check_custom(source, operations, report):
    keys = {f"{name}-implementation-custom": name for name in OPERATIONS}
    for key, name in {**keys, "per-node-custom-implementation": None}.items():
        if source.has(key):
            source.take(report, key, ANYTHING)
            if name and _is_unused(source, key, name, operations, report):
                continue
            report.differ(source, key, "collectives would not be replayed from traces of their own", "leave the key out")


def _check_chunks(source, operations, report):
    splits = source.take(report, "preferred-dataset-splits", COUNT, 1)
    source.take(report, "active-chunks-per-dimension", COUNT, 1)
    if operations == set():
        report.note(source.place("preferred-dataset-splits"), "has no effect: the traces have no collective")
    elif splits > 1:
        report.differ(source, "preferred-dataset-splits", f"collectives would not be cut into {splits:g} chunks, each of which pays "
                      "latencies and end-point delays", "write 1 in both programs")
    if source.has("active-chunks-per-dimension"):
        report.note(source.place("active-chunks-per-dimension"), "has no effect: a collective is one chunk")


def _check_shared_bus(source, report):
    if source.take(report, "model-shared-bus", SWITCH, 0):
        report.differ(source, "model-shared-bus", "the bus between an NPU and its memory would take no time", "write 0")
    for key in SHARED_BUS_KEYS:
        if source.has(key):
            source.take(report, key, AMOUNT)
            report.note(source.place(key), "has no effect: the shared bus is not modelled")


def _check_order(source, dimensions, report):
    source.take(report, "scheduling-policy", choice("LIFO", "FIFO", "EXPLICIT"))
    if source.has("scheduling-policy"):
        report.note(source.place("scheduling-policy"), "has no effect: a collective is one chunk")
    source.take(report, "collective-optimization", choice("baseline", "localBWAware"))
    if source.has("collective-optimization"):
        several = dimensions is not None and len(dimensions) > 1
        report.note(source.place("collective-optimization"), "has no effect: " +
                    ("a collective is one phase over all ranks" if several else "there is one dimension"))
