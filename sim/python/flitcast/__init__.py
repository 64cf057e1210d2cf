# SPDX-License-Identifier: Apache-2.0
"""Runs flitcast, and reads what it says.

    import flitcast

    result = flitcast.run("mesh.yaml", {"workload.load": 0.2})
    print(result.status, result["latency_cycles.mean"])

    table = flitcast.sweep("load_sweep.yaml", out="out/load_sweep", jobs=4)
    table.frame()                                    # of pandas, where there is pandas
    flitcast.plots.latency_over_load(table).savefig("curve.svg")   # by matplotlib, where there is matplotlib

    with flitcast.Network({"topology": {"kind": "mesh", "sizes": [4, 4]}, "routing": {"kind": "dimension_order"}}) as network:
        network.send(0, 15, length=5)                # in this process, by the shared library
        network.step_to(100)
        print(network.poll(), network.figures()["checksum"])

Experiments are files or dictionaries, with the keys of `flitcast list parameters`. Figures have the names of `flitcast list
figures`. The program is the one that FLITCAST names, or that is on the PATH; the library the one that FLITCAST_LIBRARY names, or
beside the package or in the system. Needs the standard library alone.
"""
import importlib

from .digest import DamagedResult
from .network import Delivery, Network
from .program import FlitcastError, call, program
from .results import Result, Table, load
from .runs import run, sweep

_MODULES = ("astra", "goal", "msccl", "plots", "rtl", "synfull")
__all__ = ["DamagedResult", "Delivery", "FlitcastError", "Network", "Result", "Table", "call", "load", "plots", "program", "run", "sweep"]


def __getattr__(name):
    """Modules that few programs need, or that take long, are imported when they are used; plots needs matplotlib."""
    if name in _MODULES:
        return importlib.import_module(f".{name}", __name__)
    raise AttributeError(f"module {__name__} has no attribute {name}")
