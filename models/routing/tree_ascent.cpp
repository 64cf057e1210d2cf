// SPDX-License-Identifier: Apache-2.0
#include "routing/tree_ascent.h"

#include "routing/catalog.h"

namespace flitcast {

TreeWays::TreeWays(const FatTree& tree) {
  const auto narrow = [](std::size_t number) { return static_cast<std::uint32_t>(number); };
  for (std::size_t l = 0; l < tree.levels(); ++l) {
    for (std::size_t s = 0; s < tree.switches(l); ++s) {
      Switch at;
      at.subtree = narrow(s / tree.copies(l));
      at.span = narrow(tree.span(l));
      at.child_span = narrow(tree.span(l) / tree.down(l));
      at.copies = narrow(tree.copies(l));
      at.down = narrow(tree.down(l));
      at.up = narrow(tree.up(l));
      switches_.push_back(at);
    }
  }
}

Route DModK::route(const RouteRequest& request) const {
  if (ways_.above(request.router, request.destination)) {
    return {ways_.down(request.router, request.destination), all_};
  }
  return {ways_.up(request.router, index(request.destination)), all_};
}

RoutingEntry d_mod_k_routing() {
  return {"d_mod_k",
          "On fat trees and folded Clos networks: up to the parents that the destination's digits "
          "name, then down. 1 VC.",
          {},
          accepts<FatTree>(),
          [](const Section&, const RoutingContext& context) -> std::unique_ptr<Routing> {
            return std::make_unique<DModK>(dynamic_cast<const FatTree&>(context.topology),
                                           context.virtual_channels);
          }};
}

}  // namespace flitcast
