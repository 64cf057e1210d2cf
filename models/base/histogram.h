// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace flitcast {

/// Counts of whole numbers (latencies in cycles) in fixed memory, regardless of their range.
///
/// Values below 256 have buckets of their own; above, every power of two is divided into 128
/// buckets of equal width, so a bucket is narrower than 1/128 of its values. Mean, minimum and
/// maximum are exact. A histogram takes about 59 KiB.
///
/// The result depends neither on the order of add() nor on the distribution of the values over
/// merged histograms.
/// Source of the bucket scheme: Tene, HdrHistogram.
class Histogram {
 public:
  Histogram();

  void add(std::uint64_t value);
  void merge(const Histogram& other);

  std::uint64_t count() const { return count_; }

  /// The mean, exact except for one rounding to double. This and the following functions return 0
  /// for an empty histogram.
  double mean() const {
    return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }
  std::uint64_t min() const { return count_ == 0 ? 0 : min_; }
  std::uint64_t max() const { return max_; }

  /// The second and the third central moment, 0 for an empty histogram; each value is taken as the
  /// middle of its bucket. Equal histograms give the same bits.
  struct Moments {
    double second = 0;
    double third = 0;
  };
  Moments central_moments() const;

  /// Calls visit(largest value, count) for every bucket that is not empty, in rising order.
  template <class Visit>
  void for_each_bucket(Visit&& visit) const {
    for (std::size_t bucket = 0; bucket < buckets_.size(); ++bucket) {
      if (buckets_[bucket] != 0) visit(upper_bound(bucket), buckets_[bucket]);
    }
  }

  /// The value of rank ceil(share * count()) in ascending order (at least rank 1), for a share from
  /// 0 to 1: 0.5 is the median. The result is at most 1/128 too large, never too small, and never
  /// above max().
  std::uint64_t quantile(double share) const;

 private:
  /// The largest value of a bucket.
  static std::uint64_t upper_bound(std::size_t bucket);

  __extension__ using Wide = unsigned __int128;  // Wide enough for the sum of 2^64 values.

  std::vector<std::uint64_t> buckets_;
  std::uint64_t count_ = 0;
  std::uint64_t min_ = ~std::uint64_t{0};
  std::uint64_t max_ = 0;
  Wide sum_ = 0;
};

}  // namespace flitcast
