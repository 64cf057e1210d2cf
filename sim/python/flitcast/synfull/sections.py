# SPDX-License-Identifier: Apache-2.0
"""The sections of a SynFull model file as they stand there: their lines, and their numbers once checked.

A model is a text of words between blanks. A line `KEY VALUE` is a value; a line `NAME`, rows of numbers and a line `END` are a table.
HIER_BEGIN_ID n to END_HIER enclose the values and tables of macro class n; those in front of them are about all classes.
"""
import math
from typing import NamedTuple

from ..outputs import counted, shown

GENERAL_VALUES = ("HIER_CLASSES", "TIME_SPAN")
GENERAL_TABLES = ("HIER_MARKOV", "HIER_MARKOV_STEADY")
CLASS_VALUES = ("MEMORY", "NUM_NODES", "NUM_CLASSES", "RESOLUTION")
KINDS = ("WRITE", "READ", "CCR", "DCR")  # Initiating messages; CCR and DCR are replacements of clean and dirty lines of a cache.
CLASS_TABLES = ("MARKOV", "MARKOV_STEADY", *(f"{kind}_{table}" for table in ("SPATIAL", "FLOWS", "INJECTION") for kind in KINDS),
                "FORWARD_PROBABILITY", "FORWARD_FLOWS", "INVALIDATE_PROBABILITY", "INVALIDATE_FLOWS")
VALUES, TABLES = GENERAL_VALUES + CLASS_VALUES, GENERAL_TABLES + CLASS_TABLES
BEGIN, FINISH, END = "HIER_BEGIN_ID", "END_HIER", "END"
SHOWN = 3  # Problems of one table that are printed in full.


class Section(NamedTuple):
    """A value or a table: the number of its first line, and its rows, each with the number of its line and its words."""
    name: str
    line: int
    rows: list


class Scope:
    """The sections of a macro class, or those about all classes (number 0), by their names."""

    def __init__(self, file, number, line, report):
        self.file, self.number, self.line, self.sections, self._report = file, number, line, {}, report
        self.refused = set()  # Names of tables with a row that was refused.

    def _known(self):
        return CLASS_VALUES + CLASS_TABLES if self.number else GENERAL_VALUES + GENERAL_TABLES

    def has(self, *names):
        """True if all of these are there, and no row of them was refused."""
        return all(name in self.sections and name not in self.refused for name in names)

    def place(self, name, line=None):
        line = line or (self.sections[name].line if name in self.sections else self.line)
        return f"{self.file}:{line}: {name}"

    def refuse(self, name, what, hint, line=None):
        self._report.refuse(self.place(name, line), what, hint)

    def add(self, section):
        if section.name not in self._known():
            where = f"outside {BEGIN} ... {FINISH}" if self.number == 0 else f"between {BEGIN} and {FINISH}"
            self.refuse(section.name, f"stands {where}", "move it to the other side", section.line)
        elif section.name in self.sections:
            self.refuse(section.name, f"stands in line {self.sections[section.name].line}, too", "keep one of them", section.line)
        else:
            self.sections[section.name] = section

    def check_complete(self):
        whose = f"macro class {self.number}" if self.number else "the model"
        for name in self._known():
            if name not in self.sections:
                self.refuse(name, f"{whose} does not have it", "add it, or take the whole file")

    def value(self, name, least, most=10 ** 9):
        """The whole number of a value; None if it is absent, or has been refused."""
        if name not in self.sections:
            return None
        words = self.sections[name].rows[0][1]
        number = whole(words[0], least, most) if len(words) == 1 else None
        if number is None:
            self.refuse(name, f"`{' '.join(words)}` is not a whole number from {least} to {most}", "write such a number")
        return number

    def rows(self, name, columns, count=None):
        """The rows of a table as numbers with their lines; [] if it is absent, or a row has been refused.

        @param columns  For each column a pair of words for messages and a function from a word to its number or None.
        @param count    The number of rows; None: any.
        """
        if name not in self.sections:
            return []
        section, read, problems = self.sections[name], [], []
        for line, words in section.rows:
            numbers = [column[1](word) for column, word in zip(columns, words)]
            if len(words) != len(columns):
                problems.append((line, f"{len(words)} numbers", f"write {len(columns)}: {_named(columns)}"))
            elif None in numbers:
                wrong = numbers.index(None)
                problems.append((line, f"`{words[wrong]}` is not {columns[wrong][0]}", "write such a number"))
            else:
                read.append((line, numbers))
        if count is not None and len(section.rows) != count:
            problems.append((section.line, f"{len(section.rows)} rows", f"write {count}"))
        for line, what, hint in problems[:SHOWN]:
            self.refuse(name, what, hint, line)
        if len(problems) > SHOWN:
            self.refuse(name, f"{counted(len(problems) - SHOWN, 'more problem')} of this table", "correct all of its rows", problems[SHOWN][0])
        if problems:
            self.refused.add(name)
        return [] if problems else read


