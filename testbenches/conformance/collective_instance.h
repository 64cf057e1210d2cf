// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>

#include "collective/catalog.h"
#include "collective/cost.h"
#include "conformance/check.h"
#include "conformance/normative.h"

namespace flitcast::conformance {

/// The instance of a row of the broadcast-and-gossip table, made as the program makes it.
struct CollectiveInstance {
  std::unique_ptr<Topology> topology;
  /// The collective; its discipline has the ports of the row, which may be more than the algorithm
  /// needs.
  Collective collective;
  /// The lower bound by the formulas of the specification, section 0.
  std::size_t lower_bound = 0;
  /// Columns that the algorithm's definition determines, normative or not.
  Norm defined;
};

/// Reads the columns algorithm ("gossip tadt k=1"), network ("K13", "Q5", "M(3,3,4)", "T(2,3)"),
/// source (a node; "-" where every node is one), ports ("1", "all", a number) and rule.
///
/// "all" and any number not below the largest number of channels of a node mean the same.
/// Throws PreconditionError for an instance to refuse: a network that does not exist (T(0,3)), a
/// source that is no node of it, ports, chunks or sizes for which the algorithm is not defined.
/// Throws std::invalid_argument for other text.
CollectiveInstance collective_instance(const Row& row);

/// The columns ts, td, tm and m; throws std::invalid_argument unless they are numbers.
CostModel cost_of(const Row& row);

}  // namespace flitcast::conformance
