// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/designs.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "clos/bounds/bounds.h"
#include "clos/bounds/exact_arithmetic.h"
#include "clos/catalog.h"
#include "clos/controllers/controller.h"
#include "clos/structure.h"

namespace flitcast::clos {
namespace {

/// Where a number of middle switches comes from.
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

std::vector<Basis> bases(std::uint64_t fan_out, bool limited, const Rate& least) {
  return fan_out == 1 ? for_one_destination(least) : for_multicast(fan_out, limited, least);
}

// Of one controller, over all levels.
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

/// Collects the designs of one request.
class Designs {
 public:
  Designs(std::uint64_t ports, std::uint64_t fan_out) : ports_(ports), fan_out_(fan_out) {}

  void add_crossbar() {
    add({"crossbar", Nonblocking::kStrictSense, {}}, {saturating_multiply(ports_, ports_), {}});
  }
  void add_three_stages(const Basis& basis) {
    for (const std::uint64_t n : proper_divisors(ports_)) {
      const std::uint64_t r = ports_ / n;
      const Bound middles = basis.rule(n, r);
      const std::uint64_t per_middle = 2 * ports_ + r * r;
      add(basis, {saturating_multiply(middles.m, per_middle), {{n, r, middles}}});
    }
  }
  void add_cheapest(const Basis& basis) {
    CrosspointPlans plans(basis.rule);
    for (const std::size_t k : {2, 3}) {
      if (const auto plan = plans.find(ports_, k)) add(basis, *plan);
    }
  }
  std::vector<Design> sorted() {
    std::stable_sort(designs_.begin(), designs_.end(),
                     [](const Design& a, const Design& b) { return rank(a) < rank(b); });
    return std::move(designs_);
  }

 private:
  using Rank = std::tuple<std::uint64_t, Nonblocking, std::size_t, std::uint64_t>;

  static Rank rank(const Design& design) {
    const std::vector<PlanLevel>& levels = design.plan.levels;
    return {design.plan.crosspoints, design.claim, levels.size(),
            levels.empty() ? 0 : levels.front().n};
  }

  void add(const Basis& basis, const CrosspointPlan& plan) {
    if (plan.crosspoints == kTooLarge) return;
    Design design{basis.name, basis.claim, plan, {}};
    const bool controlled = basis.claim != Nonblocking::kRearrangeable && !plan.levels.empty();
    for (const auto& controller : controllers()) {
      if (!controlled) break;
      design.clocks.push_back(clocks_of(plan, controller.make, fan_out_));
    }
    designs_.push_back(std::move(design));
  }

  std::uint64_t ports_;
  std::uint64_t fan_out_;
  std::vector<Design> designs_;
};

void require_possible(const DesignRequest& request) {
  if (request.ports < 1 || request.ports > kMostPorts) {
    throw std::invalid_argument(
        fmt::format("{} ports make no network; take 1 to {}", request.ports, kMostPorts));
  }
  if (request.fan_out) require_positive("the fan-out limit", *request.fan_out);
}

}  // namespace

std::string to_text(Nonblocking claim) {
  if (claim == Nonblocking::kRearrangeable) return "rearrangeable";
  return claim == Nonblocking::kStrictSense ? "strict sense" : "wide sense";
}

std::vector<Design> designs(const DesignRequest& request) {
  require_possible(request);
  const Rate least = request.least_rate.value_or(Rate{});
  const std::uint64_t fan_out = std::min(request.fan_out.value_or(request.ports), request.ports);
  Designs found(request.ports, fan_out);
  found.add_crossbar();
  for (const Basis& basis : bases(fan_out, fan_out < request.ports, least)) {
    found.add_three_stages(basis);
    found.add_cheapest(basis);
  }
  return found.sorted();
}

}  // namespace flitcast::clos
