# SPDX-License-Identifier: Apache-2.0
"""The page that `flitcast report` makes, opened in Chromium: it shows what the results say, and asks for nothing.

usage: report_page.py PROGRAM [CLAIM...] [--pictures DIR]     exit code 1 if a claim does not hold, 77 without a browser

The claims are the functions below whose names begin with `claim_`.
"""
import csv
import itertools
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import chromium

MOST_BYTES = 1_500_000
MOST_MILLISECONDS = 10_000   # Far more than needed on an idle machine.
LOADS = [0.05, 0.15, 0.25, 0.35]
LOAD_SWEEP = f"""name: loads
topology: {{kind: torus, sizes: [4, 4]}}
router: {{virtual_channels: 2, buffer_depth: 4}}
routing: {{kind: dimension_order}}
workload: {{kind: traffic, pattern: uniform, packet_length: 5}}
measure: {{warmup: 200, window: 1000, drain_limit: 2000}}
sweep:
  routing.vc_classes: [dateline, dally_seitz_fixed]
  workload.load: {LOADS + [0.9]}
"""
LENGTHS = [20, 45, 70, 95, 120]
CROSSOVERS = f"""name: lengths
topology: {{kind: hypercube, dimension: 7}}
router: {{kind: store_and_forward, virtual_channels: 1, buffer_depth: 8}}
routing: {{kind: e_cube}}
node: {{ports: all, startup: 100}}
workload: {{kind: collective, operation: broadcast}}
sweep:
  workload.length: {LENGTHS}
  workload.algorithm: [binomial_tree, double_tree, ho_kao]
"""
TOGETHER = """name: together
topology: {kind: mesh, sizes: [4, 4]}
routing: {kind: dimension_order}
router: {virtual_channels: 2}
workload: {kind: traffic}
measure: {warmup: 100, window: 500}
sweep:
  zip:
    topology:
      - {kind: mesh, sizes: [4, 4], label: mesh}
      - {kind: torus, sizes: [4, 4], label: torus}
      - {kind: hypercube, dimension: 4, label: cube}
    routing.kind: [dimension_order, dimension_order, e_cube]
    router.virtual_channels: [2, 4, 6]
    router.buffer_depth: [8, 4, 2]
  workload.packet_length: [1, 4]
  workload.load: [0.1, 0.2]
"""
REPEATED = """name: repeated
topology: {kind: mesh, sizes: [4, 4]}
routing: {kind: dimension_order}
workload: {kind: traffic}
measure: {warmup: 300, window: 500}
sweep: {workload.load: [0.1, 0.3]}
repeat: 7
"""
GOALS = """name: goals
topology: {kind: mesh, sizes: [4, 4]}
routing: {kind: dimension_order}
workload: {kind: traffic, load: 0.8}
measure: {warmup: 200, window: 500, drain_limit: 500}
sweep: {router.virtual_channels: [1, 2, 4], router.buffer_depth: [2, 4, 8]}
optimise: {objectives: [minimise cost.buffer_flits], constraints: [accepted_flits_per_node_cycle.mean >= 80 % of best]}
"""
BLOCKING = """name: blocking
topology: {kind: clos, ports: [4], switches: 4}
router: {kind: circuit, when_blocked: drop}
routing: {kind: central_control, strategy: S1}
workload: {kind: clos_requests, load: 0.1, packet_length: 50}
measure: {warmup: 500, window: 5000}
sweep: {topology.middle_switches: [2, 3, 13]}
"""
TOPOLOGIES = {
    "mesh": "{kind: mesh, sizes: [4, 3]}", "hypercube": "{kind: hypercube, dimension: 4}", "ring": "{kind: ring, nodes: 6}",
    "fat_tree": "{kind: fat_tree, arity: 2, levels: 3}", "dragonfly": "{kind: dragonfly, nodes: 1, routers: 2, global_links: 1}",
    "cmesh": "{kind: cmesh, sizes: [2, 2], tile: [2, 2]}",
}


