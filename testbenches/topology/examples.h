// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// Sections of small, odd and degenerate topologies, at least one for each entry of topologies():
/// what contract tests loop over.
struct TopologyExample {
  std::string kind;
  Section section;

  std::unique_ptr<Topology> make() const;
};

std::vector<TopologyExample> topology_examples();

}  // namespace flitcast
