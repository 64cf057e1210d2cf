// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/bit_set.h"
#include "clos/structure.h"

namespace flitcast::clos {

/// How a connection crosses the middle stage: its legs in the order of selection, each a middle
/// switch and the output switches that it serves.
///
/// The served sets of a connection are not empty, are disjoint, and their union is I. All of them
/// lie in one block of memory that keeps its capacity, so that refilling a route allocates nothing.
/// Legs are numbered from 0; a leg's words are good until the route changes.
class Route {
 public:
  /// @param output_switches  r2.
  explicit Route(std::size_t output_switches)
      : output_switches_(output_switches), stride_(set_words(output_switches)) {}

  /// Middle switches in the route.
  std::size_t size() const { return middles_.size(); }
  bool empty() const { return middles_.empty(); }
  MiddleId middle(std::size_t leg) const { return middles_[leg]; }
  /// The served set as set_words(r2) words, and as a set.
  const SetWord* served(std::size_t leg) const { return served_.data() + leg * stride_; }
  BitSet served_set(std::size_t leg) const { return {output_switches_, served(leg)}; }
  bool serves(std::size_t leg, std::size_t output_switch) const {
    return (served(leg)[output_switch / 64] >> output_switch % 64 & 1) != 0;
  }
  /// The leg that serves this output switch; size() if none does.
  std::size_t leg_to(std::size_t output_switch) const {
    std::size_t leg = 0;
    while (leg < size() && !serves(leg, output_switch)) ++leg;
    return leg;
  }

  void clear() {
    middles_.clear();
    served_.clear();
  }
  /// Appends a leg that serves the set of these words, set_words(r2) of them.
  void add(MiddleId middle, const SetWord* served) {
    middles_.push_back(middle);
    served_.insert(served_.end(), served, served + stride_);
  }
  /// Appends a leg to one output switch.
  void add(MiddleId middle, std::size_t output_switch) {
    middles_.push_back(middle);
    served_.resize(served_.size() + stride_, 0);
    extend(size() - 1, output_switch);
  }
  /// Lets a leg serve one output switch more.
  void extend(std::size_t leg, std::size_t output_switch) {
    served_[leg * stride_ + output_switch / 64] |= SetWord{1} << output_switch % 64;
  }
  /// Takes an output switch from a leg, and the leg from the route if it serves nothing else.
  /// Returns whether the leg is gone.
  bool withdraw(std::size_t leg, std::size_t output_switch) {
    SetWord* words = served_.data() + leg * stride_;
    words[output_switch / 64] &= ~(SetWord{1} << output_switch % 64);
    if (std::any_of(words, words + stride_, [](SetWord word) { return word != 0; })) return false;
    const auto position = static_cast<std::ptrdiff_t>(leg);
    const auto width = static_cast<std::ptrdiff_t>(stride_);
    middles_.erase(middles_.begin() + position);
    served_.erase(served_.begin() + position * width, served_.begin() + (position + 1) * width);
    return true;
  }

  friend bool operator==(const Route& a, const Route& b) {
    return a.middles_ == b.middles_ && a.served_ == b.served_;
  }
  friend bool operator!=(const Route& a, const Route& b) { return !(a == b); }

 private:
  std::size_t output_switches_;
  std::size_t stride_;
  std::vector<MiddleId> middles_;
  std::vector<SetWord> served_;
};

}  // namespace flitcast::clos
