# SPDX-License-Identifier: Apache-2.0
"""A block as cells, mapped module by module, so that every cell still says which part it belongs to."""
import collections
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import flow  # noqa: E402

# Wires get short names, which a dump repeats; cells keep the path of their module.
MAP = """
read_verilog -sv {files}; hierarchy -top {top} {parameters}; synth -top {top}; dfflibmap -liberty {cells};
abc -D 500 -constr drive -liberty {cells} -script map.abc; setundef -zero; opt_clean -purge;
rename -enumerate -pattern g%; flatten; opt_clean -purge; splitnets; rename -hide w:*;
rename -enumerate -pattern n% w:*; opt_clean -purge; rename -top gates;
write_json gates.json; write_verilog -noattr -noexpr gates.v
"""


def synthesize(top, parameters, files, cells, folder, limit):
    """Writes gates.v and gates.json into the folder."""
    (folder / "drive").write_text(flow.DRIVE, encoding="utf-8")
    (folder / "map.abc").write_text(flow.MAP_ABC, encoding="utf-8")
    script = MAP.format(top=top, cells=cells, files=" ".join(map(str, files)),
                        parameters=" ".join(f"-chparam {key} {value}" for key, value in parameters.items()))
    flow.run(["yosys", "-q", "-p", script.replace("\n", " ")], folder, "yosys.log", limit)


class Netlist:
    """The cells of gates.json, and what a transition of each of its nets costs."""

    def __init__(self, folder, library, part_of):
        """`part_of` gives the part of a cell by its name."""
        module = json.loads((folder / "gates.json").read_text(encoding="utf-8"))["modules"]["gates"]
        self._library, self._part_of = library, part_of
        self._cells = module["cells"]
        self._ports = module["ports"]
        self.parts = sorted({part_of(name) for name in self._cells})
        self._bits = {(name, at): bit for name, net in module["netnames"].items() for at, bit in enumerate(net["bits"])}
        self._loads, self._clock_cells = collections.defaultdict(list), collections.Counter()
        self._drivers = {}
        for name, cell in self._cells.items():
            self._join(name, library.cells[cell["type"]], cell["connections"])

    def _join(self, name, pins, connections):
        for pin, (bit,) in connections.items():
            if pins[pin].is_output:
                self._drivers[bit] = self._part_of(name), pins[pin]
            elif pins[pin].is_clock:
                self._clock_cells[self._part_of(name)] += self._clock_energy(pins[pin])
            else:
                self._loads[bit].append(pins[pin])

    def _clock_energy(self, pin):
        return pin.energy("rise") + pin.energy("fall") + 2 * self._library.charge(pin.capacitance)

    def clock(self):
        """pJ of a cycle, by part."""
        return {part: self._clock_cells[part] for part in self.parts}

    def area(self):
        return {part: sum(self._library.area[cell["type"]] for name, cell in self._cells.items()
                          if self._part_of(name) == part) for part in self.parts}

    def leakage_nw(self):
        return sum(self._library.leakage_nw[cell["type"]] for cell in self._cells.values())

    def counts(self):
        """Cells and flip-flops."""
        flops = [cell for cell in self._cells.values() if cell["type"].startswith("DFF")]
        return len(self._cells), len(flops)

    def nets(self):
        """(name, index) of a net as a dump has it -> part, pJ of its fall, pJ of its rise.

        The nets of input ports are the part "link": their pins are the load of who drives them. The clock is left out.
        """
        clock = self._ports["clk_i"]["bits"][0]
        inputs = {bit for port in self._ports.values() if port["direction"] == "input" for bit in port["bits"]}
        seen, result = set(), {}
        for place, bit in sorted(self._bits.items()):
            if bit in seen or bit == clock or isinstance(bit, str):
                continue
            seen.add(bit)
            if bit in inputs or bit in self._drivers:
                result[place] = self._prices(bit)
        return result

    def _prices(self, bit):
        part, pin = self._drivers.get(bit, ("link", None))
        load = sum(pin.capacitance for pin in self._loads[bit])

        def price(edge):
            inside = pin.energy(edge, load) if pin else 0.0
            return inside + self._library.charge(load) + sum(sink.energy(edge) for sink in self._loads[bit])
        return part, price("fall"), price("rise")

    def input_capacitance(self):
        """pF that a bit of the ports `in_flit_i` is for who drives it, on average."""
        bits = self._ports["in_flit_i"]["bits"]
        return sum(pin.capacitance for bit in bits for pin in self._loads[bit]) / len(bits)