class Report:
    """Results in a folder, their page, and the page in a browser."""

    def __init__(self, program, browser, pictures):
        self.program, self.browser, self.pictures = program, browser, pictures
        self.scratch = tempfile.TemporaryDirectory()
        self.folder = pathlib.Path(self.scratch.name)

    def call(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True, check=False)
        assert done.returncode in (0, 3), (arguments, done.returncode, done.stderr)

    def sweep(self, text, command="run"):
        """Runs the experiment into a folder and opens its page."""
        shutil.rmtree(self.folder / "o", ignore_errors=True)
        (self.folder / "x.yaml").write_text(text)
        self.call(command, "x.yaml", "--out", "o", "--quiet")
        return self.open("o", "o/report.html")

    def run_one(self, name, topology):
        """Runs a small experiment into out/NAME.json."""
        (self.folder / "one.yaml").write_text(
            f"name: {name}\ntopology: {topology}\nrouter: {{virtual_channels: 4}}\nrouting: {{kind: up_down}}\n"
            "workload: {kind: traffic, load: 0.1}\nmeasure: {warmup: 100, window: 500}\n")
        self.call("run", "one.yaml", "--unsafe", "--quiet")

    def open(self, results, page):
        self.call("report", results)
        return self.show(page)

    def show(self, page):
        self.page = self.folder / page
        assert self.page.stat().st_size < MOST_BYTES, self.page.stat().st_size
        self.browser.open(self.page)
        self.check_manners()
        return self

    def check_manners(self):
        assert self.browser.complaints() == [], self.browser.complaints()
        blank = self.browser.painted("""[...document.querySelectorAll("canvas")].filter((one) => one.offsetParent &&
            !one.getContext("2d").getImageData(0, 0, one.width, one.height).data.some((byte) => byte)).map((one) => one.id)""")
        assert blank == [], blank
        assert self.browser.requests() == [self.page.absolute().as_uri()], self.browser.requests()

    def tell(self, script):
        return self.browser.tell(script)

    def rows(self):
        """The rows of the table that `collect` makes."""
        self.call("collect", "o", "--quiet")
        with open(self.folder / "o/results.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def picture(self, name):
        if self.pictures:
            self.browser.screenshot(f"{self.pictures}/{name}.png")

    def move(self, slider, value):
        self.tell(f"(() => {{ const s = document.getElementById('{slider}'); s.value = {value};"
                  " s.dispatchEvent(new Event('input')); })()")

    def choose(self, select, value):
        self.tell(f"(() => {{ const s = document.getElementById('{select}'); s.value = '{value}'; s.dispatchEvent(new Event('input')); }})()")

    def wait_for(self, condition):
        end = time.monotonic() + MOST_MILLISECONDS / 1000
        while not condition():
            assert time.monotonic() < end, "nothing happened"
            time.sleep(0.05)

    def check_same_picture(self, canvas, svg):
        """The SVG, painted by the browser, has the pixels of the canvas, but for the edges of letters and lines."""
        differing = self.tell("""new Promise((done) => {
            const shown = document.getElementById(%s), image = new Image();
            image.onload = () => {
              const pixels = (source) => { const own = document.createElement("canvas"), pen = own.getContext("2d");
                [own.width, own.height] = [shown.clientWidth, shown.clientHeight];
                pen.fillStyle = "#ffffff"; pen.fillRect(0, 0, own.width, own.height);
                pen.drawImage(source, 0, 0, own.width, own.height); return pen.getImageData(0, 0, own.width, own.height).data; };
              const a = pixels(shown), b = pixels(image);
              done(a.reduce((count, value, place) => count + (Math.abs(value - b[place]) > 96), 0) / a.length);
            };
            image.onerror = () => done(1);
            image.src = "data:image/svg+xml," + encodeURIComponent(%s); })""" % (json.dumps(canvas), json.dumps(svg)))
        assert differing < 0.01, differing

    def strokes(self):
        return self.tell("[...document.querySelectorAll('#map > path')].map((line) => line.getAttribute('stroke'))")


def points_of(report, canvas):
    """Points [x, y] of the curves on a canvas, by label."""
    return report.tell(f"Object.fromEntries(Chart.getChart('{canvas}').data.datasets.map("
                       "(set) => [set.label, set.data.map((point) => [point.x, point.y])]))")


def expected_points(rows, series, x, y):
    curves = {}
    for row in rows:
        if row[y]:
            curves.setdefault(row[series], []).append([float(row[x]), float(row[y])])
    return curves


def claim_curves_have_a_point_for_every_run(report):
    report.sweep(LOAD_SWEEP)
    rows = report.rows()
    drawn = points_of(report, "view-1")
    assert drawn == expected_points(rows, "routing.vc_classes", "workload.load", "accepted_flits_per_node_cycle.mean"), drawn
    ok = report.tell("Chart.getChart('view-1').data.datasets.map((set) => set.data.map((point) => point.ok))")
    assert sorted(ok[0] + ok[1]) == sorted(row["status"] == "ok" for row in rows), ok
    report.picture("loads_light")


def claim_saturation_is_marked_at_the_upper_edge(report):
    report.sweep(LOAD_SWEEP.replace("0.9]", "0.9, 0.95]"))
    fine = [row for row in report.rows() if row["status"] != "saturated"]
    drawn, edge = points_of(report, "view-0"), report.tell("Chart.getChart('view-0').scales.y.max")
    assert drawn.pop("saturated") == []   # An entry of the legend.
    marks = [points.pop() for points in drawn.values()]
    assert drawn == expected_points(fine, "routing.vc_classes", "workload.load", "latency_cycles.mean"), drawn
    assert marks == [[0.9, edge]] * 2, (marks, edge)
    most = max(float(row["latency_cycles.mean"]) for row in fine)
    assert most < edge < 1.3 * most, (most, edge)


def claim_only_combinations_that_occur_are_shown(report):
    """Sections and lists that change together: products of values would be 162 curves, six occur."""
    report.sweep(TOGETHER)
    assert report.tell("document.getElementById('choices').hidden") is True
    labels = list(points_of(report, "view-1"))
    assert labels == ["mesh, packet_length 1", "mesh, packet_length 4", "torus, packet_length 1", "torus, packet_length 4",
                      "cube, packet_length 1", "cube, packet_length 4"], labels
    assert {len(points) for points in points_of(report, "view-1").values()} == {2}


def claim_captions_leave_out_keys_that_a_curve_has_not(report):
    for name, topology in (("mesh", "{kind: mesh, sizes: [4, 4]}"), ("cube", "{kind: hypercube, dimension: 4}"),
                           ("long", "{kind: mesh, sizes: [2, 8]}")):
        report.run_one(name, topology)
    report.open("out", "out/report.html")
    labels = report.tell("Chart.getChart('free-plot').data.datasets.map((set) => set.label)")
    assert "null" not in " ".join(labels), labels
    told = report.tell("seriesOf('topology.routers', 'latency_cycles.mean').map((one) => one.label)")
    assert told == ["hypercube", "mesh, sizes 2x8", "mesh, sizes 4x4"], told


def claim_several_folders_are_on_one_page(report):
    report.sweep(LOAD_SWEEP)
    (report.folder / "y.yaml").write_text(LOAD_SWEEP.replace("name: loads", "name: mesh").replace("kind: torus", "kind: mesh")
                                          .replace("  routing.vc_classes: [dateline, dally_seitz_fixed]\n", ""))
    report.call("run", "y.yaml", "--out", "p", "--quiet")
    report.call("report", "o", "p")
    report.show("report.html")
    labels = list(points_of(report, "view-1"))
    assert labels == ["torus, dateline", "torus, dally_seitz_fixed", "mesh, dally_seitz_fixed"], labels
    rows = [json.loads(file.read_text()) for file in (report.folder / "p/points").glob("*.json")]
    drawn = points_of(report, "view-1")[labels[2]]
    assert drawn == sorted([row["config"]["workload"]["load"], row["accepted_flits_per_node_cycle"]["mean"]] for row in rows), drawn


def claim_bars_are_the_intervals_over_seeds(report):
    report.sweep(REPEATED)
    with open(report.folder / "o/means.csv", newline="", encoding="utf-8") as file:
        means = list(csv.DictReader(file))
    points = report.tell("Chart.getChart('view-0').data.datasets[0].data.map((point) => [point.x, point.y, point.interval])")
    for row, (load, mean, interval) in zip(means, points):
        assert load == float(row["workload.load"]) and abs(mean - float(row["latency_cycles.mean"])) < 1e-9, (row, load, mean)
        assert abs(interval / float(row["latency_cycles.mean.half_width_95"]) - 1) < 2e-3, (row, interval)
    report.sweep(REPEATED.replace("repeat: 7", "repeat: 1").replace("window: 500", "window: 20000"))
    points = report.tell("Chart.getChart('view-0').data.datasets[0].data.map((point) => point.interval)")
    assert points == [float(row["latency_cycles.mean_half_width_95"]) for row in report.rows()], points
    # The bars end where the axis has the ends of the intervals, within the chart.
    ends = report.tell("""(() => { const chart = Chart.getChart("view-0"), {top, bottom} = chart.chartArea;
        return chart.data.datasets[0].data.map((point) => [-1, 1].map((side) => point.y + side * point.interval)
            .map((end) => chart.scales.y.getPixelForValue(end)).filter((end) => end > top && end < bottom)); })()""")
    bars = re.findall(r'd="M([\d.]+) ([\d.]+)L\1 ([\d.]+)M', report.tell("svgOf(document.getElementById('view-0'))"))
    drawn = [[float(low), float(high)] for _, low, high in bars]
    assert len(drawn) == 2 and all(abs(a - b) < 0.01 for bar, end in zip(drawn, ends) for a, b in zip(bar, end)), (drawn, ends)
    assert [len(end) for end in ends] == [2, 2], ends


def claim_a_front_is_what_no_other_run_beats(report):
    report.sweep(GOALS, command="optimise")
    x, y = "cost.buffer_flits", "accepted_flits_per_node_cycle.mean"
    pairs = [(float(row[x]), float(row[y])) for row in report.rows()]
    front = sorted(pair for pair in pairs if not any(q != pair and q[0] <= pair[0] and q[1] >= pair[1] for q in pairs))
    assert 1 < len(front) < len(pairs), front
    for name, box in (("pair-x", x), ("pair-y", y)):
        report.choose(name, box)
    report.tell("document.getElementById('pair-any').checked || document.getElementById('pair-any').click()")
    assert report.tell("document.getElementById('more-y').checked && !document.getElementById('more-x').checked")
    drawn = points_of(report, "pair-plot")
    assert [tuple(pair) for pair in drawn["front"]] == front, (drawn, front)
    assert sorted(map(tuple, drawn["front"] + drawn["others"])) == sorted(pairs), drawn
    report.tell("document.getElementById('more-y').click()")
    assert points_of(report, "pair-plot")["front"] == [list(min(pairs))], points_of(report, "pair-plot")


def claim_the_set_that_optimise_finds_is_a_table_and_a_chart(report):
    report.sweep(GOALS, command="optimise")
    with open(report.folder / "o/pareto.csv", newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    cells = report.tell("[...document.querySelectorAll('#optima td')].map((cell) => cell.textContent)")
    width = len(found[0])
    assert [row["point"] for row in found] == cells[list(found[0]).index("point")::width], cells
    marked = points_of(report, "optimum-0")["found by optimise"]
    assert marked == [[float(row["accepted_flits_per_node_cycle.mean"]), float(row["cost.buffer_flits"])] for row in found], marked
    goals = report.tell("document.querySelector('#optima p').textContent")
    assert goals == "minimise cost.buffer_flits; accepted_flits_per_node_cycle.mean >= 80 % of best", goals
    report.picture("optimum")


def claim_every_chart_is_saved_as_an_svg_that_stands_alone(report):
    report.sweep(LOAD_SWEEP)
    folder = report.folder / "saved"
    report.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder), eventsEnabled=False)
    buttons = report.tell("[...document.querySelectorAll('.export')].filter((one) => one.offsetParent).length")
    charts = report.tell("[...document.querySelectorAll('canvas')].filter((one) => one.offsetParent).length")
    assert buttons == charts + 1 >= 5, (buttons, charts)
    for number in range(buttons):
        report.tell(f"[...document.querySelectorAll('.export')].filter((one) => one.offsetParent)[{number}].click()")
        report.wait_for(lambda: len(list(folder.glob("*.svg"))) == number + 1)
    assert (folder / "loads_Latency_over_load.svg").exists(), list(folder.iterdir())
    for file in folder.glob("*.svg"):
        text = file.read_text(encoding="utf-8")
        root = xml.etree.ElementTree.fromstring(text)
        assert root.tag == "{http://www.w3.org/2000/svg}svg" and "sans-serif" in root.get("font-family"), file
        for foreign in ("var(", "class=", "style=", "href", "<script", "currentColor", "NaN", "undefined"):
            assert foreign not in text, (file, foreign)
    # The picture has the marks of all points, in their colours, and the words of the axes and the legend.
    text = (folder / "loads_Latency_over_load.svg").read_text(encoding="utf-8")
    for words in ("dateline", "dally_seitz_fixed", "mean latency (cycles)", "offered load (flits per node and cycle)", "0.3"):
        assert f">{words}</text>" in text, words
    points = report.tell("Chart.getChart('view-0').getDatasetMeta(0).data.map((point) => [point.x, point.y])")
    circles = [tuple(map(float, at)) for at in re.findall(r'd="M([\d.]+) ([\d.]+)A4 4 [^"]*Z?" fill="#0072b2"', text)]
    drawn = sum(any(abs(x + 4 - cx) < 1 and abs(y - cy) < 1 for cx, cy in circles) for x, y in points)
    assert drawn == len(LOADS), (points, circles)
    report.check_manners()
    report.check_same_picture("view-0", text)


