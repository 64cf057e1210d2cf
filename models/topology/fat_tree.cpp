// SPDX-License-Identifier: Apache-2.0
#include "topology/fat_tree.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "base/sequences.h"
#include "topology/catalog.h"

namespace flitcast {
namespace {

using TreeLevels = std::vector<FatTree::Level>;

// For each level, the nodes of a subtree and the switches at its top.
std::vector<std::size_t> tree_spans(const TreeLevels& levels) {
  std::vector<std::size_t> spans;
  std::size_t nodes = 1;
  for (const FatTree::Level& level : levels) {
    spans.push_back(nodes = bounded_product({nodes, level.down}));
  }
  return spans;
}

std::vector<std::size_t> tree_copies(const TreeLevels& levels) {
  std::vector<std::size_t> copies{1};
  for (const FatTree::Level& level : levels) {
    copies.push_back(bounded_product({copies.back(), level.up}));
  }
  copies.pop_back();
  return copies;
}

Endpoint end_at(std::size_t router, std::size_t port) {
  return {to_id<RouterId>(router), to_id<PortId>(port)};
}

TreeLevels alike(std::size_t arity, std::size_t count) {
  TreeLevels levels(count, {arity, arity});
  if (!levels.empty()) levels.back().up = 0;
  return levels;
}

}  // namespace

bool FatTree::buildable(const std::vector<Level>& levels) {
  if (levels.empty() || levels.back().up != 0) return false;
  for (const Level& level : levels) {
    if (level.down == 0 || (level.up == 0 && &level != &levels.back())) return false;
    if (level.down > kMaxPorts || level.up > kMaxPorts - level.down) return false;
  }
  const TopologySize all = size(levels);
  return all.nodes <= kMaxRouters && all.routers <= kMaxRouters;
}

TopologySize FatTree::size(const std::vector<Level>& levels) {
  const std::vector<std::size_t> spans = tree_spans(levels);
  const std::vector<std::size_t> copies = tree_copies(levels);
  TopologySize size{0, spans.back(), 0, levels.back().down};
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const std::size_t switches = bounded_product({spans.back() / spans[l], copies[l]});
    size.routers += switches;
    size.channels += 2 * switches * levels[l].up;
    size.ports = std::min(size.ports, levels[l].down + levels[l].up);
  }
  return size;
}

FatTree::FatTree(std::string name, std::vector<Level> levels)
    : Topology(std::move(name)), levels_(std::move(levels)) {
  if (!buildable(levels_)) throw std::invalid_argument("no such fat tree");
  span_ = tree_spans(levels_);
  copies_ = tree_copies(levels_);
  for (std::size_t node = 0; node < span_.back(); ++node) {
    const Endpoint leaf = end_at(node / levels_[0].down, node % levels_[0].down);
    add_node({leaf, leaf});
  }
  for (std::size_t l = 0; l < this->levels(); ++l) {
    first_.push_back(router_count());
    const std::size_t ports = levels_[l].down + levels_[l].up;
    for (std::size_t number = 0; number < switches(l); ++number) add_router(ports, ports);
    if (l > 0) connect(l);
  }
}

// Adds the links of a level's switches to their children.
void FatTree::connect(std::size_t level) {
  const std::size_t below = level - 1;
  for (std::size_t number = 0; number < switches(level); ++number) {
    const std::size_t subtree = number / copies_[level];
    const std::size_t copy = number % copies_[level];
    const std::size_t up = levels_[below].down + copy / copies_[below];
    for (std::size_t child = 0; child < levels_[level].down; ++child) {
      const std::size_t its_subtree = subtree * levels_[level].down + child;
      const std::size_t its_number = its_subtree * copies_[below] + copy % copies_[below];
      const Endpoint here = end_at(first_[level] + number, child);
      const Endpoint there = end_at(first_[below] + its_number, up);
      add_channel({there, here});
      add_channel({here, there});
    }
  }
}

std::string FatTree::channel_class(const Channel& channel) const {
  const std::size_t lower = std::min(index(channel.from.router), index(channel.to.router));
  const auto next = std::upper_bound(first_.begin(), first_.end(), lower);
  return "level_" + std::to_string(next - first_.begin() - 1);
}

