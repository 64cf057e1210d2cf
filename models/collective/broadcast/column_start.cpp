// SPDX-License-Identifier: Apache-2.0
#include "collective/broadcast/column_start.h"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

#include "collective/paths.h"

namespace flitcast {

namespace {

using Nodes = std::vector<NodeId>;
using Rounds = std::vector<std::vector<Message>>;

// With one more, a target of the helper would send away from the source, perhaps in its very row.
constexpr std::size_t kMostForHelper = 3;

/// Targets on one side of a node that are served in so many rounds: (3^rounds - 1) / 2.
std::size_t capacity(std::size_t rounds) {
  std::size_t targets = 0;
  for (std::size_t r = 0; r < rounds; ++r) targets = 3 * targets + 1;
  return targets;
}

/// The targets as the source sees them from its column.
struct View {
  Nodes longer;               // The side with more of them, nearest first,
  Nodes shorter;              // the other side,
  std::optional<NodeId> own;  // and the one in its column.
};

View view_from(const Grid& mesh, NodeId source, const Nodes& targets) {
  const std::size_t column = mesh.coordinate(source, 0);
  const auto distance = [&](NodeId node) {
    const std::size_t other = mesh.coordinate(node, 0);
    return other < column ? column - other : other - column;
  };
  View view;
  for (const NodeId target : targets) {
    if (target == source) continue;
    if (distance(target) == 0) {
      view.own = target;
    } else {
      (mesh.coordinate(target, 0) < column ? view.shorter : view.longer).push_back(target);
    }
  }
  const auto nearer = [&](NodeId a, NodeId b) { return distance(a) < distance(b); };
  std::sort(view.shorter.begin(), view.shorter.end(), nearer);
  std::sort(view.longer.begin(), view.longer.end(), nearer);
  if (view.longer.size() < view.shorter.size()) std::swap(view.longer, view.shorter);
  return view;
}

/// Takes the first nodes off a list.
Nodes take_first(Nodes& nodes, std::size_t count) {
  const auto end = nodes.begin() + static_cast<std::ptrdiff_t>(count);
  Nodes first(nodes.begin(), end);
  nodes.erase(nodes.begin(), end);
  return first;
}

/// Serves the targets on one side of an informed node, nearest first, from a round on.
void serve(Rounds& rounds, NodeId owner, Nodes targets, std::size_t round) {
  for (; !targets.empty(); ++round) {
    Nodes beyond = std::move(targets);
    targets = take_first(beyond, std::min(capacity(rounds.size() - round - 1), beyond.size() - 1));
    Nodes back = take_first(beyond, beyond.size() / 2);
    const NodeId middle = take_first(beyond, 1).front();
    std::reverse(back.begin(), back.end());
    rounds[round].push_back({owner, middle});
    serve(rounds, middle, back, round + 1);
    serve(rounds, middle, beyond, round + 1);
  }
}

/// The next node in the column, upwards where there is one.
NodeId next_in_column(const Grid& mesh, NodeId node) {
  return shifted(mesh, node, 1, mesh.coordinate(node, 1) + 1 < mesh.size(1) ? 1 : -1);
}

}  // namespace

Rounds column_start(const Grid& mesh, NodeId source, const Nodes& targets, std::size_t rounds) {
  View view = view_from(mesh, source, targets);
  const std::size_t most = capacity(rounds);
  const std::size_t excess = view.longer.size() > most ? view.longer.size() - most : 0;
  if (rounds == 0 || view.shorter.size() > most || excess > kMostForHelper ||
      excess > capacity(rounds - 1)) {
    throw std::invalid_argument("too many targets on one side of the source for so few rounds");
  }
  Rounds messages(rounds);
  if (excess > 0 && !view.own) view.own = next_in_column(mesh, source);
  if (view.own) {
    messages[0].push_back({source, *view.own});
    serve(messages, *view.own, take_first(view.longer, excess), 1);
  }
  serve(messages, source, view.longer, 0);
  serve(messages, source, view.shorter, 0);
  return messages;
}

}  // namespace flitcast
