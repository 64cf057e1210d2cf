// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/random.h"
#include "config/catalog.h"
#include "config/section.h"

namespace flitcast {

/// When does a node create its next packet? The temporal half of random traffic.
///
/// At most one packet per node and cycle. A process is immutable and shared by all nodes; what it
/// must remember of a node is one number that the caller keeps.
class Injection {
 public:
  /// A node's place in the process; each process defines its own meaning.
  using State = std::uint64_t;

  /// gap() of a node that never sends again.
  static constexpr std::uint64_t kNoMore = ~std::uint64_t{0};

  virtual ~Injection() = default;

  /// The state of a node before cycle 0, drawn from the long-run distribution: a node is as likely
  /// to send in cycle 0 as in any other.
  virtual State start(Random& random) const = 0;

  /// Cycles from the last packet to the next, at least 1, or kNoMore. The first packet follows a
  /// last one that is imagined in the cycle before cycle 0.
  virtual std::uint64_t gap(State& state, Random& random) const = 0;
};

/// Makes the process that the section describes for packets of `mean_length` flits; throws
/// ConfigError for a load that the process cannot offer.
using InjectionMaker = std::unique_ptr<Injection> (*)(const Section& workload, double mean_length);

using InjectionEntry = CatalogEntry<InjectionMaker>;

/// The processes that a user can name under workload.injection, open to more. All read `load`, in
/// flits per node and cycle.
Catalog<InjectionEntry>& injections();

}  // namespace flitcast
