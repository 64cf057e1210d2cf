// SPDX-License-Identifier: Apache-2.0
#include "stats/mean_interval.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/sequences.h"

namespace flitcast {
namespace {

constexpr std::size_t kGroups = 16;
constexpr double kFewestPackets = 100;
/// If neighbouring groups are more correlated than this, no interval is stated.
constexpr double kMostCorrelation = 0.5;
/// A larger correlation is corrected for as if it were this one.
constexpr double kMostCorrected = 0.8;
/// An error of at least this share of the standard deviation of the latencies is too large for an
/// interval.
constexpr double kWidest = 0.75;

// The 99.95 % points of Student's t for 14 to 10 degrees of freedom: a rest of 15 to 11 groups.
constexpr double kStudent999[] = {4.140, 4.221, 4.318, 4.437, 4.587};

double inflation(double correlation) { return (1 + correlation) / (1 - correlation); }

/// The error of a ratio of sums, estimated from groups of the terms.
struct GroupError {
  double half_width = 0;
  double correlation = 0;  ///< Lag-1 correlation of the groups, corrected for bias.
};

GroupError error_of(const std::vector<LatencySpans::Sum>& groups, double mean, double count) {
  const auto k = static_cast<double>(groups.size());
  double squares = 0, products = 0, last = 0;
  for (const LatencySpans::Sum& group : groups) {
    const double rest = static_cast<double>(group.cycles) - mean * static_cast<double>(group.count);
    squares += rest * rest;
    products += last * rest;
    last = rest;
  }
  constexpr double kRounding = 1e-10;  // A share of the sum of all latencies.
  if (std::sqrt(squares) <= kRounding * mean * count) return {};
  const double correlation = products / squares + 1 / k;
  const double corrected = inflation(std::clamp(correlation, 0.0, kMostCorrected));
  return {student_95(groups.size() - 1) * std::sqrt(squares * k / (k - 1) * corrected) / count,
          correlation};
}

/// The variance of at least two values, with n - 1 degrees of freedom.
double variance_of(const std::vector<double>& values) {
  const double mean = mean_of(values);
  return sum_of<double>(values, [&](double value) { return (value - mean) * (value - mean); }) /
         static_cast<double>(values.size() - 1);
}

/// Rounds up to two digits, as a user would write it.
std::uint64_t two_digits(double cycles) {
  constexpr double kMost = 1e18;
  cycles = std::min(cycles, kMost);
  const double scale = std::pow(10, std::max(0.0, std::floor(std::log10(cycles)) - 1));
  return static_cast<std::uint64_t>(std::ceil(cycles / scale - 1e-9) * scale);
}

}  // namespace

void LatencySpans::add(const Window& window, Cycle created, std::uint64_t latency) {
  Sum& span = spans_[window.span_of(created, kSpans)];
  ++span.count;
  span.cycles += latency;
}

void LatencySpans::merge(const LatencySpans& other) {
  for (std::size_t i = 0; i < kSpans; ++i) {
    spans_[i].count += other.spans_[i].count;
    spans_[i].cycles += other.spans_[i].cycles;
  }
}

void LatencySpans::widen() {
  const std::vector<Sum> joined = groups(kSpans / 2);
  spans_ = {};
  std::copy(joined.begin(), joined.end(), spans_.begin());
}

std::vector<LatencySpans::Sum> LatencySpans::groups(std::size_t count) const {
  std::vector<Sum> groups(count);
  for (std::size_t i = 0; i < kSpans; ++i) {
    groups[i * count / kSpans].count += spans_[i].count;
    groups[i * count / kSpans].cycles += spans_[i].cycles;
  }
  return groups;
}

std::vector<double> LatencySpans::means() const {
  std::vector<double> means;
  for (const Sum& group : groups(kGroups)) {
    if (group.count == 0) return {};
    means.push_back(static_cast<double>(group.cycles) / static_cast<double>(group.count));
  }
  return means;
}

TrafficScale TrafficScale::of(double service, double load, double period, double longest_service) {
  const double queue = load < 1 ? load * service / ((1 - load) * (1 - load)) : 0;
  return {service, std::max(queue, period), longest_service};
}

MeanInterval::MeanInterval(const Window& window, const LatencySpans& spans,
                           const Histogram& latencies, double wait_variance,
                           const TrafficScale& traffic)
    : window_(window.cycles()),
      count_(static_cast<double>(latencies.count())),
      mean_(latencies.mean()),
      wait_variance_(wait_variance) {
  const Histogram::Moments moments = latencies.central_moments();
  variance_ = moments.second;
  if (moments.second > 0) {
    const double skew = moments.third / moments.second;
    relaxation = std::max(
        {4 * wait_variance / traffic.service, skew * skew / traffic.service, traffic.slowest});
  }
  if (count_ < kFewestPackets || spans.means().empty()) {
    unknown = Unknown::kFewPackets;
  } else if (static_cast<double>(window_) < kRelaxations * relaxation) {
    unknown = Unknown::kShortWindow;
  } else {
    estimate(spans, std::sqrt(moments.second), 3 * traffic.longest_service / count_);
  }
}

// A window can lack packets of the longest kind if it has fewer than 3 of them on average. Their
// own times add less than `unseen` to the mean; waits behind them are in the relaxation time.
void MeanInterval::estimate(const LatencySpans& spans, double deviation, double unseen) {
  const GroupError fine = error_of(spans.groups(kGroups), mean_, count_);
  const GroupError coarse = error_of(spans.groups(kGroups / 2), mean_, count_);
  const double error = std::max(fine.half_width, coarse.half_width);
  correlation = std::clamp(fine.correlation, 0.0, kMostCorrected);
  if (fine.correlation > kMostCorrelation) {
    unknown = Unknown::kCorrelatedSpans;
  } else if (error > 0 && error >= kWidest * deviation) {
    unknown = Unknown::kWide;
  } else {
    half_width = std::max(error > 0 ? error / (1 - error / deviation) : 0, unseen);
  }
}

// Windows are twice as long as these estimates demand, because their errors are large. Without a
// half-width, it is taken as 2 sqrt(2 t v / W + V / n) for a window of W cycles with n packets:
// waits of variance v are correlated over a relaxation time t, and latencies have the variance V.
std::uint64_t MeanInterval::sufficient_window(double precision) const {
  constexpr double kMargin = 2;
  const auto window = static_cast<double>(window_);
  const double relaxed = kMargin * kRelaxations * relaxation;
  const double widest = precision * mean_;
  if (half_width && precision > 0) {
    const double ratio = *half_width / widest;
    return two_digits(std::max(kMargin * window * ratio * ratio, relaxed));
  }
  const double filled = 2 * kFewestPackets / std::max(count_, 1.0);
  const double squares =
      4 * (2 * relaxation * wait_variance_ + window * variance_ / std::max(count_, 1.0));
  const double precise = widest > 0 ? kMargin * squares / (widest * widest) : 0;
  return two_digits(std::max({window * 2, window * filled, relaxed, precise}));
}

const char* to_text(MeanInterval::Unknown unknown) {
  constexpr std::array<const char*, 6> kNames{
      "", "few packets", "short window", "correlated spans", "wide", "no steady state"};
  return kNames[static_cast<std::size_t>(unknown)];
}

// A difference below a thousandth of the mean counts as rounding, not as a transient.
Transient transient_of(const LatencySpans& spans, double correlation) {
  const std::vector<double> means = spans.means();
  Transient found;
  if (means.empty()) return found;
  double least = 0;
  for (std::size_t cut = 1; cut <= std::size(kStudent999); ++cut) {
    const auto edge = means.begin() + static_cast<std::ptrdiff_t>(cut);
    const std::vector<double> rest(edge, means.end());
    const double mean = mean_of(rest);
    const double spread =
        variance_of(rest) * inflation(correlation) / static_cast<double>(kGroups - cut);
    const double error = std::sqrt(spread * kGroups / static_cast<double>(cut));
    const double distance = std::abs(mean_of({means.begin(), edge}) - mean);
    if (distance <= std::max(kStudent999[cut - 1] * error, mean / 1000)) continue;
    if (found.share != 0 && spread >= least) continue;
    found = {static_cast<double>(cut) / kGroups, std::abs(mean_of(means) - mean) / mean};
    least = spread;
  }
  return found;
}

namespace {

constexpr std::array<double, 30> kTable{
    12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004,
    2.262157,  2.228139, 2.200985, 2.178813, 2.160369, 2.144787, 2.131450, 2.119905,
    2.109816,  2.100922, 2.093024, 2.085963, 2.079614, 2.073873, 2.068658, 2.063899,
    2.059539,  2.055529, 2.051831, 2.048407, 2.045230, 2.042272};

// The expansion of t around the normal distribution in powers of 1 / degrees.
double expansion(double degrees) {
  const double z = 1.959963985;
  const double z3 = z * z * z;
  const double z5 = z3 * z * z;
  const double z7 = z5 * z * z;
  const double g1 = (z3 + z) / 4;
  const double g2 = (5 * z5 + 16 * z3 + 3 * z) / 96;
  const double g3 = (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384;
  return z + (g1 + (g2 + g3 / degrees) / degrees) / degrees;
}

}  // namespace

double student_95(std::size_t degrees) {
  return degrees <= kTable.size() ? kTable.at(degrees - 1)
                                  : expansion(static_cast<double>(degrees));
}

double mean_of(const std::vector<double>& values) {
  return sum_of<double>(values) / static_cast<double>(values.size());
}

std::optional<double> half_width_95(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  return student_95(values.size() - 1) * std::sqrt(variance_of(values) / count);
}

}  // namespace flitcast
