# SPDX-License-Identifier: Apache-2.0
"""Results by the names of their figures, and tables of them."""
import csv
import json
import pathlib
import statistics
import warnings

from .digest import DamagedResult, PASSING, read_result
from .program import DONE, POINTS_MISSING, call

LEFT_OUT = {"config"} | PASSING


def _by_name(part):
    """The parts of a list by their names, such as those of classes."""
    return {item["name"]: item for item in part} if isinstance(part, list) else part


class Result:
    """The result of a run. Figures have dotted names: result["latency_cycles.mean"], and so have those of a class or of one of
    several workloads: result["classes.control.latency_cycles.mean"]; `data` is all of it."""

    def __init__(self, data, values=None, point=0):
        """@param values  Of the keys by which it differs from the others."""
        self.data, self.values, self.point = data, dict(values or {}), point

    def __getitem__(self, name):
        part = self.data
        for word in name.split("."):
            part = _by_name(part)[word]
        return part

    def get(self, name, default=None):
        try:
            return self[name]
        except (KeyError, TypeError):
            return default

    def __contains__(self, name):
        return self.get(name, self) is not self

    def __repr__(self):
        return f"<result of {self.data.get('name')}: {self.status}>"

    @property
    def status(self):
        return self.data["status"]

    @property
    def ok(self):
        return self.status == "ok"

    def figures(self):
        """All that are a number, a word or a truth value, by their names."""
        found = {}

        def add(part, prefix):
            for key, value in part.items():
                if isinstance(value, dict):
                    add(value, f"{prefix}{key}.")
                elif not isinstance(value, list):
                    found[prefix + key] = value

        add({key: value for key, value in self.data.items() if key not in LEFT_OUT}, "")
        return found


class Table:
    """Results side by side. `keys` are those in which they differ; a row is a dictionary. `missing` are the points of a sweep that
    have no result, as dictionaries: their point, their values and the reason."""

    def __init__(self, name, keys, results, missing=()):
        self.name, self.keys, self.results, self.missing = name, list(keys), list(results), list(missing)

    def __len__(self):
        return len(self.results)

    def __iter__(self):
        return iter(self.results)

    def __getitem__(self, place):
        return self.results[place]

    def rows(self):
        """As `flitcast collect` has them: keys, point, figures."""
        return [{**{key: result.values.get(key) for key in self.keys}, "point": result.point, **result.figures()}
                for result in self.results]

    def columns(self):
        names = {}
        for row in self.rows():
            names.update(dict.fromkeys(row))
        return list(names)

    def column(self, name):
        return [row.get(name) for row in self.rows()]

    def frame(self):
        """The rows as a DataFrame. Needs pandas."""
        import pandas
        return pandas.DataFrame(self.rows(), columns=self.columns())

    def fine(self):
        """The table without the runs that are not ok: their latencies grow with the window."""
        return Table(self.name, self.keys, [result for result in self if result.ok])

    def _points(self, x, y, by):
        """Rows with both, by the label of their curve and by x."""
        rows = [{x: result.get(x), y: result.get(y), **row} for result, row in zip(self, self.rows())]
        rows = [row for row in rows if row[x] is not None and isinstance(row[y], (int, float))]
        others = _needed(rows, [key for key in self.keys if key not in (x, "seed", "name")]) if by is None else list(by)
        points = {}
        for row in rows:
            points.setdefault(_caption(row, others), {}).setdefault(_plain(row[x]), []).append(row)
        return points

    def curves(self, x, y, by=None):
        """Points (x, y) by rising x, a list for every combination of the keys or figures `by`, all other keys unless given, by
        its label. Results that differ in their seed alone are one point, their mean; those without the figure are left out."""
        return {label: sorted((at, sum(row[y] for row in rows) / len(rows)) for at, rows in points.items())
                for label, points in self._points(x, y, by).items()}

    def intervals(self, x, y, by=None):
        """The half-widths of the 95 % confidence intervals of the points of curves(), over seeds, or of the only run; None where
        they are unknown."""
        return {label: [_half_width(points[at], y) for at in sorted(points)] for label, points in self._points(x, y, by).items()}

    def saturation(self, x, y, by=None):
        """The least x at which a curve of curves() has a saturated run, by the label of those that have one."""
        loads = {label: [at for at, rows in points.items() if any(row["status"] == "saturated" for row in rows)]
                 for label, points in self._points(x, y, by).items()}
        return {label: min(least) for label, least in loads.items() if least}


