// SPDX-License-Identifier: Apache-2.0
#include "sim/results/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

#include "collective/paths.h"
#include "topology/hypercube.h"

namespace flitcast {
namespace {

constexpr double kScale = 40;         // Pixels between neighbours.
constexpr double kNodeRadius = 0.25;  // The unit is the distance of neighbours.

std::string colour_of(std::size_t colour) {
  static const std::vector<std::string> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#7a5195", "#8c8c00"};
  return colour == Drawing::kInk ? "currentColor" : colours[colour % colours.size()];
}

/// The vector of that length from one position towards another.
Position towards(Position from, Position to, double length) {
  const double whole = std::hypot(to.x - from.x, to.y - from.y);
  return {(to.x - from.x) * length / whole, (to.y - from.y) * length / whole};
}

Position sum(Position a, Position b) { return {a.x + b.x, a.y + b.y}; }

/// The coordinates in pixels, as written in SVG paths.
std::string point(Position at) { return fmt::format("{:g} {:g}", kScale * at.x, kScale * at.y); }

}  // namespace

void Drawing::include(Position at) {
  least_ = {std::min(least_.x, at.x), std::min(least_.y, at.y)};
  most_ = {std::max(most_.x, at.x), std::max(most_.y, at.y)};
}

void Drawing::line(Position from, Position to, std::size_t colour) {
  include(from);
  include(to);
  lines_ += fmt::format("<line x1=\"{:g}\" y1=\"{:g}\" x2=\"{:g}\" y2=\"{:g}\" stroke=\"{}\"/>",
                        kScale * from.x, kScale * from.y, kScale * to.x, kScale * to.y,
                        colour_of(colour));
}

void Drawing::arrow(Position from, Position to, double curve, const std::string& label,
                    const std::string& title, std::size_t colour) {
  const Position along = towards(from, to, curve);
  const Position middle{(from.x + to.x) / 2 + along.y, (from.y + to.y) / 2 - along.x};
  const Position control{middle.x + along.y, middle.y - along.x};
  const Position begin = sum(from, towards(from, control, kNodeRadius));
  const Position end = sum(to, towards(to, control, kNodeRadius));
  const Position back = towards(to, control, 0.13);
  const Position left{end.x + back.x + back.y / 2, end.y + back.y - back.x / 2};
  const Position right{end.x + back.x - back.y / 2, end.y + back.y + back.x / 2};
  for (const Position at : {from, to, middle}) include(at);
  lines_ += fmt::format(
      "<g class=\"send\" fill=\"none\" stroke-width=\"1.2\" stroke=\"{0}\"><title>{1}</title>"
      "<path d=\"M{2} Q{3} {4} M{5} L{4} L{6}\"/><text x=\"{7:g}\" y=\"{8:g}\" fill=\"{0}\" "
      "stroke=\"white\" stroke-width=\"2\" paint-order=\"stroke\">{9}</text></g>",
      colour_of(colour), title, point(begin), point(control), point(end), point(left), point(right),
      kScale * middle.x, kScale * middle.y, label);
}

void Drawing::node(Position at, const std::string& label, std::size_t colour) {
  include(at);
  nodes_ += fmt::format(
      "<circle cx=\"{0:g}\" cy=\"{1:g}\" r=\"{2:g}\" stroke=\"{3}\"/>"
      "<text x=\"{0:g}\" y=\"{1:g}\" fill=\"currentColor\">{4}</text>",
      kScale * at.x, kScale * at.y, label.empty() ? 3.0 : kScale * kNodeRadius, colour_of(colour),
      label);
}

std::string Drawing::svg(const std::string& title) const {
  constexpr double kBorder = kScale * 0.75;
  const double width = kScale * (most_.x - least_.x) + 2 * kBorder;
  const double height = kScale * (most_.y - least_.y) + 2 * kBorder;
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:g} {:g} {:g} {:g}\" "
      "style=\"width:{:g}px\""
      " role=\"img\" font-family=\"sans-serif\" font-size=\"9\" text-anchor=\"middle\""
      " dominant-baseline=\"central\"><title>{}</title><g stroke-width=\"3\">{}</g>"
      "<g class=\"nodes\" fill=\"white\">{}</g></svg>",
      kScale * least_.x - kBorder, kScale * least_.y - kBorder, width, height, width, title, lines_,
      nodes_);
}