def _named(columns):
    """The columns in words, with runs of equal ones counted."""
    names = [words for words, _ in columns]
    return "each " + names[0] if len(set(names)) == 1 else ", ".join(names)


def whole(word, least, most, parity=None):
    """The whole number of a word; None if it is none from least to most, or is not even (0) or odd (1)."""
    if not word.isascii() or not word.isdigit() or len(word) > 18:
        return None
    number = int(word)
    return number if least <= number <= most and parity in (None, number % 2) else None


def share(word, most=1.0):
    """The number of a word; None if it is none from 0 to `most`."""
    try:
        number = float(word)
    except ValueError:
        return None
    return number if math.isfinite(number) and 0 <= number <= most else None


def read_scopes(path, report):
    """The scopes of a file, the general one first; None if it cannot be read, or is no model."""
    try:
        with open(path, encoding="utf-8-sig") as file:
            lines = file.read().splitlines()
    except OSError as error:
        report.refuse(path, f"cannot be read ({error.strerror})", "name a file that can be read")
        return None
    except UnicodeDecodeError:
        report.refuse(path, "is no text in UTF-8", "name a SynFull model")
        return None
    return _Reader(str(path), report).read(lines)


class _Reader:
    """Cuts lines into sections."""

    def __init__(self, path, report):
        self.path, self.report = path, report
        self.scopes = [Scope(path, 0, 1, report)]
        self.scope, self.table, self.number = self.scopes[0], None, 0

    def read(self, lines):
        """The scopes; None if the first line shows that the file is no model."""
        number, line = next(((number, line) for number, line in enumerate(lines, 1) if line.strip()), (1, ""))
        if line and line.split()[0] not in (*VALUES, *TABLES, BEGIN, FINISH, END):
            self.report.refuse(f"{self.path}:{number}", f"`{shown(line.strip())}` is no begin of a SynFull model", "name a SynFull model")
            return None
        for self.number, line in enumerate(lines, 1):
            words = line.split()
            if words:
                self._take(words)
        self._close_table()
        if self.scope.number:
            self._refuse(BEGIN, f"macro class {self.scope.number} has no {FINISH}", "take the whole file", self.scope.line)
        return self.scopes

    def _take(self, words):
        head = words[0]
        if head == END and self.table is not None:
            self.scope.add(self.table)
            self.table = None
        elif head in VALUES or head in TABLES or head in (BEGIN, FINISH):
            self._close_table()
            self._begin(head, words[1:])
        elif self.table is not None:
            self.table.rows.append((self.number, words))
        else:
            self._refuse(head[:40], "no such section is known", "take a model file of SynFull")

    def _begin(self, head, rest):
        if head in TABLES:
            self.table = Section(head, self.number, [])
        elif head in VALUES:
            self.scope.add(Section(head, self.number, [(self.number, rest)]))
        elif head == FINISH:
            if not self.scope.number:
                self._refuse(FINISH, f"there is no {BEGIN} before it", "take the whole file")
            self.scope = self.scopes[0]
        else:
            self._begin_class(rest)

    def _begin_class(self, rest):
        if self.scope.number:
            self._refuse(BEGIN, f"macro class {self.scope.number} has no {FINISH}", "take the whole file", self.scope.line)
        due = len(self.scopes)
        if rest != [str(due)]:
            self._refuse(BEGIN, f"`{' '.join(rest)}` follows macro class {due - 1}", f"write {due}: classes count from 1")
        self.scope = Scope(self.path, due, self.number, self.report)
        self.scopes.append(self.scope)

    def _close_table(self):
        if self.table is not None:
            self._refuse(self.table.name, f"the table has no {END}", f"close it with a line {END}", self.table.line)
            self.scope.add(self.table)
            self.table = None

    def _refuse(self, name, what, hint, line=None):
        self.report.refuse(f"{self.path}:{line or self.number}: {name}", what, hint)