def claim_the_run_slider_moves_the_picture(report):
    report.sweep(LOAD_SWEEP)
    first = report.strokes()
    results = json.loads((report.folder / "o/sweep.json").read_text())["points"]
    result = json.loads((report.folder / f"o/points/{results[3]['id']}.json").read_text())
    assert len(first) == len(result["links"]) == 64 + 2 * 16, len(first)
    report.move("run", 3)
    assert report.strokes() != first
    assert report.tell("document.getElementById('run-label').value").endswith("workload.load = 0.35")
    busiest = report.tell("document.querySelector('#busiest tbody td:last-child').textContent")
    assert busiest == f"{100 * result['links'][0]['load']:.1f} %", busiest
    report.move("run", 0)
    assert report.strokes() == first


def claim_crossovers_are_marked_where_the_sums_say(report):
    report.sweep(CROSSOVERS)
    drawn = points_of(report, "view-0")
    marks = drawn.pop("crossovers")
    assert drawn == expected_points(report.rows(), "workload.algorithm", "workload.length", "collective.cycles"), drawn
    # ts = 100 per round and td + m per hop with td = 5; rounds and hops are 7 and 7, 4 and 10, 3 and 12.
    costs = {"binomial_tree": (7, 7), "double_tree": (4, 10), "ho_kao": (3, 12)}
    names = list(costs)
    sums = [(100 * (costs[a][0] - costs[b][0])) / (costs[b][1] - costs[a][1]) - 5
            for i, a in enumerate(names) for b in names[i + 1:]]
    told = sorted(mark[0] for mark in marks)
    assert len(told) == len(sums) and all(abs(a - b) < 1e-9 for a, b in zip(told, sorted(sums))), (told, sorted(sums))
    table = report.tell("[...document.querySelectorAll('#views td')].map((cell) => cell.textContent)")
    assert table[0:3] == ["45", "ho_kao", "double_tree"], table
    report.picture("crossovers")


