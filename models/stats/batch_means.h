// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/ids.h"

namespace flitcast {

/// The confidence interval of a mean by the method of batch means: the window is cut into ten
/// batches of equal duration, and the variance of the ten means estimates the error of the overall
/// mean.
///
/// Latencies of packets that meet in the network are correlated, so the variance over single
/// packets would underestimate the error; means over long batches are nearly independent. In
/// saturation the means grow from batch to batch, and the half-width grows with them.
/// Source: Law and Kelton, Simulation Modeling and Analysis (2000), section 9.5.3.
class BatchMeans {
 public:
  static constexpr std::size_t kBatches = 10;

  /// The window [begin, end) in cycles, which must be shorter than 2^60.
  BatchMeans(Cycle begin, Cycle end) : begin_(begin), span_(end - begin) {}

  /// @param when  A cycle in the window, which decides the batch; for a latency, the cycle in which
  ///              its packet was created.
  void add(Cycle when, std::uint64_t value);
  void merge(const BatchMeans& other);

  /// Doubles the window; its values become the first half of the batches.
  void widen();

  /// The half-width of the 95 % confidence interval of the mean, in the unit of the values, by
  /// Student's t with nine degrees of freedom. Absent while a batch is empty.
  std::optional<double> half_width() const;

  /// The first batches whose mean differs from that of the rest: the warm-up was too short.
  struct Transient {
    /// The number of these batches, at most three; 0 if no difference is significant.
    std::size_t batches = 0;
    double bias = 0;  ///< Their effect on the overall mean, as a share of the mean of the rest.
  };
  /// Tests the first batches against the rest by Student's t at 99.9 %. If several prefixes differ,
  /// takes the one after which the rest has the smallest standard error (MSER). No batches while a
  /// batch is empty.
  /// Source: White, An Effective Truncation Heuristic for Bias Reduction in Simulation Output,
  /// Simulation 69 (1997).
  Transient transient() const;

  /// The growth of the values from the beginning of the window to its end: twice the difference
  /// between the means of its halves. Absent while a batch is empty.
  std::optional<double> rise() const;

 private:
  struct Batch {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
  };

  using Means = std::array<double, kBatches>;
  /// The means of all batches; absent while a batch is empty.
  std::optional<Means> means() const;

  Cycle begin_;
  std::uint64_t span_;
  std::array<Batch, kBatches> batches_{};
};

/// The 97.5 % point of Student's t: the mean of n independent normal values is with 95 % confidence
/// within t s / sqrt(n) of the true one, where s is their standard deviation and n - 1, at least 1,
/// the degrees of freedom. Exact to 5 decimals, and the same bits on every machine.
/// Source: Abramowitz and Stegun, Handbook of Mathematical Functions (1964), table 26.10, and
/// 26.7.5 above 30 degrees of freedom.
double student_95(std::size_t degrees);

/// The half-width of the 95 % confidence interval of the mean of independent values; absent for
/// fewer than two.
std::optional<double> half_width_95(const std::vector<double>& values);

/// The arithmetic mean of at least one value, summed in order.
double mean_of(const std::vector<double>& values);

}  // namespace flitcast
