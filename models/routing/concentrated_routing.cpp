// SPDX-License-Identifier: Apache-2.0
#include "routing/concentrated_routing.h"

#include <algorithm>
#include <utility>

namespace flitcast {

ConcentratedRouting::ConcentratedRouting(const Concentrated& topology,
                                         std::unique_ptr<const Routing> routing)
    : routing_(std::move(routing)), local_(topology.core().attachment(NodeId{0}).ejection.port) {
  for (const NodeId node : topology.nodes()) {
    const Endpoint ejection = topology.attachment(node).ejection;
    homes_.push_back({NodeId{index(ejection.router)}, ejection.port});
  }
}

// Inputs from nodes lie behind those from routers, as in the core.
RouteRequest ConcentratedRouting::in_core(RouteRequest request) const {
  request.input = std::min(request.input, local_);
  request.destination = core_node(request.destination);
  return request;
}

Route ConcentratedRouting::route(const RouteRequest& request) const {
  const Route route = routing_->route(in_core(request));
  return {output(route.output, request.destination), route.vcs};
}

void ConcentratedRouting::alternatives(const RouteRequest& request,
                                       Alternatives& alternatives) const {
  routing_->alternatives(in_core(request), alternatives);
  for (Alternative& option : alternatives)
    option.output = output(option.output, request.destination);
}

}  // namespace flitcast
