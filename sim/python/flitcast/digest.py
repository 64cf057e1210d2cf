# SPDX-License-Identifier: Apache-2.0
"""Check that a file is as the program wrote it."""
import json
import re

PASSING = {"wall_seconds", "host", "digest"}   # Not a part of the digest.


class DamagedResult(ValueError):
    """A file that is not, or no longer, what the program wrote."""

    def __init__(self, path, why):
        super().__init__(f"{path} is damaged: {why}; run it again")
        self.path = path


def read_result(path):
    """The JSON of a file. Raises DamagedResult if it is cut off, or if what it says is not what its digest is of; a file without
    a digest is taken as it is."""
    try:
        text = path.read_bytes().decode("utf-8")
        data = json.loads(text)
    except ValueError as error:
        raise DamagedResult(path, f"it is no JSON ({error})") from None
    if isinstance(data, dict) and "digest" in data and data["digest"] != _digest_of(text):
        raise DamagedResult(path, "its digest is not that of what it says")
    return data


def _digest_of(text):
    """The digest of the text rather than of its values, whose digits Python might write another way."""
    rest = ",".join(member for name, member in _members(_without_spaces(text)) if name not in PASSING)
    return _hash_text("{" + rest + "}")


def _without_spaces(text):
    """As the program hashes it: no white space but within strings."""
    return "".join(re.findall(r'"(?:[^"\\]|\\.)*"|[^\s"]+', text))


def _members(text):
    """Name and text of every member of an object."""
    decoder, start = json.JSONDecoder(), 1
    while text[start - 1] != "}" and text[start] != "}":
        name, end = decoder.raw_decode(text, start)
        _, end = decoder.raw_decode(text, end + 1)
        yield name, text[start:end]
        start = end + 1


def _hash_text(text):
    """64-bit FNV-1a, as in models/base/text_hash.h."""
    value = 0xcbf29ce484222325
    for byte in text.encode("utf-8"):
        value = (value ^ byte) * 0x100000001b3 & 0xffffffffffffffff
    return f"{value:016x}"
