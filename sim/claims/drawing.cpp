// SPDX-License-Identifier: Apache-2.0
#include "sim/claims/drawing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collective/paths.h"

namespace flitcast::claims {
namespace {

constexpr double kScale = 40;  // Pixels between neighbours.

std::string colour_of(std::size_t colour) {
  static const std::vector<std::string> colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                "#e69f00", "#56b4e9", "#7a5195", "#8c8c00"};
  return colour == Drawing::kInk ? "currentColor" : colours[colour % colours.size()];
}

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

void Drawing::node(Position at, const std::string& label, std::size_t colour) {
  include(at);
  nodes_ += fmt::format(
      "<circle cx=\"{0:g}\" cy=\"{1:g}\" r=\"{2:g}\" stroke=\"{3}\"/>"
      "<text x=\"{0:g}\" y=\"{1:g}\">{4}</text>",
      kScale * at.x, kScale * at.y, label.empty() ? 3.0 : 10.0, colour_of(colour), label);
}

std::string Drawing::svg(const std::string& title) const {
  constexpr double kBorder = kScale * 0.75;
  const double width = kScale * (most_.x - least_.x) + 2 * kBorder;
  const double height = kScale * (most_.y - least_.y) + 2 * kBorder;
  return fmt::format(
      "<svg viewBox=\"{:g} {:g} {:g} {:g}\" style=\"width:{:g}px\" role=\"img\">"
      "<title>{}</title><g stroke-width=\"3\">{}</g>"
      "<g class=\"nodes\">{}</g></svg>",
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
  std::vector<std::size_t> informed(topology.node_count());  // The round, from 1.
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

}  // namespace flitcast::claims
