// SPDX-License-Identifier: Apache-2.0
// The page: what the data say, section by section. Charts and drawings are in charts.js and network.js.
const byId = (id) => document.getElementById(id);

/** Rows that are added to the table at a time: of thousands, the browser would be busy for seconds. */
const ROWS_AT_A_TIME = 200;

function fill(table, columns, rows, sortedBy) {
  const head = document.createElement("thead").appendChild(document.createElement("tr"));
  columns.forEach((name) => {
    const button = head.appendChild(document.createElement("th")).appendChild(document.createElement("button"));
    const mark = sortedBy?.name === name ? (sortedBy.falling ? " \u25be" : " \u25b4") : "";
    button.textContent = name + mark;
    button.title = DATA.figures[name]?.meaning ?? "";
    button.addEventListener("click", () => showResults({name, falling: sortedBy?.name === name && !sortedBy.falling}));
  });
  const body = document.createElement("tbody");
  const scroll = table.parentNode;
  scroll.onscroll = () => {
    const near = scroll.scrollTop + 2 * scroll.clientHeight > scroll.scrollHeight;
    if (near && body.rows.length < rows.length) addRows(body, columns, rows.slice(body.rows.length, body.rows.length + ROWS_AT_A_TIME));
  };
  addRows(body, columns, rows.slice(0, ROWS_AT_A_TIME));
  table.replaceChildren(head.parentNode, body);
}

function addRows(body, columns, rows) {
  for (const row of rows) {
    const line = body.appendChild(document.createElement("tr"));
    for (const name of columns) {
      const text = line.appendChild(document.createElement("td"));
      text.textContent = shown(cell(row, name));
      text.title = text.textContent;
    }
  }
}

function shown(value) {
  if (value === null) return "";
  if (isNumber(value) && !Number.isInteger(value)) return String(Number(value.toPrecision(6)));
  return textOf(value);
}

function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  if (isNumber(a) && isNumber(b)) return a - b;
  return textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0;
}

/** All figures of the only run, a line each. */
function showResult() {
  byId("all-columns").closest("p").hidden = true;
  byId("results").className = "figures";
  for (const name of DATA.columns.filter((column) => column !== "point")) {
    const line = byId("results").appendChild(document.createElement("tr"));
    const {unit = "", meaning = ""} = DATA.figures[name] ?? {};
    for (const text of [name, shown(cell(DATA.rows[0], name)), unit, meaning]) line.appendChild(document.createElement("td")).textContent = text;
  }
}

/** Columns that tell runs apart, or all; rows by one of them. */
function showResults(sortedBy) {
  const all = byId("all-columns").checked;
  const columns = DATA.columns.filter((name) => all || DATA.keys.includes(name) || (name !== "id" && valuesOf(name).length > 1));
  const rows = [...DATA.rows];
  if (sortedBy) rows.sort((a, b) => (sortedBy.falling ? -1 : 1) * compare(cell(a, sortedBy.name), cell(b, sortedBy.name)));
  fill(byId("results"), columns, rows, sortedBy);
}

function newCard(parent, title, id) {
  const card = parent.appendChild(document.createElement("article"));
  card.className = "card";
  card.appendChild(document.createElement("h3")).textContent = title;
  const plot = card.appendChild(document.createElement("div"));
  plot.className = "plot";
  plot.appendChild(document.createElement("canvas")).id = id;
  return card;
}

/** Fills a table that cannot be sorted. */
function plainTable(table, head, rows) {
  table.className = "plain";
  table.replaceChildren();
  for (const [tag, cells] of [["th", head], ...rows.map((row) => ["td", row])]) {
    const line = table.appendChild(document.createElement("tr"));
    for (const value of cells) line.appendChild(document.createElement(tag)).textContent = shown(value);
  }
}

function showCrossovers(table, x, found) {
  table.replaceChildren();
  if (found.length > 0) plainTable(table, [`crossover at ${x}`, "least before", "least after"], found.map((one) => [one.x, one.before, one.after]));
}

function options(select, names, chosen) {
  for (const name of names) select.add(new Option(name, name, name === chosen, name === chosen));
}

/** Numbers that differ between runs: what one may want to see over a key. */
function figuresToShow() {
  const numbers = DATA.columns.filter((name) => !DATA.keys.includes(name) && name !== "point" && valuesOf(name).every(isNumber));
  return [...numbers.filter((name) => valuesOf(name).length > 1), ...Object.keys(SHARES).filter((name) => valuesOf(name).some(isNumber))];
}

/** Curves that a reader can tell apart. */
const MOST_CURVES = 16;

