// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/designs.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "base/sequences.h"
#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/controllers/controller.h"
#include "config/wording.h"

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

void check_level(const char* name, unsigned value) {
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

/// The source of a number of middle switches.
struct Basis {
  std::string name;
  Nonblocking claim;
  MiddleRule rule;
};

std::vector<Basis> for_one_destination(const Rate& least) {
  if (connections_per_link(least) > 1) {
    return {{"Corollary 4", Nonblocking::kStrictSense,
             [least](std::uint64_t n, std::uint64_t) { return multirate(n, 1, least); }}};
  }
  return {{"Clos", Nonblocking::kStrictSense,
           [](std::uint64_t n, std::uint64_t) { return corollary1(n, 1); }},
          {"Slepian and Duguid", Nonblocking::kRearrangeable, [](std::uint64_t n, std::uint64_t) {
             return Bound{n, 1};
           }}};
}

std::vector<Basis> for_multicast(std::uint64_t fan_out, bool limited, const Rate& least) {
  const auto reach = [fan_out](std::uint64_t r) { return std::min(fan_out, r); };
  if (connections_per_link(least) > 1) {
    return {{"Theorem 10", Nonblocking::kWideSense,
             [=](std::uint64_t n, std::uint64_t r) { return multirate(n, reach(r), least); }}};
  }
  return {
      {limited ? "Corollary 1" : "Theorem 3", Nonblocking::kWideSense,
       [=](std::uint64_t n, std::uint64_t r) { return theorem3(n, reach(r)); }},
      {"refined bound", Nonblocking::kWideSense,
       [=](std::uint64_t n, std::uint64_t r) { return refined(n, reach(r)); }},
      {"strict sense", Nonblocking::kStrictSense,
       [=](std::uint64_t n, std::uint64_t r) {
         return Bound{strict_sense(n, r, fan_out), 0};
       }},
  };
}

std::uint64_t clocks_of(const CrosspointPlan& plan, const ControllerDesign& controller,
                        std::uint64_t fan_out) {
  std::uint64_t clocks = 0;
  for (const PlanLevel& level : plan.levels) {
    const std::uint64_t no_limit = std::min(fan_out, level.r);
    const std::uint64_t passes = level.middles.x == 0 ? no_limit : level.middles.x;
    const std::uint64_t pass = controller.pass_clocks(level.middles.m, level.r);
    require_fitting(saturating_multiply(passes, pass), "the number of clocks");
    clocks = saturating_add(clocks, clocks_done(passes, pass));
  }
  return require_fitting(clocks, "the number of clocks");
}

/// Adds a design to a list, unless its crosspoints are too many for a number.
void add(std::vector<Design>& found, std::uint64_t fan_out, const Basis& basis,
         const CrosspointPlan& plan) {
  if (plan.crosspoints == kTooLarge) return;
  Design design{basis.name, basis.claim, plan, {}};
  const bool controlled = basis.claim != Nonblocking::kRearrangeable && !plan.levels.empty();
  for (const auto& controller : controllers()) {
    if (!controlled) break;
    design.clocks.push_back(clocks_of(plan, controller.make, fan_out));
  }
  found.push_back(std::move(design));
}

void check_request(const DesignRequest& request) {
  if (request.ports < 1 || request.ports > kMostPorts) {
    throw std::invalid_argument(
        fmt::format("{} ports make no network; take 1 to {}", request.ports, kMostPorts));
  }
  if (request.fan_out) require_positive("the fan-out limit", *request.fan_out);
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
  return joined(mapped(plan.levels,
                       [](const PlanLevel& level) {
                         return fmt::format("({},{},{})", level.n, level.r, level.middles.m);
                       }),
                " ");
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
  for (const std::uint64_t n : proper_divisors(ports)) {
    const std::optional<Choice> inner = choose(ports / n, k - 1);
    if (!inner) continue;
    const Bound middles = rule_(n, ports / n);
    const std::uint64_t per_middle = saturating_add(2 * ports, inner->crosspoints);
    const std::uint64_t crosspoints = saturating_multiply(middles.m, per_middle);
    if (!best || crosspoints < best->crosspoints) best = Choice{crosspoints, n, middles};
  }
  known_.emplace(std::make_pair(ports, k), best);
  return best;
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
  check_level("k", k);
  return {k + 2, k + 1};
}

Exponent theorem5_log_power(unsigned k) {
  check_level("k", k);
  return reduced((k + 2) * (k + 1) - 2, 2 * (k + 1));
}

std::string to_text(Nonblocking claim) {
  if (claim == Nonblocking::kRearrangeable) return "rearrangeable";
  return claim == Nonblocking::kStrictSense ? "strict sense" : "wide sense";
}

std::vector<Design> designs(const DesignRequest& request) {
  check_request(request);
  const Rate least = request.least_rate.value_or(Rate{});
  const std::uint64_t fan_out = std::min(request.fan_out.value_or(request.ports), request.ports);
  const std::uint64_t ports = request.ports;
  std::vector<Design> found;
  add(found, fan_out, {"crossbar", Nonblocking::kStrictSense, {}},
      {saturating_multiply(ports, ports), {}});
  for (const Basis& basis :
       fan_out == 1 ? for_one_destination(least) : for_multicast(fan_out, fan_out < ports, least)) {
    for (const std::uint64_t n : proper_divisors(ports)) {
      const std::uint64_t r = ports / n;
      const Bound middles = basis.rule(n, r);
      const std::uint64_t per_middle = 2 * ports + r * r;
      add(found, fan_out, basis, {saturating_multiply(middles.m, per_middle), {{n, r, middles}}});
    }
    CrosspointPlans plans(basis.rule);
    for (const std::size_t k : {2, 3}) {
      if (const auto plan = plans.find(ports, k)) add(found, fan_out, basis, *plan);
    }
  }
  sort_by(found, [](const Design& design) {
    const std::vector<PlanLevel>& levels = design.plan.levels;
    const std::uint64_t n = levels.empty() ? 0 : levels.front().n;
    return std::tuple(design.plan.crosspoints, design.claim, levels.size(), n);
  });
  return found;
}

}  // namespace flitcast::clos
