// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace flitcast {

/// A read-only view of neighbouring entries in memory.
template <class Entry>
class Span {
 public:
  Span(const Entry* begin, const Entry* end) : begin_(begin), end_(end) {}
  const Entry* begin() const { return begin_; }
  const Entry* end() const { return end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - begin_); }
  const Entry& operator[](std::size_t place) const { return begin_[place]; }

 private:
  const Entry* begin_;
  const Entry* end_;
};

}  // namespace flitcast
