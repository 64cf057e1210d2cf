// SPDX-License-Identifier: Apache-2.0
#include "conformance/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <utility>

#include "conformance/curve_point.h"
#include "conformance/text.h"

namespace flitcast::conformance {
namespace {

constexpr unsigned kSeeds = 8;
constexpr double kZeroLoadCycles = 0.5;
constexpr double kZeroLoadShare = 0.01;  // Where links differ.
constexpr double kLowLoadShare = 0.02;   // Tolerance up to half of the saturation rate.
constexpr double kHighLoadShare = 0.05;  // Tolerance up to 0.8 of the saturation rate.
constexpr double kMeanShare = 0.03;      // Tolerance up to 0.8 for a mean over several seeds.
constexpr double kAcceptedShare = 0.03;
constexpr double kSaturationShare = 0.05;

double number(const Row& row, const std::string& column) {
  try {
    return std::stod(row[column]);
  } catch (const std::exception&) {
    throw std::invalid_argument("column " + column + ": \"" + row[column] + "\" is not a number");
  }
}

CurvePoint point_of(const Row& row) {
  return {number(row, "offered_flits_node_cycle"), to_count(row["warmup_cycles"]),
          to_count(row["measure_cycles"])};
}

const Row* find_point(const std::vector<Row>& rows, const std::string& point) {
  for (const Row& row : rows) {
    if (after(row["point"], point) != nullptr) return &row;
  }
  return nullptr;
}

/// True for means over several seeds, whose numbers are a range.
bool averaged(const Row& row) { return row["seed"].find('-') != std::string::npos; }

std::vector<Difference> within(const std::string& what, double expected, double tolerance,
                               double got) {
  if (std::abs(got - expected) <= tolerance) return {};
  return {{what, fmt::format("{:.5g} +- {:.2g}", expected, tolerance), fmt::format("{:.5g}", got)}};
}

/// One curve: its network, and the figures that several of its points need.
class Curve {
 public:
  explicit Curve(const std::vector<Row>& rows)
      : rows_(rows), network_(CurveNetwork::of(rows.front())) {}

  std::string missing() const { return network_.missing(); }
  Verdict verify(const Row& row);

 private:
  Verdict assess_latency(const Row& row, double tolerance);
  Verdict assess_accepted(const Row& row);
  Verdict assess_saturation(const Row& row);
  double fraction_of_saturation(const Row& row);
  double zero_load_latency();
  double saturation_rate(const Row& row);

  const std::vector<Row>& rows_;
  const CurveNetwork network_;
  std::optional<double> zero_load_latency_;
  std::optional<double> saturation_rate_;
};

Verdict Curve::verify(const Row& row) {
  const std::string& point = row["point"];
  const double latency = number(row, "packet_latency");
  if (point == "zero_load") {
    const double share = network_.links_differ() ? kZeroLoadShare : 0;
    return assess_latency(row, std::max(kZeroLoadCycles, share * latency));
  }
  if (point == "saturation_3xT0") return assess_saturation(row);
  if (point == "plateau_offered_1.0") return assess_accepted(row);
  if (after(point, "load") == nullptr && point != "bisect") {
    return Verdict::unknown("point " + point);
  }
  const double fraction = fraction_of_saturation(row);
  constexpr double kRounding = 1e-3;
  if (fraction > 0.8 + kRounding) return assess_accepted(row);
  const double share = averaged(row)                ? kMeanShare
                       : fraction > 0.5 + kRounding ? kHighLoadShare
                                                    : kLowLoadShare;
  return assess_latency(row, share * latency);
}

Verdict Curve::assess_latency(const Row& row, double tolerance) {
  const CurveResult result = simulate(network_, point_of(row), kSeeds);
  if (averaged(row)) {
    const double accepted = number(row, "accepted_rate");
    std::vector<Difference> differences =
        within("mean packet latency", number(row, "packet_latency"), tolerance, result.latency);
    if (row["point"] == "zero_load") return Verdict::of(std::move(differences));
    for (Difference& one :
         within("accepted rate", accepted, kAcceptedShare * accepted, result.accepted)) {
      differences.push_back(std::move(one));
    }
    return Verdict::of(std::move(differences));
  }
  const double hops = number(row, "hops_avg");
  const double got = result.latency + (hops - result.hops) * network_.cycles_per_hop();
  return Verdict::of(within(fmt::format("mean packet latency at {:.4f} hops", hops),
                            number(row, "packet_latency"), tolerance, got));
}

Verdict Curve::assess_accepted(const Row& row) {
  const double expected = number(row, "accepted_rate");
  return Verdict::of(within("accepted rate", expected, kAcceptedShare * expected,
                            simulate(network_, point_of(row), kSeeds).accepted));
}

Verdict Curve::assess_saturation(const Row& row) {
  const double expected = point_of(row).load;
  return Verdict::of(
      within("saturation rate", expected, kSaturationShare * expected, saturation_rate(row)));
}

// The name of the point states it, or else the curve's saturation; without both it is simulated.
double Curve::fraction_of_saturation(const Row& row) {
  const char* stated = after(row["point"], "load_");
  if (stated != nullptr && *stated != '\0') return std::atof(stated);
  if (!saturation_rate_) {
    const Row* given = find_point(rows_, "saturation");
    saturation_rate_ = given != nullptr ? point_of(*given).load : saturation_rate(row);
  }
  return point_of(row).load / *saturation_rate_;
}

double Curve::zero_load_latency() {
  if (!zero_load_latency_) {
    constexpr double kVeryLow = 0.01;
    zero_load_latency_ = simulate(network_, {kVeryLow, 10000, 10000}, kSeeds).latency;
  }
  return *zero_load_latency_;
}

// Bisects the offered load, then interpolates between the last two loads; a load that never drains
// has no latency for the interpolation.
double Curve::saturation_rate(const Row& row) {
  const CurvePoint point = point_of(row);
  const double limit = 3 * zero_load_latency();
  double low = 0;
  double high = 1;
  double low_latency = zero_load_latency();
  std::optional<double> high_latency;
  for (int halving = 0; halving < 8; ++halving) {
    const double middle = (low + high) / 2;
    const CurveResult result = simulate(network_, {middle, point.warmup, point.window}, kSeeds / 2);
    if (result.steady && result.latency < limit) {
      low = middle;
      low_latency = result.latency;
    } else {
      high = middle;
      high_latency = result.steady ? std::optional(result.latency) : std::nullopt;
    }
  }
  if (!high_latency) return low;
  return low + (high - low) * (limit - low_latency) / (*high_latency - low_latency);
}

}  // namespace

std::vector<Verdict> curve(const std::vector<Row>& rows, Level) {
  Curve curve(rows);
  std::vector<Verdict> verdicts;
  for (const Row& row : rows) {
    verdicts.push_back(curve.missing().empty() ? curve.verify(row)
                                               : Verdict::not_built(curve.missing()));
  }
  return verdicts;
}

}  // namespace flitcast::conformance
