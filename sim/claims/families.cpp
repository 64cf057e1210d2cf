// SPDX-License-Identifier: Apache-2.0
// A machine for document 004: families of sets any x of which have a common element.
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "sim/claims/clos_trial.h"
#include "sim/claims/statement.h"

namespace flitcast::claims {
namespace {

/// A search for r blocks of n points each such that any x points are together in a block. The
/// points are the sets of the theorem, and the blocks its elements: block k has the sets that
/// contain k.
class BlockSearch {
 public:
  /// @param tight  True to use only as many blocks as the count of places requires, and to try
  ///               points in their order; false to try points with many open groups first.
  BlockSearch(std::size_t points, std::size_t n, std::size_t r, std::size_t x, bool tight)
      : points_(points), n_(n), r_(r), tight_(tight) {
    add_groups(0, 0, x);
    covered_.resize(groups_.size());
    uncovered_ = groups_.size();
    for (std::size_t i = 1; i < x; ++i) groups_at_point_ = groups_at_point_ * (n - i) / i;
    while (tight && r_ > 0 && can_suffice(open_groups(), r_ - 1)) --r_;
  }

  bool find(std::size_t first = 0) {
    if (uncovered_ == 0) return true;
    work_ += groups_.size() * points_;
    const std::vector<std::size_t> open = open_groups();
    if (!complete() || !can_suffice(open, r_ - blocks_.size())) return false;
    while (covered_[first] > 0) ++first;
    std::uint64_t used = groups_[first];
    for (const std::uint64_t block : blocks_) used |= block;
    std::vector<std::size_t> order = numbers(points_);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return !tight_ && open[a] > open[b]; });
    return fill(groups_[first], 0, used, {first, order});
  }

  /// False if the search ended because it took too long.
  bool complete() const { return work_ <= kMostWork; }
  const std::vector<std::uint64_t>& blocks() const { return blocks_; }

 private:
  static constexpr std::size_t kMostWork = 300000000;  // Some tenths of a second.

  /// The start of the search after a block: the first group that may be open, and the order of
  /// points.
  struct Branch {
    std::size_t first;
    const std::vector<std::size_t>& order;
  };

  /// By point: the number of groups that contain it and are in no block.
  std::vector<std::size_t> open_groups() const {
    std::vector<std::size_t> open(points_);
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if (covered_[g] > 0) continue;
      for (std::size_t p = 0; p < points_; ++p) open[p] += groups_[g] >> p & 1;
    }
    return open;
  }

  /// True if `left` blocks have enough places: every point needs blocks for its open groups.
  bool can_suffice(const std::vector<std::size_t>& open, std::size_t left) const {
    const auto places = sum_of<std::size_t>(
        open, [&](std::size_t count) { return (count + groups_at_point_ - 1) / groups_at_point_; });
    return places <= left * n_;
  }

  void add_groups(std::size_t from, std::uint64_t group, std::size_t more) {
    if (more == 0) return groups_.push_back(group);
    for (std::size_t p = from; p + more <= points_; ++p) {
      add_groups(p + 1, group | std::uint64_t{1} << p, more - 1);
    }
  }

  /// Fills a block. Points in no block yet are equivalent: only the first of them is tried.
  bool fill(std::uint64_t block, std::size_t from, std::uint64_t used, const Branch& branch) {
    if (popcount(block) == n_) {
      count(block, 1);
      blocks_.push_back(block);
      if (find(branch.first)) return true;
      blocks_.pop_back();
      count(block, -1);
      return false;
    }
    for (std::size_t p = from; p < points_ && complete(); ++p) {
      const std::uint64_t point = std::uint64_t{1} << branch.order[p];
      if ((block & point) != 0) continue;
      if (fill(block | point, p + 1, used | point, branch)) return true;
      if ((used & point) == 0) return false;
    }
    return false;
  }

  void count(std::uint64_t block, int sign) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      if ((groups_[g] & ~block) != 0) continue;
      if (sign < 0) --covered_[g];
      if (covered_[g] == 0) uncovered_ -= static_cast<std::size_t>(sign);
      if (sign > 0) ++covered_[g];
    }
  }

  std::size_t points_;
  std::size_t n_;
  std::size_t r_;
  bool tight_;
  std::vector<std::uint64_t> groups_;  // All sets of x points.
  std::vector<unsigned> covered_;      // By group: the number of blocks that contain it.
  std::size_t uncovered_ = 0;
  std::size_t groups_at_point_ = 1;  // Groups of a point with others of a block.
  std::vector<std::uint64_t> blocks_;
  std::size_t work_ = 0;
};

struct Family {
  std::vector<std::uint64_t> sets;  // Bit k is element k + 1.
  bool complete = true;             // The search has shown that no family is larger.
};

Family largest_by_search(std::size_t n, std::size_t r, std::size_t x) {
  Family family;
  std::vector<std::uint64_t> blocks;
  std::size_t size = n;
  const auto find = [&](bool tight) {
    BlockSearch search(size, n, r, x, tight);
    const bool found = search.find();
    if (found) blocks = search.blocks();
    family.complete = found || (!tight && search.complete());
    return found;
  };
  while (size <= 64 && (find(false) || (!family.complete && find(true)))) ++size;
  family.sets.resize(size - 1);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    for (std::size_t s = 0; s < family.sets.size(); ++s) {
      if ((blocks[k] >> s & 1) != 0) family.sets[s] |= std::uint64_t{1} << k;
    }
  }
  return family;
}

/// The sizes c_1, c_2, ...: c_1 of the smallest set, c_i of the smallest intersection of the
/// previous one with another set.
std::vector<std::size_t> least_cuts(std::vector<std::uint64_t> family, std::size_t count) {
  std::vector<std::size_t> cuts;
  for (std::uint64_t left = ~std::uint64_t{0}; cuts.size() < count;) {
    const auto least = std::min_element(
        family.begin(), family.end(),
        [&](std::uint64_t a, std::uint64_t b) { return popcount(left & a) < popcount(left & b); });
    left &= *least;
    cuts.push_back(popcount(left));
    family.erase(least);
  }
  return cuts;
}

/// The number of choices of x sets that have no common element.
std::size_t groups_apart(const std::vector<std::uint64_t>& family, std::size_t x,
                         std::size_t from = 0, std::uint64_t common = ~std::uint64_t{0}) {
  if (x == 0) return common == 0 ? 1 : 0;
  return sum_of<std::size_t>(numbers(from, family.size()), [&](std::size_t s) {
    return groups_apart(family, x - 1, s + 1, common & family[s]);
  });
}

Figures meeting_sets(const Section& parameters) {
  const auto [n, r, x] = counts_in(parameters, "n", "r", "x");
  const Family family = largest_by_search(n, r, x);
  std::vector<std::vector<std::size_t>> sets;
  std::vector<std::size_t> often(r);
  for (const std::uint64_t set : family.sets) {
    sets.push_back(members_of(BitSet(r, &set)));
    for (const std::size_t k : sets.back()) ++often[k - 1];
  }
  return {{{"largest", family.sets.size()},
           {"complete", family.complete},
           {"bound", clos::scaled_root(n, r, x)},
           {"counted", clos::largest_family(n, r, x)},
           {"family", sets},
           {"often", often},
           {"apart", groups_apart(family.sets, x)},
           {"c", least_cuts(family.sets, x - 1)}}};
}

}  // namespace

FigureMakers family_makers() { return {{"meeting_sets", meeting_sets}}; }

}  // namespace flitcast::claims
