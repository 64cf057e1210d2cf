// SPDX-License-Identifier: Apache-2.0
#include "routing/analysis/worst_case.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include "base/sequences.h"
#include "routing/analysis/channel_loads.h"
#include "topology/channel_numbering.h"

namespace flitcast {
namespace {

constexpr double kRounding = 1e-9;
constexpr std::size_t kUnmatched = ~std::size_t{0};

/// Shortest augmenting paths over reduced costs; a cost is a weight with the opposite sign.
class Assignment {
 public:
  explicit Assignment(const std::vector<std::vector<double>>& weights)
      : weights_(weights),
        columns_(weights.empty() ? 0 : weights.front().size()),
        row_price_(weights.size(), 0),
        column_price_(columns_ + 1, 0),
        row_of_(columns_ + 1, kUnmatched),
        before_(columns_, 0) {}

  std::vector<std::size_t> solve() {
    for (std::size_t row = 0; row < weights_.size(); ++row) augment(row);
    std::vector<std::size_t> column_of(weights_.size());
    for (std::size_t column = 0; column < columns_; ++column) {
      if (row_of_[column] != kUnmatched) column_of[row_of_[column]] = column;
    }
    return column_of;
  }

 private:
  // The path begins at a column beyond the others, which holds the new row.
  void augment(std::size_t row) {
    distance_.assign(columns_, std::numeric_limits<double>::infinity());
    reached_.assign(columns_ + 1, false);
    std::size_t at = columns_;
    row_of_[at] = row;
    while (row_of_[at] != kUnmatched) at = next(at);
    for (; at != columns_; at = before_[at]) row_of_[at] = row_of_[before_[at]];
  }

  /// The nearest column that the path can go on to.
  std::size_t next(std::size_t at) {
    reached_[at] = true;
    const std::size_t row = row_of_[at];
    std::size_t nearest = 0;
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t column = 0; column < columns_; ++column) {
      if (reached_[column]) continue;
      const double cost = -weights_[row][column] - row_price_[row] - column_price_[column];
      if (cost < distance_[column]) {
        distance_[column] = cost;
        before_[column] = at;
      }
      if (distance_[column] < step) {
        step = distance_[column];
        nearest = column;
      }
    }
    change_prices(step);
    return nearest;
  }

  void change_prices(double step) {
    for (std::size_t column = 0; column <= columns_; ++column) {
      if (reached_[column]) {
        row_price_[row_of_[column]] += step;
        column_price_[column] -= step;
      } else if (column < columns_) {
        distance_[column] -= step;
      }
    }
  }

  const std::vector<std::vector<double>>& weights_;
  const std::size_t columns_;
  std::vector<double> row_price_;
  std::vector<double> column_price_;
  std::vector<std::size_t> row_of_;  // By column.
  std::vector<std::size_t> before_;  // By column: the column before it on the path.
  std::vector<double> distance_;     // By column.
  std::vector<bool> reached_;        // By column.
};

/// The share of a pair of nodes that crosses a link.
struct Use {
  std::uint32_t source = 0;
  std::uint32_t destination = 0;
  double share = 0;
};

/// The pairs that use a link, and the sources and destinations among them.
class Link {
 public:
  void add(const Use& use) {
    uses_.push_back(use);
    raise(sources_[use.source], use.share);
    raise(destinations_[use.destination], use.share);
  }

  /// An upper bound of the load of the link under any permutation.
  double bound() const { return std::min(total(sources_), total(destinations_)); }
  /// The number of steps that the assignment takes.
  double steps() const {
    const auto sources = static_cast<double>(sources_.size());
    const auto destinations = static_cast<double>(destinations_.size());
    return sources * destinations * std::min(sources, destinations);
  }

