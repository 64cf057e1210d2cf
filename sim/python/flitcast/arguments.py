# SPDX-License-Identifier: Apache-2.0
"""Types of arguments of command lines."""
import argparse


def count(least, most):
    """A whole number in a range."""
    def read(word):
        if word.isascii() and word.isdigit() and len(word) < 19 and least <= int(word) <= most:
            return int(word)
        raise argparse.ArgumentTypeError(f"{word} is not a whole number from {least} to {most}")
    return read
