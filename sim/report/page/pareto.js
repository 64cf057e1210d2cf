// SPDX-License-Identifier: Apache-2.0
// Figure against figure, with the front of those that no other beats, and what `flitcast optimise` has found.

/** A figure of which more is better; of others less is. */
const isGain = (name) => /accepted|throughput|saturation|bandwidth|capacity/.test(name);

/** A point for every experiment with both figures: {x, y, row, ok, caption}. */
function pairsOf(x, y, rows) {
  const keys = tellingKeys(), both = rows.filter((row) => isNumber(cell(row, x)) && isNumber(cell(row, y)));
  const shown = needed(both, keys);
  return grouped(both, (row) => combinationOf(row, keys)).map((runs) => {
    const point = {x: meanOf(runs, x).y, ...meanOf(runs, y), ...statusOf(runs), row: runs[0]};
    return {...point, caption: `${captionOf(runs[0], shown)}: ${Number(point.x.toPrecision(6))}, ${Number(point.y.toPrecision(6))}`};
  });
}

/** Points that no other beats in one figure without being worse in the other, from the best x on. */
function frontOf(points, more) {
  const [across, up] = [more.x ? -1 : 1, more.y ? -1 : 1];
  const front = [];
  for (const point of [...points].sort((a, b) => across * (a.x - b.x) || up * (a.y - b.y))) {
    const last = front[front.length - 1];
    if (!last || up * (point.y - last.y) < 0 || (point.x === last.x && point.y === last.y)) front.push(point);
  }
  return front;
}

/**
 * Draws {x, y, more, any, rows, found} and returns the front. `more`: of which figure more is better; `any`: runs that are not ok
 * count, too; `found`: points that a search has found.
 */
function drawPairs(canvas, {x, y, more, any, rows, found}) {
  const points = pairsOf(x, y, rows), front = frontOf(points.filter((point) => any || point.ok), more);
  const others = points.filter((point) => !front.includes(point)), faint = colourOf("--faint");
  const datasets = [
    {label: "front", data: front, showLine: true, stepped: "before", borderColor: PALETTE[0], backgroundColor: PALETTE[0], borderWidth: 2, pointRadius: 5},
    {label: "others", data: others, borderColor: faint, pointRadius: 4, pointBackgroundColor: others.map((point) => (point.ok ? faint : "transparent"))},
  ];
  if (found) datasets.unshift({label: "found by optimise", data: found, borderColor: PALETTE[1], backgroundColor: "transparent", pointRadius: 9, borderWidth: 2});
  const better = (name, gains) => `${axisTitle(name)}, ${gains ? "more" : "less"} is better`;
  draw(canvas, "scatter", {datasets}, {x: scaleOf(better(x, more.x), "linear"), y: scaleOf(better(y, more.y), "linear")}, true);
  return front;
}

/** The card in which the reader chooses two figures. */
class Pairs {
  constructor(figures, x) {
    this.at = x;
    const cost = figures.find((name) => name.startsWith("cost.")) ?? figures[0];
    options(byId("pair-x"), figures, cost);
    options(byId("pair-y"), figures, figures.find((name) => name === "latency_cycles.mean" || isGain(name)) ?? figures[1]);
    // At first one load that all carry, so that the points are experiments that can be compared.
    const carried = valuesOf(x).filter((value) => DATA.rows.every((row) => cell(row, x) !== value || cell(row, "status") === "ok"));
    byId("pair-any").checked = !DATA.rows.some((row) => cell(row, "status") === "ok");
    byId("pair-at-name").textContent = `at ${x} `;
    byId("pair-at").add(new Option("all", ""));
    options(byId("pair-at"), valuesOf(x).map(textOf), isCurveKey(x) && carried.length > 0 ? textOf(carried[carried.length - 1]) : "");
    for (const axis of ["x", "y"]) {
      const guess = () => { byId(`more-${axis}`).checked = isGain(byId(`pair-${axis}`).value); };
      guess();
      byId(`pair-${axis}`).addEventListener("input", guess);
    }
    for (const id of ["pair-x", "pair-y", "pair-at", "more-x", "more-y", "pair-any"]) byId(id).addEventListener("input", () => this.draw());
  }

  draw() {
    const [x, y] = [byId("pair-x").value, byId("pair-y").value], at = byId("pair-at").value;
    const rows = DATA.rows.filter((row) => isChosen(row, this.at) && (at === "" || fits(row, this.at, at)));
    const more = {x: byId("more-x").checked, y: byId("more-y").checked};
    const front = drawPairs(byId("pair-plot"), {x, y, more, any: byId("pair-any").checked, rows});
    const keys = needed(rows, tellingKeys());
    plainTable(byId("pair-front"), [...keys, x, y], front.map((point) => [...keys.map((key) => cell(point.row, key)), point.x, point.y]));
  }
}

/** The goals of a search, the set that it has found as a table, and the set among all runs as a chart. */
class Optimum {
  constructor(found, place) {
    this.found = found;
    const card = newCard(byId("optima"), `Optimum of ${found.title}`, `optimum-${place}`);
    const demands = [...found.objectives, ...found.constraints, ...(found.unsaturated ? ["status ok"] : [])];
    card.insertBefore(document.createElement("p"), card.querySelector(".plot")).textContent = demands.join("; ");
    plainTable(card.appendChild(document.createElement("table")), found.columns, found.rows);
    this.canvas = card.querySelector("canvas");
    // "minimise FIGURE", "FIGURE >= NUMBER": two that are not the same.
    const goals = [...found.objectives.map((text) => text.split(" ").reverse()), ...found.constraints.map((text) => text.split(/\s+/))];
    this.axes = goals.filter(([name], number) => goals.findIndex((one) => one[0] === name) === number).slice(0, 2);
    this.canvas.closest(".plot").hidden = this.axes.length < 2;
  }

  draw() {
    if (this.axes.length < 2) return;
    const [[y, wantsY], [x, wantsX]] = this.axes, isMore = (word) => word === "maximise" || word === ">=";
    const at = (name) => this.found.columns.indexOf(name);
    const words = (row) => row.slice(0, at("point")).map((value, number) => wordsOf(this.found.columns[number], value)).join(", ");
    const found = this.found.rows.map((row) => ({x: row[at(x)], y: row[at(y)], caption: words(row)}));
    drawPairs(this.canvas, {x, y, more: {x: isMore(wantsX), y: isMore(wantsY)}, any: !this.found.unsaturated, rows: DATA.rows, found});
  }
}
