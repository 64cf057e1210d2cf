# SPDX-License-Identifier: Apache-2.0
"""Networks in this process: the shared library libflitcast, whose header flitcast.h says what every call means."""
import ctypes
import glob
import json
import os
import pathlib

from .program import FlitcastError
from .results import Result

ABI = 1
NAME = f"libflitcast.so.{ABI}"
NEVER = 2**64 - 1
LATEST = 2**62  # The last cycle that the library takes.


class Delivery(ctypes.Structure):
    """The arrival of a packet at its destination, as in flitcast.h."""

    _fields_ = [(name, ctypes.c_uint64) for name in ("packet", "created", "arrived")]
    _fields_ += [(name, ctypes.c_uint32) for name in ("source", "destination", "length", "message_class", "hops")]

    def __repr__(self):
        return f"Delivery({', '.join(f'{name}={getattr(self, name)}' for name, _ in self._fields_)})"


def _path():
    """FLITCAST_LIBRARY, or a library beside this package or in the folder that it was installed with, or that of the system."""
    here = pathlib.Path(__file__).resolve().parent
    beside = [here / NAME, *glob.glob(str(here.parents[3] / "lib*" / NAME)), *glob.glob(str(here.parents[3] / "lib*" / "*" / NAME))]
    return os.environ.get("FLITCAST_LIBRARY") or next((str(path) for path in beside if os.path.exists(path)), NAME)


def _load():
    try:
        library = ctypes.CDLL(_path())
    except OSError as error:
        raise FileNotFoundError(f"there is no {NAME}: name it in the variable FLITCAST_LIBRARY ({error})") from error
    network, number, out = ctypes.c_void_p, ctypes.c_uint64, ctypes.POINTER(ctypes.c_uint64)
    signatures = {
        "open": (ctypes.c_int, [ctypes.c_char_p, ctypes.POINTER(network)]), "close": (None, [network]),
        "error": (ctypes.c_char_p, [network]), "now": (number, [network]),
        "send": (ctypes.c_int, [network, *[ctypes.c_uint32] * 3, number, ctypes.c_uint32, out]),
        "step": (ctypes.c_int, [network, number, ctypes.c_int]), "next_event": (ctypes.c_int, [network, out]),
        "poll": (ctypes.c_size_t, [network, ctypes.POINTER(Delivery), ctypes.c_size_t]),
        "figures": (ctypes.c_int, [network, ctypes.POINTER(ctypes.c_char_p)]),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(library, f"flitcast_{name}")
        function.restype, function.argtypes = result, arguments
    if library.flitcast_abi() != ABI:
        raise OSError(f"{_path()} has interface {library.flitcast_abi()}, and this package is for {ABI}")
    return library


class Network:
    """A network whose packets this process sends. Time is in cycles; a cycle that has passed, a node that there is not and other
    wrong arguments raise FlitcastError and have no effect, a deadlock raises it with `exit_code` 4.

        with flitcast.Network({"topology": {"kind": "mesh", "sizes": [4, 4]}, "routing": {"kind": "dimension_order"}}) as network:
            network.send(0, 15, length=5)
            network.step_to(100)
            print(network.poll(), network.figures()["checksum"])
    """

    _library = None

    def __init__(self, experiment):
        """@param experiment  A dictionary, or a file, whose workload is `kind: given`; a dictionary may leave it out."""
        self._network = ctypes.c_void_p()
        Network._library = Network._library or _load()
        if isinstance(experiment, dict):
            text = json.dumps({"workload": {"kind": "given"}, **experiment}).encode()  # JSON is YAML.
        else:
            text = pathlib.Path(experiment).read_bytes()
        self._check(self._library.flitcast_open(text, ctypes.byref(self._network)))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        self.close()

    def _check(self, code):
        if code != 0:
            raise FlitcastError(code, self._library.flitcast_error(self._network).decode())

    def close(self):
        """Ends the network, which no other call may use then."""
        if self._network:
            self._library.flitcast_close(self._network)
            self._network = ctypes.c_void_p()

    @property
    def now(self):
        """The next cycle to run."""
        return self._library.flitcast_now(self._network)

    def send(self, source, destination, length=1, cycle=None, message_class=0):
        """Sends a packet of `length` flits in `cycle`, or now. Returns its number, counted from 0."""
        for value in (source, destination, length, message_class):
            if not 0 <= value < 2**32:
                raise FlitcastError(2, f"{value} is out of range")
        packet = ctypes.c_uint64()
        self._check(self._library.flitcast_send(self._network, source, destination, length, self.now if cycle is None else cycle, message_class,
                                               ctypes.byref(packet)))
        return packet.value

    def step_to(self, cycle):
        """Runs all cycles before `cycle`."""
        self._check(self._library.flitcast_step(self._network, cycle, 0))

    def step_to_delivery(self, cycle=LATEST):
        """Runs until a packet arrives, but not beyond `cycle`, nor where nothing happens any more."""
        self._check(self._library.flitcast_step(self._network, cycle, 1))

    @property
    def next_event(self):
        """The first cycle in which something can happen; None if all packets have arrived and none is due."""
        cycle = ctypes.c_uint64()
        self._check(self._library.flitcast_next_event(self._network, ctypes.byref(cycle)))
        return None if cycle.value == NEVER else cycle.value

    def _poll(self):
        parts = []
        while not parts or len(parts[-1]) == 4096:
            part = (Delivery * 4096)()
            found = self._library.flitcast_poll(self._network, part, len(part))
            parts.append(part if found == len(part) else (Delivery * found).from_buffer_copy(part))
        return parts

    def poll(self):
        """Takes the packets that have arrived, in the order of cycles, then of nodes: a list of Delivery."""
        return [delivery for part in self._poll() for delivery in part]

    def poll_array(self):
        """The same as a structured array of numpy, for many packets."""
        import numpy  # pylint: disable=import-outside-toplevel

        return numpy.concatenate([numpy.frombuffer(part, dtype=Delivery) for part in self._poll()])

    def figures(self):
        """The Result so far."""
        text = ctypes.c_char_p()
        self._check(self._library.flitcast_figures(self._network, ctypes.byref(text)))
        return Result(json.loads(text.value))
