# SPDX-License-Identifier: Apache-2.0
"""Pictures that are drawn from results: a network by its layout. They are legible on light and dark pages."""

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