# The 97.5 % points of Student's t for 1 to 4 degrees of freedom; for more the expansion of Cornish and Fisher.
_STUDENT = (12.706, 4.303, 3.182, 2.776)


def _half_width(rows, y):
    if len(rows) == 1:
        return rows[0].get(f"{y}_half_width_95")
    freedom = len(rows) - 1
    t = _STUDENT[freedom - 1] if freedom <= len(_STUDENT) else 1.96 + 2.372 / freedom + 2.822 / freedom ** 2 + 2.556 / freedom ** 3
    return t * statistics.stdev(row[y] for row in rows) / len(rows) ** 0.5


def _needed(rows, keys):
    """The first keys that tell all combinations in the rows apart, without those that follow from the ones before."""
    def combinations(some):
        return len({json.dumps([row.get(key) for key in some]) for row in rows})
    kept = []
    for key in keys:
        if combinations([*kept, key]) > combinations(kept):
            kept.append(key)
    return kept


def _caption(row, keys):
    """"mesh, sizes 8x8": without keys that the row does not have; a word stands for itself."""
    return ", ".join(_words(key, row[key]) for key in keys if row.get(key) is not None) or \
        ", ".join(f"no {key.split('.')[-1]}" for key in keys)


def _words(key, value):
    if isinstance(value, str):
        return value
    text = "x".join(map(json.dumps, value)) if isinstance(value, list) else json.dumps(value)
    return f"{key.split('.')[-1]} {text}"


def _plain(value):
    """Sizes of one level or dimension are numbers."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value


def _leaves(section, prefix=""):
    for key, value in section.items():
        if isinstance(value, dict):
            yield from _leaves(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def _compared(name, results):
    """Results of any experiments, by the keys of their configurations that are not the same."""
    configurations = [dict(_leaves(result.data["config"])) for result in results]
    names = dict.fromkeys(key for one in configurations for key in one)
    keys = [key for key in names if len({json.dumps(one.get(key)) for one in configurations}) > 1]
    for place, (result, one) in enumerate(zip(results, configurations)):
        result.point, result.values = place, {key: one.get(key) for key in keys}
    return Table(name, keys, results)


def _results_in(folder):
    """The files of a folder that are results; a damaged file yields a warning."""
    for file in sorted(folder.glob("*.json")):
        try:
            data = read_result(file)
        except DamagedResult as error:
            warnings.warn(f"{error}; it is left out", stacklevel=3)
            continue
        if isinstance(data, dict) and "config" in data and "status" in data:
            yield Result(data)


def _why_missing(folder, point, version):
    """Why there is no result of a point."""
    result, failure = (folder / "points" / f"{point['id']}{ending}" for ending in (".json", ".fail.json"))
    try:
        if result.exists():
            read_result(result)
        failed = read_result(failure) if failure.exists() else {}
    except DamagedResult as error:
        return str(error)
    return failed["reason"] if failed.get("version") == version else "it has not been run to its end"


def load(path):
    """A Result of a file, a Table of a folder: of a sweep, or of any results. Points without a result are left out, and are
    Table.missing. Raises DamagedResult for a file that is not what the program wrote; of one in a folder it warns, and leaves
    it out."""
    path = pathlib.Path(path)
    if not path.is_dir():
        return Result(read_result(path))
    if not (path / "sweep.json").exists():
        return _compared(path.name, list(_results_in(path)))
    call("collect", path, "--quiet", accepted=(DONE, POINTS_MISSING))  # Reads every result, and lists those that are whole.
    with open(path / "results.csv", newline="", encoding="utf-8") as file:
        whole = {int(row["point"]) for row in csv.DictReader(file)}
    sweep = json.loads((path / "sweep.json").read_text(encoding="utf-8"))
    results, missing = [], []
    for point in sweep["points"]:
        if point["point"] in whole:
            data = json.loads((path / "points" / f"{point['id']}.json").read_text(encoding="utf-8"))
            results.append(Result(data, point["values"], point["point"]))
        else:
            missing.append({"point": point["point"], "values": point["values"], "reason": _why_missing(path, point, sweep["version"])})
    return Table(sweep["name"], sweep["keys"], results, missing)