def claim_blocking_falls_over_middle_switches(report):
    report.sweep(BLOCKING)
    (curve,) = points_of(report, "view-0").values()
    rows = report.rows()
    shares = [int(row["circuit.blocked"]) / (int(row["circuit.blocked"]) + int(row["circuit.granted"])) for row in rows]
    assert curve == [[json.loads(row["topology.middle_switches"])[0], share] for row, share in zip(rows, shares)], curve
    assert shares[0] > shares[1] > 0 == shares[2], shares
    report.picture("blocking")


def claim_the_time_slider_moves_the_picture_span_by_span(report):
    (report.folder / "one.yaml").write_text(
        "name: one\ntopology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: dimension_order}\n"
        "workload: {kind: traffic, load: 0.3, packet_length: 5}\nmeasure: {warmup: 100, window: 500, series: 50, distances: true}\n")
    report.call("run", "one.yaml", "--quiet")
    report.open("out/one.json", "out/one.html")
    result = json.loads((report.folder / "out/one.json").read_text())
    spans = len(result["series"]["latency_cycles"])
    last = result["series"].get("last_cycles", 50)
    assert report.tell("document.getElementById('time').max") == str(spans)
    seen = set()
    for span in range(spans + 1):
        report.move("time", span)
        seen.add(tuple(report.strokes()))
        busiest = report.tell("document.querySelector('#busiest tbody td:last-child').textContent")
        most = max(link["series"][span - 1] / (last if span == spans else 50) if span else link["load"] for link in result["links"])
        assert busiest == f"{100 * most:.1f} %", (span, busiest, most)
    assert len(seen) == spans + 1, (len(seen), spans)
    label = report.tell("document.getElementById('time-label').value")
    assert label == f"cycles {50 * (spans - 1)} to {50 * (spans - 1) + last - 1}", label
    report.tell("document.getElementById('play').click()")
    moved = report.tell("new Promise((done) => setTimeout(() => done(Number(document.getElementById('time').value)), 600))")
    assert 1 <= moved <= spans, moved
    lines = report.tell("Chart.getChart('time-plot').data.datasets.map((set) => set.data.map((point) => point.y))")
    series = result["series"]
    assert lines == [series["offered_flits_per_node_cycle"], series["accepted_flits_per_node_cycle"],
                     [latency for latency in series["latency_cycles"] if latency is not None]], lines
    points = report.tell("Chart.getChart('distance-plot').data.datasets[0].data.map((point) => [point.x, point.y])")
    assert points == [[one["hops"], one["mean"]] for one in result["distances"]], points
    report.picture("series")


