// SPDX-License-Identifier: Apache-2.0
#include "collective/precondition.h"

#include <algorithm>

#include "base/sequences.h"
#include "collective/cost.h"
#include "config/wording.h"

namespace flitcast {

void require(const Section& section, const char* key, const Precondition& condition) {
  if (condition) section.fail(key, condition->reason(), condition->hint());
}

Precondition source_exists(const Topology& topology, NodeId source) {
  if (index(source) < topology.node_count()) return {};
  return violated("there is no node " + std::to_string(index(source)) + " in " + topology.name(),
                  "use a source from 0 to " + std::to_string(topology.node_count() - 1),
                  PreconditionError::Subject::kSource);
}

Precondition one_or_all_ports(const std::string& algorithm, unsigned ports) {
  if (ports == 1 || ports == kAllPorts) return {};
  return violated("the " + algorithm + " is a schedule for 1 port or for all ports, not for " +
                      std::to_string(ports),
                  "use one or all", PreconditionError::Subject::kPorts);
}

std::string use_one_of(const std::string& family, const std::vector<Sizes>& choices) {
  const auto name = [&](const Sizes& choice) { return family + " " + to_text(choice); };
  return "use " + listed(mapped(choices, name), " or ");
}

Sizes raised_to_three(const Grid& grid) {
  Sizes sizes = grid.node_grid();
  for (std::size_t& size : sizes) size = std::max<std::size_t>(size, 3);
  return sizes;
}

Precondition on_mesh(const Grid& grid, const std::string& what, const std::string& other) {
  const bool wraps = any_of(numbers(grid.dimensions()),
                            [&](std::size_t d) { return grid.wraps(d) && grid.size(d) > 1; });
  if (!wraps) return {};
  return violated(what + " on meshes only, not on " + grid.name(),
                  use_one_of("mesh", {grid.node_grid()}) + other);
}

Precondition on_torus(const Grid& grid, const std::string& what,
                      const std::vector<Sizes>& nearest) {
  const Sizes raised = raised_to_three(grid);
  const auto wraps = [&](std::size_t dimension) { return grid.wraps(dimension); };
  if (all_of(numbers(grid.dimensions()), wraps) && grid.node_grid() == raised) return {};
  return violated(what + " is defined on tori with sizes of 3 or more, not on " + grid.name(),
                  use_one_of("torus", nearest.empty() ? std::vector<Sizes>{raised} : nearest));
}

Precondition in_two_dimensions(const Grid& grid, const std::string& what) {
  if (grid.dimensions() == 2) return {};
  return violated(what + " is defined on two dimensions, not on " + grid.name(),
                  "use two dimensions, such as torus 4x4");
}

Precondition on_power_of_two(const char* algorithm, std::size_t count, const char* other) {
  const std::size_t above = std::size_t{1} << ceil_log(2, count);
  if (above == count) return {};
  return violated(
      std::string(algorithm) + " is defined on 2^k nodes only, not on " + std::to_string(count),
      "use " + std::to_string(above / 2) + " or " + std::to_string(above) + " nodes, or " + other);
}

Precondition few_enough_sends(const Topology& topology, std::size_t sends,
                              const std::string& hint) {
  if (sends <= kMostSends) return {};
  return violated("the schedule for " + topology.name() + " has " + std::to_string(sends) +
                      " sends, more than " + std::to_string(kMostSends),
                  hint);
}

std::size_t gossip_sends(std::size_t nodes, std::size_t chunks_per_node) {
  return chunks_per_node * nodes * (nodes - 1);
}

Precondition few_enough_gossip_sends(const Topology& topology, std::size_t chunks_per_node) {
  std::size_t fitting = topology.node_count();
  while (gossip_sends(fitting, chunks_per_node) > kMostSends) --fitting;
  return few_enough_sends(topology, gossip_sends(topology.node_count(), chunks_per_node),
                          "use at most " + std::to_string(fitting) + " nodes");
}

}  // namespace flitcast
