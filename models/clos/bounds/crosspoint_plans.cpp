// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/crosspoint_plans.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

#include "clos/bounds/bounds.h"
#include "clos/bounds/exact_arithmetic.h"

namespace flitcast::clos {
namespace {

constexpr std::uint64_t kMostPlannedPorts = std::uint64_t{1} << 32;

Bound permutation(std::uint64_t n, std::uint64_t /*r*/) { return corollary1(n, 1); }

std::size_t prime_factors(std::uint64_t number) {
  std::size_t count = 0;
  for (std::uint64_t d = 2; d * d <= number; ++d) {
    for (; number % d == 0; number /= d) ++count;
  }
  return number > 1 ? count + 1 : count;
}

[[noreturn]] void refuse(std::uint64_t ports, std::size_t k) {
  const std::size_t factors = prime_factors(ports);
  throw std::invalid_argument(fmt::format(
      "{} ports make no {}-stage network: {}, and each of the {} levels divides the ports into "
      "switches of 2 or more; take a number of ports with {} prime factors",
      ports, 2 * k + 1,
      factors == 1 ? fmt::format("{} is a prime", ports)
                   : fmt::format("{} has {} prime factors", ports, factors),
      k, k + 1));
}

Exponent reduced(unsigned numerator, unsigned denominator) {
  const unsigned divisor = std::gcd(numerator, denominator);
  return {numerator / divisor, denominator / divisor};
}

void require_level(const char* name, unsigned value) {
  if (value < 1 || value > 1000) {
    throw std::invalid_argument(fmt::format("{} is {}; take 1 to 1000", name, value));
  }
}

CrosspointGrowth yang_masson(unsigned k) {
  const Exponent log = theorem5_log_power(k);
  const std::string power =
      log.denominator == 1 ? "" : fmt::format("^({}/{})", log.numerator, log.denominator);
  return {"Yang and Masson",
          2 * k + 1,
          theorem5_power(k),
          fmt::format("(log N / log log N){}", power),
          true,
          "this design; control in time linear in the fan-out and the middle switches"};
}

CrosspointGrowth nonconstructive(unsigned k) {
  return {"Feldman, Friedman and Pippenger",
          k,
          reduced(k + 1, k),
          fmt::format("(log N)^({}/{})", k - 1, k),
          false,
          "existence only; its control is co-NP-complete"};
}

}  // namespace

const Catalog<CatalogEntry<Bound (*)(std::uint64_t, std::uint64_t)>>& middle_rules() {
  static const Catalog<CatalogEntry<Bound (*)(std::uint64_t, std::uint64_t)>> rules{
      {"thm3", "Theorem 3: nonblocking in the wide sense", {}, theorem3},
      {"refined", "the smaller of the refined bound and strict sense", {}, tightest},
      {"permutation", "2n - 1 of Clos: permutations only, no multicast", {}, permutation},
  };
  return rules;
}

std::string to_text(const CrosspointPlan& plan) {
  std::string text;
  for (const PlanLevel& level : plan.levels) {
    if (!text.empty()) text += ' ';
    text += fmt::format("({},{},{})", level.n, level.r, level.middles.m);
  }
  return text;
}

std::optional<CrosspointPlan> CrosspointPlans::find(std::uint64_t ports, std::size_t k) {
  require_positive("N", ports);
  if (ports > kMostPlannedPorts) {
    throw std::invalid_argument(fmt::format("{} ports are too many to plan for; take at most {}",
                                            ports, kMostPlannedPorts));
  }
  std::optional<Choice> choice = choose(ports, k);
  if (!choice) return std::nullopt;
  CrosspointPlan plan{require_fitting(choice->crosspoints, "the number of crosspoints"), {}};
  for (; k > 0; --k) {
    plan.levels.push_back({choice->n, ports / choice->n, choice->middles});
    ports /= choice->n;
    choice = choose(ports, k - 1);
  }
  return plan;
}

CrosspointPlan CrosspointPlans::at(std::uint64_t ports, std::size_t k) {
  std::optional<CrosspointPlan> plan = find(ports, k);
  if (!plan) refuse(ports, k);
  return *std::move(plan);
}

std::optional<CrosspointPlans::Choice> CrosspointPlans::choose(std::uint64_t ports, std::size_t k) {
  if (k == 0) return Choice{saturating_multiply(ports, ports), 0, {}};
  if (const auto known = known_.find({ports, k}); known != known_.end()) return known->second;
  std::optional<Choice> best;
  for (const std::uint64_t n : proper_divisors(ports)) consider(n, ports / n, k, best);
  known_.emplace(std::make_pair(ports, k), best);
  return best;
}

void CrosspointPlans::consider(std::uint64_t n, std::uint64_t r, std::size_t k,
                               std::optional<Choice>& best) {
  const std::optional<Choice> inner = choose(r, k - 1);
  if (!inner) return;
  const Bound middles = rule_(n, r);
  const std::uint64_t per_middle = saturating_add(2 * n * r, inner->crosspoints);
  const std::uint64_t crosspoints = saturating_multiply(middles.m, per_middle);
  if (!best || crosspoints < best->crosspoints) best = Choice{crosspoints, n, middles};
}

const std::vector<CrosspointGrowth>& crosspoint_growths() {
  static const std::vector<CrosspointGrowth> growths{
      {"Masson", 3, {5, 3}, "", true, ""},
      {"Hwang and Jajszczyk", 3, {5, 3}, "", true, ""},
      {"Feldman, Friedman and Pippenger", 2, {5, 3}, "", true, ""},
      {"Feldman, Friedman and Pippenger", 3, {11, 7}, "", true, ""},
      yang_masson(1),
      yang_masson(2),
      yang_masson(3),
      nonconstructive(2),
      nonconstructive(3),
  };
  return growths;
}

Exponent theorem5_power(unsigned k) {
  require_level("k", k);
  return {k + 2, k + 1};
}

Exponent theorem5_log_power(unsigned k) {
  require_level("k", k);
  return reduced((k + 2) * (k + 1) - 2, 2 * (k + 1));
}

}  // namespace flitcast::clos
