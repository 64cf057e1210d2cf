// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "base/ids.h"

namespace flitcast {

/// How sure is a mean? The method of batch means: the window is cut into ten spans of time, and the
/// scatter of their ten means tells the error of the whole.
///
/// Latencies of packets that meet in the network are correlated, so the scatter of single packets
/// would promise too much; means over long spans are nearly independent. In saturation the means
/// grow from batch to batch and the half-width shows it.
/// Source: Law and Kelton, Simulation Modeling and Analysis (2000), section 9.5.3.
class BatchMeans {
 public:
  static constexpr std::size_t kBatches = 10;

  /// The window [begin, end) in cycles; shorter than 2^60, else its batches are wrong.
  BatchMeans(Cycle begin, Cycle end) : begin_(begin), span_(end - begin) {}

  /// @param when  In the window: the cycle whose batch the value joins, for a latency the creation
  ///              of its packet.
  void add(Cycle when, std::uint64_t value);
  void merge(const BatchMeans& other);

  /// Makes the window twice as long: what is in it becomes the first half of the batches.
  void widen();

  /// Half of the 95 % confidence interval of the mean, in the unit of the values, by Student's t
  /// with nine degrees of freedom. Absent while a batch is empty.
  std::optional<double> half_width() const;

  /// Batches at the beginning whose mean is not that of the rest: a warm-up that was too short.
  struct Transient {
    std::size_t batches = 0;  ///< At most three; 0: none can be told from chance.
    double bias = 0;          ///< By so much of itself the mean of the rest is missed.
  };
  /// Student's t of the first batches against the rest, at 99.9 %; the point after which the rest
  /// scatters least (MSER) is taken where several differ. None while a batch is empty.
  /// Source: White, An Effective Truncation Heuristic for Bias Reduction in Simulation Output,
  /// Simulation 69 (1997).
  Transient transient() const;

  /// How much the values grow from the beginning of the window to its end: twice the difference of
  /// its halves. Absent while a batch is empty.
  std::optional<double> rise() const;

 private:
  struct Batch {
    std::uint64_t count = 0;
    std::uint64_t sum = 0;
  };

  using Means = std::array<double, kBatches>;
  /// Of all batches; absent while one is empty.
  std::optional<Means> means() const;

  Cycle begin_;
  std::uint64_t span_;
  std::array<Batch, kBatches> batches_{};
};

}  // namespace flitcast
