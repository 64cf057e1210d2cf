// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "base/ids.h"
#include "base/random.h"
#include "config/catalog.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// Who sends to whom? The spatial half of random traffic.
///
/// Immutable and shared by all nodes; what a pattern draws comes from the asking node's own stream,
/// so a node's destinations depend on no other node.
/// Source of the patterns: Dally and Towles, Principles and Practices of Interconnection Networks
/// (2004), section 3.2.
class Pattern {
 public:
  virtual ~Pattern() = default;

  /// The destination of the next packet of `source`; may be the source itself.
  virtual NodeId destination(NodeId source, Random& random) const = 0;
};

/// Makes the pattern for the nodes of `topology`; throws ConfigError where it is not defined on
/// them.
using PatternMaker = std::unique_ptr<Pattern> (*)(const Section& workload,
                                                  const Topology& topology);

using PatternEntry = CatalogEntry<PatternMaker>;

/// The patterns that a user can name under workload.pattern, open to more.
Catalog<PatternEntry>& patterns();

}  // namespace flitcast
