// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: the theorems about the number of middle switches, with and without
// weights, and about the crosspoints that follow from it.
#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/sequences.h"
#include "clos/bounds/designs.h"
#include "clos/catalog.h"
#include "config/wording.h"
#include "sim/claims/clos_trial.h"
#include "sim/claims/statement.h"
#include "sim/results/drawing.h"

namespace flitcast::claims {
namespace {

// Theorem 3, Theorem 10 and their corollaries.

constexpr std::size_t kMostRun = 400000;  // Ports and links of a stage with random requests.
constexpr std::size_t kMostListed = 64;   // Limits on the middle switches of a connection.

/// The bound of Theorem 10 for a weight, with the safe T for its input links.
std::uint64_t middles_for_weight(const clos::Structure& ports, const Units& units) {
  const std::uint64_t full = safe_unavailable(ports.n2, 1, units);
  std::uint64_t least = safe_unavailable(ports.n1, 1, units) + full * ports.r2 + 1;
  for (std::size_t x = 2; x <= std::min<std::size_t>({full, ports.r2, kMostListed}); ++x) {
    least = std::min(
        least, safe_unavailable(ports.n1, x, units) + clos::scaled_root(full, ports.r2, x) + 1);
  }
  return least;
}

/// The sizes n1, n2 and r2 of a network whose parameters may be n and r, or n and the fan-out d.
clos::Structure sizes_in(const Section& parameters) {
  const auto size = [&](const char* key, const char* symmetric) {
    return parameters.count(parameters.has(key) ? key : symmetric);
  };
  std::size_t r = parameters.has("r2") || parameters.has("r") ? size("r2", "r") : 0;
  if (r == 0) r = parameters.count("d") + 1;
  return structure_of(1, size("n1", "n"), r, size("n2", "n"), r);
}

/// The bound in integers of any theorem, its value for every limit x, and random requests on the
/// network with as many middle switches. Networks that are too large get no requests.
Figures middles_that_suffice(const Section& parameters) {
  const clos::Structure ports = sizes_in(parameters);
  const std::size_t d = parameters.has("d") ? parameters.count("d") : ports.r2;
  const clos::Rate b = rate_of(parameters, "b");
  const std::size_t k = clos::connections_per_link(b);
  const clos::Bound bound = clos::multirate(ports.n1, ports.n2, d, b);
  const std::vector<std::uint64_t> values =
      mapped(numbers(1, std::min({k * (ports.n2 - 1), d, kMostListed}) + 1), [&](std::size_t x) {
        return k * (ports.n1 - 1) * x + clos::scaled_root(k * (ports.n2 - 1), d, x) + 1;
      });
  const Units units = units_of(parameters, 16);
  const auto largest = largest_of<std::uint64_t>(numbers(std::uint64_t{21}), [&](auto step) {
    return middles_for_weight(ports, units.at_step(step, 20));
  });
  clos::TrafficCounts counts;
  if ((ports.n1 + bound.m) * ports.r2 < kMostRun) {
    Traffic traffic{structure_of(bound.m, ports.n1, ports.r1, ports.n2, ports.r2), units.range()};
    traffic.most_middles = bound.x;
    traffic.most_fan_out = std::min<std::size_t>(d, ports.r2);
    traffic.seed = parameters.count("seed");
    traffic.events = parameters.count("events");
    counts = play(traffic);
  }
  Figures figures{{{"m", bound.m},
                   {"x", bound.x},
                   {"K", k},
                   {"values", values},
                   {"unicasts", clos::multirate_unicast(ports.n1, b)},
                   {"largest_over_w", largest},
                   {"requests", counts.requests},
                   {"blocked", counts.blocked},
                   {"most_middles", counts.most_passes},
                   {"refuted", false}}};
  if (ports.n1 > 3 || ports.r2 > 4 || ports.inputs() > 8) return figures;
  if (const auto smallest = searched_middles(ports.n1, ports.r2, "S1")) {
    figures["smallest"] = *smallest;
    figures["refuted"] = *smallest > bound.m;
  }
  return figures;
}

// The curve x + r^(1/x).

/// The point of the curve at x; roots that are whole are exact.
Position curve_at(double r, double x) {
  const double root = std::pow(r, 1 / x);
  return {x, x + (std::fabs(root - std::round(root)) < 1e-9 ? std::round(root) : root)};
}

Position lowest_of_curve(double r) {
  Position lowest = curve_at(r, 1);
  for (double x = 2; x < lowest.y; ++x) {
    const Position point = curve_at(r, x);
    if (point.y < lowest.y) lowest = point;
  }
  return lowest;
}

/// A number for readers, whole ones without an exponent.
ordered_json shown_number(double value) {
  if (value != std::round(value)) return value;
  return static_cast<std::int64_t>(value);
}

/// Points joined by lines; those with whole x have it as label.
std::string curve_drawing(const std::vector<Position>& points, const std::string& title) {
  Drawing drawing;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Position at{2 * points[i].x, -points[i].y};
    if (i > 0) drawing.line({2 * points[i - 1].x, -points[i - 1].y}, at, 0);
    if (points[i].x != std::round(points[i].x)) continue;
    drawing.node(at, fmt::format("{}", points[i].x), 0);
  }
  return drawing.svg(title);
}

/// The largest r with x + r^(1/x) <= c for some x, and the smallest such x, in integers.
std::pair<mpz_class, std::size_t> largest_for(std::size_t c) {
  std::pair<mpz_class, std::size_t> best{0, 0};
  for (std::size_t x = 1; x < c; ++x) {
    mpz_class power;
    mpz_ui_pow_ui(power.get_mpz_t(), c - x, x);
    if (power > best.first) best = {power, x};
  }
  return best;
}

Figures curve_of_roots(const Section& parameters) {
  const std::size_t r = parameters.count("r");
  const auto number = static_cast<double>(r);
  const Position lowest = lowest_of_curve(number);
  ordered_json y;
  std::vector<Position> points;
  for (double x = 1; x <= lowest.x + 2; x += 0.0625) {
    const Position point = curve_at(number, x);
    if (x == std::round(x)) y.push_back(shown_number(point.y));
    if (point.y <= 3 * lowest.y) points.push_back({x, 3 * point.y / lowest.y});
  }
  ordered_json table;
  for (std::size_t c = 2; c <= 15; ++c) {
    const auto [last, x] = largest_for(c);
    table.push_back({last.get_ui(), x, c});
  }
  std::size_t c = 2;
  while (largest_for(c).first < static_cast<unsigned long>(r)) ++c;
  const auto [largest, x] = largest_for(c);
  Figures figures{{{"y", y},
                   {"minimum", shown_number(lowest.y)},
                   {"at", shown_number(lowest.x)},
                   {"row", {largest.get_ui(), x, c}},
                   {"is_row", largest == static_cast<unsigned long>(r)},
                   {"table", table}}};
  figures.drawings.push_back(curve_drawing(
      points, fmt::format("x + {}^(1/x), minimum {:.6g} at x = {}", r, lowest.y, lowest.x)));
  return figures;
}

// Closed forms.

/// How a closed form compares with the minimum of the curve for r from 3 on.
struct Margins {
  std::size_t below = 0;                    // Number of values of r where it is smaller.
  std::vector<std::size_t> range = {0, 0};  // The first and the last such r.
  double smallest = 1e9;                    // The smallest margin, with its r.
  std::size_t at = 0;
};

/// Theorem 4 or, with a limit on the fan-out, Corollary 1, over n - 1, by natural logarithms or by
/// those to base 2.
struct ClosedForm {
  bool limited = false;
  bool binary = false;

