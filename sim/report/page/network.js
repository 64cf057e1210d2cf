// SPDX-License-Identifier: Apache-2.0
// One run: its channels on the drawing of the topology, its times, its latencies.
const SVG = "http://www.w3.org/2000/svg";
const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
const ROUTER = 0, INJECTION = 1;   // Kinds of channels: [0, from, port, to], [1, node, to], [2, node, from, port].

function colourAt(share) {
  const place = Math.min(Math.max(share, 0), 1) * (RAMP.length - 1);
  const low = Math.min(Math.floor(place), RAMP.length - 2);
  const mixed = RAMP[low].map((from, i) => Math.round(from + (place - low) * (RAMP[low + 1][i] - from)));
  return `rgb(${mixed.join(",")})`;
}

function element(parent, name, attributes, text) {
  const made = parent.appendChild(document.createElementNS(SVG, name));
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  if (text !== undefined) made.textContent = text;
  return made;
}

function channelName(link) {
  if (link[0] === ROUTER) return `router ${link[1]} port ${link[2]} to router ${link[3]}`;
  return link[0] === INJECTION ? `node ${link[1]} into router ${link[2]}` : `router ${link[2]} to node ${link[1]}`;
}

/** From router to router: bent, so that both ways and links that wrap are seen beside each other. */
function linkPath(from, to) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const bend = Math.hypot(dx, dy) > 1.01 ? 0.16 : 0.1;
  return `M${from[0]} ${from[1]} Q${(from[0] + to[0]) / 2 - dy * bend} ${(from[1] + to[1]) / 2 + dx * bend} ${to[0]} ${to[1]}`;
}

/** Between a router and its nodes: short lines, into the router from the upper left, out of it to the upper right. */
function nodePath(at, into, place, count) {
  const spread = count > 1 ? (place / (count - 1) - 0.5) * 0.9 : 0;
  const angle = (into ? -2.36 : -0.79) + spread;
  return `M${at[0]} ${at[1]} l${0.36 * Math.cos(angle)} ${0.36 * Math.sin(angle)}`;
}

function pathsOf(layout) {
  const counts = new Map(), placed = new Map();
  const router = (link) => (link[0] === ROUTER ? null : `${link[0]} ${link[2]}`);
  for (const link of layout.links) counts.set(router(link), (counts.get(router(link)) ?? 0) + 1);
  return layout.links.map((link) => {
    if (link[0] === ROUTER) return linkPath(layout.routers[link[1]], layout.routers[link[3]]);
    const place = placed.get(router(link)) ?? 0;
    placed.set(router(link), place + 1);
    return nodePath(layout.routers[link[2]], link[0] === INJECTION, place, counts.get(router(link)));
  });
}

/** The drawing of a topology; lines take their colours from paint(). */
class NetworkMap {
  constructor(svg) {
    this.svg = svg;
    this.layout = null;
  }

  show(layout) {
    if (this.layout === layout) return;
    this.layout = layout;
    this.svg.replaceChildren();
    const xs = layout.routers.map((at) => at[0]), ys = layout.routers.map((at) => at[1]);
    const [left, top] = [Math.min(...xs) - 1, Math.min(...ys) - 1];
    this.svg.setAttribute("viewBox", `${left} ${top} ${Math.max(...xs) - left + 1} ${Math.max(...ys) - top + 1}`);
    this.lines = pathsOf(layout).map((path) => element(this.svg, "path", {d: path}));
    this.titles = this.lines.map((line) => element(line, "title", {}));
    this.routers = layout.routers.map((at, router) => this.routerAt(at, router));
  }

  routerAt(at, router) {
    const group = element(this.svg, "g", {});
    const circle = element(group, "circle", {cx: at[0], cy: at[1], r: 0.17, "stroke-width": 0.025, class: "router"});
    circle.number = element(group, "text", {x: at[0], y: at[1], "font-size": 0.16}, router);
    circle.label = element(group, "title", {}, `router ${router}`);
    return circle;
  }

