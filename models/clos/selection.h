// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

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

}  // namespace flitcast::clos
