// SPDX-License-Identifier: Apache-2.0
#include "traffic/uniform.h"

#include <stdexcept>

namespace flitcast {

Uniform::Uniform(std::size_t node_count, bool include_self)
    : node_count_(node_count), include_self_(include_self) {
  if (node_count < (include_self ? 1 : 2)) {
    throw std::invalid_argument("uniform traffic needs a node to send to");
  }
}

NodeId Uniform::destination(NodeId source, Random& random) const {
  if (include_self_) return NodeId{static_cast<std::uint32_t>(random.below(node_count_))};
  const std::uint64_t other = random.below(node_count_ - 1);
  return NodeId{static_cast<std::uint32_t>(other < index(source) ? other : other + 1)};
}

namespace {

std::unique_ptr<Pattern> make_uniform(const Section& workload, const Topology& topology) {
  const bool include_self = workload.boolean("include_self");
  if (!include_self && topology.node_count() < 2) {
    workload.fail("include_self",
                  "the only node of " + topology.name() + " has no other to send to",
                  "use at least 2 nodes or include_self: true");
  }
  return std::make_unique<Uniform>(topology.node_count(), include_self);
}

}  // namespace

PatternEntry uniform_pattern() {
  return {"uniform",
          "every node equally likely",
          {Param::boolean("include_self", true, "Whether a node may draw itself as destination.")},
          make_uniform,
          {"", "include_self: false"}};
}

}  // namespace flitcast
