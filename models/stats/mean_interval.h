// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/histogram.h"
#include "base/ids.h"

namespace flitcast {

/// The measured part of a run: the whole window, or its first half, quarter, eighth, ..., which is
/// doubled while a mean is not precise enough.
class Window {
 public:
  /// @param whole  Cycles of the whole window, at least 1. Spans cover its first 2^57 cycles; the
  ///               last span has all cycles after them.
  /// @param parts  A power of two, at most `whole`: the window is the first of that number of equal
  /// parts.
  Window(Cycle begin, std::uint64_t whole, std::uint64_t parts = 1)
      : begin_(begin),
        whole_(std::min(whole, std::uint64_t{1} << 57)),
        parts_(parts),
        end_(begin + whole / parts) {}

  Cycle begin() const { return begin_; }
  Cycle end() const { return end_; }
  std::uint64_t cycles() const { return end_ - begin_; }
  bool is_whole() const { return parts_ == 1; }
  bool has(Cycle cycle) const { return cycle >= begin_ && cycle < end_; }

  /// The end of the first `count` of `spans` spans of equal length. The product of `spans` and the
  /// whole window must be less than 2^64.
  Cycle end_of(std::uint64_t count, std::uint64_t spans) const {
    return begin_ + whole_ * count / (spans * parts_);
  }
  /// The span that a cycle of the window belongs to, counted from 0.
  std::size_t span_of(Cycle cycle, std::uint64_t spans) const {
    return std::min(cycle - begin_, whole_ - 1) * spans * parts_ / whole_;
  }

  void widen() { *this = Window(begin_, whole_, parts_ / 2); }

 private:
  Cycle begin_;
  std::uint64_t whole_;
  std::uint64_t parts_;
  Cycle end_;
};

/// Latencies summed by the cycle in which their packets were created, in 64 spans of equal length.
class LatencySpans {
 public:
  static constexpr std::size_t kSpans = 64;

  struct Sum {
    std::uint64_t count = 0;
    std::uint64_t cycles = 0;
  };

  void add(const Window& window, Cycle created, std::uint64_t latency);
  void merge(const LatencySpans& other);
  /// Adjusts the spans to a window that has been doubled: joins each pair of neighbouring spans.
  void widen();

  /// The sums over groups of neighbouring spans.
  /// @param count  The number of groups, a divisor of kSpans.
  std::vector<Sum> groups(std::size_t count) const;
  /// The mean latency in cycles of each of 16 groups of spans; an empty vector if any group has no
  /// packets.
  std::vector<double> means() const;

 private:
  std::array<Sum, kSpans> spans_{};
};

/// The properties of a traffic, besides latencies, that determine the relaxation time of a network
/// (see MeanInterval). Times in cycles.
struct TrafficScale {
  /// The mean time for which a packet that holds a channel holds it: for packets of several times
  /// the sum of their squares over their sum.
  double service = 1;
  double slowest = 0;          ///< A lower bound on the relaxation time.
  double longest_service = 1;  ///< The longest time that a packet holds a channel.