  /** @param loads of the links of the layout; @param most stands for the end of the scale. */
  paint(loads, most, fills) {
    this.lines.forEach((line, place) => {
      const share = most > 0 ? loads[place] / most : 0;
      line.setAttribute("stroke", colourAt(share));
      line.setAttribute("stroke-width", (0.04 + 0.09 * share).toFixed(3));
      this.titles[place].textContent = `${channelName(this.layout.links[place])}: ${percent(loads[place])}`;
    });
    this.routers.forEach((circle, router) => {
      const share = fills ? fills.values[router] / fills.most : 0;
      circle.style.fill = fills ? colourAt(share) : "";
      circle.number.style.fill = !fills ? "" : share > 0.6 ? "#000000" : "#ffffff";   // On the fill.
      circle.label.textContent = `router ${router}` + (fills ? `: ${fills.values[router]} flits in its buffers` : "");
    });
  }
}

const percent = (share) => `${(100 * share).toFixed(1)} %`;

const spansOf = (run) => run.series.offered_flits_per_node_cycle.length;

/** The first cycle after a span, counted from 1; the last span may be shorter. */
const endOf = (series, span, spans) => (span < spans ? span * series.cycles : (spans - 1) * series.cycles + (series.last_cycles ?? series.cycles));

/** Loads of the channels in a span of the run, from 1; 0: in the window. */
function loadsAt(run, span) {
  if (span === 0) return run.loads;
  const cycles = endOf(run.series, span, spansOf(run)) - (span - 1) * run.series.cycles;
  return run.link_series.map((flits) => flits[span - 1] / cycles);
}

/** The largest load on the scale: that of the window, or of all spans. */
function mostOf(run, span) {
  if (span === 0) return Math.max(...run.loads);
  return Math.max(...Array.from({length: spansOf(run)}, (_, place) => Math.max(...loadsAt(run, place + 1))));
}

function fillsAt(run, span) {
  const filled = run.series?.routers;
  if (!filled || span === 0) return null;
  return {values: filled.map((flits) => flits[span - 1]), most: Math.max(1, ...filled.flat())};
}

function showBusiest(layout, loads) {
  const order = loads.map((_, place) => place).sort((a, b) => loads[b] - loads[a] || a - b).slice(0, 12);
  document.getElementById("busiest").innerHTML = "<thead><tr><th>channel</th><th>load</th></tr></thead><tbody>" +
    order.map((place) => `<tr><td>${channelName(layout.links[place])}</td><td>${percent(loads[place])}</td></tr>`).join("") + "</tbody>";
}

function lineSet(label, series, values, place, axis) {
  return {label, yAxisID: axis, showLine: true, borderColor: PALETTE[place], backgroundColor: PALETTE[place], pointRadius: 2, borderWidth: 2,
          data: values.map((y, span) => ({x: endOf(series, span + 1, values.length), y})).filter((point) => point.y !== null)};
}

function drawTimes(run) {
  const series = run.series;
  document.getElementById("time-card").hidden = !series;
  document.getElementById("occupancy-card").hidden = !series;
  if (!series) return;
  const x = scaleOf("cycle", "linear", {min: 0});
  const set = (label, name, place, axis) => lineSet(label, series, series[name] ?? [], place, axis);
  draw(document.getElementById("time-plot"), "scatter",
       {datasets: [set("offered", "offered_flits_per_node_cycle", 0, "y"), set("accepted", "accepted_flits_per_node_cycle", 2, "y"),
                   set("mean latency", "latency_cycles", 1, "latency")]},
       {x, y: scaleOf("flits per node and cycle", "linear", {beginAtZero: true}),
        latency: scaleOf("latency (cycles)", "linear", {position: "right", beginAtZero: true, grid: {display: false}})}, true);
  draw(document.getElementById("occupancy-plot"), "scatter",
       {datasets: [set("in buffers of routers", "flits_in_buffers", 0, "y"), set("waiting at their sources", "flits_waiting", 1, "y")]},
       {x, y: scaleOf("flits at the end of a span", "linear", {beginAtZero: true})}, true);
}

/** Values that a bin of the histogram stands for: one below 256, beyond it 1/128 of a power of two. */
const binWidth = (upper) => (upper < 256 ? 1 : 2 ** (Math.floor(Math.log2(upper)) - 7));

