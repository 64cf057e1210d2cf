// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace flitcast::clos {

/// Up to kMost things in every order that has their colours descending; things of colour 0 stay
/// last in one order.
template <std::size_t kMost>
class TieOrders {
 public:
  using Colours = std::array<std::uint64_t, kMost>;

  TieOrders(const Colours& colours, std::uint32_t size) : colours_(colours), size_(size) {
    for (std::uint32_t thing = 0; thing < size_; ++thing) {
      std::uint32_t place = thing;
      for (; place > 0 && colours_[order_[place - 1]] < colours_[thing]; --place) {
        order_[place] = order_[place - 1];
      }
      order_[place] = thing;
    }
  }

  std::uint32_t operator[](std::size_t place) const { return order_[place]; }

  /// The next order; false after the last, when the first one is back.
  bool next() {
    std::size_t first = 0;
    while (first < size_ && colours_[order_[first]] != 0) {
      const std::size_t last = end_of_tie(first);
      if (last - first > 1 && std::next_permutation(&order_[first], &order_[last])) return true;
      first = last;
    }
    return false;
  }

 private:
  std::size_t end_of_tie(std::size_t first) const {
    std::size_t last = first + 1;
    while (last < size_ && colours_[order_[last]] == colours_[order_[first]]) ++last;
    return last;
  }

  Colours colours_;
  std::uint32_t size_;
  std::array<std::uint32_t, kMost + 1> order_{};  // One more, so that ends have addresses.
};

}  // namespace flitcast::clos
