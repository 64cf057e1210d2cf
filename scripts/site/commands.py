# SPDX-License-Identifier: Apache-2.0
"""A page for every command with its options, and one for the exit codes, from the helps of the program."""
import re

from pages import block, link, plain, table


def path_of(command):
    return f"commands/{'_'.join(command)}.md"


def options_of(text):
    """Triples of an option or argument, its word for a value, and its help."""
    for line in re.findall(r"^  (\S.*?)\s{2,}(\S.*)$", text.partition("\nSubcommands:")[0], re.M):
        yield line


def exit_codes(text):
    """Pairs of a code and its meaning, of the line of the program's help."""
    line = re.search(r"^Exit codes: (.*)\.$", text, re.M)[1]
    return [tuple(part.split(" ", 1)) for part in re.split(r", (?=\d)", line)]


def page(command, text, commands, path):
    title = " ".join(("flitcast", *command))
    usage = re.search(r"^Usage: (.*)$", text, re.M)[1]
    body = text.split("\n", 1)
    rest = re.split(r"\n\n(?=\S)", text.split("Usage:", 1)[1])
    notes = [part for part in rest[1:] if not re.match(r"(Options|Positionals|Subcommands|Exit codes)", part)]
    below = [other for other, _ in commands if other[:-1] == command and other]
    made = f"# `{title}`\n\n{plain(body[0])}\n" + block(usage, "text")
    rows = [(f"`{option}`", plain(help_text)) for option, help_text in options_of(text)]
    made += "\n## Arguments and options\n" + table(("argument or option", "what it does"), rows)
    if below:
        made += "\n## Subcommands\n" + table(("command", "what it does"), [
            (link(f"`{' '.join(other)}`", path, path_of(other)), plain(dict(commands)[other].split("\n", 1)[0])) for other in below])
    made += "".join(f"\n{plain(' '.join(note.split()))}\n" for note in notes)
    return made + f"\nIt ends with one of the {link('exit codes', path, 'commands/exit_codes.md')}.\n"


def add_pages(pages, program):
    commands = program.commands
    for command, text in commands[1:]:
        path = path_of(command)
        pages.add(path, page(command, text, commands, path))
        pages.name(" ".join(("flitcast", *command)), path)
    index = "commands/index.md"
    rows = [(link(f"`{' '.join(command)}`", index, path_of(command)), plain(text.split("\n", 1)[0])) for command, text in commands[1:]]
    pages.add(index, "# Commands\n\n`flitcast COMMAND --help` prints the same; `flitcast manual` writes it as a manual page, `flitcast completion` "
              "completes it in bash.\n" + table(("command", "what it does"), rows))
    pages.add("commands/exit_codes.md", "# Exit codes\n\nEvery command ends with one of these.\n"
              + table(("code", "meaning"), exit_codes(commands[0][1])))
