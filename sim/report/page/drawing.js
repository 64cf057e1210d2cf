// SPDX-License-Identifier: Apache-2.0
// How charts are drawn by the library, and how any of them becomes an SVG file that stands alone.
const PALETTE = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f", "#a05195"];
const MARKS = ["circle", "rect", "triangle", "rectRot"];   // They tell curves apart in print, too.
const FONT = 'Helvetica, Arial, "DejaVu Sans", sans-serif';

Chart.defaults.font.family = FONT;
Chart.defaults.elements.line.segment = {};   // Without, the library draws lines in a way that cannot be recorded.

const colourOf = (variable) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();

function scaleOf(title, type, more) {
  return {type, title: {display: true, text: title, color: colourOf("--ink")}, ticks: {color: colourOf("--faint")},
          grid: {color: colourOf("--rule")}, ...more};
}

/** Draws the `interval` of points: the half-width of the 95 % confidence interval of their y. */
function drawIntervals(chart) {
  const {ctx, chartArea: area, scales: {y: scale}} = chart;
  ctx.save();
  ctx.beginPath();
  ctx.rect(area.left, area.top, area.width, area.height);
  ctx.clip();
  ctx.lineWidth = 1.2;
  chart.data.datasets.forEach((set, place) => set.data.forEach((point, number) => {
    if (!(point.interval > 0)) return;
    const {x} = chart.getDatasetMeta(place).data[number];
    const [low, high] = [point.y - point.interval, point.y + point.interval].map((end) => scale.getPixelForValue(Math.max(end, scale.min)));
    ctx.strokeStyle = set.ink ?? set.borderColor;
    ctx.beginPath();
    for (const [from, to, at] of [[x, x, low], [x - 4, x + 4, high], [x - 4, x + 4, low]]) {
      ctx.moveTo(from, at);
      ctx.lineTo(to, from === to ? high : at);
    }
    ctx.stroke();
  }));
  ctx.restore();
}

/** The configuration of the chart on each canvas. */
const DRAWN = new Map();

/** Draws on a canvas, in place of what was there. */
function draw(canvas, type, data, scales, legend) {
  const label = (item) => item.raw.caption ?? `${item.dataset.label}: ${item.label ? `${item.label}, ` : ""}${item.formattedValue}`;
  const config = {
    type, data, plugins: [{id: "intervals", afterDatasetsDraw: drawIntervals}],
    options: {
      animation: false, maintainAspectRatio: false, scales,
      interaction: {mode: "nearest", intersect: false},
      plugins: {legend: {display: legend, labels: {color: colourOf("--ink"), usePointStyle: true, boxWidth: 8, boxHeight: 8}},
                tooltip: {callbacks: {label}}},
    },
  };
  DRAWN.set(canvas, config);
  Chart.getChart(canvas)?.destroy();
  return new Chart(canvas, config);
}

const escaped = (text) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);

/** A colour of a canvas as the attribute of an SVG element; editors do not know rgba(). */
function paint(attribute, style) {
  const [, solid, opacity] = /^rgba\((.*), ([\d.]+)\)$/.exec(style) ?? [];
  return solid ? `${attribute}="rgb(${solid})" ${attribute}-opacity="${opacity}"` : `${attribute}="${style}"`;
}

/** Elements of SVG for all that is drawn on a context from now on, and the context that records them. */
class Recording {
  constructor(target) {
    this.target = target;
    this.elements = [];
    this.path = "";
    this.groups = [0];   // Groups that clip, opened since each save().
    this.clips = 0;
    const known = Object.getOwnPropertyNames(Recording.prototype).filter((name) => name !== "constructor" && name in target);
    const own = new Map(known.map((name) => [name, (...given) => { this[name](...given); return target[name](...given); }]));
    this.context = new Proxy(target, {
      get: (_, name) => own.get(name) ?? (typeof target[name] === "function" ? target[name].bind(target) : target[name]),
      set: (_, name, value) => { target[name] = value; return true; },
    });
  }

  at(x, y) {
    const {a, b, c, d, e, f} = this.target.getTransform();
    return `${Number((a * x + c * y + e).toFixed(2))} ${Number((b * x + d * y + f).toFixed(2))}`;
  }

  add(name, attributes, text = "") { this.elements.push(`<${name} ${attributes}>${text}</${name}>`); }
  beginPath() { this.path = ""; }
  closePath() { this.path += "Z"; }
  moveTo(x, y) { this.path += `M${this.at(x, y)}`; }
  lineTo(x, y) { this.path += `${this.path ? "L" : "M"}${this.at(x, y)}`; }
  bezierCurveTo(...c) { this.path += `C${this.at(c[0], c[1])} ${this.at(c[2], c[3])} ${this.at(c[4], c[5])}`; }
  rect(x, y, w, h) { this.path += `M${this.at(x, y)}L${this.at(x + w, y)}L${this.at(x + w, y + h)}L${this.at(x, y + h)}Z`; }