def claim_every_topology_is_drawn_within_its_frame(report):
    for name, topology in TOPOLOGIES.items():
        report.run_one(name, topology)
        report.open(f"out/{name}.json", f"out/{name}.html")
        result = json.loads((report.folder / f"out/{name}.json").read_text())
        assert len(report.strokes()) == len(result["links"]), name
        outside = report.tell("""(() => {
            const frame = document.getElementById("map").viewBox.baseVal, box = document.getElementById("map").getBBox();
            return box.x < frame.x || box.y < frame.y || box.x + box.width > frame.x + frame.width ||
                   box.y + box.height > frame.y + frame.height; })()""")
        assert outside is False, name
        bars = report.tell("Chart.getChart('histogram-plot').data.datasets[0].data"
                           ".filter((bin) => bin.y > 0).map((bin) => [bin.x, bin.y])")
        assert bars == result["latency_cycles"]["histogram"], name
        report.picture(f"topology_{name}")


def claim_tables_sort_by_the_column_that_is_clicked(report):
    report.sweep(LOAD_SWEEP)
    column = """[...document.querySelectorAll('#results tbody tr')].map((row) => row.cells[%d].textContent)"""
    names = report.tell("[...document.querySelectorAll('#results thead button')].map((button) => button.textContent)")
    place = names.index("latency_cycles.mean")
    click = f"document.querySelectorAll('#results thead button')[{place}].click()"
    report.tell(click)
    rising = [float(text) for text in report.tell(column % place)]
    assert rising == sorted(rising) and len(rising) == 2 * (len(LOADS) + 1), rising
    report.tell(click)
    assert [float(text) for text in report.tell(column % place)] == rising[::-1]


