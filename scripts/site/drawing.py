# SPDX-License-Identifier: Apache-2.0
"""Pictures that are drawn from results: a network by its layout, curves, and flits over time."""

EDGE, STEP = 44, 64  # Pixels.
COLOURS = {"line": "#8a8f98", "router": "#0072b2", "text": "#ffffff"}


def svg(width, height, body, title):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" '
            f'font-family="sans-serif" font-size="11" text-anchor="middle" dominant-baseline="central"><title>{title}</title>{body}</svg>\n')


def draw_topology(result):
    """The routers of a result with their numbers, and a line for every link; links over others of the same row are curved."""
    places = result.get("layout")
    if not places:
        return None
    points = [(EDGE + STEP * x, EDGE + STEP * y) for x, y in places]
    links = {tuple(sorted((link["from"], link["to"]))) for link in result["links"] if link["kind"] == "router"}
    lines = "".join(f'<path d="{curve(points, *ends)}"/>' for ends in sorted(links))
    routers = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="13" fill="{COLOURS["router"]}"/>'
                      f'<text x="{x:.1f}" y="{y:.1f}" fill="{COLOURS["text"]}">{number}</text>' for number, (x, y) in enumerate(points))
    width, height = (2 * EDGE + max(place[axis] for place in places) * STEP for axis in (0, 1))
    body = f'<g fill="none" stroke="{COLOURS["line"]}" stroke-width="1.5">{lines}</g>{routers}'
    return svg(width, height, body, result["topology"]["name"])


def curve(points, one, other):
    """A straight line, or a curve where it would cross other routers."""
    (x0, y0), (x1, y1) = points[one], points[other]
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    crossed = any(near(point, points[one], points[other], length) for number, point in enumerate(points) if number not in (one, other))
    if not crossed or length == 0:
        return f"M{x0:.1f} {y0:.1f} L{x1:.1f} {y1:.1f}"
    bend = min(0.25 * length, 40)
    mx, my = (x0 + x1) / 2 - (y1 - y0) / length * bend, (y0 + y1) / 2 + (x1 - x0) / length * bend
    return f"M{x0:.1f} {y0:.1f} Q{mx:.1f} {my:.1f} {x1:.1f} {y1:.1f}"


def near(point, start, end, length):
    """True if the point lies within a router's radius of the line between two points."""
    if length == 0:
        return False
    dx, dy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    along = (point[0] - start[0]) * dx + (point[1] - start[1]) * dy
    across = abs((point[0] - start[0]) * dy - (point[1] - start[1]) * dx)
    return 0 < along < length and across < 13


PALETTE = ["#0072b2", "#d55e00", "#009e73", "#a3538c", "#6b5b95"]


def draw_curves(curves, x_text, y_text):
    """Points of each curve, joined by lines; the axes begin at 0."""
    width, height, left, bottom = 480, 300, 50, 40
    points = [point for curve in curves.values() for point in curve]
    most_x, most_y = (1.1 * max(point[axis] for point in points) for axis in (0, 1))

    def at(point):
        return left + point[0] / most_x * (width - left - 20), height - bottom - point[1] / most_y * (height - bottom - 20)

    body = f'<path d="M{left} 20 V{height - bottom} H{width - 20}" fill="none" stroke="#444"/>'
    for part in range(6):
        x, y = most_x * part / 5, most_y * part / 5
        body += f'<text x="{at((x, 0))[0]:.1f}" y="{height - bottom + 12}">{x:.2f}</text><text x="{left - 20}" y="{at((0, y))[1]:.1f}">{y:.0f}</text>'
    body += f'<text x="{width / 2}" y="{height - 8}">{x_text}</text><text transform="translate(10 {height / 2}) rotate(-90)">{y_text}</text>'
    for number, (name, curve) in enumerate(curves.items()):
        colour, dash = PALETTE[number], ' stroke-dasharray="5 4"' if number else ""
        body += f'<path d="M{" L".join(f"{x:.1f} {y:.1f}" for x, y in map(at, curve))}" fill="none" stroke="{colour}" stroke-width="1.5"{dash}/>'
        body += "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{5 - 2 * number}" fill="{colour}"/>' for x, y in map(at, curve))
        body += f'<text x="{left + 60}" y="{30 + 16 * number}" fill="{colour}">{name}</text>'
    return svg(width, height, body, f"{y_text} over {x_text}")


def draw_bars(values, most, text):
    """A bar to the left or to the right of a middle line for each (name, value); values beyond -most and most end there."""
    line, left, half = 15, 230, 220
    width, height = left + 2 * half + 20, line * len(values) + 40
    middle = left + half
    body = "".join(f'<path d="M{middle + part * half / 2} 8 V{height - 30}" stroke="{"#444" if part == 0 else "#ddd"}"/>'
                   f'<text x="{middle + part * half / 2}" y="{height - 22}">{part * most / 2:+.1f}</text>' for part in range(-2, 3))
    for number, (name, value) in enumerate(values):
        y, end = 10 + line * number, half * max(-1, min(1, value / most))
        body += (f'<text x="{left - 8}" y="{y + line / 2 - 2}" text-anchor="end">{name}</text>'
                 f'<rect x="{middle + min(0, end):.1f}" y="{y}" width="{max(abs(end), 1):.1f}" height="{line - 4}" fill="{PALETTE[0]}"/>')
    return svg(width, height, body + f'<text x="{middle}" y="{height - 8}">{text}</text>', text)


