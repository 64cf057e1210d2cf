// SPDX-License-Identifier: Apache-2.0
#include "topology/graph.h"

#include <algorithm>
#include <utility>

#include "topology/limits.h"

namespace flitcast {
namespace {

// Hands out the ports of one direction, of every router, in ascending order.
class PortCounter {
 public:
  explicit PortCounter(std::size_t routers) : used_(routers, 0) {}
  Endpoint take(RouterId router) {
    return {router, PortId{static_cast<std::uint16_t>(used_.at(index(router))++)}};
  }
  std::size_t used(std::size_t router) const { return used_[router]; }

 private:
  std::vector<std::size_t> used_;
};

}  // namespace

Graph::Graph(std::string name, std::size_t routers, const std::vector<GraphLink>& links,
             const std::vector<RouterId>& homes)
    : Topology(std::move(name)) {
  require_buildable(routers, 0);
  PortCounter inputs(routers);
  PortCounter outputs(routers);
  for (const GraphLink& link : links) {
    add_channel({outputs.take(link.from), inputs.take(link.to), link.latency});
  }
  for (const RouterId home : homes) add_node({inputs.take(home), outputs.take(home)});
  for (std::size_t router = 0; router < routers; ++router) {
    require_buildable(routers, std::max(inputs.used(router), outputs.used(router)));
    add_router(inputs.used(router), outputs.used(router));
  }
}

}  // namespace flitcast