def claim_dark_and_light_follow_the_user(report):
    report.sweep(LOAD_SWEEP)
    look = """[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color,
              Chart.getChart("view-0").options.scales.y.ticks.color]"""
    light = report.tell(look)
    report.browser.prefer("dark")
    dark = report.tell(look)
    report.picture("loads_dark")
    report.tell("document.getElementById('theme').click()")
    again = report.tell(look)
    report.browser.prefer("light")
    assert again == light and all(a != b for a, b in zip(light, dark)), (light, dark, again)
    report.check_manners()


def write_thousands(report):
    """Results of 3000 runs, 100 curves of 15 loads with two seeds: copies of one run with other keys and other latencies."""
    (report.folder / "one.yaml").write_text(
        "name: one\ntopology: {kind: mesh, sizes: [4, 4]}\nrouting: {kind: dimension_order}\n"
        "workload: {kind: traffic, load: 0.1}\nmeasure: {warmup: 50, window: 150}\n")
    report.call("run", "one.yaml", "--quiet")
    result = json.loads((report.folder / "out/one.json").read_text())
    del result["digest"]   # A file without a digest is accepted.
    (report.folder / "many").mkdir()
    keys = itertools.product((1, 2, 3, 4), (2, 3, 4, 6, 8), (1, 2, 3, 4, 5), range(1, 16), (1, 2))
    for number, (vcs, depth, length, load, seed) in enumerate(keys):
        config = result["config"]
        config["router"].update(virtual_channels=vcs, buffer_depth=depth)
        config["workload"].update(packet_length=[length], load=load / 20)
        config["seed"] = result["seed"] = seed
        result["id"] = f"{number:016x}"
        result["latency_cycles"]["mean"] = 20 + load * length / vcs + seed / 7 + depth / 3
        result["latency_cycles"]["p99"] = number
        (report.folder / f"many/{number:04}.json").write_text(json.dumps(result))