  /// The pairs of the worst permutation that use the link.
  std::vector<Use> worst() const {
    const bool turned = sources_.size() > destinations_.size();
    const std::map<std::uint32_t, std::size_t> rows = places(turned ? destinations_ : sources_);
    const std::map<std::uint32_t, std::size_t> columns = places(turned ? sources_ : destinations_);
    std::vector<std::vector<double>> weights(rows.size(), std::vector<double>(columns.size(), 0));
    const auto row_of = [&](const Use& u) { return rows.at(turned ? u.destination : u.source); };
    const auto column_of = [&](const Use& u) {
      return columns.at(turned ? u.source : u.destination);
    };
    for (const Use& use : uses_) weights[row_of(use)][column_of(use)] = use.share;
    const std::vector<std::size_t> assigned = heaviest_assignment(weights);
    return filtered(uses_, [&](const Use& use) { return assigned[row_of(use)] == column_of(use); });
  }

 private:
  using Greatest = std::map<std::uint32_t, double>;  ///< By node: its greatest share.

  static void raise(double& greatest, double share) { greatest = std::max(greatest, share); }
  static double total(const Greatest& nodes) {
    return sum_of<double>(nodes, [](const auto& node) { return node.second; });
  }
  static std::map<std::uint32_t, std::size_t> places(const Greatest& nodes) {
    std::map<std::uint32_t, std::size_t> places;
    for (const auto& node : nodes) places.emplace(node.first, places.size());
    return places;
  }

  std::vector<Use> uses_;
  Greatest sources_;
  Greatest destinations_;
};

[[noreturn]] void refuse() {
  throw UnknownLoads("the network is too large for the search of the worst permutation");
}

std::vector<Link> links_of(const Topology& topology, const Routing& routing) {
  constexpr std::size_t kMostUses = std::size_t{1} << 24;  // Each takes 16 bytes.
  std::vector<Link> links(topology.channels().size());
  std::size_t uses = 0;
  for_each_pair(topology, routing, [&](NodeId from, NodeId to, const std::vector<double>& loads) {
    for (std::size_t link = 0; link < links.size(); ++link) {
      if (loads[link] == 0) continue;
      if (++uses > kMostUses) refuse();
      links[link].add({index(from), index(to), loads[link]});
    }
  });
  return links;
}

/// Completes the pairs to a permutation: sources and destinations without a pair are joined in
/// ascending order.
std::vector<NodeId> completed(const std::vector<Use>& pairs, std::size_t nodes) {
  constexpr NodeId kFree{~std::uint32_t{0}};
  std::vector<NodeId> destinations(nodes, kFree);
  std::vector<bool> taken(nodes, false);
  for (const Use& pair : pairs) {
    destinations[pair.source] = NodeId{pair.destination};
    taken[pair.destination] = true;
  }
  std::uint32_t next = 0;
  for (NodeId& destination : destinations) {
    if (destination != kFree) continue;
    while (taken[next]) ++next;
    destination = NodeId{next++};
  }
  return destinations;
}

}  // namespace

std::vector<std::size_t> heaviest_assignment(const std::vector<std::vector<double>>& weights) {
  return Assignment(weights).solve();
}

WorstCase worst_case(const Topology& topology, const Routing& routing) {
  constexpr double kMostSteps = 4e9;
  const std::vector<Link> links = links_of(topology, routing);
  std::vector<std::size_t> order = numbers(links.size());
  const std::vector<double> bounds = mapped(links, [](const Link& link) { return link.bound(); });
  sort_by(order, [&](std::size_t link) { return -bounds[link]; });
  WorstCase worst{completed({}, topology.node_count())};
  double steps = 0;
  for (const std::size_t link : order) {
    if (bounds[link] <= worst.load * (1 + kRounding)) break;
    steps += links[link].steps();
    if (steps > kMostSteps) refuse();
    const std::vector<Use> pairs = links[link].worst();
    const double load = sum_of<double>(pairs, &Use::share);
    if (load <= worst.load * (1 + kRounding)) continue;
    worst = {completed(pairs, topology.node_count()), link, load};
  }
  return worst;
}

}  // namespace flitcast
