// SPDX-License-Identifier: Apache-2.0
#include "base/histogram.h"

#include <algorithm>
#include <cmath>

namespace flitcast {
namespace {

constexpr std::uint64_t kExact = 256;        // Values below this have a bucket each.
constexpr std::uint64_t kPerOctave = 128;    // Buckets for each power of two from kExact on.
constexpr std::uint64_t kExactExponent = 8;  // 2^8 = kExact.
constexpr std::size_t kBuckets = kExact + (64 - kExactExponent) * kPerOctave;

/// floor(log2(value)) for value >= 1.
std::uint64_t exponent(std::uint64_t value) {
  return 63 - static_cast<std::uint64_t>(__builtin_clzll(value));
}

std::size_t bucket_of(std::uint64_t value) {
  if (value < kExact) return value;
  const std::uint64_t octave = exponent(value) - kExactExponent;
  // The shift leaves the leading 1 and the 7 bits below it; kPerOctave is the leading 1, which the
  // octave already represents.
  return kExact + octave * kPerOctave + (value >> (octave + 1)) - kPerOctave;
}

}  // namespace

Histogram::Histogram() : buckets_(kBuckets) {}

std::uint64_t Histogram::upper_bound(std::size_t bucket) {
  if (bucket < kExact) return bucket;
  const std::uint64_t octave = (bucket - kExact) / kPerOctave;
  const std::uint64_t leading = (bucket - kExact) % kPerOctave + kPerOctave;
  return (leading << (octave + 1)) + ((std::uint64_t{2} << octave) - 1);
}

void Histogram::add(std::uint64_t value) {
  ++buckets_[bucket_of(value)];
  ++count_;
  sum_ += value;
  min_ = std::min(min_, value);
  max_ = std::max(max_, value);
}

void Histogram::merge(const Histogram& other) {
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    buckets_[bucket] += other.buckets_[bucket];
  }
  count_ += other.count_;
  sum_ += other.sum_;
  min_ = std::min(min_, other.min_);
  max_ = std::max(max_, other.max_);
}

// The moments are taken about the mean of the bucket middles. About the exact mean, equal values
// would have a variance: the squared distance from the value to the middle of its bucket.
Histogram::Moments Histogram::central_moments() const {
  Moments moments;
  const auto count = static_cast<double>(std::max<std::uint64_t>(count_, 1));
  const auto for_each_middle = [&](auto&& visit) {
    for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
      if (buckets_[bucket] == 0) continue;
      const std::uint64_t least = bucket == 0 ? 0 : upper_bound(bucket - 1) + 1;
      visit(static_cast<double>(least) / 2 + static_cast<double>(upper_bound(bucket)) / 2,
            static_cast<double>(buckets_[bucket]) / count);
    }
  };
  double centre = 0;
  for_each_middle([&](double middle, double share) { centre += share * middle; });
  for_each_middle([&](double middle, double share) {
    const double distance = middle - centre;
    moments.second += share * distance * distance;
    moments.third += share * distance * distance * distance;
  });
  return moments;
}

std::uint64_t Histogram::quantile(double share) const {
  const auto wanted = static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(count_)));
  const std::uint64_t rank =
      std::clamp<std::uint64_t>(wanted, 1, std::max<std::uint64_t>(count_, 1));
  std::uint64_t seen = 0;
  for (std::size_t bucket = 0; bucket < kBuckets; ++bucket) {
    seen += buckets_[bucket];
    if (seen >= rank) return std::min(upper_bound(bucket), max_);
  }
  return 0;
}

}  // namespace flitcast
