// SPDX-License-Identifier: Apache-2.0
#include "routing/tree_ascent.h"

#include <stdexcept>

#include "routing/catalog.h"

namespace flitcast {

TreePaths::TreePaths(const FatTree& tree) {
  const auto narrow = [](std::size_t number) { return static_cast<std::uint32_t>(number); };
  for (std::size_t l = 0; l < tree.levels(); ++l) {
    for (std::size_t s = 0; s < tree.switches(l); ++s) {
      switches_.push_back({narrow(s / tree.copies(l)), narrow(tree.span(l)),
                           narrow(tree.span(l) / tree.down(l)), narrow(tree.copies(l)),
                           narrow(tree.down(l)), narrow(tree.up(l))});
    }
  }
}

NearestCommonAncestor::NearestCommonAncestor(const FatTree& tree, std::size_t virtual_channels)
    : OnAllVcs(vc_range(0, virtual_channels)), paths_(tree) {
  for (std::size_t l = 0; l < tree.levels(); ++l) {
    levels_.push_back(
        {static_cast<std::uint32_t>(tree.span(l)), static_cast<std::uint32_t>(tree.copies(l))});
  }
  if (most_choices() > kMostRoots) {
    throw std::invalid_argument("an ancestor has 16 bits in the header");
  }
}

std::uint32_t NearestCommonAncestor::choices(NodeId source, NodeId destination) const {
  for (const Level& level : levels_) {
    if (index(source) / level.span == index(destination) / level.span) return level.copies;
  }
  return most_choices();
}

void AdaptiveAscent::alternatives(const RouteRequest& request, Alternatives& alternatives) const {
  if (paths_.above(request.router, request.destination)) {
    return alternatives.add({paths_.down(request.router, request.destination), 0, all_});
  }
  const PortId first = paths_.up(request.router, 0);
  for (std::size_t parent = 0; parent < paths_.parents(request.router); ++parent) {
    alternatives.add({to_id<PortId>(index(first) + parent), 0, all_});
  }
  alternatives.decide_at_once(2);
}

namespace {

std::unique_ptr<Routing> make_random_ascent(const Section& section, const RoutingContext& context) {
  const auto& tree = context.on<FatTree>();
  if (tree.copies(tree.levels() - 1) > NearestCommonAncestor::kMostRoots) {
    section.fail("kind", "an ancestor has 16 bits in the header, and " + tree.name() + " has more",
                 "use d_mod_k, or at most 65536 switches at the top");
  }
  return make_on<NearestCommonAncestor, FatTree>(section, context);
}

}  // namespace

std::vector<RoutingEntry> tree_ascent_routings() {
  return {
      {kDModK,
       "On fat trees and folded Clos networks: up to the parents that the destination's digits "
       "name, then down. 1 VC.",
       {},
       accepts<FatTree>(),
       make_on<DModK, FatTree>},
      {kNearestCommonAncestor,
       "On fat trees and folded Clos networks: up to a common ancestor drawn at the source, then "
       "down. 1 VC.",
       {},
       accepts<FatTree>(),
       make_random_ascent},
      {"adaptive_ascent",
       "On fat trees and folded Clos networks: up by the less loaded of two random parents, then "
       "down. 1 VC.",
       {},
       accepts<FatTree>(),
       make_on<AdaptiveAscent, FatTree>}};
}

}  // namespace flitcast
