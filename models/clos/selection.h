// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/ids.h"

namespace flitcast::clos {

/// What a strategy answers: the middle switches of a route in the order of selection, each with the
/// output switches that it serves, or that the request is blocked.
///
/// The served sets are not empty, are disjoint, and their union is the request. Kept by the caller
/// from request to request, so that filling it allocates nothing.
class Selection {
 public:
  /// @param output_switches  r2.
  explicit Selection(std::size_t output_switches)
      : output_switches_(output_switches), stride_(set_words(output_switches)) {}

  void clear() {
    blocked_ = false;
    passes_ = 0;
    middles_.clear();
    served_.clear();
  }
  /// Appends a middle switch that serves the set of these words, set_words(r2) of them.
  void add(MiddleId middle, const SetWord* served) {
    middles_.push_back(middle);
    served_.insert(served_.end(), served, served + stride_);
  }
  /// Takes everything back and marks the request as blocked.
  void block() {
    blocked_ = true;
    middles_.clear();
    served_.clear();
  }
  /// Passes over the candidates, the one that found the request blocked included.
  void set_passes(std::size_t passes) { passes_ = passes; }

  bool blocked() const { return blocked_; }
  std::size_t passes() const { return passes_; }
  /// Middle switches selected.
  std::size_t size() const { return middles_.size(); }
  MiddleId middle(std::size_t leg) const { return middles_[leg]; }
  const SetWord* served(std::size_t leg) const { return served_.data() + leg * stride_; }
  BitSet served_set(std::size_t leg) const { return {output_switches_, served(leg)}; }

 private:
  std::size_t output_switches_;
  std::size_t stride_;
  bool blocked_ = false;
  std::size_t passes_ = 0;
  std::vector<MiddleId> middles_;
  std::vector<SetWord> served_;
};

}  // namespace flitcast::clos
