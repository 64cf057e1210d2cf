// SPDX-License-Identifier: Apache-2.0
// Curves: which figures are drawn over which keys, by the library.
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#a05195"];
const SEED = "seed";

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

const isCurveKey = (key) => key !== SEED && valuesOf(key).length > 1 && valuesOf(key).every(isNumber);

/** The unit of a figure, for the title of an axis. */
function axisTitle(name) {
  const unit = DATA.figures[name]?.unit;
  return unit ? `${name} (${unit})` : name;
}

/** Values that keys are to have in curves, by key; those that are not here may have any. */
const CHOSEN = new Map();
const isChosen = (row, x) => [...CHOSEN].every(([key, text]) => key === x || textOf(cell(row, key)) === text);

/**
 * Points of `y` over `x`, a series for every combination of the other keys: {label, keys, points: [{x, y, ok, runs}]} by
 * rising x. Runs that differ in nothing but their seed become one point, their mean.
 */
function seriesOf(x, y) {
  const others = DATA.keys.filter((key) => key !== x && key !== SEED && !CHOSEN.has(key) && valuesOf(key).length > 1);
  const series = new Map();
  for (const row of DATA.rows) {
    const at = cell(row, x), value = cell(row, y);
    if (at === null || !isNumber(value) || !isChosen(row, x)) continue;
    const keys = Object.fromEntries(others.map((key) => [key, textOf(cell(row, key))]));
    const label = others.length === 1 ? keys[others[0]] : others.map((key) => `${shortName(key)}=${keys[key]}`).join(", ");
    if (!series.has(label)) series.set(label, {label: label || shortName(y), keys, points: new Map()});
    const points = series.get(label).points;
    const place = JSON.stringify(at);
    if (!points.has(place)) points.set(place, {x: at, sum: 0, runs: 0, ok: true});
    const point = points.get(place);
    point.sum += value;
    point.runs += 1;
    point.ok = point.ok && cell(row, "status") === "ok";
  }
  return [...series.values()].map((one) => ({
    ...one,
    points: [...one.points.values()].map(({x, sum, runs, ok}) => ({x, y: sum / runs, runs, ok}))
      .sort((a, b) => (isNumber(a.x) && isNumber(b.x) ? a.x - b.x : 0)),
  }));
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

const colourOf = (variable) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

function scaleOf(title, type, more) {
  return {type, title: {display: true, text: title, color: colourOf("--ink")}, ticks: {color: colourOf("--faint")},
          grid: {color: colourOf("--rule")}, ...more};
}

/** Draws on a canvas what is there under its name, in place of what was. */
function draw(canvas, type, data, scales, legend) {
  Chart.getChart(canvas)?.destroy();
  return new Chart(canvas, {
    type, data,
    options: {
      animation: false, maintainAspectRatio: false, scales,
      interaction: {mode: "nearest", intersect: false},
      plugins: {legend: {display: legend, labels: {color: colourOf("--ink"), usePointStyle: true, boxWidth: 8, boxHeight: 8}}},
    },
  });
}

function curveData(series) {
  const hollow = colourOf("--card");
  return series.map((one, place) => {
    const colour = PALETTE[place % PALETTE.length];
    return {
      label: one.label, data: one.points, showLine: true, borderColor: colour, borderWidth: 2, pointRadius: 4,
      borderDash: place < PALETTE.length ? [] : [6, 4],
      pointBackgroundColor: one.points.map((point) => (point.ok ? colour : hollow)),
    };
  });
}

/** Latencies beyond saturation grow with the window: the axis ends at three times the greatest of runs that are ok. */
function clipped(series) {
  const all = series.flatMap((one) => one.points);
  const ok = all.filter((point) => point.ok).map((point) => point.y);
  if (ok.length === 0 || ok.length === all.length) return {};
  const most = Number((3 * Math.max(...ok)).toPrecision(2));
  return Math.max(...all.map((point) => point.y)) > most ? {max: most} : {};
}

function drawCurves(canvas, view, logarithmic) {
  const series = seriesOf(view.x, view.y);
  if (!isCurveKey(view.x) && !(view.x in DATA.figures)) return drawBars(canvas, view, series, logarithmic);
  const datasets = curveData(series);
  const found = view.crossovers ? allCrossings(series) : [];
  if (found.length > 0) {
    datasets.push({label: "crossovers", data: found, pointStyle: "rectRot", pointRadius: 7, borderColor: colourOf("--ink"),
                   backgroundColor: "transparent", borderWidth: 2});
  }
  const limits = view.clip ? clipped(series) : {};
  // The library would leave points beyond an axis out of the range of the other.
  const across = series.flatMap((one) => one.points.map((point) => point.x));
  draw(canvas, "scatter", {datasets},
       {x: scaleOf(axisTitle(view.x), "linear", {suggestedMin: Math.min(...across), suggestedMax: Math.max(...across)}),
        y: scaleOf(axisTitle(view.y), logarithmic ? "logarithmic" : "linear", {beginAtZero: true, ...limits})}, datasets.length > 1);
  return found;
}

/** For keys that are no numbers: a group of bars for each value. */
function drawBars(canvas, view, series, logarithmic) {
  const labels = valuesOf(view.x).map(textOf);
  const datasets = series.map((one, place) => ({
    label: one.label, backgroundColor: PALETTE[place % PALETTE.length],
    data: labels.map((label) => one.points.find((point) => textOf(point.x) === label)?.y ?? null),
  }));
  draw(canvas, "bar", {labels, datasets},
       {x: scaleOf(view.x, "category"), y: scaleOf(axisTitle(view.y), logarithmic ? "logarithmic" : "linear", {beginAtZero: true})},
       datasets.length > 1);
  return [];
}

/** Pictures that experiments are made for: the first key that fits, and what is read off. */
const VIEWS = [
  {title: "Latency over load", key: /(^|\.)load$/, y: "latency_cycles.mean", clip: true},
  {title: "Accepted load over offered load", key: /(^|\.)load$/, y: "accepted_flits_per_node_cycle.mean"},
  {title: "Time of the collective over the length of its message", key: /\.length$/, y: "collective.cycles", crossovers: true},
  {title: "Time of the collective", key: /./, y: "collective.cycles", crossovers: true},
  {title: "Blocking over middle switches", key: /middle_switches$/, y: "blocked share of services"},
  {title: "Load at saturation", key: /./, y: "saturation.value"},
  {title: "Time", key: /./, y: "completion_cycle", crossovers: true},
  {title: "Latency", key: /./, y: "latency_cycles.mean", clip: true},
];

/** At most one view of a figure, those of numbers first. */
function views() {
  const keys = DATA.keys.filter((key) => key !== SEED && valuesOf(key).length > 1);
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
