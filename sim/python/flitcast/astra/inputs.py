# SPDX-License-Identifier: Apache-2.0
"""Input files with the places of their keys, and the report of what is refused and what is noted."""
import difflib
import json
import math
import pathlib
import re


def _is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value):
    return _is_number(value) and value == int(value)


# Types of values: the words for messages, and the test.
TEXT = ("text", lambda value: isinstance(value, str))
AMOUNT = ("a number, at least 0", lambda value: _is_number(value) and value >= 0)
POSITIVE = ("a number above 0", lambda value: _is_number(value) and value > 0)
COUNT = ("a whole number, at least 1", lambda value: _is_whole(value) and value >= 1)
SWITCH = ("0 or 1", lambda value: value in (0, 1))
ANYTHING = ("anything", lambda value: True)


def choice(*words):
    return (" or ".join(words), lambda value: value in words)


def list_of(kind):
    return (f"a list (each item: {kind[0]})", lambda value: isinstance(value, list) and value != [] and all(map(kind[1], value)))


class Report:
    """Collects refusals, and notes of what has no effect or another one. `accepted` are keys whose difference is a note."""

    def __init__(self, accepted=()):
        self.refusals, self.notes = [], []
        self._accepted, self._offered = list(accepted), set()

    def refuse(self, place, what, hint):
        self.refusals.append(f"{place}: {what}; {hint}")

    def note(self, place, effect):
        self.notes.append(f"{place}: {effect}")

    def differ(self, source, key, what, hint):
        """Refuses a value that changes times here, unless its key is accepted."""
        self._offered.add(key)
        if key in self._accepted:
            self.note(source.place(key), what)
        else:
            self.refuse(source.place(key), what, f"{hint}, or keep the difference with --accept {key}")

    def check_accepted(self):
        for key in self._accepted:
            if key not in self._offered:
                known = ", ".join(sorted(self._offered)) or "none here"
                self.refuse(f"--accept {key}", "no difference of that key is refused", f"keys to accept: {known}")


class Source:
    """The keys of one input and their lines. A key counts as read once it is taken."""

    def __init__(self, name, values, lines=None):
        self.name, self.values, self._lines, self._read = str(name), values, lines or {}, set()

    def place(self, key):
        line = self._lines.get(key)
        return f"{self.name}:{line}: {key}" if line else f"{self.name}: {key}"

    def has(self, key):
        return key in self.values

    def take(self, report, key, kind, default=None, required=False):
        """The value of a key; the default if it is absent or of another type, which is reported."""
        self._read.add(key)
        words, is_good = kind
        if key not in self.values:
            if required:
                report.refuse(self.place(key), "the key is missing", f"write {words}")
            return default
        if is_good(self.values[key]):
            return self.values[key]
        report.refuse(self.place(key), f"{json.dumps(self.values[key])} is not {words}", f"write {words}")
        return default

    def refuse_rest(self, report):
        """Refuses the keys that were not taken: ASTRA-sim passes over them, so that a slip of the pen would have no effect."""
        for key in self.values:
            if key not in self._read:
                near = difflib.get_close_matches(key, self._read, 1)
                report.differ(self, key, "no such key is known", f"write {near[0]}" if near else "leave it out")


def _text_of(path, report):
    try:
        return pathlib.Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        report.refuse(path, f"cannot be read ({error.strerror})", "name a file that can be read")
    except UnicodeDecodeError:
        report.refuse(path, "is no text in UTF-8", "name a text file")
    return None


def read_json(path, report):
    """The Source of a JSON file with one object, or None."""
    text = _text_of(path, report)
    if text is None:
        return None
    twice = []

    def unique(pairs):
        names = [name for name, _ in pairs]
        twice.extend(name for name in dict.fromkeys(names) if names.count(name) > 1)
        return dict(pairs)

    try:
        values = json.loads(text, object_pairs_hook=unique)
    except json.JSONDecodeError as error:
        report.refuse(f"{path}:{error.lineno}:{error.colno}", f"is no JSON ({error.msg})", "correct the file")
        return None
    if not isinstance(values, dict):
        report.refuse(path, "is no JSON object", "write {\"KEY\": VALUE, ...}")
        return None
    lines = {key: text[:found.start()].count("\n") + 1 for key in values
             if (found := re.search(re.escape(json.dumps(key)) + r"\s*:", text))}
    source = Source(path, values, lines)
    for name in twice:
        report.refuse(source.place(name), "the key stands there twice", "keep one of them")
    return source


_ENTRY = re.compile(r"(?P<key>[\w-]+)\s*:(?:\s+(?P<value>.*))?$")


def read_yaml(path, report):
    """The Source of a file of the form that network files have, or None: lines `key: value` and `key: [value, value]`, and lists
    with a line `- value` for each item. Anything else of YAML is refused by its line."""
    text = _text_of(path, report)
    if text is None:
        return None
    before, values, lines, parts = len(report.refusals), {}, {}, {}
    key = None
    for number, line in enumerate(text.splitlines(), 1):
        line = re.sub(r"(^|\s)#.*", "", line).rstrip()
        entry = _ENTRY.match(line)
        is_open = key is not None and parts[key][:1] == ["["] and "]" not in parts[key]
        if not line.strip() or line == "---":
            continue
        if entry and not is_open:
            key = entry["key"]
            if key in lines:
                report.refuse(f"{path}:{number}: {key}", "the key stands there twice", "keep one of them")
            lines[key], parts[key] = number, _words(entry["value"] or "")
        elif is_open:
            parts[key] += _words(line)
        elif key is not None and re.match(r"\s*-\s+\S", line) and parts[key][:1] in ([], ["-"]):
            parts[key] += ["-", line.split("-", 1)[1].strip()]
        else:
            report.refuse(f"{path}:{number}", f"{json.dumps(line.strip())} cannot be read", "write `key: [value, value]`")
            return None
    for key, words in parts.items():
        values[key] = _value(words)
        if values[key] is None:
            report.refuse(f"{path}:{lines[key]}: {key}", "the value cannot be read", "write a list such as [ 8, 4 ]")
    return Source(path, values, lines) if len(report.refusals) == before else None


def _words(text):
    """The brackets and commas of a line, and what is between them."""
    return [word.strip() for word in re.split(r"([\[\],])", text) if word.strip()]


def _value(words):
    """The value of the words of a key, or None."""
    if words[:1] == ["-"]:
        return [_scalar(word) for word in words[1::2]]
    if words[:1] == ["["]:
        inner = words[1:-1] if words[-2:-1] != [","] else words[1:-2]
        is_list = words[-1] == "]" and all((word == ",") == (i % 2 == 1) for i, word in enumerate(inner))
        return [_scalar(word) for word in inner[::2]] if is_list and not {"[", "]"} & set(inner) else None
    return _scalar(words[0]) if len(words) == 1 else None


def _scalar(word):
    if word[:1] in "\"'" and word[:1] == word[-1:] and len(word) > 1:
        return word[1:-1]
    for number in (int, float):
        try:
            return number(word)
        except ValueError:
            pass
    return word
