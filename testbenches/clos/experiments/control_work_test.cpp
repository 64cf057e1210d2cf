// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.h"
#include "clos/bounds/bounds.h"
#include "clos/strategies/linear_work.h"
#include "clos/strategies/named.h"
#include "support/test_catch.h"

using namespace flitcast;
using namespace flitcast::clos;

namespace {

/// Destination sets of maximum size: each output switch in n - 1 of them, drawn at random.
BitMatrix fullest_sets(std::size_t n, std::size_t m, std::size_t r, Random& random) {
  BitMatrix sets(m, r);
  std::vector<std::size_t> middles(m);
  std::iota(middles.begin(), middles.end(), std::size_t{0});
  for (std::size_t k = 0; k < r; ++k) {
    for (std::size_t t = 0; t + 1 < n; ++t) {
      std::swap(middles[t], middles[t + random.below(m - t)]);
      sets.set(middles[t], k);
    }
  }
  return sets;
}

struct Sample {
  double area;  ///< m' r': the candidates that the theorem needs, times the fan-out.
  double work;  ///< Bit operations of the passes, averaged over some requests.
};

Sample sample(std::uint32_t n, std::uint32_t r) {
  constexpr int kRequests = 10;
  const Bound bound = theorem3(n, r);
  const auto m = static_cast<std::size_t>(scaled_root(n - 1, r, bound.x)) + 1;
  const BitSet wanted = BitSet::full(r);
  const BitSet candidates = BitSet::full(m);
  Named control("S1", m, r, bound.x);
  Selection selection(r);
  Random random(r);
  std::uint64_t work = 0;
  for (int t = 0; t < kRequests; ++t) {
    const BitMatrix sets = fullest_sets(n, m, r, random);
    control.select({wanted, candidates, sets}, selection);
    REQUIRE(!selection.blocked());
    work += linear_work({wanted, candidates, sets}, selection);
  }
  return {static_cast<double>(m * r), static_cast<double>(work) / kRequests};
}

struct Line {
  double slope;
  double r_squared;  ///< The share of the variance that the line explains.
};

Line fit(const std::vector<Sample>& samples) {
  double area = 0;
  double work = 0;
  for (const Sample& s : samples) {
    area += s.area / static_cast<double>(samples.size());
    work += s.work / static_cast<double>(samples.size());
  }
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const Sample& s : samples) {
    xx += (s.area - area) * (s.area - area);
    xy += (s.area - area) * (s.work - work);
    yy += (s.work - work) * (s.work - work);
  }
  return {xy / xx, xy * xy / (xx * yy)};
}

}  // namespace

TEST_CASE("the work of control for a request is linear in m' r', for r = 8 to 1024", "[clos]") {
  std::vector<Sample> samples;
  for (std::uint32_t r = 8; r <= 1024; r *= 2) samples.push_back(sample(std::min(r, 16U), r));
  const Line line = fit(samples);
  CHECK(line.r_squared > 0.999);
  // The first pass reads all of m' r'; the later ones together at most 1 / (q - 1) of that, and q
  // is r^(1/x), 4 where the samples are largest.
  CHECK(line.slope > 1);
  CHECK(line.slope < 1 + 1.0 / 3);
  for (const Sample& s : samples) CHECK(s.work < 1.5 * s.area);
}
