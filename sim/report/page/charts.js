// SPDX-License-Identifier: Apache-2.0
// Curves: which figures are drawn over which keys, by the library.
const PASSING = ["seed", "name"];   // Keys that change no curve.

/** Where a row has a column; those that are the same in all rows are none of them. */
const PLACES = new Map(DATA.columns.filter((name) => !(name in DATA.same)).map((name, place) => [name, place]));

/** The value of a column in a row. A share of two figures is a column of its own. */
const SHARES = {"blocked share of services": ["circuit.blocked", ["circuit.granted", "circuit.blocked"]]};

function cell(row, name) {
  if (name in SHARES) {
    const [part, whole] = SHARES[name];
    const all = whole.reduce((sum, figure) => sum + (cell(row, figure) ?? NaN), 0);
    return all > 0 ? cell(row, part) / all : null;
  }
  const value = (name in DATA.same ? DATA.same[name] : row[PLACES.get(name)]) ?? null;
  return Array.isArray(value) && value.length === 1 ? value[0] : value;   // Sizes of one level or dimension.
}

const isNumber = (value) => typeof value === "number";
const textOf = (value) => (typeof value === "string" ? value : JSON.stringify(value));
const shortName = (key) => key.split(".").pop();

/** "mesh", "sizes 8x8": a word stands for itself. */
function wordsOf(key, value) {
  const text = Array.isArray(value) ? value.map(textOf).join("x") : textOf(value);
  return typeof value === "string" ? text : `${shortName(key)} ${text}`;
}

/** Different values of a column, in the order of the runs. */
const VALUES = new Map();
function valuesOf(name) {
  if (!VALUES.has(name)) {
    const seen = new Map();
    for (const row of DATA.rows) {
      const value = cell(row, name);
      if (value !== null) seen.set(typeof value === "object" ? JSON.stringify(value) : value, value);
    }
    VALUES.set(name, [...seen.values()]);
  }
  return VALUES.get(name);
}

const differs = (key) => valuesOf(key).length > 1 || (valuesOf(key).length === 1 && DATA.rows.some((row) => cell(row, key) === null));
const isCurveKey = (key) => !PASSING.includes(key) && valuesOf(key).length > 1 && valuesOf(key).every(isNumber);

/** Keys that tell experiments apart. */
const tellingKeys = () => DATA.keys.filter((key) => !PASSING.includes(key) && differs(key));

const combinationOf = (row, keys) => JSON.stringify(keys.map((key) => cell(row, key)));
const combinations = (rows, keys) => new Set(rows.map((row) => combinationOf(row, keys))).size;

/** The first keys that tell all combinations in some rows apart, without those that follow from the ones before. */
function needed(rows, keys) {
  return keys.reduce((kept, key) => (combinations(rows, [...kept, key]) > combinations(rows, kept) ? [...kept, key] : kept), []);
}

/** The name of a combination in legends, without keys that it does not have. */
function captionOf(row, keys) {
  const present = keys.filter((key) => cell(row, key) !== null);
  return present.map((key) => wordsOf(key, cell(row, key))).join(", ") || keys.map((key) => `no ${shortName(key)}`).join(", ");
}

const WORDS = {
  "latency_cycles.mean": "mean latency", "accepted_flits_per_node_cycle.mean": "accepted load", "workload.load": "offered load (flits per node and cycle)",
  "workload.length": "length of the message (flits)", "collective.cycles": "time", "saturation.value": "load at saturation",
};

/** The name and the unit of a figure or a key, for the title of an axis. */
function axisTitle(name) {
  const unit = DATA.figures[name]?.unit;
  return (WORDS[name] ?? name) + (unit ? ` (${unit})` : "");
}

/** Values that keys are to have in curves, by key; those that are not here may have any. A row without a key fits all its values. */
const CHOSEN = new Map();
const fits = (row, key, text) => cell(row, key) === null || textOf(cell(row, key)) === text;
const isChosen = (row, x) => [...CHOSEN].every(([key, text]) => key === x || fits(row, key, text));

/** 97.5 % points of Student's t for 1 to 4 degrees of freedom; for more the expansion of Cornish and Fisher. */
const STUDENT = [12.706, 4.303, 3.182, 2.776];
const student = (freedom) => STUDENT[freedom - 1] ?? 1.96 + 2.372 / freedom + 2.822 / freedom ** 2 + 2.556 / freedom ** 3;

