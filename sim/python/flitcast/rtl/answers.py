# SPDX-License-Identifier: Apache-2.0
"""How the routing of a router answers in SystemVerilog: with one output, or with several in levels of priority."""


def answer_form(shape, ports):
    """The form of the answers of a router with these `ports`."""
    return (SeveralOutputs if shape.levels else OneOutput)(shape, ports)


class OneOutput:
    """An output, and the VCs there."""
    what = "the output and the VCs there of each packet"

    def __init__(self, shape, ports):
        self.widths = {"route": ports.outputs, "vcs": shape.vcs}  # Nets, and their bits for an input VC.
        self.comments = {"route": "The output, one-hot,", "vcs": "and the VCs there."}

    def literal(self, answer):
        """An Answer, with the nets in reverse order."""
        return f"{{{self.widths['vcs']}'b{answer.vcs:0{self.widths['vcs']}b}, " \
               f"{self.widths['route']}'b{1 << answer.output:0{self.widths['route']}b}}}"

    @staticmethod
    def remark(answer):
        return f"Output {answer.output}."


class SeveralOutputs:
    """Sets of output VCs."""
    what = "the output VCs that each packet may take, in levels of priority"

    def __init__(self, shape, ports):
        self._outputs, self._vcs, self._levels = ports.outputs, shape.vcs, shape.levels
        self.widths = {"options": shape.levels * ports.outputs * shape.vcs}
        self.comments = {"options": f"{shape.levels} sets of {ports.outputs * shape.vcs} output VCs, level 0 in the lowest bits."}

    def literal(self, choice):
        """A Choice, the highest level first, the VCs of its outputs parted by _."""
        digits = f"{choice.word(self._outputs, self._vcs):0{self.widths['options']}b}"
        return f"{len(digits)}'b{'_'.join(digits[first:first + self._vcs] for first in range(0, len(digits), self._vcs))}"

    @staticmethod
    def remark(choice):
        return "Output " + ", else ".join(" or ".join(str(answer.output) for answer in level) for level in reversed(choice.levels)) + "."