Layout FatTree::layout() const {
  return in_rows(concatenated(
      numbers(levels()), [&](std::size_t l) { return std::vector<std::size_t>(switches(l), l); }));
}

std::vector<std::size_t> FatTree::node_grid() const {
  return mapped(levels_, [](const Level& level) { return level.down; });
}

std::optional<std::size_t> FatTree::bisection_channels() const {
  const std::size_t top = levels() - 1;
  if (top == 0 || down(top) % 2 != 0) return std::nullopt;
  const bool uniform = std::all_of(levels_.begin(), levels_.end() - 1, [&](const Level& level) {
    return level.down == down(top) && level.up == down(top);
  });
  if (top != 1 && !uniform) return std::nullopt;
  return switches(top) * down(top);
}

FatTree k_ary_n_tree(std::size_t arity, std::size_t levels) {
  return {"fat_tree " + std::to_string(arity) + "-ary " + std::to_string(levels) + "-tree",
          alike(arity, levels)};
}

FatTree folded_clos(std::size_t nodes, std::size_t leaves, std::size_t spines) {
  return {"folded_clos " + std::to_string(leaves) + " leaves " + std::to_string(spines) + " spines",
          {{nodes, spines}, {leaves, 0}}};
}

namespace {

constexpr std::size_t kMostLevels = 24;  // A tree of 2^24 nodes has this many levels.

TreeLevels tree_levels(const Section& section) {
  return alike(section.count("arity"), section.count("levels"));
}

std::unique_ptr<Topology> make_fat_tree(const Section& section) {
  if (!FatTree::buildable(tree_levels(section))) {
    section.fail("levels", "more than 2^24 nodes or switches",
                 "make arity^levels and levels * arity^(levels-1) at most 16777216");
  }
  return std::make_unique<FatTree>(k_ary_n_tree(section.count("arity"), section.count("levels")));
}

TreeLevels leaf_and_spine(const Section& section) {
  return {{section.count("nodes"), section.count("spines")}, {section.count("leaves"), 0}};
}

std::unique_ptr<Topology> make_folded_clos(const Section& section) {
  if (!FatTree::buildable(leaf_and_spine(section))) {
    section.fail("spines", "a leaf would have more than 128 ports",
                 "make nodes + spines at most 128");
  }
  return std::make_unique<FatTree>(
      folded_clos(section.count("nodes"), section.count("leaves"), section.count("spines")));
}

// As many ports remain for parents.
constexpr std::size_t kMostChildren = kMaxPorts / 2;

}  // namespace

std::vector<TopologyEntry> fat_tree_topologies() {
  return {{{"fat_tree",
            "k-ary n-tree: k^n nodes below n levels of k^(n-1) switches, with as much bandwidth at "
            "every level.",
            {Param::integer("arity", "ports", "k: children, and as many parents, of a switch.", 1,
                            kMostChildren),
             Param::integer("levels", "", "n; there are k^n nodes.", 1, kMostLevels)},
            make_fat_tree,
            {"arity: 2, levels: 3", "arity: 1, levels: 2", "arity: 4, levels: 1",
             "arity: 3, levels: 2"}},
           [](const Section& section) { return FatTree::size(tree_levels(section)); }},
          {{"folded_clos",
            "Leaf and spine: nodes at leaf switches, every one of which is linked to every spine "
            "switch.",
            {Param::integer("nodes", "nodes", "Nodes of each leaf.", 1, kMaxPorts - 1),
             Param::integer("leaves", "switches", "Leaf switches.", 1, kMaxPorts),
             Param::integer("spines", "switches",
                            "Spine switches; fewer than nodes of a leaf make the network "
                            "oversubscribed.",
                            1, kMaxPorts - 1)},
            make_folded_clos,
            {"nodes: 2, leaves: 4, spines: 2", "nodes: 1, leaves: 1, spines: 1",
             "nodes: 4, leaves: 3, spines: 3", "nodes: 3, leaves: 2, spines: 5"}},
           [](const Section& section) { return FatTree::size(leaf_and_spine(section)); }}};
}

}  // namespace flitcast