/** Mean of a figure over runs, with the half-width of its 95 % interval: over seeds, or what the only run says. */
function meanOf(rows, y) {
  const values = rows.map((row) => cell(row, y)), runs = values.length;
  const mean = values.reduce((sum, value) => sum + value, 0) / runs;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const interval = runs > 1 ? student(runs - 1) * Math.sqrt(squares / (runs - 1) / runs) : cell(rows[0], `${y}_half_width_95`);
  return {y: mean, interval, runs};
}

function grouped(rows, keyOf) {
  const groups = new Map();
  for (const row of rows) {
    const key = keyOf(row);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(row);
  }
  return [...groups.values()];
}

const statusOf = (rows) => ({ok: rows.every((row) => cell(row, "status") === "ok"), saturated: rows.some((row) => cell(row, "status") === "saturated")});

/**
 * Points of `y` over `x`, a series for every combination of the other keys that occurs: {label, keys, points: [{x, y, ok,
 * saturated, runs, interval}]} by rising x. Runs that differ in nothing but their seed become one point, their mean.
 */
function seriesOf(x, y) {
  const rows = DATA.rows.filter((row) => cell(row, x) !== null && isNumber(cell(row, y)) && isChosen(row, x));
  const keys = needed(rows, tellingKeys().filter((key) => key !== x));
  return grouped(rows, (row) => combinationOf(row, keys)).map((own) => {
    const label = keys.length > 0 ? captionOf(own[0], keys) : shortName(y);
    const points = grouped(own, (row) => JSON.stringify(cell(row, x))).map((runs) => {
      const point = {x: cell(runs[0], x), ...meanOf(runs, y), ...statusOf(runs)};
      return {...point, caption: `${label}: ${textOf(point.x)}, ${Number(point.y.toPrecision(6))}${point.interval > 0 ? ` \u00b1 ${Number(point.interval.toPrecision(2))}` : ""}`};
    });
    points.sort((a, b) => (isNumber(a.x) && isNumber(b.x) ? a.x - b.x : 0));
    return {label, keys: Object.fromEntries(keys.map((key) => [key, textOf(cell(own[0], key))])), points};
  });
}

/** Where two series cross: exactly at a common x where they meet, else on the straight lines between. */
function crossings(a, b) {
  const of = new Map(b.points.map((point) => [point.x, point.y]));
  const common = a.points.filter((point) => of.has(point.x)).map((point) => ({x: point.x, y: point.y, d: point.y - of.get(point.x)}));
  const found = [];
  let before = null;   // The last point at which they differ.
  let meets = null;    // The first at which they have met since.
  for (const now of common) {
    if (now.d === 0) {
      meets = meets ?? now;
      continue;
    }
    if (before && before.d * now.d < 0) {
      const share = before.d / (before.d - now.d);
      const at = meets ?? {x: before.x + share * (now.x - before.x), y: before.y + share * (now.y - before.y)};
      found.push({x: at.x, y: at.y, before: before.d < 0 ? a.label : b.label, after: before.d < 0 ? b.label : a.label});
    }
    before = now;
    meets = null;
  }
  return found;
}

/** Crossings of all pairs of series that differ in one key. */
function allCrossings(series) {
  const found = [];
  series.forEach((a, i) => series.slice(i + 1).forEach((b) => {
    if (Object.keys(a.keys).filter((key) => a.keys[key] !== b.keys[key]).length === 1) found.push(...crossings(a, b));
  }));
  return found.sort((a, b) => a.x - b.x);
}

function curveData(series) {
  const hollow = colourOf("--page");
  return series.map((one, place) => {
    const colour = PALETTE[place % PALETTE.length];
    return {
      label: one.label, data: one.points, showLine: true, borderColor: colour, borderWidth: 2, pointRadius: 4, clip: 8,
      borderDash: place < PALETTE.length ? [] : [6, 4], pointStyle: MARKS[place % MARKS.length],
      pointBackgroundColor: one.points.map((point) => (point.ok ? colour : hollow)), backgroundColor: colour,
      segment: {borderDash: (ends) => (one.points[ends.p1DataIndex].edge ? [2, 3] : undefined)},
    };
  });
}

/** Where the intervals of all points end. */
const highest = (series) => Math.max(...series.flatMap((one) => one.points.map((point) => point.y + (point.interval ?? 0))));

/**
 * Latencies of saturated runs grow with the window. The first of a curve is a mark at the upper edge, the others are left out;
 * the edge lies above all other points.
 */
