// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "base/bit_set.h"

namespace flitcast {

/// A set of numbers 0 .. N - 1, as a value of the SharedSets that made it: a cyclic range of
/// numbers, or the place at which any other set is stored. Two values of one SharedSets are equal
/// if and only if they have the same members.
struct SharedSet {
  static constexpr std::uint32_t kStored = std::uint32_t{1} << 31;
  std::uint32_t first = 0;  ///< The first number of the range, or kStored + the place.
  std::uint32_t size = 0;   ///< The number of members.

  bool is_range() const { return first < kStored; }
  friend bool operator==(const SharedSet& a, const SharedSet& b) {
    return a.first == b.first && a.size == b.size;
  }
};

/// Unions of sets of numbers 0 .. N - 1, of which many are equal, or cyclic ranges such as
/// {N - 1, 0, 1}. A cyclic range takes no memory; any other set is stored once, as N bits, and
/// stays.
///
/// From the size of a union follows how two sets relate: they are disjoint if it is the sum of
/// their sizes, and one contains the other if it is the size of the one.
class SharedSets {
 public:
  /// @param members  N, at most 2^31.
  /// @param most_bytes  The most memory of stored sets.
  SharedSets(std::size_t members, std::size_t most_bytes)
      : members_(members), most_stored_(most_bytes / sizeof(SetWord) / set_words(members)) {}

  /// The numbers first, first + 1, .. modulo N, `size` of them; size <= N.
  SharedSet range(std::size_t first, std::size_t size) const;
  bool test(const SharedSet& set, std::size_t member) const;
  /// The union. O(1) for two ranges whose union is one, and for the operands of the last call with
  /// others; otherwise O(N). Throws std::length_error before stored sets take more than
  /// `most_bytes`.
  SharedSet united(const SharedSet& a, const SharedSet& b);
  /// The number of sets that are stored.
  std::size_t stored() const { return stored_.size(); }

 private:
  SharedSet shared(const BitSet& bits);

  std::size_t members_;
  std::size_t most_stored_;
  std::map<std::vector<SetWord>, std::uint32_t> places_;
  std::vector<const SetWord*> stored_;  // By place: the words of the key in places_.
  SharedSet last_a_, last_b_, last_union_;
};

}  // namespace flitcast
