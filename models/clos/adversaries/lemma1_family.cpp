// SPDX-License-Identifier: Apache-2.0
// Builds the family of lemma1.h. A member of the family is a number: i < n is I_(i+1), n + j is
// M_(j+1). An element of the sets, an output switch, is the set of the members that contain it.
#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "base/random.h"
#include "clos/adversaries/lemma1.h"

namespace flitcast::clos {
namespace {

constexpr std::size_t kMostMeetings = std::size_t{1} << 26;

// C(top, k), limited to kMostMeetings + 1.
std::size_t choose(std::size_t top, std::size_t k) {
  if (k > top) return 0;
  std::size_t value = 1;
  for (std::size_t t = 1; t <= k; ++t) {
    value = value * (top - k + t) / t;
    if (value > kMostMeetings) return kMostMeetings + 1;
  }
  return value;
}

// The number of I's in an element that covers most tuples.
std::size_t best_share(std::size_t n, std::size_t x) {
  std::size_t best = 1;
  for (std::size_t a = 1; a + x <= n; ++a) {
    if (a * choose(n - a, x) > best * choose(n - best, x)) best = a;
  }
  return best;
}

// Adds `count` random numbers of first .. first + range - 1, or all if there are fewer.
void add_random(BitSet& element, std::size_t count, std::size_t first, std::size_t range,
                Random& random) {
  for (std::size_t left = range; left > 0 && count > 0; --left) {
    if (random.below(left) >= count) continue;
    element.set(first + left - 1);
    --count;
  }
}

// The tuples (i; j1 .. jx), and for x = 1 the pairs of M's, that some element must cover.
class Meetings {
 public:
  /// @param pairs  For x = 1, any two M's must meet, too.
  Meetings(std::size_t n, std::size_t x, std::size_t m, bool pairs)
      : n_(n), x_(x), share_(best_share(n, x)), subsets_(choose(m, x)), pairs_(pairs && x == 1) {
    for (std::size_t j = 0; j < m; ++j) {
      ranks_.emplace_back();
      for (std::size_t k = 0; k <= x + 1; ++k) ranks_[j].push_back(choose(j, k));
    }
    open_count_ = n * subsets_ + (pairs_ ? choose(m, 2) : 0);
    open_.assign(open_count_, true);
  }

  bool any_open() const { return open_count_ != 0; }

  // The number of open meetings that the element would cover.
  std::size_t gain(const BitSet& element) {
    std::size_t found = 0;
    for_each_met(element, [&](std::size_t meeting) { found += open_[meeting] ? 1U : 0U; });
    return found;
  }

  void settle(const BitSet& element) {
    open_count_ -= gain(element);
    for_each_met(element, [&](std::size_t meeting) { open_[meeting] = false; });
  }

  // A random element of n members.
  BitSet drawn_element(Random& random) const {
    const std::size_t m = ranks_.size();
    BitSet element(n_ + m);
    add_random(element, share_, 0, n_, random);
    add_random(element, n_ - share_, n_, m, random);
    return element;
  }

 private:
  template <class Visit>
  void for_each_met(const BitSet& element, Visit&& visit) {
    requests_.clear();
    sets_.clear();
    element.for_each([&](std::size_t member) {
      member < n_ ? requests_.push_back(member) : sets_.push_back(member - n_);
    });
    for_each_subset(x_, 0, 0, [&](std::size_t rank) {
      for (const std::size_t i : requests_) visit(i * subsets_ + rank);
    });
    if (pairs_) {
      for_each_subset(2, 0, 0, [&](std::size_t rank) { visit(n_ * subsets_ + rank); });
    }
  }

  // Subsets of sets_ of this size by rank: {j1 < j2 < ..} has C(j1, 1) + C(j2, 2) + .. before it.
  template <class Visit>
  void for_each_subset(std::size_t size, std::size_t first, std::size_t rank, Visit&& visit,
                       std::size_t taken = 0) const {
    if (taken == size) return visit(rank);
    for (std::size_t t = first; t < sets_.size(); ++t) {
      for_each_subset(size, t + 1, rank + ranks_[sets_[t]][taken + 1], visit, taken + 1);
    }
  }