std::string drawing_of(const Grid& torus, const std::vector<Trail>& trails) {
  const Layout layout = torus.layout();
  // Dimension 0 counts rows, which go down.
  const auto position = [&](NodeId node) {
    return Position{layout[index(node)].y, layout[index(node)].x};
  };
  Drawing drawing;
  for (std::size_t t = 0; t < trails.size(); ++t) {
    for (const TrailPosition& at : trails[t]) {
      if (index(at.output) / 2 == 2) continue;
      const Position from = position(at.node);
      const Position to = position(neighbour(torus, at.node, at.output));
      const bool round = std::fabs(from.x - to.x) + std::fabs(from.y - to.y) > 1;
      const double sign = index(at.output) % 2 == 0 ? 0.45 : -0.45;
      const bool across = index(at.output) / 2 == 1;
      const Position step{across ? sign : 0, across ? 0 : sign};
      drawing.line(from, round ? Position{from.x + step.x, from.y + step.y} : to, t);
      if (round) drawing.line({to.x - step.x, to.y - step.y}, to, t);
    }
  }
  for (const NodeId node : torus.nodes()) drawing.node(position(node), "");
  return drawing.svg(fmt::format("{} trails on {}", trails.size(), torus.name()));
}

std::string drawing_of(const Topology& topology, const Schedule& schedule) {
  const Layout layout = topology.layout();
  // By node: the first round that reaches it, from 1; 0: never.
  std::vector<std::size_t> informed(topology.node_count());
  Drawing drawing;
  for (std::size_t round = 0; round < schedule.rounds(); ++round) {
    for (std::size_t m = schedule.begin(round); m < schedule.end(round); ++m) {
      const Message& message = schedule.message(m);
      std::size_t& known = informed[index(message.to)];
      if (known != 0) continue;
      known = round + 1;
      drawing.line(layout[index(message.from)], layout[index(message.to)], round);
    }
  }
  for (std::size_t node = 0; node < informed.size(); ++node) {
    const std::size_t round = informed[node];
    drawing.node(layout[node], std::to_string(round), round == 0 ? Drawing::kInk : round - 1);
  }
  return drawing.svg(fmt::format("{} rounds on {}", schedule.rounds(), topology.name()));
}

bool is_drawable(const Topology& topology) {
  return dynamic_cast<const Grid*>(&topology) != nullptr ||
         dynamic_cast<const Hypercube*>(&topology) != nullptr;
}

namespace {

/// Returns the function that gives the position of a node in a copy of a layout; the copies, which
/// are numbered from 0, are arranged in a square.
auto copies_of(const Layout& layout, std::size_t count) {
  Position apart{};
  for (const Position& at : layout) {
    apart = {std::max(apart.x, at.x + 1.5), std::max(apart.y, at.y + 1.5)};
  }
  const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(count)));
  return [&layout, apart, columns](NodeId node, std::size_t copy) {
    const Position& at = layout[index(node)];
    const std::size_t row = copy / columns;
    return Position{at.x + apart.x * static_cast<double>(copy % columns),
                    at.y + apart.y * static_cast<double>(row)};
  };
}

}  // namespace

std::string drawing_of(const Topology& topology, const std::vector<Transmission>& transmissions,
                       const std::string& title) {
  const Layout layout = topology.layout();
  const auto* grid = dynamic_cast<const Grid*>(&topology);
  const bool on_circle = grid != nullptr && grid->dimensions() == 1 && grid->wraps(0);
  const bool many = transmissions.size() >= topology.node_count();
  const std::size_t steps = many ? transmissions.back().step : 1;
  const auto place_of = copies_of(layout, steps);
  // The number of arrows by both ends and copy.
  std::map<std::tuple<NodeId, NodeId, std::size_t>, unsigned> drawn;
  Drawing drawing;
  for (const auto& [from, to, step] : transmissions) {
    const std::size_t copy = many ? step - 1 : 0;
    const Position begin = place_of(from, copy);
    const Position end = place_of(to, copy);
    // On a ring, drawn as a circle, long arrows meet no other node; on a grid they curve past the
    // nodes between their ends.
    const bool is_long = std::hypot(end.x - begin.x, end.y - begin.y) > 1.01;
    const double least = is_long ? (on_circle ? 0 : 0.4) : 0.1;
    drawing.arrow(begin, end, least + 0.14 * drawn[{from, to, copy}]++, std::to_string(step),
                  fmt::format("step {}: node {} to node {}", step, index(from), index(to)),
                  step - 1);
  }
  for (std::size_t copy = 0; copy < steps; ++copy) {
    for (const NodeId node : topology.nodes()) {
      drawing.node(place_of(node, copy), std::to_string(index(node)));
    }
  }
  return drawing.svg(title) + "\n";
}

}  // namespace flitcast