  /** In two halves, since SVG has no whole circles in paths. */
  arc(x, y, radius, from, to, back = false) {
    const turn = back ? -((from - to) % (2 * Math.PI)) : Math.min(to - from, 2 * Math.PI);
    const on = (angle) => this.at(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    this.path += `${this.path ? "L" : "M"}${on(from)}`;
    for (const part of [0.5, 1]) this.path += `A${radius} ${radius} 0 0 ${turn > 0 ? 1 : 0} ${on(from + part * turn)}`;
  }

  stroke() {
    const {strokeStyle, lineWidth, globalAlpha} = this.target;
    if (!this.path || lineWidth === 0 || /, 0\)$/.test(strokeStyle)) return;
    this.add("path", `d="${this.path}" fill="none" ${paint("stroke", strokeStyle)} stroke-width="${lineWidth}" opacity="${globalAlpha}" ` +
                     `stroke-dasharray="${this.target.getLineDash().join(" ") || "none"}"`);
  }

  fill() {
    if (this.path && !/, 0\)$/.test(this.target.fillStyle)) this.add("path", `d="${this.path}" ${paint("fill", this.target.fillStyle)}`);
  }

  around(x, y, w, h, action) {
    const kept = this.path;
    this.path = "";
    this.rect(x, y, w, h);
    action.call(this);
    this.path = kept;
  }

  fillRect(...box) { this.around(...box, this.fill); }
  strokeRect(...box) { this.around(...box, this.stroke); }

  clip() {
    this.clips += 1;
    this.elements.push(`<clipPath id="clip${this.clips}"><path d="${this.path}"/></clipPath><g clip-path="url(#clip${this.clips})">`);
    this.groups[this.groups.length - 1] += 1;
  }

  save() { this.groups.push(0); }
  restore() { if (this.groups.length > 1) this.elements.push("</g>".repeat(this.groups.pop())); }

  fillText(text, x, y) {
    const {font, textAlign, textBaseline, fillStyle} = this.target;
    const [, weight = "", size] = /^(bold )?.*?([\d.]+)px/.exec(font);
    const anchor = {center: "middle", right: "end", end: "end"}[textAlign] ?? "start";
    const down = ({middle: 0.35, top: 0.8, hanging: 0.8, bottom: -0.2}[textBaseline] ?? 0) * Number(size);
    const {a, b} = this.target.getTransform();
    const turned = `rotate(${(Math.atan2(b, a) * 180 / Math.PI).toFixed(1)} ${this.at(x, y)})`;
    const [left, top] = this.at(x, y).split(" ").map(Number);
    this.add("text", `x="${left}" y="${(top + down).toFixed(2)}" transform="${turned}" font-size="${size}" text-anchor="${anchor}" ` +
                     `font-weight="${weight.trim() || "normal"}" ${paint("fill", fillStyle)}`, escaped(text));
  }
}

function svgText(width, height, elements) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
         `font-family="${escaped(FONT)}"><rect width="100%" height="100%" fill="${colourOf("--page")}"/>${elements}</svg>\n`;
}

/** The chart on a canvas, drawn once more and recorded, in the colours that the page has now. */
function svgOfChart(shown) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [shown.clientWidth, shown.clientHeight];
  const recording = new Recording(canvas.getContext("2d"));
  canvas.getContext = () => recording.context;
  const {data, options, ...rest} = DRAWN.get(shown);
  const copy = {...data, datasets: data.datasets.map((set) => ({...set}))};
  new Chart(canvas, {...rest, data: copy, options: {...options, responsive: false, devicePixelRatio: 1}}).destroy();
  return svgText(shown.clientWidth, shown.clientHeight, recording.elements.join(""));
}

/** A drawing of the page with the styles that its elements have. */
function svgOfDrawing(shown) {
  const copy = shown.cloneNode(true);
  const originals = shown.querySelectorAll("*"), {width, height} = shown.getBoundingClientRect();
  copy.querySelectorAll("*").forEach((one, place) => {
    const style = getComputedStyle(originals[place]);
    for (const name of ["fill", "stroke", "text-anchor", "dominant-baseline"]) one.setAttribute(name, style.getPropertyValue(name));
    one.removeAttribute("class");
    one.removeAttribute("style");
  });
  copy.removeAttribute("id");
  for (const [name, value] of [["width", width], ["height", height]]) copy.setAttribute(name, value);
  return svgText(width, height, new XMLSerializer().serializeToString(copy));
}

const svgOf = (shown) => (shown instanceof SVGElement ? svgOfDrawing(shown) : svgOfChart(shown));

/** Adds a button that saves a chart or a drawing as a file. */
function addExport(parent, shown, name) {
  const button = parent.appendChild(document.createElement("button"));
  Object.assign(button, {className: "export", type: "button", textContent: "SVG", title: "Save as SVG"});
  button.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([svgOf(shown)], {type: "image/svg+xml"}));
    link.download = `${DATA.title} ${name}.svg`.replace(/[^\w.-]+/g, "_");
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
