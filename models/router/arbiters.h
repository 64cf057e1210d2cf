// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "router/bit_mask.h"

namespace flitcast {

// Stand-alone arbiters for up to 64 requesters; bit r of a mask is requester r. grant() returns one
// of `requests` as a mask, or 0 if there is none. serve() takes a grant and advances the order.

/// Round robin: grants the first requester above the one served last, wrapping around; initially
/// requester 0. A persistent request is served within as many grants as there are requesters.
class RoundRobinOrder {
 public:
  explicit RoundRobinOrder(unsigned requesters) : last_(requesters - 1) {}

  std::uint64_t grant(std::uint64_t requests) const {
    return requests == 0 ? 0 : std::uint64_t{1} << round_robin(requests, last_);
  }
  void serve(std::uint64_t grant) { last_ = lowest_bit(grant); }

 private:
  unsigned last_;
};

/// Least recently served first; initially 0, 1, ... No requester is served twice while another
/// requester keeps waiting.
/// Source: the matrix arbiter of Dally and Towles, Principles and Practices of Interconnection
/// Networks, 2004, section 18.5.
class LeastRecentOrder {
 public:
  explicit LeastRecentOrder(unsigned requesters) : order_(requesters) {
    std::iota(order_.begin(), order_.end(), 0U);
  }

  std::uint64_t grant(std::uint64_t requests) const {
    for (const unsigned r : order_) {
      if ((requests >> r & 1) != 0) return std::uint64_t{1} << r;
    }
    return 0;
  }
  void serve(std::uint64_t grant) {
    const auto served = std::find(order_.begin(), order_.end(), lowest_bit(grant));
    std::rotate(served, served + 1, order_.end());
  }

 private:
  std::vector<unsigned> order_;  // Least recently served first.
};

}  // namespace flitcast
