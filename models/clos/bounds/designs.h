// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clos/bounds/bounds.h"
#include "config/catalog.h"

namespace flitcast::clos {

/// Middle switches for v(m, n, r), with the pass limit for which they are proved.
using MiddleRule = std::function<Bound(std::uint64_t n, std::uint64_t r)>;

/// The rules that a user can name: thm3 (Theorem 3), refined (the tightest bound, strict sense
/// included), permutation (Clos: 2n - 1, no multicast).
const Catalog<CatalogEntry<Bound (*)(std::uint64_t n, std::uint64_t r)>>& middle_rules();

/// One level of a (2k + 1)-stage network: input and output switches of n ports, r of each, around m
/// middle switches of r x r.
struct PlanLevel {
  std::uint64_t n = 0;
  std::uint64_t r = 0;
  Bound middles;

  friend bool operator==(const PlanLevel& a, const PlanLevel& b) {
    return a.n == b.n && a.r == b.r && a.middles == b.middles;
  }
};

/// The cheapest (2k + 1)-stage network of some number of ports, and what it costs.
struct CrosspointPlan {
  std::uint64_t crosspoints = 0;
  std::vector<PlanLevel> levels;  ///< k of them, outermost first; none: a crossbar.
};

/// "(16,16,83) (4,4,13)": n, r, m of each level, outermost first; "" for a crossbar.
std::string to_text(const CrosspointPlan& plan);

/// Networks of 2k + 1 stages with the fewest crosspoints:
///   C_0(N) = N^2
///   C_k(N) = min over n with n r = N, n and r above 1, of 2 N m(n, r) + m(n, r) C_{k-1}(r)
/// The middle switches are (2k - 1)-stage networks of r ports. Among several n of equal cost the
/// smallest is taken.
/// Time: results are cached; all plans of a number of ports up to 2^24 with k <= 3 take less than a
/// second. Not thread-safe.
/// Source: CS838 lecture notes (1999), Theorem 5, "Generalization to (2k + 1)-stage networks"; Yang
/// and Masson, IEEE Transactions on Computers 40 (1991).
class CrosspointPlans {
 public:
  explicit CrosspointPlans(MiddleRule rule) : rule_(std::move(rule)) {}

  /// The plan of C_k(N), or none if N has fewer than k + 1 prime factors (a prime has one, so only
  /// a crossbar fits). N from 1 to 2^32, else std::invalid_argument; std::overflow_error if C_k(N)
  /// does not fit in 64 bits.
  std::optional<CrosspointPlan> find(std::uint64_t ports, std::size_t k);

  /// The plan of C_k(N); throws std::invalid_argument with the reason if find() has none.
  CrosspointPlan at(std::uint64_t ports, std::size_t k);

 private:
  struct Choice {
    std::uint64_t crosspoints = 0;
    std::uint64_t n = 0;  ///< 0: a crossbar.
    Bound middles;
  };

  std::optional<Choice> choose(std::uint64_t ports, std::size_t k);

  MiddleRule rule_;
  std::map<std::pair<std::uint64_t, std::size_t>, std::optional<Choice>> known_;
};

/// A fraction of small numbers.
struct Exponent {
  unsigned numerator = 1;
  unsigned denominator = 1;
};

/// Growth of the crosspoints of a family of multicast networks: O(N^power L), L a factor of
/// logarithms.
struct CrosspointGrowth {
  std::string design;  ///< Authors of the design.
  unsigned stages = 3;
  Exponent power;
  std::string factor;  ///< "" or a factor such as "(log N)^(1/2)".
  bool constructive = true;
  std::string remark;  ///< A remark for comparisons, or "".
};

/// The multicast networks of the literature, compared by their exponents only, because the source
/// gives no constants.
/// Source: CS838 lecture notes (1999), "Crosspoints comparisons".
const std::vector<CrosspointGrowth>& crosspoint_growths();

/// The power of N for a (2k + 1)-stage network of Theorem 5: 1 + 1 / (k + 1).
Exponent theorem5_power(unsigned k);
/// The power of ln N / ln ln N for that network: (k + 2) / 2 - 1 / (k + 1).
Exponent theorem5_log_power(unsigned k);

/// Requirements on a nonblocking switch of N inputs and N outputs.
struct DesignRequest {
  std::uint64_t ports = 1;               ///< N, 1 to 2^24.
  std::optional<std::uint64_t> fan_out;  ///< Most outputs of a connection; none: no limit.
  std::optional<Rate> least_rate;        ///< Least rate of a connection that shares links; none: 1.
};

/// The guarantee of a network: strict sense holds under any legal routes, wide sense if all routes
/// are those of strategy S1 with the pass limit x; rearrangeable means that every set of
/// connections has some routes, which may have to change for a new request.
enum class Nonblocking { kStrictSense, kWideSense, kRearrangeable };

/// "strict sense", "wide sense", "rearrangeable".
std::string to_text(Nonblocking claim);

/// A network that meets a request.
struct Design {
  std::string basis;  ///< The theorem that gives the number of middle switches.
  Nonblocking claim = Nonblocking::kStrictSense;
  CrosspointPlan plan;  ///< The levels with their n, r, m and x, and the crosspoints.
  /// Most clocks from a request to its connection in each of controllers(), in their order; none if
  /// there is nothing to decide (crossbar) or another algorithm decides (rearrangeable).
  std::vector<std::uint64_t> clocks;

  /// 1 for a crossbar, else 2k + 1.
  std::size_t stages() const { return 2 * plan.levels.size() + 1; }
};

/// The nonblocking networks for a request, those with the fewest crosspoints first; among equal
/// ones the stronger guarantee, then fewer stages, then the smaller n.
///
/// The candidates are the crossbar; for every n that divides N a three-stage network by every
/// theorem that applies; and by each theorem the cheapest plan of five and of seven stages.
/// Theorems: 3, or Corollary 1 with a fan-out limit below N; the refined bound; strict sense;
/// Theorem 10 if two or more connections share a link; and for fan-out 1 the networks of Clos and
/// of Slepian and Duguid (m = n, rearrangeable), or Corollary 4. Networks that do not fit in 64
/// bits are omitted.
///
/// A level takes 1 + P c + 1 clocks, c those of a pass and P at most x, or the fan-out if there is
/// no limit x (a pass serves at least one output switch); the levels run one after another.
/// Throws std::invalid_argument for a request that no network fits: N or a fan-out of 0, N too
/// large, a rate that is not above 0 and at most 1; std::overflow_error for a rate so small that
/// even the number of middle switches does not fit in 64 bits.
std::vector<Design> designs(const DesignRequest& request);

}  // namespace flitcast::clos
