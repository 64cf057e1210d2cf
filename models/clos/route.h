// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/bit_set.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// Replaces a set, of size r2, by the output switches of these ports.
inline void output_switches_of(const Structure& structure, const std::vector<OutputId>& outputs,
                               BitSet& switches) {
  switches.clear();
  for (const OutputId output : outputs) switches.set(structure.output_switch(output));
}

/// The path of a connection through the middle stage: its legs in the order of selection, each a
/// middle switch and the output switches that it serves.
///
/// The served sets of a connection are non-empty and disjoint, and their union is I. All legs lie
/// in one block of memory that keeps its capacity, so refilling a route allocates nothing. Legs are
/// numbered from 0; pointers to the words of a leg are valid until the route changes.
class Route {
 public:
  /// @param output_switches  r2.
  explicit Route(std::size_t output_switches)
      : output_switches_(output_switches), stride_(set_words(output_switches) + 1) {}

  /// Middle switches in the route.
  std::size_t size() const { return legs_; }
  bool empty() const { return legs_ == 0; }
  MiddleId middle(std::size_t leg) const { return MiddleId(words_[leg * stride_]); }
  /// The served set as set_words(r2) words, and as a BitSet.
  const SetWord* served(std::size_t leg) const { return words_.data() + leg * stride_ + 1; }
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

  /// Calls visit(middle, served) for each leg in order.
  template <class Visit>
  void for_each_leg(Visit&& visit) const {
    const SetWord* const end = words_.data() + legs_ * stride_;
    for (const SetWord* leg = words_.data(); leg != end; leg += stride_) {
      visit(MiddleId(*leg), leg + 1);
    }
  }

  void clear() { legs_ = 0; }
  /// Appends a leg; the caller fills the set_words(r2) words of its served set.
  SetWord* append(MiddleId middle) {
    const std::size_t first = legs_++ * stride_;
    if (first + stride_ > words_.size()) words_.resize(first + stride_);
    words_[first] = index(middle);
    return words_.data() + first + 1;
  }
  /// Appends a leg that serves the set of these words, set_words(r2) of them.
  void add(MiddleId middle, const SetWord* served) {
    SetWord* const leg = append(middle);
    for (std::size_t w = 0; w + 1 < stride_; ++w) leg[w] = served[w];
  }
  /// Appends a leg to one output switch.
  void add(MiddleId middle, std::size_t output_switch) {
    std::fill_n(append(middle), stride_ - 1, SetWord{0});
    extend(legs_ - 1, output_switch);
  }
  /// Adds an output switch to a leg.
  void extend(std::size_t leg, std::size_t output_switch) {
    words_of(leg)[1 + output_switch / 64] |= SetWord{1} << output_switch % 64;
  }
  /// Removes an output switch from a leg, and the leg from the route if it serves nothing else.
  /// Returns whether the leg was removed.
  bool withdraw(std::size_t leg, std::size_t output_switch) {
    SetWord* const words = words_of(leg);
    words[1 + output_switch / 64] &= ~(SetWord{1} << output_switch % 64);
    SetWord* const next = words_of(leg + 1);
    if (std::any_of(words + 1, next, [](SetWord word) { return word != 0; })) return false;
    std::copy(next, words_of(legs_), words);
    --legs_;
    return true;
  }

  friend bool operator==(const Route& a, const Route& b) {
    const auto end = a.words_.begin() + static_cast<std::ptrdiff_t>(a.legs_ * a.stride_);
    return a.legs_ == b.legs_ && std::equal(a.words_.begin(), end, b.words_.begin());
  }
  friend bool operator!=(const Route& a, const Route& b) { return !(a == b); }

 private:
  SetWord* words_of(std::size_t leg) { return words_.data() + leg * stride_; }

  std::size_t output_switches_;
  std::size_t stride_;  ///< Words of a leg: its middle switch, then its served set.
  std::size_t legs_ = 0;
  std::vector<SetWord> words_;  ///< Words of the legs, followed by unused ones.
};

}  // namespace flitcast::clos
