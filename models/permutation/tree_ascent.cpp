// SPDX-License-Identifier: Apache-2.0
// Permutations on fat trees: the choice of parents, such that few packets share a link.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/sequences.h"
#include "collective/edge_colouring.h"
#include "permutation/algorithm.h"
#include "routing/catalog.h"
#include "topology/fat_tree.h"

namespace flitcast {

namespace {

const FatTree& tree_of(const AlgorithmContext& context) {
  return dynamic_cast<const FatTree&>(context.topology);
}

bool is_k_ary(const FatTree& tree) {
  const std::size_t k = tree.down(0);
  return all_of(numbers(tree.levels()), [&](std::size_t l) {
    return tree.down(l) == k && (l + 1 == tree.levels() || tree.up(l) == k);
  });
}

// A link towards the nodes carries packets for one node only. A link of level l towards the roots
// is selected by l + 1 digits of the destination and reached by k^(l + 1) sources.
std::vector<PermutationClaim> digit_claims(const AlgorithmContext& context) {
  const FatTree& tree = tree_of(context);
  const std::size_t n = tree.levels();
  if (!is_k_ary(tree) || n < 2) return {};
  if (!one_per_source(context.packets) || !one_per_destination(context.packets)) return {};
  const std::size_t half = n / 2;
  const double power = std::pow(static_cast<double>(tree.down(0)), static_cast<double>(half));
  const double most = std::max(1.0, n % 2 == 0 ? power - 1 : power);
  return {{&StepFigures::congestion, most,
           fmt::format("at most {:g} packets of a permutation share a link", most), true}};
}

bool has_parents_enough(const Topology& topology) {
  const auto* tree = dynamic_cast<const FatTree*>(&topology);
  return tree != nullptr && all_of(numbers(tree->levels() - 1),
                                   [&](std::size_t l) { return tree->up(l) >= tree->down(l); });
}

// Chooses a parent for each of these packets, which are at the same switch copies of a level, and
// adds it to the number of their ancestor. Each packet is an edge from its source subtree to its
// destination subtree.
void colour_level(const FatTree& tree, std::size_t level, const Instance& packets,
                  const std::vector<std::size_t>& together, std::vector<std::size_t>& ancestors) {
  const std::size_t span = tree.span(level);
  const std::vector<BipartiteEdge> edges = mapped(together, [&](std::size_t p) {
    return BipartiteEdge{static_cast<std::uint32_t>(index(packets[p].from) / span),
                         static_cast<std::uint32_t>(index(packets[p].to) / span)};
  });
  const auto colours = colour_by_euler_split(tree.node_count() / span, tree.down(level), edges);
  for (std::size_t i = 0; i < together.size(); ++i) {
    ancestors[together[i]] += colours[i] * tree.copies(level);
  }
}

/// Chooses ancestors by which no two packets of a permutation share a link: packets that meet at a
/// switch go to different parents, and come from different parents.
/// Source: Benes, "Permutation Groups, Complexes, and Rearrangeable Connecting Networks", Bell
/// System Technical Journal 43, 1964, whose network, folded, is this tree.
MovePlan by_coloured_parents(const Section& workload, const AlgorithmContext& context) {
  require(workload, "algorithm", is_permutation(workload, context.packets));
  const FatTree& tree = tree_of(context);
  const Instance packets = completed(context.packets, tree.node_count());
  std::vector<std::size_t> ancestors(packets.size());
  for (std::size_t l = 0; l + 1 < tree.levels(); ++l) {
    std::map<std::size_t, std::vector<std::size_t>> copies;
    for (std::size_t p = 0; p < packets.size(); ++p) copies[ancestors[p]].push_back(p);
    for (const auto& [copy, together] : copies) {
      colour_level(tree, l, packets, together, ancestors);
    }
  }
  MovePlan plan = phases_over(context.packets, {});
  for (std::size_t p = 0; p < context.packets.size(); ++p) {
    plan.choices.push_back(static_cast<std::uint16_t>(ancestors[p]));
  }
  return plan;
}

std::vector<PermutationClaim> coloured_claims(const AlgorithmContext& context) {
  const std::size_t steps = 2 * (tree_of(context).levels() - 1);
  return {{&StepFigures::steps, static_cast<double>(steps),
           fmt::format("up and down take at most {} steps", steps), true},
          {&StepFigures::congestion, 1, "no two packets share a link", true}};
}

}  // namespace

std::vector<AlgorithmEntry> tree_ascent_algorithms() {
  return {{{kDModK,
            "On fat trees: every packet at once, up by the parents that the digits of its "
            "destination name.",
            {},
            at_once},
           accepts<FatTree>(),
           "fat trees and folded Clos networks",
           {kDModK},
           "fifo",
           digit_claims},
          {{"random_ascent",
            "On fat trees: every packet at once, up to a common ancestor that it draws.",
            {},
            at_once},
           accepts<FatTree>(),
           "fat trees and folded Clos networks",
           {kNearestCommonAncestor}},
          {{"coloured_ascent",
            "On fat trees with as many parents as children: every packet at once, up to ancestors, "
            "computed beforehand, by which no two share a link.",
            {},
            by_coloured_parents},
           has_parents_enough,
           "fat trees and folded Clos networks with as many parents of a switch as children",
           {kNearestCommonAncestor},
           "fifo",
           coloured_claims}};
}

}  // namespace flitcast
