# SPDX-License-Identifier: Apache-2.0
"""Types of arguments of command lines, and options that several of them have."""
import argparse


def count(least, most):
    """A whole number in a range."""
    def read(word):
        if word.isascii() and word.isdigit() and len(word) < 19 and least <= int(word) <= most:
            return int(word)
        raise argparse.ArgumentTypeError(f"{word} is not a whole number from {least} to {most}")
    return read


def add_experiment_options(parser, condition=""):
    """Adds --set and --point, which say what an experiment's file is run with."""
    parser.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help=f"{condition}override a key of the file")
    parser.add_argument("--point", type=count(0, 10 ** 9), metavar="K", help=f"{condition}point of the file's sweep, from 0")


def refuse_options(parser, options, reason):
    """Ends with a message if any of some options, {name: value}, has a value."""
    given = [name for name, value in options.items() if value]
    if given:
        parser.error(f"{', '.join(given)}: {reason}")
