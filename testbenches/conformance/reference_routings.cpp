// SPDX-License-Identifier: Apache-2.0
#include "conformance/reference_routings.h"

#include <memory>
#include <set>
#include <utility>

#include "routing/catalog.h"
#include "routing/minimal_adaptive.h"
#include "routing/planar_adaptive.h"
#include "topology/grid.h"

namespace flitcast::conformance {
namespace {

/// Of the ways that another routing offers, the first of each priority, all to be waited for.
class FirstOfEachPriority : public AdaptiveRouting {
 public:
  explicit FirstOfEachPriority(std::unique_ptr<const Routing> routing)
      : AdaptiveRouting(OutputSelection::kRoundRobin), routing_(std::move(routing)) {}

  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override {
    Alternatives all;
    all.clear();
    routing_->alternatives(request, all);
    std::set<unsigned> priorities;
    for (Alternative way : all) {
      if (!priorities.insert(way.priority).second) continue;
      way.waits = true;
      alternatives.add(way);
    }
  }
  VcSet injection_vcs(NodeId source, NodeId destination) const override {
    return routing_->injection_vcs(source, destination);
  }

 private:
  const std::unique_ptr<const Routing> routing_;
};

std::unique_ptr<Routing> make_min_adapt(const Section&, const RoutingContext& context) {
  MinimalAdaptive::Params params;
  params.virtual_channels = context.virtual_channels;
  return std::make_unique<FirstOfEachPriority>(
      std::make_unique<MinimalAdaptive>(dynamic_cast<const Grid&>(context.topology), params));
}

std::unique_ptr<Routing> make_planar_adapt(const Section& section, const RoutingContext& context) {
  require_vcs(section, context, 3, "planar-adaptive routing keeps three groups of channels apart");
  return std::make_unique<FirstOfEachPriority>(
      std::make_unique<PlanarAdaptive>(dynamic_cast<const Grid&>(context.topology),
                                       context.virtual_channels, OutputSelection::kRoundRobin));
}

}  // namespace

void add_reference_routings() {
  const char* const summary = "As the reference computes it, for its curves only.";
  routings().add({"reference_min_adapt", summary, {}, is_mesh, make_min_adapt});
  routings().add({"reference_planar_adapt", summary, {}, is_mesh, make_planar_adapt});
}

}  // namespace flitcast::conformance