  std::size_t n_;
  std::size_t x_;
  std::size_t share_;    // Number of I's in a random element.
  std::size_t subsets_;  // C(m, x).
  bool pairs_;
  std::vector<std::vector<std::size_t>> ranks_;  // [j][k] is C(j, k).
  std::vector<bool> open_;
  std::size_t open_count_ = 0;
  std::vector<std::size_t> requests_;  // Members of the current element.
  std::vector<std::size_t> sets_;
};

// Exchanges each member in turn for the number that covers most open tuples in its place. Returns
// true if any changed.
bool exchange(Meetings& meetings, BitSet& element, std::size_t& gain) {
  bool changed = false;
  for (std::size_t member = 0; member < element.size(); ++member) {
    if (!element.test(member)) continue;
    element.reset(member);
    std::size_t best = member;
    for (std::size_t other = 0; other < element.size(); ++other) {
      if (element.test(other)) continue;
      element.set(other);
      if (const std::size_t now = meetings.gain(element); now > gain) {
        gain = now;
        best = other;
      }
      element.reset(other);
    }
    element.set(best);
    changed |= best != member;
  }
  return changed;
}

/// The best of some random elements. A sample may cover nothing when few meetings are open; then
/// more are drawn.
BitSet best_sample(Meetings& meetings, std::size_t samples, Random& random) {
  BitSet best;
  std::size_t best_gain = 0;
  for (std::size_t drawn = 0; drawn < samples || best_gain == 0; ++drawn) {
    BitSet element = meetings.drawn_element(random);
    std::size_t gain = meetings.gain(element);
    while (exchange(meetings, element, gain)) {
    }
    if (gain > best_gain) {
      best_gain = gain;
      best = std::move(element);
    }
  }
  return best;
}

/// Elements that cover all meetings.
std::vector<BitSet> elements_for(Meetings meetings, std::size_t samples, Random random) {
  std::vector<BitSet> elements;
  while (meetings.any_open()) {
    elements.push_back(best_sample(meetings, samples, random));
    meetings.settle(elements.back());
  }
  return elements;
}

void require_possible(std::uint32_t n, std::uint32_t x, std::uint32_t m) {
  if (x < 1 || x >= n || m < x) {
    throw std::invalid_argument(fmt::format(
        "no sets for n = {}, x = {}, m = {}: take 1 <= x < n and m of at least x", n, x, m));
  }
  if (choose(m, x) > kMostMeetings / n) {
    throw std::invalid_argument(
        fmt::format("n C(m, x) of n = {}, x = {}, m = {} is above {}: take a smaller x or m", n, x,
                    m, kMostMeetings));
  }
}

}  // namespace

Lemma1Family lemma1_family(std::uint32_t n, std::uint32_t x, std::uint32_t m,
                           const Lemma1Search& search) {
  require_possible(n, x, m);
  const Meetings meetings(n, x, m, search.pairs);
  std::vector<BitSet> best = elements_for(meetings, search.samples, Random::stream(search.seed, 0));
  for (std::size_t attempt = 1; attempt < search.tries; ++attempt) {
    std::vector<BitSet> elements =
        elements_for(meetings, search.samples, Random::stream(search.seed, attempt));
    if (elements.size() < best.size()) best = std::move(elements);
  }
  const auto r = static_cast<std::uint32_t>(best.size());
  Lemma1Family family{n, x, r, std::vector<BitSet>(n, BitSet(r)),
                      std::vector<BitSet>(m, BitSet(r))};
  for (std::size_t element = 0; element < r; ++element) {
    best[element].for_each([&](std::size_t member) {
      (member < n ? family.requests[member] : family.destination_sets[member - n]).set(element);
    });
  }
  return family;
}

}  // namespace flitcast::clos
