# SPDX-License-Identifier: Apache-2.0
"""The text of an experiment whose settings say where they come from."""
import textwrap
from typing import NamedTuple

COLUMNS = 118


class Setting(NamedTuple):
    """A key by its full name, its value as YAML, and a comment on its origin."""
    key: str
    value: object
    origin: str


def experiment_text(head, settings):
    """An experiment in YAML: a comment of paragraphs, then the settings, in the order in which their sections first occur."""
    tree = {}
    for setting in settings:
        *sections, name = setting.key.split(".")
        branch = tree
        for section in sections:
            branch = branch.setdefault(section, {})
        branch[name] = setting
    return "\n".join([*(line for paragraph in head for line in _comment(paragraph)), *_lines(tree)]) + "\n"


def mesh_settings(nodes):
    """The settings of a mesh that is as square as its number of nodes allows, at least 2."""
    nodes = max(nodes, 2)
    rows = next(rows for rows in range(int(nodes ** 0.5), 0, -1) if nodes % rows == 0)
    return [Setting("topology.kind", "mesh", f"{nodes} nodes. Any other topology with as many will do."),
            Setting("topology.sizes", [rows, nodes // rows] if rows > 1 else [nodes], ""), Setting("routing.kind", "dimension_order", "")]


def _lines(tree, indent=""):
    for name, below in tree.items():
        if isinstance(below, dict):
            yield f"{indent}{name}:"
            yield from _lines(below, indent + "  ")
        else:
            yield from _comment(below.origin, indent)
            yield f"{indent}{name}: {below.value}"


def _comment(text, indent=""):
    return textwrap.wrap(text, COLUMNS, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ", break_long_words=False,
                         break_on_hyphens=False)