def claim_thousands_of_runs_open_at_once(report):
    write_thousands(report)
    report.open("many", "many/report.html")
    told = report.tell("[DATA.rows.length, DATA.one_in, document.querySelectorAll('#results tbody tr').length]")
    assert told == [3000, 1, 200], told
    # The curves must be distinguishable and complete for the first packet length and buffer depth.
    curves = points_of(report, "view-0")
    assert [len(points) for points in curves.values()] == [15] * 4, curves
    point = curves["virtual_channels 2"][3]
    assert point[0] == 0.2 and abs(point[1] - (20 + 4 * 1 / 2 + 1.5 / 7 + 2 / 3)) < 1e-3, point
    report.picture("thousands")
    choose = """(() => { const s = [...document.querySelectorAll('#choices select')][%d]; s.value = '%s';
                s.dispatchEvent(new Event('input')); })()"""
    report.tell(choose % (2, "5"))
    assert abs(points_of(report, "view-0")["virtual_channels 2"][3][1] - (20 + 4 * 5 / 2 + 1.5 / 7 + 2 / 3)) < 1e-3
    report.tell(choose % (1, ""))
    assert len(points_of(report, "view-0")) == 20
    rows = report.tell("""new Promise((done) => { const box = document.getElementById('results').parentNode; box.scrollTop = box.scrollHeight;
        setTimeout(() => done(document.querySelectorAll('#results tbody tr').length), 500); })""")
    assert rows == 400, rows
    busy = report.tell("""(() => { const from = performance.now(); document.getElementById("theme").click();
        document.querySelector("#results thead button").click(); document.body.offsetHeight; return performance.now() - from; })()""")
    loaded = report.tell("performance.getEntriesByType('navigation')[0].loadEventEnd")
    print(f"  loaded in {loaded:.0f} ms, redrawn in {busy:.0f} ms")
    assert loaded < MOST_MILLISECONDS and busy < MOST_MILLISECONDS, (loaded, busy)
    report.check_manners()


def claim_words_of_users_are_no_markup(report):
    name = "</script><img src=x onerror=alert(1)>"
    report.sweep(LOAD_SWEEP.replace("name: loads", f'name: "a{name.replace("/", "")}"'))
    assert report.tell("document.getElementById('title').textContent") == "a" + name.replace("/", "")
    assert report.tell("document.querySelector('img')") is None


def main():
    arguments = sys.argv[1:]
    pictures = None
    if "--pictures" in arguments:
        place = arguments.index("--pictures")
        pictures = arguments[place + 1]
        del arguments[place:place + 2]
    if chromium.path() is None:
        print("there is no Chromium: scripts/setup report")
        return 77
    program, *names = arguments
    claims = [f"claim_{name}" for name in names] or [name for name in globals() if name.startswith("claim_")]
    failed = 0
    with chromium.Browser() as browser:
        for claim in claims:
            try:
                globals()[claim](Report(str(pathlib.Path(program).resolve()), browser, pictures))
                print(f"{claim}: holds")
            except AssertionError as error:
                failed += 1
                print(f"{claim}: {error}")
    return 1 if failed or not claims else 0


if __name__ == "__main__":
    sys.exit(main())