/** Selects that keep keys at one value: where too many curves occur at first, the last keys at their first values. */
class Choices {
  constructor(x, redraw) {
    const keys = needed(DATA.rows, tellingKeys().filter((key) => key !== x));
    const first = (key) => textOf(valuesOf(key)[0]);
    const fixed = [];
    const curves = () => combinations(DATA.rows.filter((row) => fixed.every((key) => fits(row, key, first(key)))), keys);
    byId("choices").hidden = curves() <= MOST_CURVES;
    if (byId("choices").hidden) return;
    while (curves() > MOST_CURVES && fixed.length + 1 < keys.length) fixed.push(keys[keys.length - 1 - fixed.length]);
    for (const key of keys) this.add(key, fixed.includes(key) ? first(key) : "", redraw);
  }

  add(key, chosen, redraw) {
    const label = byId("choices").appendChild(document.createElement("label"));
    label.append(`${key} `);
    const select = label.appendChild(document.createElement("select"));
    select.add(new Option("all", ""));
    for (const text of valuesOf(key).map(textOf)) select.add(new Option(text, text, text === chosen, text === chosen));
    const choose = () => (select.value === "" ? CHOSEN.delete(key) : CHOSEN.set(key, select.value));
    select.addEventListener("input", () => { choose(); redraw(); });
    choose();
  }
}

class Curves {
  constructor() {
    this.views = views();
    this.tables = this.views.map((view, place) => newCard(byId("views"), view.title, `view-${place}`).appendChild(document.createElement("table")));
    const figures = figuresToShow();
    const keys = tellingKeys().filter((key) => valuesOf(key).length > 1);
    const first = this.views[0]?.x ?? keys[0];
    options(byId("free-x"), [...keys, ...figures.filter((name) => /flits_per_node_cycle/.test(name))], first);
    options(byId("free-y"), figures, figures.find((name) => name === "latency_cycles.p99") ?? figures[0]);
    for (const id of ["free-x", "free-y", "free-log"]) byId(id).addEventListener("input", () => this.drawFree());
    byId("curves").hidden = keys.length === 0 || figures.length === 0;
    byId("pairs").hidden = figures.length < 2;
    if (!byId("pairs").hidden) this.pairs = new Pairs(figures, first);
    this.optima = DATA.optima.map((found, place) => new Optimum(found, place));
    new Choices(first, () => this.draw());
  }

  drawFree() {
    if (byId("curves").hidden) return;
    drawCurves(byId("free-plot"), {x: byId("free-x").value, y: byId("free-y").value}, byId("free-log").checked);
  }

  draw() {
    this.views.forEach((view, place) => showCrossovers(this.tables[place], view.x, drawCurves(byId(`view-${place}`), view, false)));
    this.drawFree();
    if (!byId("curves").hidden) this.pairs?.draw();
    for (const optimum of this.optima) optimum.draw();
  }
}

function showConfiguration() {
  const note = DATA.keys.length === 0 ? "" : `That of the first run. Runs differ in ${DATA.keys.join(", ")}; the table has their values.`;
  byId("configuration-note").textContent = note;
  byId("configuration").textContent = JSON.stringify(DATA.config, null, 2).replace(/\[\s+([^\[\]{}]*?)\s+\]/g, (_, inner) => `[${inner.replace(/\s+/g, " ")}]`);
}

function showHead() {
  document.title = `${DATA.title}: flitcast report`;
  byId("title").textContent = DATA.title;
  const statuses = new Map();
  for (const row of DATA.rows) statuses.set(cell(row, "status"), (statuses.get(cell(row, "status")) ?? 0) + 1);
  const states = [...statuses].map(([status, count]) => `${count} ${status}`).join(", ");
  const missing = DATA.missing > 0 ? `; ${DATA.missing} of ${DATA.points} points have no result` : "";
  const omitted = DATA.without_details > 0 ? `; channels and histograms of ${DATA.without_details} runs are left out, for the size of the page` : "";
  const thinned = DATA.one_in > 1 ? `; these are one run in ${DATA.one_in}, for the size of the page: results.csv has all` : "";
  byId("subtitle").textContent = `${DATA.rows.length} ${DATA.rows.length === 1 ? "run" : "runs"} (${states})${thinned}${missing}${omitted}; flitcast ${DATA.version}`;
}

function start() {
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const setTheme = (dark) => { root.dataset.theme = dark ? "dark" : "light"; };
  setTheme(prefersDark.matches);
  showHead();
  showConfiguration();
  if (DATA.rows.length === 1) showResult(); else showResults(null);
  const curves = new Curves();
  curves.draw();
  for (const canvas of document.querySelectorAll(".plot canvas")) {
    addExport(canvas.closest(".card"), canvas, canvas.closest(".card").querySelector("h3").textContent);
  }
  addExport(byId("map").parentNode, byId("map"), "channels");
  const network = DATA.runs.length > 0 ? new NetworkSection(DATA.runs) : null;
  const restyle = (dark) => {
    setTheme(dark);
    curves.draw();
    network?.showRun();
  };
  prefersDark.addEventListener("change", (event) => restyle(event.matches));
  byId("theme").addEventListener("click", () => restyle(root.dataset.theme !== "dark"));
  byId("all-columns").addEventListener("input", () => showResults(null));
}

start();
