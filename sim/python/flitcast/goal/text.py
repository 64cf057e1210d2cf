# SPDX-License-Identifier: Apache-2.0
"""GOAL in text.

    file  = "num_ranks" INT { "rank" INT "{" NEWLINE { line } "}" }
    line  = [ LABEL ":" ] op NEWLINE | LABEL ("requires" | "irequires") LABEL NEWLINE | NEWLINE
    op    = "calc" INT [ "cpu" INT ]
          | "send" INT "b" "to"   INT        [ "tag" INT ]        [ "cpu" INT ] [ "nic" INT ]
          | "recv" INT "b" "from" (INT | -1) [ "tag" (INT | -1) ] [ "cpu" INT ] [ "nic" INT ]

Comments are /* */ and // to the end of a line. Source: T. Hoefler, T. Schneider, A. Lumsdaine, LogGOPSim (2010), and its parser.
"""
import re

from ..outputs import shown
from .schedule import ANY, CALC, MOST_RANKS, Operation, RECEIVE, SEND, Schedule

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_LABEL = r"[A-Za-z][A-Za-z0-9_]*"
_COUNT = re.compile(r"num_ranks\s+(\d{1,18})", re.ASCII)
_RANK = re.compile(r"rank\s+(\d{1,18})\s*\{", re.ASCII)
_REQUIRES = re.compile(rf"({_LABEL})\s+(i?requires)\s+({_LABEL})")
_OPERATION = re.compile(
    rf"(?:(?P<label>{_LABEL})\s*:\s*)?(?:"
    r"calc\s+(?P<time>\d{1,18})"
    r"|send\s+(?P<sent>\d{1,18})\s*b\s+to\s+(?P<target>\d{1,18})(?:\s+tag\s+(?P<send_tag>\d{1,18}))?"
    r"|recv\s+(?P<received>\d{1,18})\s*b\s+from\s+(?P<source>-1|\d{1,18})(?:\s+tag\s+(?P<receive_tag>-1|\d{1,18}))?"
    r")(?:\s+cpu\s+(?P<cpu>\d{1,18}))?(?:\s+nic\s+(?P<nic>\d{1,18}))?", re.ASCII)
_FORMS = ("write `calc NS [cpu N]`, `send BYTESb to RANK [tag N] [cpu N] [nic N]`, `recv BYTESb from RANK [tag N] [cpu N] [nic N]`, each behind "
          "`LABEL:` or without, or `LABEL requires LABEL`, `LABEL irequires LABEL`")


def read_text(file, text, report):
    """The Schedule of a text; every line that is wrong is reported."""
    return _Reader(file, report).read(_COMMENT.sub(lambda found: " " + "\n" * found[0].count("\n"), text))


class _Reader:
    def __init__(self, file, report):
        self._file, self._report = file, report
        self._count = self._rank = None
        self._ranks, self._begins, self._labels = {}, {}, {}

    def read(self, text):
        number = 0
        for number, line in enumerate(text.splitlines(), 1):
            if self._count is None and line.strip() and not line.lstrip().startswith("num_ranks"):
                self._refuse(number, f"`{shown(line.strip())}` is no begin of a GOAL schedule",
                             "name a GOAL schedule, or begin it with a line `num_ranks N`")
                return None
            if line.strip():
                self._line(number, line.strip())
        if self._rank is not None:
            self._refuse(number, f"rank {self._rank} has no end", "close it with a line `}`")
        if self._count is None:
            self._refuse(1, "there is no num_ranks", "begin the file with a line `num_ranks N`")
            return None
        missing = [rank for rank in range(self._count) if rank not in self._ranks]
        if missing:
            self._refuse(number, f"{len(missing)} of {self._count} ranks are missing, the first is {missing[0]}",
                         f"add `rank {missing[0]} {{` and `}}`, or lower num_ranks")
        return Schedule(self._file, [self._ranks.get(rank, []) for rank in range(self._count)], False)

    def _refuse(self, number, what, hint):
        self._report.refuse(f"{self._file}:{number}", what, hint)

    def _line(self, number, line):
        if self._count is None:
            self._begin(number, line)
        elif self._rank is None:
            self._open(number, line)
        elif line == "}":
            self._rank = None
        elif found := _REQUIRES.fullmatch(line):
            self._require(number, *found.groups())
        elif found := _OPERATION.fullmatch(line):
            self._add(number, found)
        else:
            self._refuse(number, f"`{shown(line)}` cannot be read", _FORMS)

    def _begin(self, number, line):
        found = _COUNT.fullmatch(line)
        if not found or not 1 <= int(found[1]) <= MOST_RANKS:
            self._refuse(number, f"`{shown(line)}` is no number of ranks", f"write `num_ranks N`, N from 1 to {MOST_RANKS}")
        self._count = int(found[1]) if found and int(found[1]) <= MOST_RANKS else 0

    def _open(self, number, line):
        found = _RANK.fullmatch(line)
        if not found:
            self._refuse(number, f"`{shown(line)}` is not in a rank", "write `rank N {` before the operations of a rank")
            return
        self._rank, self._labels = int(found[1]), {}
        if self._rank >= self._count:
            self._refuse(number, f"rank {self._rank} is none of {self._count} ranks", "raise num_ranks, or leave the rank out")
        elif self._rank in self._ranks:
            self._refuse(number, f"rank {self._rank} is there already, in line {self._begins[self._rank]}", "write each rank once")
        self._begins.setdefault(self._rank, number)
        self._ranks.setdefault(self._rank, [])

    def _add(self, number, found):
        kind = CALC if found["time"] else SEND if found["sent"] else RECEIVE
        if kind == CALC and found["nic"]:
            self._refuse(number, "a calc has no nic", "leave it out")
        label, operations = found["label"], self._ranks[self._rank]
        if label in self._labels:
            self._refuse(number, f"label {label} is there already, in line {operations[self._labels[label]].line}",
                         "give each operation of a rank a label of its own")
        if label:
            self._labels.setdefault(label, len(operations))
        operations.append(Operation(kind, int(found["time"] or found["sent"] or found["received"]),
                                    int(found["target"] or found["source"] or ANY), int(found["send_tag"] or found["receive_tag"] or 0),
                                    int(found["cpu"] or 0), int(found["nic"] or 0), number, [], []))

    def _require(self, number, after, word, before):
        unknown = [label for label in dict.fromkeys((after, before)) if label not in self._labels]
        for label in unknown:
            self._refuse(number, f"label {label} is not defined", f"write `{label}:` before an operation of this rank above this line")
        if not unknown:
            operation = self._ranks[self._rank][self._labels[after]]
            (operation.requires if word == "requires" else operation.irequires).append(self._labels[before])
