// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/pass_limit_search.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "clos/bounds/exact_arithmetic.h"

namespace flitcast::clos {
namespace {

bool better(const Bound& a, const Bound& b) { return a.m < b.m || (a.m == b.m && a.x < b.x); }

class Search {
 public:
  Search(const PassLimits& limits, const LargestFamily& largest)
      : limits_(limits), largest_(largest) {}

  Bound run() {
    std::uint64_t x = 1;
    probe(x);
    while (x < limits_.most && hope_from(x + 1, limits_.least)) {
      const std::uint64_t next = std::min(2 * x, limits_.most);
      between(x, next, probe(next));
      x = next;
    }
    return best_;
  }

 private:
  Bound with(std::uint64_t x, std::uint64_t family) const {
    const std::uint64_t taken = saturating_multiply(limits_.taken, x);
    return {saturating_add(saturating_add(taken, family), 1), x};
  }

  std::uint64_t probe(std::uint64_t x) {
    if (x > kMostPassLimit) {
      throw std::overflow_error("connections through more than " + std::to_string(kMostPassLimit) +
                                " middle switches would have to be tried; take a smaller network");
    }
    const std::uint64_t family = largest_(x);
    const Bound candidate = with(x, family);
    if (better(candidate, best_)) best_ = candidate;
    return family;
  }

  // Whether some limit >= x whose families have at least `least` members can be better.
  bool hope_from(std::uint64_t x, std::uint64_t least) const {
    return better(with(x, least), best_);
  }

  // Probes what is worth it strictly between two limits, of which the upper one has `family`.
  void between(std::uint64_t lower, std::uint64_t upper, std::uint64_t family) {
    if (upper - lower < 2 || !hope_from(lower + 1, family)) return;
    const std::uint64_t middle = lower + (upper - lower) / 2;
    const std::uint64_t middle_family = probe(middle);
    between(lower, middle, middle_family);
    between(middle, upper, family);
  }

  const PassLimits& limits_;
  const LargestFamily& largest_;
  Bound best_{kTooLarge, kTooLarge};
};

}  // namespace

Bound best_pass_limit(const PassLimits& limits, const LargestFamily& largest) {
  const Bound best = Search(limits, largest).run();
  require_fitting(best.m, "the number of middle switches");
  return best;
}

}  // namespace flitcast::clos