/** Bins as points, with empty ones at both ends of every gap. */
function binsOf(histogram) {
  const bins = [];
  for (const [x, y] of histogram) {
    const before = bins.length > 0 ? bins[bins.length - 1].x : -Infinity;
    if (before < x - binWidth(x)) {
      if (bins.length > 0) bins.push({x: before + binWidth(before), y: 0});
      if (bins.length === 0 || bins[bins.length - 1].x < x - binWidth(x)) bins.push({x: x - binWidth(x), y: 0});
    }
    bins.push({x, y});
  }
  return bins;
}

function drawHistogram(run) {
  document.getElementById("histogram-card").hidden = !run.histogram;
  if (!run.histogram) return;
  const data = binsOf(run.histogram);
  draw(document.getElementById("histogram-plot"), "scatter",
       {datasets: [{label: "packets", data, showLine: true, stepped: "middle", fill: "origin", borderColor: PALETTE[0],
                    backgroundColor: PALETTE[0] + "55", pointRadius: 0, borderWidth: 1}]},
       {x: scaleOf("latency (cycles)", "linear", {beginAtZero: true}), y: scaleOf("packets", "linear", {beginAtZero: true})}, false);
}

function drawDistances(run) {
  document.getElementById("distance-card").hidden = !run.distances;
  if (!run.distances) return;
  const points = (figure) => run.distances.map((one) => ({x: one.hops, y: one[figure]}));
  const set = (label, figure, place) => ({label, data: points(figure), showLine: true, borderColor: PALETTE[place], backgroundColor: PALETTE[place]});
  draw(document.getElementById("distance-plot"), "scatter", {datasets: [set("mean", "mean", 0), set("greatest", "max", 1)]},
       {x: scaleOf("routers crossed", "linear"), y: scaleOf("latency (cycles)", "linear", {beginAtZero: true})}, true);
}

/** The section of a run: its sliders and what they move. */
class NetworkSection {
  constructor(runs) {
    this.runs = runs;
    this.map = new NetworkMap(document.getElementById("map"));
    this.run = document.getElementById("run");
    this.time = document.getElementById("time");
    this.timer = null;
    this.run.max = runs.length - 1;
    this.run.closest("p").hidden = runs.length < 2;
    this.run.addEventListener("input", () => this.showRun());
    this.time.addEventListener("input", () => this.paint());
    document.getElementById("play").addEventListener("click", () => this.play());
    document.getElementById("scale").style.background = `linear-gradient(to right, ${[0, 0.25, 0.5, 0.75, 1].map(colourAt)})`;
    document.getElementById("network").hidden = false;
    this.showRun();
  }

  chosen() { return this.runs[Number(this.run.value)]; }

  showRun() {
    const run = this.chosen();
    document.getElementById("run-label").textContent = run.label;
    this.time.value = 0;
    this.time.max = run.link_series ? spansOf(run) : 0;
    document.getElementById("time-controls").hidden = !run.link_series;
    this.map.show(DATA.layouts[run.layout]);
    drawTimes(run);
    drawHistogram(run);
    drawDistances(run);
    this.paint();
  }

  paint() {
    const run = this.chosen(), span = Number(this.time.value);
    const loads = loadsAt(run, span), most = mostOf(run, span);
    this.map.paint(loads, most, fillsAt(run, span));
    showBusiest(DATA.layouts[run.layout], loads);
    document.getElementById("time-label").textContent = span === 0 ? "the whole window"
      : `cycles ${(span - 1) * run.series.cycles} to ${endOf(run.series, span, spansOf(run)) - 1}`;
    document.getElementById("map-note").textContent = `0 to ${percent(most)} of the cycles` +
      (run.truncated ? "; of all channels the most loaded 1024" : "") +
      (run.link_series ? "" : "; run with measure.series for a slider over time");
  }

  play() {
    clearInterval(this.timer);
    this.time.value = 0;
    this.timer = setInterval(() => {
      this.time.value = Number(this.time.value) + 1;
      this.paint();
      if (this.time.value === this.time.max) clearInterval(this.timer);
    }, 120);
  }
}
