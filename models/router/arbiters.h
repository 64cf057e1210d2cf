// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "router/bit_mask.h"

namespace flitcast {

/// Who of several requesters goes next, as arbiters of their own rather than inlined in a core: up
/// to 64 requesters, bit r of a mask is requester r. grant() gives one requester of `requests`, as
/// a mask, or 0 without any; serve() takes a grant, and only then does the order move on.

/// Round robin: the first requester counting up from behind the one that was served last; requester
/// 0 first. Whoever holds a request is served within as many grants as there are requesters.
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

/// Least recently served first; 0, 1, ... in the beginning. Nobody is served twice before another
/// who holds a request is. Source: the matrix arbiter of Dally and Towles, Principles and Practices
/// of Interconnection Networks, 2004, section 18.5.
class LeastRecentOrder {
 public:
  explicit LeastRecentOrder(unsigned requesters) {
    for (unsigned r = 0; r < requesters; ++r) order_.push_back(r);
  }

  std::uint64_t grant(std::uint64_t requests) const {
    for (const unsigned r : order_) {
      if ((requests >> r & 1) != 0) return std::uint64_t{1} << r;
    }
    return 0;
  }
  void serve(std::uint64_t grant) {
    const unsigned served = lowest_bit(grant);
    std::vector<unsigned> order;
    for (const unsigned r : order_) {
      if (r != served) order.push_back(r);
    }
    order.push_back(served);
    order_ = std::move(order);
  }

 private:
  std::vector<unsigned> order_;  // The next to be served first.
};

}  // namespace flitcast
