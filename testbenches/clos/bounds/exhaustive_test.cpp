// SPDX-License-Identifier: Apache-2.0
// Compares the bounds with every family of sets and every legal state of small networks.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "clos/bounds/bounds.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

/// Grows multisets of nonempty subsets of 0 .. r - 1, bit k for element k, no element in more than
/// c of them, of which any x meet; remembers the size of the largest.
class Families {
 public:
  Families(unsigned c, unsigned r, unsigned x) : x_(x), space_(r, c) { grow(1, 0); }

  unsigned largest() const { return largest_; }

 private:
  // True if every `count` of the sets from `begin` on meet within `common`.
  bool meet(unsigned common, std::size_t begin, unsigned count) const {
    if (common == 0 || count == 0) return common != 0;
    for (std::size_t i = begin; i < family_.size(); ++i) {
      if (!meet(common & family_[i], i + 1, count - 1)) return false;
    }
    return true;
  }

  bool place(unsigned set) {
    for (std::size_t k = 0; k < space_.size(); ++k) {
      if ((set >> k & 1) != 0 && space_[k] == 0) return false;
    }
    for (std::size_t k = 0; k < space_.size(); ++k) space_[k] -= set >> k & 1;
    return true;
  }

  // Sets are added in ascending order, so that each multiset is visited once.
  void grow(unsigned first, unsigned size) {
    largest_ = std::max(largest_, size);
    for (unsigned set = first; set < 1U << space_.size(); ++set) {
      if (!meet(set, 0, x_ - 1) || !place(set)) continue;
      family_.push_back(set);
      grow(set, size + 1);
      family_.pop_back();
      for (std::size_t k = 0; k < space_.size(); ++k) space_[k] += set >> k & 1;
    }
  }

  unsigned x_;
  std::vector<unsigned> space_;
  std::vector<unsigned> family_;
  unsigned largest_ = 0;
};

/// The most middle switches that input switch 0 and output switch 0, each with an idle port, cannot
/// both reach, over all legal routes of connections to at most d output switches: A(0, j) is busy
/// by a leg of one of the n - 1 other inputs, or B(j, 0) by a connection from elsewhere.
class UnusableMiddles {
 public:
  UnusableMiddles(unsigned n, unsigned r, unsigned d)
      : sets_(1U << r), to_switch0_(n - 1), reached_(n - 1, 0), d_(d) {
    add(0, 0);
  }

  unsigned most() const { return most_; }

 private:
  static unsigned size_of(unsigned set) { return static_cast<unsigned>(__builtin_popcount(set)); }

  // The middle switches are equivalent: legs are added in ascending order of (input, served set).
  void add(unsigned first, unsigned used) {
    // The other links B(j, 0) are busy by connections from elsewhere.
    most_ = std::max(most_, used + to_switch0_);
    const auto inputs = static_cast<unsigned>(reached_.size());
    for (unsigned leg = first; leg < inputs * sets_; ++leg) {
      const unsigned served = leg % sets_;
      unsigned& reached = reached_[leg / sets_];
      const unsigned port = served & 1;
      if (served == 0 || (served & reached) != 0 || port > to_switch0_) continue;
      if (size_of(served | reached) > d_) continue;
      reached |= served;
      to_switch0_ -= port;
      add(leg, used + 1);
      to_switch0_ += port;
      reached &= ~served;
    }
  }

  unsigned sets_;
  unsigned to_switch0_;  ///< Free ports of output switch 0, except the idle one.
  std::vector<unsigned> reached_;
  unsigned d_;
  unsigned most_ = 0;
};

}  // namespace

TEST_CASE("no family of small sets is larger than the refined count and the root say", "[clos]") {
  struct Case {
    unsigned c;
    unsigned r;
  };
  for (const auto& [c, r] : {Case{1, 4}, {2, 2}, {2, 3}, {2, 4}, {3, 2}, {3, 3}, {4, 2}, {4, 3}}) {
    for (unsigned x = 1; x <= std::min(c, r); ++x) {
      const unsigned largest = Families(c, r, x).largest();
      INFO("c " << c << ", r " << r << ", x " << x << ": " << largest);
      CHECK(largest <= largest_family(c, r, x));
      CHECK(largest_family(c, r, x) <= scaled_root(c, r, x));
      if (x == 1) CHECK(largest == c * r);
    }
  }
}

TEST_CASE("strict sense is exact: some state leaves one middle switch fewer unusable", "[clos]") {
  for (unsigned n = 1; n <= 4; ++n) {
    for (unsigned r = 2; r <= 4; ++r) {
      for (unsigned d = 1; d <= r; ++d) {
        INFO("n " << n << ", r " << r << ", d " << d);
        REQUIRE(UnusableMiddles(n, r, d).most() + 1 == strict_sense(n, r, d));
      }
    }
  }
}
