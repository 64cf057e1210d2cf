// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: the theorems about the number of middle switches, and about the
// crosspoints that follow from it. Ports, switches and elements have numbers from 1 in parameters
// and figures, as on the page.
#include <fmt/format.h>
#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clos/bounds/bounds.h"
#include "clos/bounds/designs.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/minimum/minimum_search.h"
#include "clos/traffic.h"
#include "sim/claims/statement.h"
#include "sim/results/drawing.h"

namespace flitcast::claims {
namespace {

using clos::Structure;

Structure structure_of_sizes(std::size_t m, std::size_t n, std::size_t r) {
  return Structure::symmetric(static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(n),
                              static_cast<std::uint32_t>(r));
}

clos::ConnectionAdmission admission_by(const std::string& strategy, const Structure& structure,
                                       std::size_t pass_limit, std::uint64_t seed) {
  return {structure,
          clos::strategies().find(strategy)->make({structure, pass_limit, seed}),
          {pass_limit}};
}

// Theorem 3 and its corollaries.

constexpr std::size_t kMostLinksRun = 1 << 20;  // Between two stages.

/// Random requests on a network with middle switches by a theorem. Networks that are too large get
/// no requests.
void add_traffic(const Structure& structure, std::size_t most_fan_out, std::size_t pass_limit,
                 const Section& parameters, ordered_json& figures) {
  clos::TrafficCounts counts;
  const bool fits = structure.r1 <= kMostLinksRun && structure.m <= kMostLinksRun / structure.r1;
  if (fits && structure.n1 <= kMostLinksRun / structure.r1) {
    clos::RequestParams requests{parameters.count("seed")};
    requests.most_fan_out = static_cast<std::uint32_t>(most_fan_out);
    clos::ConnectionAdmission control =
        admission_by("S1", structure, pass_limit, parameters.count("seed"));
    clos::RequestGenerator generator(structure, requests);
    counts = clos::run_traffic(control, generator, parameters.count("events"));
  }
  figures["requests"] = counts.requests;
  figures["blocked"] = counts.blocked;
  figures["most_middles"] = counts.most_passes;
}

/// The middle switches for every limit x of Theorem 3 with r or, with a limit on the fan-out, d.
/// Each root is compared with its definition in integers of any size.
void add_bound(std::size_t n, std::size_t r, ordered_json& figures) {
  constexpr std::size_t kMostListed = 64;
  std::vector<std::uint64_t> values;
  std::size_t wrong_roots = 0;
  for (std::size_t x = 1; x <= std::min({n - 1, r, kMostListed}); ++x) {
    const std::uint64_t root = clos::scaled_root(n - 1, r, x);
    values.push_back((n - 1) * x + root + 1);
    mpz_class scaled;
    mpz_class power;
    mpz_class next;
    mpz_ui_pow_ui(scaled.get_mpz_t(), n - 1, x);
    mpz_ui_pow_ui(power.get_mpz_t(), root, x);
    mpz_ui_pow_ui(next.get_mpz_t(), root + 1, x);
    scaled *= static_cast<unsigned long>(r);
    if (power > scaled || next <= scaled) ++wrong_roots;
  }
  figures["values"] = values;
  figures["wrong_roots"] = wrong_roots;
}

/// The smallest m that never blocks, by a search of all states; none for larger networks.
std::optional<std::size_t> searched_middles(std::size_t n, std::size_t r) {
  if (n > 3 || r > 4 || n * r > 8) return std::nullopt;
  for (std::size_t m = 1;; ++m) {
    const clos::MiddleVerdict verdict = clos::check_middles(structure_of_sizes(m, n, r), {});
    if (verdict.outcome == clos::SearchOutcome::kNoVerdict) return std::nullopt;
    if (verdict.outcome != clos::SearchOutcome::kBlocks) return m;
  }
}

Figures middles_that_suffice(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  const clos::Bound bound = clos::theorem3(n, r);
  const std::optional<std::size_t> searched = searched_middles(n, r);
  Figures figures;
  figures.values = {{"m", bound.m}, {"x", bound.x}};
  add_bound(n, r, figures.values);
  add_traffic(structure_of_sizes(bound.m, n, r), 0, bound.x, parameters, figures.values);
  figures.values["strict"] = clos::strict_sense(n, r);
  figures.values["refined"] = clos::refined(n, r).m;
  if (searched) figures.values["smallest"] = *searched;
  figures.values["refuted"] = searched.value_or(0) > bound.m;
  return figures;
}

Figures middles_for_fan_out(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t d = parameters.count("d");
  const std::size_t r = parameters.count("r") == 0 ? d + 1 : parameters.count("r");
  if (r <= d) parameters.fail("r", "is not above d", "take more switches than d, or 0 for d + 1");
  const clos::Bound bound = clos::corollary1(n, d);
  Figures figures;
  figures.values = {{"m", bound.m}, {"x", bound.x}};
  add_bound(n, d, figures.values);
  add_traffic(structure_of_sizes(bound.m, n, r), d, bound.x, parameters, figures.values);
  figures.values["strict"] = clos::strict_sense(n, r, d);
  return figures;
}

// The curve x + r^(1/x).

/// r^(1/x), exactly if it is whole.
double root_of(double r, double x) {
  const double root = std::pow(r, 1 / x);
  return std::fabs(root - std::round(root)) < 1e-9 ? std::round(root) : root;
}

/// A number for readers, whole ones without an exponent.
ordered_json shown_number(double value) {
  if (value != std::round(value)) return value;
  return static_cast<std::int64_t>(value);
}

double curve_at(double r, double x) { return x + root_of(r, x); }

struct CurvePoint {
  std::size_t x = 1;
  double y = 0;
};

CurvePoint lowest_of_curve(double r) {
  CurvePoint lowest{1, curve_at(r, 1)};
  for (std::size_t x = 2; static_cast<double>(x) < lowest.y; ++x) {
    const double y = curve_at(r, static_cast<double>(x));
    if (y < lowest.y) lowest = {x, y};
  }
  return lowest;
}

/// The x of the minimum over real numbers, by thirds of the interval.
double real_minimum(double r) {
  double low = 1;
  double high = 64;
  for (int step = 0; step < 200; ++step) {
    const double third = (high - low) / 3;
    const bool left = low + third + std::pow(r, 1 / (low + third)) <=
                      high - third + std::pow(r, 1 / (high - third));
    (left ? high : low) = left ? high - third : low + third;
  }
  return low;
}

std::string curve_drawing(double r, const CurvePoint& lowest) {
  const double last = static_cast<double>(lowest.x) + 2;
  const double top = 3 * lowest.y;
  const auto position = [&](double x) { return Position{2 * x, -3 * curve_at(r, x) / lowest.y}; };
  Drawing drawing;
  drawing.line({2, 0}, {2 * last, 0}, 7);
  for (double x = 1; x < last; x += 0.0625) {
    if (curve_at(r, x) <= top) drawing.line(position(x), position(x + 0.0625), 0);
  }
  for (std::size_t x = 1; x <= lowest.x + 2; ++x) {
    const auto at = static_cast<double>(x);
    if (curve_at(r, at) <= top)
      drawing.node(position(at), std::to_string(x), x == lowest.x ? 1 : 0);
  }
  return drawing.svg(fmt::format("x + {}^(1/x), minimum at x = {}", r, lowest.x));
}

Figures curve_of_roots(const Section& parameters) {
  const double r = parameters.number("r");
  const CurvePoint lowest = lowest_of_curve(r);
  ordered_json y;
  for (std::size_t x = 1; x <= lowest.x + 2; ++x) {
    y.push_back(shown_number(curve_at(r, static_cast<double>(x))));
  }
  std::size_t concave = 0;
  constexpr double kStep = 0.125;
  for (double x = 1 + kStep; x < static_cast<double>(lowest.x) + 4; x += kStep) {
    const double chord = (curve_at(r, x - kStep) + curve_at(r, x + kStep)) / 2;
    if (chord < curve_at(r, x) - 1e-8) ++concave;
  }
  Figures figures;
  figures.values = {{"y", y},
                    {"minimum", shown_number(lowest.y)},
                    {"at", lowest.x},
                    {"real_at", real_minimum(r)},
                    {"concave", concave}};
  if (r > 3) figures.values["near"] = std::log(r) / std::log(std::log(r));
  figures.drawings.push_back(curve_drawing(r, lowest));
  return figures;
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

Figures table_of_roots(const Section& parameters) {
  const std::size_t r = parameters.count("r");
  const CurvePoint lowest = lowest_of_curve(static_cast<double>(r));
  std::size_t c = 2;
  while (largest_for(c).first < static_cast<unsigned long>(r)) ++c;
  const auto [largest, x] = largest_for(c);
  ordered_json table = ordered_json::array();
  for (std::size_t row = 2; row <= 15; ++row) {
    const auto [last, at] = largest_for(row);
    table.push_back({last.get_ui(), at, row});
  }
  return {{{"x", lowest.x},
           {"value", shown_number(lowest.y)},
           {"row", {largest.get_ui(), x, c}},
           {"is_row", largest == static_cast<unsigned long>(r)},
           {"table", table}}};
}

// Closed forms.

/// How a closed form compares with the minimum of the curve for r from 3 on.
struct Margins {
  std::size_t below = 0;  // Values of r where it is smaller.
  std::size_t first = 0;  // The first and the last of them.
  std::size_t last = 0;
  double smallest = 1e9;  // The smallest margin, with its r.
  std::size_t at = 0;
};

using ClosedForm = double (*)(double log, double log_log);

double three_logs(double log, double log_log) { return 3 * log / log_log; }
double two_logs(double log, double log_log) { return 2 * log / log_log + std::sqrt(log); }

double natural(ClosedForm form, double r) { return form(std::log(r), std::log(std::log(r))); }
double binary(ClosedForm form, double r) { return form(std::log2(r), std::log2(std::log2(r))); }

Margins margins_of(ClosedForm form, double (*base)(ClosedForm, double), std::size_t last) {
  Margins margins;
  for (std::size_t r = 3; r <= last; ++r) {
    const auto size = static_cast<double>(r);
    const double margin = base(form, size) - lowest_of_curve(size).y;
    if (margin < margins.smallest) {
      margins.smallest = margin;
      margins.at = r;
    }
    if (margin >= 0) continue;
    if (margins.below++ == 0) margins.first = r;
    margins.last = r;
  }
  return margins;
}

/// A closed form beside the least m of Theorem 3 where x may be any number, and both compared for
/// all r up to a limit.
Figures closed_form(std::size_t n, std::size_t r, ClosedForm form, const Section& parameters) {
  std::uint64_t any_x = clos::kTooLarge;
  for (std::size_t x = 1; x <= 64; ++x) {
    any_x = std::min(any_x, (n - 1) * x + clos::scaled_root(n - 1, r, x) + 1);
  }
  const std::size_t last = parameters.count("to");
  const Margins margins = margins_of(form, natural, last);
  const Margins by_base_2 = margins_of(form, binary, last);
  const auto size = static_cast<double>(r);
  const auto ports = static_cast<double>(n - 1);
  return {{{"x", clos::theorem3(n, r).x},
           {"any_x", any_x},
           {"natural", ports * natural(form, size)},
           {"base_2", std::ceil(ports * binary(form, size))},
           {"below", margins.below},
           {"smallest_margin", margins.smallest},
           {"smallest_at", margins.at},
           {"base_2_below", by_base_2.below},
           {"base_2_range", {by_base_2.first, by_base_2.last}}}};
}

Figures form_of_theorem_4(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  Figures figures = closed_form(n, r, three_logs, parameters);
  figures.values["m"] = clos::theorem4(n, r);
  figures.values["theorem_3"] = clos::theorem3(n, r).m;
  return figures;
}

Figures form_of_corollary_1(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t d = parameters.count("d");
  Figures figures = closed_form(n, d, two_logs, parameters);
  figures.values["m"] = std::floor(figures.values["natural"].get<double>()) + 1;
  figures.values["corollary_1"] = clos::corollary1(n, d).m;
  return figures;
}

// Crosspoints.

/// (2k + 1)-stage networks with the middle switches of Theorem 3.
clos::CrosspointPlans plans_by_theorem_3() {
  return clos::CrosspointPlans(clos::middle_rules().find("thm3")->make);
}

/// All plans of 2k + 1 stages, each by its factors.
struct AllPlans {
  std::size_t tried = 0;
  std::uint64_t cheapest = clos::kTooLarge;

  /// @param networks    How many networks of these ports there are.
  /// @param other_cost  The crosspoints of the stages around them.
  void try_all(std::uint64_t ports, std::size_t k, std::uint64_t networks,
               std::uint64_t other_cost) {
    if (k == 0) {
      ++tried;
      const std::uint64_t crossbar = clos::saturating_multiply(ports, ports);
      cheapest = std::min(cheapest, clos::saturating_add(
                                        other_cost, clos::saturating_multiply(networks, crossbar)));
      return;
    }
    for (const std::uint64_t n : clos::proper_divisors(ports)) {
      const std::uint64_t m = clos::theorem3(n, ports / n).m;
      const std::uint64_t outer = clos::saturating_multiply(networks, 2 * ports * m);
      try_all(ports / n, k - 1, clos::saturating_multiply(networks, m),
              clos::saturating_add(other_cost, outer));
    }
  }
};

Figures recursive_plan(const Section& parameters) {
  const std::size_t ports = parameters.count("N");
  const std::size_t k = parameters.count("k");
  clos::CrosspointPlans plans = plans_by_theorem_3();
  const clos::CrosspointPlan plan = plans.at(ports, k);
  std::string text = clos::to_text(plan);
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  std::vector<std::uint64_t> by_levels;
  for (std::size_t level = 0; level <= k; ++level) {
    by_levels.push_back(plans.at(ports, level).crosspoints);
  }
  AllPlans all;
  all.try_all(ports, k, 1, 0);
  return {{{"crosspoints", plan.crosspoints},
           {"plan", text},
           {"by_levels", by_levels},
           {"crossbar", by_levels[0]},
           {"plans", all.tried},
           {"cheapest", all.cheapest}}};
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
  const std::size_t ports = parameters.count("N");
  const std::size_t k = parameters.count("k");
  clos::CrosspointPlans plans = plans_by_theorem_3();
  const auto crosspoints = [&](std::size_t size) {
    return static_cast<double>(plans.at(size, k).crosspoints);
  };
  std::vector<double> ratios;
  Drawing drawing;
  for (std::size_t bits = 8; bits <= 24; bits += 2) {
    const std::size_t size = std::size_t{1} << bits;
    ratios.push_back(crosspoints(size) / order_of_crosspoints(static_cast<double>(size), k));
    const auto at = [&](std::size_t i) {
      return Position{1.5 * static_cast<double>(i), -ratios[i] / 2};
    };
    const std::size_t last = ratios.size() - 1;
    if (last > 0) drawing.line(at(last - 1), at(last), 0);
    drawing.node(at(last), std::to_string(bits), 0);
  }
  Figures figures;
  const double order = order_of_crosspoints(static_cast<double>(ports), k);
  figures.values = {{"C", plans.at(ports, k).crosspoints},
                    {"f", order},
                    {"ratio", crosspoints(ports) / order},
                    {"ratios", ratios},
                    {"last_step", ratios.back() / ratios[ratios.size() - 2]}};
  figures.drawings.push_back(
      drawing.svg(fmt::format("C/f for k = {} and N = 2^8, 2^10, ... 2^24", k)));
  return figures;
}

Figures crosspoint_slope(const Section& parameters) {
  const std::size_t from = parameters.count("from");
  const std::size_t to = parameters.count("to");
  if (from >= to) parameters.fail("to", "is not above \"from\"", "take a larger power of two");
  clos::CrosspointPlans plans = plans_by_theorem_3();
  const auto cost = [&](std::size_t bits) {
    return std::log2(plans.at(std::uint64_t{1} << bits, 1).crosspoints);
  };
  const auto order = [&](std::size_t bits) {
    return std::log2(order_of_crosspoints(std::ldexp(1, static_cast<int>(bits)), 1));
  };
  const auto bits = static_cast<double>(to - from);
  std::vector<std::string> designs;
  std::vector<double> exponents;
  std::vector<double> powers;  // Of the larger N.
  for (const clos::CrosspointGrowth& growth : clos::crosspoint_growths()) {
    designs.push_back(fmt::format("{}, {} stages{}{};", growth.design, growth.stages,
                                  growth.factor.empty() ? "" : ", factor ", growth.factor));
    exponents.push_back(static_cast<double>(growth.power.numerator) / growth.power.denominator);
    powers.push_back(std::exp2(exponents.back() * static_cast<double>(to)));
  }
  return {{{"slope", (cost(to) - cost(from)) / bits},
           {"order_slope", (order(to) - order(from)) / bits},
           {"designs", designs},
           {"exponents", exponents},
           {"powers", powers}}};
}

/// A network whose middle switches are as many as its ports.
Figures linear_middles(const Section& parameters) {
  const std::size_t n = parameters.count("n");
  const std::size_t r = parameters.count("r");
  return {{{"N", n * r},
           {"crosspoints", structure_of_sizes(n * r, n, r).crosspoints()},
           {"crossbar", n * r * n * r},
           {"quoted_exponent", static_cast<double>(clos::crosspoint_growths()[0].power.numerator) /
                                   clos::crosspoint_growths()[0].power.denominator}}};
}

}  // namespace

std::vector<Machine> theorem_machines() {
  const Param n = Param::integer("n", "", "Ports of an input switch.", 1, 4096);
  const Param r = Param::integer("r", "", "Output switches.", 1, 1e9);
  const Param r_from_3 = Param::integer("r", "", "Output switches.", 3, 1e9);
  const Param d = Param::integer("d", "", "Most output switches of a connection.", 1, 1e9);
  const Param d_from_3 = Param::integer("d", "", "Most output switches of a connection.", 3, 1e9);
  const Param events =
      Param::integer("events", "", "Random connects and disconnects.", 0, 1e6).defaults_to(2000);
  const Param seed = Param::integer("seed", "", "Seed of requests.", 1, 1e9).defaults_to(1);
  const Param to = Param::integer("to", "", "Last r of the comparison over a range.", 3, 1e7)
                       .defaults_to(200000);
  const auto few = [](const char* key, const char* help, double least) {
    return Param::integer(key, "", help, least, 64);
  };
  const Param ports = Param::integer("N", "", "Inputs, and outputs.", 4, 1 << 24);
  const Param k = Param::integer("k", "", "2k + 1 stages.", 1, 4);
  return {
      {"middles_that_suffice",
       "The bound of Theorem 3.",
       {n, r, events, seed},
       middles_that_suffice},
      {"middles_for_fan_out",
       "The bound for a limited fan-out.",
       {n, d, Param::integer("r", "", "Output switches; 0: d + 1.", 0, 1e9).defaults_to(0), events,
        seed},
       middles_for_fan_out},
      {"curve_of_roots", "The curve x + r^(1/x).", {r}, curve_of_roots},
      {"table_of_roots", "The table of r, x and x + r^(1/x).", {r}, table_of_roots},
      {"form_of_theorem_4", "Theorem 4 over a range.", {n, r_from_3, to}, form_of_theorem_4},
      {"form_of_corollary_1",
       "The closed form for a limited fan-out over a range.",
       {n, d_from_3, to},
       form_of_corollary_1},
      {"recursive_plan", "The cheapest network of 2k + 1 stages.", {ports, k}, recursive_plan},
      {"crosspoint_order", "Crosspoints against their order.", {ports, k}, crosspoint_order},
      {"crosspoint_slope",
       "How crosspoints of three stages grow between two powers of two.",
       {Param::integer("from", "", "The smaller power of two.", 2, 24),
        Param::integer("to", "", "The larger power of two.", 2, 30)},
       crosspoint_slope},
      {"linear_middles",
       "As many middle switches as ports.",
       {n, few("r", "Input switches.", 1)},
       linear_middles},
  };
}

}  // namespace flitcast::claims
