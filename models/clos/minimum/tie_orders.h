// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace flitcast::clos {

/// Up to kMost things in every order that has their colours descending; things of colour 0 stay
/// last in one order.
template <std::size_t kMost>
class TieOrders {
 public:
  using Colours = std::array<std::uint64_t, kMost>;

  TieOrders(const Colours& colours, std::size_t size) : colours_(colours), size_(size) {
    std::iota(order_.begin(), order_.begin() + size_, 0U);
    const auto darker = [&](std::uint32_t a, std::uint32_t b) {
      return colours_[a] != colours_[b] ? colours_[a] > colours_[b] : a < b;
    };
    std::sort(order_.begin(), order_.begin() + size_, darker);
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
  std::size_t size_;
  std::array<std::uint32_t, kMost + 1> order_{};
};

}  // namespace flitcast::clos
