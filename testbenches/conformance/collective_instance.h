// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "collective/catalog.h"
#include "collective/cost.h"
#include "conformance/check.h"
#include "conformance/normative.h"

namespace flitcast::conformance {

/// What a row of the broadcast-and-gossip table is about, made as the program makes it.
struct CollectiveInstance {
  std::unique_ptr<Topology> topology;
  /// With the ports of the row in its discipline, which may be more than the algorithm needs.
  Collective collective;
  /// By the formulas of the specification, section 0.
  std::size_t lower_bound = 0;
  /// Columns in which the algorithm's definition leaves no choice, normative or not.
  Norm defined;
};

/// Reads the columns algorithm ("gossip tadt k=1"), network ("K13", "Q5", "M(3,3,4)", "T(2,3)"),
/// source (a node; "-" where every node is one), ports ("1", "all", a number) and rule.
///
/// "all" and any number that is no less than the most channels of a node mean the same.
/// Throws PreconditionError for an instance to refuse: a network that there is none of (T(0,3)), a
/// source that is no node of it, ports, chunks or sizes that the algorithm is not defined for.
/// Throws std::invalid_argument for text that means nothing.
CollectiveInstance collective_instance(const Row& row);

/// The columns ts, td, tm and m; std::invalid_argument unless they are numbers.
CostModel cost_of(const Row& row);

}  // namespace flitcast::conformance
