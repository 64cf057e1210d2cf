// SPDX-License-Identifier: Apache-2.0
// A user's topology: a hub without a node, and leaves with a node each.
#include "extension.h"

namespace {

using namespace flitcast;

/// Router 0 is the hub; leaf i is router i + 1. Port i of the hub leads to leaf i; port 0 of a leaf
/// leads to the hub, port 1 is local.
class Star : public Topology {
 public:
  explicit Star(std::size_t leaves) : Topology("star " + std::to_string(leaves)) {
    const RouterId hub = add_router(leaves, leaves);
    for (std::uint16_t leaf = 0; leaf < leaves; ++leaf) {
      const RouterId router = add_router(2, 2);
      add_channel({{hub, PortId{leaf}}, {router, PortId{0}}});
      add_channel({{router, PortId{0}}, {hub, PortId{leaf}}});
      add_node({{router, PortId{1}}, {router, PortId{1}}});
    }
  }
};

}  // namespace

flitcast::TopologyEntry star_topology() {
  return {"star",
          "A hub and leaves with a node each.",
          {Param::integer("leaves", "routers", "Leaves round the hub.", 1, kMaxPorts)},
          [](const Section& section) -> std::unique_ptr<Topology> {
            return std::make_unique<Star>(section.count("leaves"));
          },
          {"leaves: 1", "leaves: 2", "leaves: 7"}};
}
