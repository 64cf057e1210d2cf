# SPDX-License-Identifier: Apache-2.0
"""Differences of two results."""


def differences(expected, seen, path=""):
    """Complaints about the first parts of two results that are not equal."""
    if isinstance(expected, dict) and isinstance(seen, dict):
        for key in {**expected, **seen}:
            yield from differences(expected.get(key), seen.get(key), f"{path}.{key}".strip("."))
    elif isinstance(expected, list) and isinstance(seen, list) and len(expected) == len(seen):
        for place, (a, b) in enumerate(zip(expected, seen)):
            yield from differences(a, b, f"{path}.{place}")
    elif expected != seen:
        yield f"{path}: {str(expected)[:60]}, and in the other run {str(seen)[:60]}"