  /// @param load    Offered load as a share of the capacity; 0 if that is not known.
  /// @param period  The longest mean period of the traffic: of a source that sends in bursts, one
  ///                burst and one pause, of packets that are rare and hold a channel for long, or
  ///                of the bucket of a guaranteed rate from empty to full; 0 without these.
  static TrafficScale of(double service, double load, double period, double longest_service);
};

/// The 95 % confidence interval of the mean latency of a window; or why it is not known.
///
/// Latencies of packets that meet in the network are correlated over the relaxation time, in which
/// the effect of a congestion decays. In heavy traffic the queue is a reflected Brownian motion,
/// whose relaxation time is 4 w^2 / L cycles for waits of standard deviation w and packets that
/// hold a channel for L cycles (TrafficScale::service). An interval is stated only if the window is
/// 40 relaxation times long: in a shorter window, intervals are narrow exactly where the window
/// happened to have no congestion, so a test of the correlations in the window does not help. The
/// relaxation time is the largest of
///
///   4 v / L          v: variance of the waits, that is, of the latencies less those of an idle
///                    network
///   (m / s)^2 / L    m, s: third and second central moment of the latencies, for a few packets
///                    that wait long
///   TrafficScale::slowest
///
/// The error of the mean is that of a ratio of sums over groups of spans, corrected for the lag-1
/// correlation of the groups; it is computed for 16 and for 8 groups, and the larger error h
/// counts. The half-width is h / (1 - h / s), with the standard deviation s of the latencies. This
/// accounts for the skewness: it corresponds to an interval for the inverse of the mean wait. It is
/// at least 3 S / n for n packets of which the longest holds a channel for S cycles: if on average
/// 3 of n packets take or wait for so long, one window in twenty has none of them (the rule of
/// three).
///
/// scripts/interval_coverage measures how often intervals contain the true mean. With 40 seeds per
/// case, at most 8 % of all runs stated an interval without the true mean; in cases in which at
/// least half of the runs stated an interval, at least 91 % of these intervals contained the true
/// mean.
/// Sources: Asmussen, Applied Probability and Queues (2003), chapters III.8 and X; Whitt, Planning
/// Queueing Simulations, Management Science 35 (1989); Law and Kelton, Simulation Modeling and
/// Analysis (2000), section 9.5; Tafazzoli, Steiger and Wilson, N-Skart, IEEE Trans. Automatic
/// Control 56 (2011).
struct MeanInterval {
  /// The reasons why the half-width is not known.
  enum class Unknown { kNot, kFewPackets, kShortWindow, kCorrelatedSpans, kWide, kNoSteadyState };
  /// A window is long enough if it has at least this number of relaxation times.
  static constexpr double kRelaxations = 40;

  /// @param wait_variance  Variance of the waits, in square cycles.
  MeanInterval(const Window& window, const LatencySpans& spans, const Histogram& latencies,
               double wait_variance, const TrafficScale& traffic);

  /// The half-width in cycles; absent if it is unknown.
  std::optional<double> half_width{};
  Unknown unknown = Unknown::kNot;
  double relaxation = 0;   ///< The relaxation time in cycles; 0 for equal latencies.
  double correlation = 0;  ///< The lag-1 correlation of 16 groups, clamped to 0 .. 0.8.

  /// True if the window is long enough for statements about its parts.
  bool is_settled() const {
    return unknown != Unknown::kFewPackets && unknown != Unknown::kShortWindow;
  }
  /// Withdraws the interval of a run whose latencies grow with the window.
  void withdraw() {
    half_width.reset();
    unknown = Unknown::kNoSteadyState;
  }
  /// The length in cycles of a window for which the interval would probably be known.
  /// @param precision  The largest half-width, as a share of the mean; 0: any.
  std::uint64_t sufficient_window(double precision = 0) const;

 private:
  void estimate(const LatencySpans& spans, double deviation, double unseen);

  std::uint64_t window_;
  double count_;
  double mean_;
  double wait_variance_;
  double variance_ = 0;  // The variance of the latencies.
};

/// The reason as results state it, such as "short window"; empty for kNot.
const char* to_text(MeanInterval::Unknown unknown);

/// The groups of spans at the start of a window whose latencies differ from those of the rest,
/// because the warm-up was too short.
struct Transient {
  /// The share of the window that these groups take, at most 5/16; 0 if no difference is
  /// significant.
  double share = 0;
  /// The difference that these groups make to the mean of the window, as a share of the mean of
  /// the rest.
  double bias = 0;
};
/// Tests the first of 16 groups against the rest by Student's t at 99.9 %, with variances increased
/// for the correlation of neighbours. If several prefixes differ, takes the prefix after which the
/// rest has the smallest standard error (MSER). Finds no transient if a group has no packets.
/// Source: White, An Effective Truncation Heuristic for Bias Reduction in Simulation Output,
/// Simulation 69 (1997).
/// @param correlation  MeanInterval::correlation.
Transient transient_of(const LatencySpans& spans, double correlation);

/// The 97.5 % point of Student's t: the mean of n independent normal values is with 95 % confidence
/// within t s / sqrt(n) of the true mean, where s is the standard deviation of the values and
/// `degrees` is n - 1, at least 1. The result is exact to 5 decimals and has the same bits on every
/// machine.
/// Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), table 26.10, and
/// 26.7.5 above 30 degrees of freedom.
double student_95(std::size_t degrees);

/// The half-width of the 95 % confidence interval of the mean of independent values; absent for
/// fewer than two.
std::optional<double> half_width_95(const std::vector<double>& values);

/// The arithmetic mean of at least one value, summed in order.
double mean_of(const std::vector<double>& values);

}  // namespace flitcast