def draw_flits(rows, routers):
    """Flits in the buffers of routers over cycles: a bar from arrival to departure for each, and a line to the next buffer.

    @param rows  dictionaries of the flit log: packet, flit, router, arrived_cycle, left_cycle
    """
    cell, line, left = 22, 20, 90
    first, last = min(row["arrived_cycle"] for row in rows), max(row["left_cycle"] for row in rows)
    flits = sorted({(row["packet"], row["flit"]) for row in rows})
    height = 40 + line * (len(flits) + 1) * len(routers)
    width = left + cell * (last - first + 2)

    def at(row, cycle):
        lane = routers.index(row["router"]) * (len(flits) + 1) + flits.index((row["packet"], row["flit"]))
        return left + cell * (cycle - first), 30 + line * lane

    body = "".join(f'<path d="M{left + cell * number} 22 V{height - 10}" stroke="#ddd"/><text x="{left + cell * (number + 0.5)}" y="12">{first + number}</text>'
                   for number in range(last - first + 1))
    for number, router in enumerate(routers):
        body += f'<text x="40" y="{30 + line * (number * (len(flits) + 1) + len(flits) / 2)}">router {router}</text>'
    follow = {(row["packet"], row["flit"], row["router"]): row for row in rows}
    has_long = any(flit for _, flit in flits)  # Flits of a packet that is one are named by it.
    for row in rows:
        colour = PALETTE[sorted({packet for packet, _ in flits}).index(row["packet"])]
        (x, y), (end, _) = at(row, row["arrived_cycle"]), at(row, row["left_cycle"])
        body += f'<rect x="{x}" y="{y}" width="{max(end - x, 4)}" height="{line - 4}" fill="{colour}"/>'
        if end > x:  # Others pass in the cycle of their arrival.
            body += f'<text x="{(x + end) / 2}" y="{y + line / 2 - 2}" fill="#fff">{row["flit" if has_long else "packet"]}</text>'
        place = routers.index(row["router"])
        behind = follow.get((row["packet"], row["flit"], routers[place + 1])) if place + 1 < len(routers) else None
        if behind:
            to_x, to_y = at(behind, behind["arrived_cycle"])
            body += f'<path d="M{end} {y + line / 2 - 2} L{to_x} {to_y + line / 2 - 2}" stroke="{colour}" stroke-dasharray="2 3"/>'
    return svg(width, height, body, "flits in the buffers of routers over cycles")


def draw_wires(events, pins):
    """Waveforms of a clock and of pins: high while a flit, with its packet and number, or a credit, with its VC, is there. An input is
    sampled by the edge at the end of its cycle here.

    @param events  tuples with the fields cycle, router, wire, port, vc, packet, flit; an input counts in the cycle after that edge
    @param pins    (router, wire, port) of each line
    """
    cell, line, left, high = 34, 30, 180, 18
    shown = [(event, event.cycle - event.wire.endswith("_i")) for event in events if (event.router, event.wire, event.port) in pins]
    first, last = min(cycle for _, cycle in shown), max(cycle for _, cycle in shown)
    packets = sorted({event.packet for event, _ in shown if event.packet})
    width, height = left + cell * (last - first + 2), 50 + line * len(pins)

    def x_of(cycle):
        return left + cell * (cycle - first)

    body = f'<text x="{left / 2}" y="32">clk_i</text>'
    for cycle in range(first, last + 2):
        x = x_of(cycle)
        body += f'<path d="M{x} 22 V{height - 4}" stroke="#ddd"/>'
        if cycle <= last:
            body += f'<text x="{x + cell / 2}" y="10">{cycle}</text><path d="M{x} 40 V24 h{cell / 2} V40 h{cell / 2}" fill="none" stroke="#444"/>'
    for number, pin in enumerate(pins):
        bottom = 48 + line * number + high
        router, wire, port = pin
        body += f'<text x="{left / 2}" y="{bottom - high / 2}">router {router} {wire}[{port}]</text><path d="M{left} {bottom} H{width - cell}" stroke="#444"/>'
        for event, cycle in shown:
            if (event.router, event.wire, event.port) == pin:
                colour = PALETTE[packets.index(event.packet)] if event.packet else COLOURS["line"]
                words = f"{event.packet}/{event.flit}" if event.packet else f"vc {event.vc}"
                body += (f'<rect x="{x_of(cycle)}" y="{bottom - high}" width="{cell}" height="{high}" fill="{colour}" stroke="#444" stroke-width="0.5"/>'
                         f'<text x="{x_of(cycle) + cell / 2}" y="{bottom - high / 2}" fill="#fff">{words}</text>')
    return svg(width, height, body, "pins over cycles")
