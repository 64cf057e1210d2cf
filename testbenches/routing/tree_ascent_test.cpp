// SPDX-License-Identifier: Apache-2.0
#include "routing/tree_ascent.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "routing/walk.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

// Switches of lower levels have lower numbers.
bool is_up(const Channel& channel) { return index(channel.from.router) < index(channel.to.router); }

/// Packets on the busiest link towards the roots, and on the busiest towards the nodes.
struct MostLoaded {
  int up = 0;
  int down = 0;
};

MostLoaded most_loaded(const FatTree& tree, const std::vector<std::uint32_t>& destinations) {
  const DModK routing(tree, 1);
  const Adjacency adjacency(tree);
  std::vector<int> loads(tree.channels().size(), 0);
  MostLoaded most;
  for (std::uint32_t source = 0; source < destinations.size(); ++source) {
    const NodeId destination{destinations[source]};
    for (const Hop& hop : walk(tree, adjacency, routing, NodeId{source}, destination).hops) {
      const std::uint32_t channel = adjacency.leaving(hop.router, hop.output);
      int& most_there = is_up(tree.channels()[channel]) ? most.up : most.down;
      most_there = std::max(most_there, ++loads[channel]);
    }
  }
  return most;
}

}  // namespace

TEST_CASE("a packet climbs by the digits of its destination and descends by them", "[routing]") {
  const FatTree tree = k_ary_n_tree(4, 3);
  const DModK routing(tree, 2);
  const Adjacency adjacency(tree);
  const NodeId destination{1 * 16 + 3 * 4 + 2};
  const auto ports = [&](std::uint32_t source) {
    std::vector<unsigned> outputs;
    const Walk option = walk(tree, adjacency, routing, NodeId{source}, destination);
    for (const Hop& hop : option.hops) outputs.push_back(index(hop.output));
    outputs.push_back(index(option.end.port));
    return outputs;
  };
  CHECK(ports(0) == std::vector<unsigned>{4 + 2, 4 + 3, 1, 3, 2});
  CHECK(ports(1 * 16) == std::vector<unsigned>{4 + 2, 3, 2});
  CHECK(ports(1 * 16 + 3 * 4) == std::vector<unsigned>{2});
}

TEST_CASE("shifts load no link with two packets under d_mod_k, permutations no link downwards",
          "[routing]") {
  for (const auto& [k, n] : {std::pair<std::size_t, std::size_t>{2, 2}, {3, 2}, {2, 3}, {4, 3}}) {
    const FatTree tree = k_ary_n_tree(k, n);
    INFO(tree.name());
    const auto nodes = static_cast<std::uint32_t>(tree.node_count());
    std::vector<std::uint32_t> destinations(nodes);
    for (std::uint32_t shift = 1; shift < nodes; ++shift) {
      for (std::uint32_t i = 0; i < nodes; ++i) destinations[i] = (i + shift) % nodes;
      const MostLoaded most = most_loaded(tree, destinations);
      CHECK(most.up <= 1);
      CHECK(most.down == 1);
    }
    std::iota(destinations.begin(), destinations.end(), 0);
    for (int shuffles = 0; shuffles < 50; ++shuffles) {
      std::uint64_t state = static_cast<std::uint64_t>(shuffles) * 7919 + 1;
      for (std::size_t i = nodes; i-- > 1;) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        std::swap(destinations[i], destinations[(state >> 33) % (i + 1)]);
      }
      CHECK(most_loaded(tree, destinations).down <= 1);
    }
  }
}

// In a k-ary 3-tree the worst permutations have k packets on a link (k^((n-1)/2), n = 3): all nodes
// of a leaf send to nodes with the same lowest digit in as many leaves of another subtree.
TEST_CASE("the worst permutation of a k-ary 3-tree loads a link upwards with k packets",
          "[routing]") {
  const FatTree tree = k_ary_n_tree(4, 3);
  std::vector<std::uint32_t> destinations;
  for (std::uint32_t i = 0; i < 64; ++i) {
    destinations.push_back((i / 16 * 16 + i % 4 * 4 + i / 4 % 4 + 16) % 64);
  }
  CHECK(most_loaded(tree, destinations).up == 4);
  CHECK(most_loaded(tree, destinations).down == 1);
}

TEST_CASE("d_mod_k spreads nodes over spines by their number", "[routing]") {
  const FatTree clos = folded_clos(5, 3, 2);
  const DModK routing(clos, 1);
  for (std::uint32_t destination = 5; destination < 15; ++destination) {
    const Route route = routing.route({RouterId{0}, PortId{0}, VcId{0}, NodeId{destination}});
    CHECK(index(route.output) == 5 + destination % 2);
  }
}

TEST_CASE("random ascent reaches each nearest common ancestor by one choice of the source",
          "[routing]") {
  const FatTree tree = k_ary_n_tree(3, 3);
  const NearestCommonAncestor routing(tree, 1);
  const Adjacency adjacency(tree);
  CHECK(routing.most_choices() == 9);
  const NodeId source{4};
  for (const auto& [destination, level] : {std::pair{3U, 0U}, {7U, 1U}, {26U, 2U}}) {
    std::set<std::uint32_t> tops;
    const std::uint32_t choices = routing.choices(source, NodeId{destination});
    CHECK(choices == tree.copies(level));
    for (std::uint32_t c = 0; c < choices; ++c) {
      const Walk option =
          walk(tree, adjacency, routing, source, NodeId{destination}, 0, 1000, {c, 0});
      CHECK(option.end == tree.attachment(NodeId{destination}).ejection);
      CHECK(option.hops.size() == 2 * level);
      if (level > 0) tops.insert(index(option.hops[level].router));
    }
    if (level > 0) CHECK(tops.size() == choices);
  }
}

TEST_CASE("adaptive ascent draws two of all parents and leaves no choice on the way down",
          "[routing]") {
  const FatTree tree = k_ary_n_tree(4, 2);
  const AdaptiveAscent routing(tree, 3);
  Alternatives options;
  options.clear();
  routing.alternatives({RouterId{0}, PortId{0}, VcId{0}, NodeId{9}}, options);
  REQUIRE(options.size() == 4);
  CHECK(options.drawn() == 2);
  std::set<unsigned> outputs;
  for (const Alternative& option : options) {
    outputs.insert(index(option.output));
    CHECK(option.vcs == 0b111);
  }
  CHECK(outputs == std::set<unsigned>{4, 5, 6, 7});
  options.clear();
  routing.alternatives({RouterId{5}, PortId{0}, VcId{0}, NodeId{9}}, options);
  REQUIRE(options.size() == 1);
  CHECK(index(options.begin()->output) == 2);
}
