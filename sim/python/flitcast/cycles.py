# SPDX-License-Identifier: Apache-2.0
"""Cycles of things that wait for each other."""


def cycle_of(after):
    """A cycle of a graph {node: the nodes that it waits for}, as a list of nodes; None if there is none."""
    state = {}
    for start in after:
        path, stack = [], [(start, iter(after.get(start, ())))] if start not in state else []
        if stack:
            state[start] = len(path)
            path.append(start)
        while stack:
            node, rest = stack[-1]
            following = next(rest, None)
            if following is None:
                state[node] = None
                path.pop()
                stack.pop()
            elif following not in state:
                state[following] = len(path)
                path.append(following)
                stack.append((following, iter(after.get(following, ()))))
            elif state[following] is not None:
                return path[state[following]:]
    return None
