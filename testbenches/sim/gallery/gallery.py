# SPDX-License-Identifier: Apache-2.0
"""The gallery, scripts/site/text/questions.md, against the results of its experiments under sim/expected, which another test
compares with what the program says: every number of its text, some of its sentences, and the points of its pictures; the
README of the examples lists its questions.

usage: FLITCAST=PROGRAM gallery.py     exit code 1 and a line for each thing that is not so
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "sim" / "python"), str(pathlib.Path(__file__).parent)]
import flitcast  # noqa: E402
import pictures  # noqa: E402
from claims import NUMBERS, SENTENCES  # noqa: E402

QUESTIONS = ROOT / "scripts" / "site" / "text" / "questions.md"
HINT = "scripts/gallery {} draws it anew"


def table_of(name):
    """The expected results of an example; values of keys as the program lists them."""
    golden = json.loads((ROOT / "sim" / "expected" / "examples.json").read_text(encoding="utf-8"))
    figures = {entry.get("point", 0): entry["figures"] for entry in golden if entry["example"] == f"{name}.yaml"}
    points = json.loads(flitcast.call("points", pictures.EXAMPLES / f"{name}.yaml", "--json"))
    results = [flitcast.Result(figures[point["point"]], point["values"], point["point"]) for point in points]
    return flitcast.Table(name, list(points[0]["values"]), results)


def sections():
    """Name of an example -> its question, and the text about it without pictures and what stands in backquotes."""
    result = {}
    for section in QUESTIONS.read_text(encoding="utf-8").split("\n## ")[1:]:
        question, _, body = section.partition("\n")
        result[re.search(r"`(\w+)\.yaml`", body)[1]] = question, re.sub(r"`[^`]*`|!\[.*", "", body)
    return result


def faults_of_list(texts):
    """Questions that the README of the examples does not list, or otherwise."""
    rows = dict(re.findall(r"^\| (.*) \| `(\w+)\.yaml` \|$", (pictures.EXAMPLES / "README.md").read_text(encoding="utf-8"), re.M))
    asked = {question: name for name, (question, _) in texts.items()}
    return [f'sim/examples/README.md does not have "{question}" as it is asked in questions.md' for question, _ in asked.items() ^ rows.items()]


def numbers_in(text):
    """As they are written. Sizes such as 8x8 are names."""
    return re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)", text)


def written_as(number, value):
    """A value with as many decimals as a number that is written."""
    return f"{value:.{len(number.partition('.')[2])}f}"


def faults_of_text(name, text, table):
    written, claims = numbers_in(text), NUMBERS[name]
    if len(written) != len(claims):
        yield f"{name}: {len(claims)} numbers are accounted for in testbenches/sim/gallery/claims.py, but it has {', '.join(written)}"
        return
    for place, (number, claim) in enumerate(zip(written, claims)):
        value = claim(table)
        if written_as(number, value) != number:
            yield f"{name}: number {place + 1} of the text is {number}, but the results say {value}"
    for sentence, holds in SENTENCES.get(name, {}).items():
        if not holds(table):
            yield f"{name}: it is not so that {sentence}"


def faults_of_picture(picture, table):
    file = pictures.file_of(picture)
    if not file.exists():
        yield f"there is no {file.relative_to(ROOT)}; {HINT.format(picture.name)}"
    elif picture.digest(table) not in file.read_text(encoding="utf-8"):
        yield f"{file.relative_to(ROOT)} shows other points than the results have; {HINT.format(picture.name)}"


def main():
    texts = sections()
    faults = faults_of_list(texts)
    drawn = {picture.name: picture for picture in pictures.PICTURES}
    for names, what in ((NUMBERS, "has no claims in testbenches/sim/gallery/claims.py"), (drawn, "is not in scripts/pictures.py")):
        faults += [f"{name} {what}" for name in texts if name not in names]
        faults += [f"{name} is not in {QUESTIONS.name}" for name in names if name not in texts]
    for name in texts.keys() & NUMBERS.keys() & drawn.keys():
        table = table_of(name)
        faults += [*faults_of_text(name, texts[name][1], table), *faults_of_picture(drawn[name], table)]
    print(f"{sum(map(len, NUMBERS.values()))} numbers of {len(texts)} texts, {len(drawn)} pictures", *sorted(faults), sep="\n")
    return 1 if faults or not texts else 0


if __name__ == "__main__":
    sys.exit(main())
