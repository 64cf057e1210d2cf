// SPDX-License-Identifier: Apache-2.0
#include "topology/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "base/sequences.h"

namespace flitcast {

namespace {

constexpr double kTurn = 6.283185307179586;

// Rounds because sines differ in their last bit between libraries.
Position rounded(double x, double y) {
  return {std::round(x * 1000) / 1000, std::round(y * 1000) / 1000};
}

/// The radius of a circle on which `count` items have the distance `apart` to their neighbours.
double radius_of(std::size_t count, double apart) {
  return count < 2 ? 0 : apart / 2 / std::sin(kTurn / 2 / static_cast<double>(count));
}

Position on_circle(std::size_t place, std::size_t count, double radius) {
  const double angle = kTurn * static_cast<double>(place) / static_cast<double>(count);
  return {radius + radius * std::sin(angle), radius - radius * std::cos(angle)};
}

}  // namespace

Layout on_circle(std::size_t count) {
  return tabulated(count, [&](std::size_t r) {
    const Position at = on_circle(r, count, radius_of(count, 1));
    return rounded(at.x, at.y);
  });
}

Layout in_grid(const std::vector<std::size_t>& sizes) {
  Layout layout{{0, 0}};
  double width[2] = {1, 1};
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    double& extent = width[d % 2];
    const double apart = d < 2 ? 1 : extent + 0.5;
    const Layout picture = layout;
    for (std::size_t copy = 1; copy < sizes[d]; ++copy) {
      const double shift = apart * static_cast<double>(copy);
      for (const Position& at : picture) {
        layout.push_back(d % 2 == 0 ? Position{at.x + shift, at.y} : Position{at.x, at.y + shift});
      }
    }
    extent += apart * static_cast<double>(sizes[d] - 1);
  }
  return layout;
}

Layout in_columns(const std::vector<std::size_t>& column) {
  std::vector<std::size_t> heights;
  for (const std::size_t c : column) {
    if (c >= heights.size()) heights.resize(c + 1, 0);
    ++heights[c];
  }
  const auto highest = static_cast<double>(*std::max_element(heights.begin(), heights.end()));
  const double apart = std::max(2.0, highest / static_cast<double>(heights.size()));
  std::vector<std::size_t> placed(heights.size(), 0);
  Layout layout;
  for (const std::size_t c : column) {
    const double slot = highest / static_cast<double>(heights[c]);
    layout.push_back(
        rounded(apart * static_cast<double>(c), slot * (static_cast<double>(placed[c]++) + 0.5)));
  }
  return layout;
}

Layout in_rows(const std::vector<std::size_t>& row) {
  Layout layout = in_columns(row);
  const double last = largest_of<double>(layout, &Position::x);
  for (Position& at : layout) at = rounded(at.y, last - at.x);
  return layout;
}

Layout in_groups(std::size_t groups, std::size_t members) {
  const double inner = radius_of(members, 1);
  const double outer = radius_of(groups, 2 * inner + 1.5);
  Layout layout;
  for (std::size_t g = 0; g < groups; ++g) {
    const Position group = on_circle(g, groups, outer);
    for (std::size_t m = 0; m < members; ++m) {
      const Position member = on_circle(m, members, inner);
      layout.push_back(rounded(group.x + member.x, group.y + member.y));
    }
  }
  return layout;
}

bool nodes_sit_at_routers(const Topology& topology) {
  return all_of(topology.nodes(), [&](const NodeId node) {
    const Attachment& at = topology.attachment(node);
    return index(at.injection.router) == index(node) && index(at.ejection.router) == index(node);
  });
}

bool has_a_node_each(const Topology& topology) {
  return topology.node_count() == topology.router_count() && nodes_sit_at_routers(topology);
}

std::size_t bounded_product(const std::vector<std::size_t>& sizes) {
  std::size_t product = 1;
  for (const std::size_t size : sizes) {
    if (size == 0) return 0;
    if (product > kMaxRouters / size) return kMaxRouters + 1;
    product *= size;
  }
  return product;
}

std::string to_text(const std::vector<std::size_t>& sizes) {
  return fmt::format("{}", fmt::join(sizes, "x"));
}

std::uint64_t memory_estimate(const TopologySize& size) {
  return size.routers * sizeof(PortCounts) + size.nodes * sizeof(Attachment) +
         size.channels * sizeof(Channel);
}

void require_buildable(std::size_t routers, std::size_t ports) {
  if (routers == 0) throw std::invalid_argument("a topology has at least one router");
  if (routers > kMaxRouters) throw std::invalid_argument("more routers than kMaxRouters");
  if (ports > kMaxPorts) throw std::invalid_argument("more ports per router than kMaxPorts");
}

void Topology::widen_nodes(std::size_t ports) {
  if (ports == 0) throw std::invalid_argument("a node has at least one port");
  std::vector<Attachment> wide;
  for (const Attachment& first : attachments_) {
    const auto& [inputs, outputs] = ports_[index(first.injection.router)];
    require_buildable(router_count(), std::max(inputs, outputs) + ports - 1);
    wide.push_back(first);
    for (std::size_t port = 1; port < ports; ++port) {
      const auto input = ports_[index(first.injection.router)].inputs++;
      const auto output = ports_[index(first.ejection.router)].outputs++;
      wide.push_back({{first.injection.router, to_id<PortId>(input)},
                      {first.ejection.router, to_id<PortId>(output)}});
    }
  }
  std::uint32_t widest = 0;
  for (const auto& [inputs, outputs] : ports_) widest = std::max({widest, inputs, outputs});
  require_buildable(router_count(), widest);
  attachments_ = std::move(wide);
  node_ports_ = ports;
}

}  // namespace flitcast
