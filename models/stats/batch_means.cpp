// SPDX-License-Identifier: Apache-2.0
#include "stats/batch_means.h"

#include <cmath>

namespace flitcast {
namespace {

constexpr double kStudent95 = 2.262157;  // 97.5 % point for kBatches - 1 = 9 degrees of freedom.

}  // namespace

void BatchMeans::add(Cycle when, std::uint64_t value) {
  Batch& batch = batches_[(when - begin_) * kBatches / span_];
  ++batch.count;
  batch.sum += value;
}

void BatchMeans::merge(const BatchMeans& other) {
  for (std::size_t i = 0; i < kBatches; ++i) {
    batches_[i].count += other.batches_[i].count;
    batches_[i].sum += other.batches_[i].sum;
  }
}

std::optional<double> BatchMeans::half_width() const {
  std::array<double, kBatches> means{};
  double sum = 0;
  for (std::size_t i = 0; i < kBatches; ++i) {
    if (batches_[i].count == 0) return std::nullopt;
    means[i] = static_cast<double>(batches_[i].sum) / static_cast<double>(batches_[i].count);
    sum += means[i];
  }
  double squares = 0;
  for (const double mean : means) {
    const double distance = mean - sum / kBatches;
    squares += distance * distance;
  }
  return kStudent95 * std::sqrt(squares / (kBatches - 1) / kBatches);
}

}  // namespace flitcast
