// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/route.h"

namespace flitcast::clos {

/// What a strategy answers: a route for the request, or that the request is blocked.
///
/// Kept by the caller from request to request, so that filling it allocates nothing.
class Selection : public Route {
 public:
  /// @param output_switches  r2.
  explicit Selection(std::size_t output_switches) : Route(output_switches) {}

  void clear() {
    Route::clear();
    blocked_ = false;
    passes_ = 0;
    clocks_ = 0;
  }
  /// Takes every leg back and marks the request as blocked.
  void block() {
    Route::clear();
    blocked_ = true;
  }
  /// Passes over the candidates, the one that found the request blocked included.
  void set_passes(std::size_t passes) { passes_ = passes; }
  /// Clocks until the last leg, or the block, was known, if hardware has found it.
  void set_clocks(std::uint64_t clocks) { clocks_ = clocks; }

  bool blocked() const { return blocked_; }
  std::size_t passes() const { return passes_; }
  /// 0: a strategy in software, which has no clock.
  std::uint64_t clocks() const { return clocks_; }

 private:
  bool blocked_ = false;
  std::size_t passes_ = 0;
  std::uint64_t clocks_ = 0;
};

/// What a strategy decides on, and what a hardware controller is given: a request and the state of
/// the middle switches as far as it matters.
struct SelectionRequest {
  const BitSet& wanted;      ///< I, output switches (r2); not empty.
  const BitSet& candidates;  ///< Available middle switches (m) that may be taken.
  const BitMatrix& busy;     ///< Row j is the destination set M_j: m rows of r2 columns.
};

/// Which middle switches carry a multicast?
///
/// Theorem 1: middle switches j1 .. jx can carry I if and only if I & M_j1 & ... & M_jx is empty.
/// Without a pass limit every strategy of the catalog finds a route if there is one. Equal requests
/// (and, for random choices, equal histories) get equal answers.
class Strategy {
 public:
  virtual ~Strategy() = default;

  /// Replaces the contents of `selection`. `busy` is not changed: committing is the caller's.
  /// Passes of S1 are scans of the candidates, the one that finds a request blocked included, and
  /// so where S3 asks S1, twice if need be; of other strategies the middle switches selected, none
  /// if blocked.
  virtual void select(const SelectionRequest& request, Selection& selection) = 0;
};

}  // namespace flitcast::clos