function cut(series) {
  const edge = highest(series.map((one) => ({points: one.points.filter((point) => !point.saturated)})));
  if (!Number.isFinite(edge) || !series.some((one) => one.points.some((point) => point.saturated))) return {shown: series, limits: {}};
  const max = Number((1.15 * edge).toPrecision(2));
  const shown = series.map((one) => {
    const first = one.points.find((point) => point.saturated);
    const marked = first && {...first, y: max, interval: null, edge: true, caption: `${one.label}: saturated at ${textOf(first.x)}`};
    return {...one, points: one.points.filter((point) => !point.saturated || point === first).map((point) => (point === first ? marked : point))};
  });
  return {shown, limits: {max, ticks: {color: colourOf("--faint"), includeBounds: false}}};
}

function drawCurves(canvas, view, logarithmic) {
  const series = seriesOf(view.x, view.y);
  if (!isCurveKey(view.x) && !(view.x in DATA.figures)) return drawBars(canvas, view, series, logarithmic);
  const {shown, limits} = view.cut ? cut(series) : {shown: series, limits: {}};
  const datasets = curveData(shown);
  if (shown !== series) datasets.push({label: "saturated", data: [], borderColor: colourOf("--ink"), backgroundColor: "transparent", borderWidth: 2});
  const found = view.crossovers ? allCrossings(series) : [];
  if (found.length > 0) {
    datasets.push({label: "crossovers", data: found, pointStyle: "rectRot", pointRadius: 7, borderColor: colourOf("--ink"),
                   backgroundColor: "transparent", borderWidth: 2});
  }
  // The library would leave points beyond an axis out of the range of the other.
  const across = series.flatMap((one) => one.points.map((point) => point.x));
  draw(canvas, "scatter", {datasets},
       {x: scaleOf(axisTitle(view.x), "linear", {suggestedMin: Math.min(...across), suggestedMax: Math.max(...across)}),
        y: scaleOf(axisTitle(view.y), logarithmic ? "logarithmic" : "linear", {beginAtZero: true, suggestedMax: highest(shown), ...limits})}, datasets.length > 1);
  return found;
}

/** For keys that are no numbers: a group of bars for each value. */
function drawBars(canvas, view, series, logarithmic) {
  const labels = valuesOf(view.x).map(textOf);
  const datasets = series.map((one, place) => ({
    label: one.label, backgroundColor: PALETTE[place % PALETTE.length],
    data: labels.map((label) => ({...one.points.find((point) => textOf(point.x) === label), x: label})), ink: colourOf("--ink"),
  }));
  draw(canvas, "bar", {labels, datasets},
       {x: scaleOf(axisTitle(view.x), "category"), y: scaleOf(axisTitle(view.y), logarithmic ? "logarithmic" : "linear", {beginAtZero: true, suggestedMax: highest(series)})},
       datasets.length > 1);
  return [];
}

/** Pictures that experiments are made for: the first key that fits, and what is read off. */
const VIEWS = [
  {title: "Latency over load", key: /(^|\.)load$/, y: "latency_cycles.mean", cut: true},
  {title: "Accepted load over offered load", key: /(^|\.)load$/, y: "accepted_flits_per_node_cycle.mean"},
  {title: "Time of the collective over the length of its message", key: /\.length$/, y: "collective.cycles", crossovers: true},
  {title: "Time of the collective", key: /./, y: "collective.cycles", crossovers: true},
  {title: "Blocking over middle switches", key: /middle_switches$/, y: "blocked share of services"},
  {title: "Load at saturation", key: /./, y: "saturation.value"},
  {title: "Time", key: /./, y: "completion_cycle", crossovers: true},
  {title: "Latency", key: /./, y: "latency_cycles.mean", cut: true},
];

/** At most one view of a figure, those of numbers first. */
function views() {
  const keys = tellingKeys().filter((key) => valuesOf(key).length > 1);
  const ordered = [...keys.filter(isCurveKey), ...keys.filter((key) => !isCurveKey(key))];
  const chosen = [];
  for (const view of VIEWS) {
    const x = ordered.find((key) => view.key.test(key));
    const general = view.key.source === ".";
    if (x === undefined || valuesOf(view.y).length === 0 || chosen.some((other) => other.y === view.y)) continue;
    if (general && view.y !== "saturation.value" && chosen.length > 0) continue;
    chosen.push({...view, x});
  }
  return chosen;
}