  double at(double r) const {
    const double log = binary ? std::log2(r) : std::log(r);
    const double log_log = binary ? std::log2(log) : std::log(log);
    return limited ? 2 * log / log_log + std::sqrt(log) : 3 * log / log_log;
  }

  Margins margins(std::size_t last) const {
    Margins margins;
    for (std::size_t r = 3; r <= last; ++r) {
      const auto size = static_cast<double>(r);
      const double margin = at(size) - lowest_of_curve(size).y;
      if (margin < margins.smallest) {
        margins.smallest = margin;
        margins.at = r;
      }
      if (margin >= 0) continue;
      if (margins.below++ == 0) margins.range[0] = r;
      margins.range[1] = r;
    }
    return margins;
  }
};

/// A closed form beside the least m of Theorem 3 where x may be any number, and both compared for
/// all r up to a limit.
Figures closed_form(const Section& parameters) {
  const bool limited = parameters.has("d");
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count(limited ? "d" : "r");
  std::uint64_t any_x = clos::kTooLarge;
  for (std::size_t x = 1; x <= kMostListed; ++x) {
    any_x = std::min(any_x, (n - 1) * x + clos::scaled_root(n - 1, r, x) + 1);
  }
  const ClosedForm natural{limited, false};
  const ClosedForm binary{limited, true};
  const Margins margins = natural.margins(parameters.count("to"));
  const Margins by_base_2 = binary.margins(parameters.count("to"));
  const auto size = static_cast<double>(r);
  const auto ports = static_cast<double>(n - 1);
  const double m = ports * natural.at(size);
  return {{{"m", limited ? std::floor(m) + 1 : static_cast<double>(clos::theorem4(n, r))},
           {limited ? "corollary_1" : "theorem_3", clos::theorem3(n, r).m},
           {"any_x", any_x},
           {"base_2", std::ceil(ports * binary.at(size))},
           {"below", margins.below},
           {"smallest_margin", margins.smallest},
           {"smallest_at", margins.at},
           {"base_2_below", by_base_2.below},
           {"base_2_range", by_base_2.range}}};
}

// Crosspoints.

/// (2k + 1)-stage networks with the middle switches of Theorem 3.
clos::CrosspointPlans plans_by_theorem_3() {
  return clos::CrosspointPlans(clos::middle_rules().find("thm3")->make);
}

/// The cheapest plan, beside the cost of all plans by the n of their outer stages.
Figures recursive_plan(const Section& parameters) {
  const std::size_t ports = parameters.count("N");
  const std::size_t k = parameters.count("k");
  clos::CrosspointPlans plans = plans_by_theorem_3();
  const clos::CrosspointPlan plan = plans.at(ports, k);
  const std::string text = all_replaced(clos::to_text(plan), " ", "");
  const std::vector<std::uint64_t> by_levels =
      tabulated(k + 1, [&](std::size_t level) { return plans.at(ports, level).crosspoints; });
  std::vector<std::uint64_t> by_n;
  for (const std::uint64_t n : clos::proper_divisors(ports)) {
    const std::uint64_t m = clos::theorem3(n, ports / n).m;
    const auto middle = plans.find(ports / n, k - 1);
    if (middle) by_n.push_back(2 * ports * m + m * middle->crosspoints);
  }
  return {{{"crosspoints", plan.crosspoints},
           {"plan", text},
           {"by_levels", by_levels},
           {"crossbar", by_levels[0]},
           {"by_n", by_n},
           {"cheapest", *std::min_element(by_n.begin(), by_n.end())}}};
}

/// The order that Theorem 5 states for (2k + 1)-stage networks, natural logarithms.
double order_of_crosspoints(double ports, std::size_t k) {
  const clos::Exponent power = clos::theorem5_power(static_cast<unsigned>(k));
  const clos::Exponent log_power = clos::theorem5_log_power(static_cast<unsigned>(k));
  const double logs = std::log(ports) / std::log(std::log(ports));
  return std::pow(ports, static_cast<double>(power.numerator) / power.denominator) *
         std::pow(logs, static_cast<double>(log_power.numerator) / log_power.denominator);
}

Figures crosspoint_order(const Section& parameters) {
  const auto [ports, k] = counts_in(parameters, "N", "k");
  clos::CrosspointPlans plans = plans_by_theorem_3();
  std::vector<double> ratios;
  std::vector<Position> points;
  for (std::size_t bits = 8; bits <= 24; bits += 2) {
    const std::size_t size = std::size_t{1} << bits;
    ratios.push_back(static_cast<double>(plans.at(size, k).crosspoints) /
                     order_of_crosspoints(static_cast<double>(size), k));
    points.push_back({static_cast<double>(bits), ratios.back()});
  }
  Figures figures{{{"C", plans.at(ports, k).crosspoints},
                   {"f", order_of_crosspoints(static_cast<double>(ports), k)},
                   {"ratios", ratios}}};
  figures.drawings.push_back(
      curve_drawing(points, fmt::format("C/f for k = {} and N = 2^8, 2^10, ... 2^24", k)));
  return figures;
}

/// The crosspoints of three stages for two powers of two, and the designs of the literature.
Figures crosspoint_slope(const Section& parameters) {
  const auto [from, to] = counts_in(parameters, "from", "to");
  clos::CrosspointPlans plans = plans_by_theorem_3();
  Figures figures;
  figures["C_from"] = plans.at(std::uint64_t{1} << from, 1).crosspoints;
  figures["C_to"] = plans.at(std::uint64_t{1} << to, 1).crosspoints;
  figures["order_from"] = order_of_crosspoints(std::exp2(from), 1);
  figures["order_to"] = order_of_crosspoints(std::exp2(to), 1);
  for (const clos::CrosspointGrowth& growth : clos::crosspoint_growths()) {
    figures["designs"].push_back(fmt::format("{}, {} stages{}{};", growth.design, growth.stages,
                                             growth.factor.empty() ? "" : ", factor ",
                                             growth.factor));
    figures["exponents"].push_back(static_cast<double>(growth.power.numerator) /
                                   growth.power.denominator);
  }
  return figures;
}

}  // namespace

FigureMakers theorem_makers() {
  return {{"middles_that_suffice", middles_that_suffice},
          {"curve_of_roots", curve_of_roots},
          {"closed_form", closed_form},
          {"recursive_plan", recursive_plan},
          {"crosspoint_order", crosspoint_order},
          {"crosspoint_slope", crosspoint_slope}};
}

}  // namespace flitcast::claims
