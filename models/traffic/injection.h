// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "config/catalog.h"
#include "config/section.h"

namespace flitcast {

/// Decides when a node creates its next packet: the temporal half of random traffic.
///
/// At most one packet per node and cycle. A process is immutable and shared by all nodes; its state
/// of a node is one number, which the caller stores.
class Injection {
 public:
  /// The state of a node; each process defines its own encoding.
  using State = std::uint64_t;

  /// gap() of a node that never sends again.
  static constexpr std::uint64_t kNoMore = ~std::uint64_t{0};

  virtual ~Injection() = default;

  /// The state of a node before cycle 0, drawn from the stationary distribution: a node is as
  /// likely to send in cycle 0 as in any other cycle.
  virtual State start(Random& random) const = 0;

  /// Cycles from the last packet to the next, at least 1, or kNoMore. The gap before the first
  /// packet counts from the cycle before cycle 0.
  virtual std::uint64_t gap(State& state, Random& random) const = 0;

  /// The mean time in cycles from burst to burst; 0 for a process without bursts.
  virtual double burst_cycle() const { return 0; }
};

/// Makes the process that the section describes for packets of `mean_length` flits; throws
/// ConfigError for a load that the process cannot offer.
using InjectionMaker = std::unique_ptr<Injection> (*)(const Section& workload, double mean_length);

using InjectionEntry = CatalogEntry<InjectionMaker>;

/// The processes that a user can name under workload.injection; extensible. All read `load`, in
/// flits per node and cycle.
Catalog<InjectionEntry>& injections();

/// The number of failures before the first success, P(n) = p (1 - p)^n: skips the idle cycles of a
/// node in one draw instead of one draw per cycle.
///
/// With q = 1 - p, the binary digits of n are independent, and digit k is 1 with probability
/// q^(2^k) / (1 + q^(2^k)), because q^n is the product of q^(2^k) over the digits that are 1. The
/// draw needs no logarithm, so every machine draws the same numbers. It costs about log2(44 / p)
/// numbers of the stream: digits less likely than 2^-64 are omitted.
class Geometric {
 public:
  /// @param probability  p, above 0 and at most 1, else std::invalid_argument. Below 2^-53 it acts
  ///                     as 2^-53.
  explicit Geometric(double probability);

  /// Draws a number of at most 2^62 - 1, so that a simulated cycle plus a draw does not overflow.
  std::uint64_t draw(Random& random) const {
    std::uint64_t failures = 0;
    for (std::size_t digit = 0; digit < thresholds_.size(); ++digit) {
      failures |= std::uint64_t{random.next() < thresholds_[digit]} << digit;
    }
    return failures;
  }

 private:
  std::vector<std::uint64_t> thresholds_;  ///< The probability that digit k is 1, times 2^64.
};

}  // namespace flitcast
