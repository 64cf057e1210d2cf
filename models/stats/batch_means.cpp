// SPDX-License-Identifier: Apache-2.0
#include "stats/batch_means.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace flitcast {
namespace {

// The 99.95 % points of Student's t for 8, 7 and 6 degrees of freedom: a rest of 9, 8 and 7
// batches.
constexpr double kStudent999[] = {5.041, 5.408, 5.959};

/// The mean of some batches and the sum of their squared deviations.
struct Scatter {
  double mean = 0;
  double squares = 0;
};

Scatter scatter(const double* begin, const double* end) {
  const auto count = static_cast<double>(end - begin);
  Scatter scatter{std::accumulate(begin, end, 0.0) / count, 0};
  for (const double* mean = begin; mean != end; ++mean) {
    scatter.squares += (*mean - scatter.mean) * (*mean - scatter.mean);
  }
  return scatter;
}

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

void BatchMeans::widen() {
  span_ *= 2;
  for (std::size_t i = 0; i < kBatches; ++i) {
    const bool filled = i < kBatches / 2;
    const Batch first = filled ? batches_[2 * i] : Batch{};
    const Batch second = filled ? batches_[2 * i + 1] : Batch{};
    batches_[i] = {first.count + second.count, first.sum + second.sum};
  }
}

std::optional<BatchMeans::Means> BatchMeans::means() const {
  Means means{};
  for (std::size_t i = 0; i < kBatches; ++i) {
    if (batches_[i].count == 0) return std::nullopt;
    means[i] = static_cast<double>(batches_[i].sum) / static_cast<double>(batches_[i].count);
  }
  return means;
}

std::optional<double> BatchMeans::half_width() const {
  const std::optional<Means> all = means();
  if (!all) return std::nullopt;
  return half_width_95({all->begin(), all->end()});
}

std::optional<double> BatchMeans::rise() const {
  const std::optional<Means> all = means();
  if (!all) return std::nullopt;
  const double* const middle = all->data() + kBatches / 2;
  return 2 * (scatter(middle, all->data() + kBatches).mean - scatter(all->data(), middle).mean);
}

// A difference below a thousandth of the mean counts as rounding, not as a transient.
BatchMeans::Transient BatchMeans::transient() const {
  const std::optional<Means> all = means();
  if (!all) return {};
  const double* const begin = all->data();
  const double* const end = begin + kBatches;
  const double whole = scatter(begin, end).mean;
  Transient found;
  double least = 0;
  for (std::size_t cut = 1; cut <= std::size(kStudent999); ++cut) {
    const auto rest_count = static_cast<double>(kBatches - cut);
    const Scatter rest = scatter(begin + cut, end);
    const double distance = std::abs(scatter(begin, begin + cut).mean - rest.mean);
    const double variance = rest.squares / (rest_count - 1);
    const double error = std::sqrt(variance * (1 / static_cast<double>(cut) + 1 / rest_count));
    const double spread = variance / rest_count;
    if (distance <= std::max(kStudent999[cut - 1] * error, rest.mean / 1000)) continue;
    if (found.batches != 0 && spread >= least) continue;
    found = {cut, std::abs(whole - rest.mean) / rest.mean};
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
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

std::optional<double> half_width_95(const std::vector<double>& values) {
  if (values.size() < 2) return std::nullopt;
  const double mean = mean_of(values);
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  const auto count = static_cast<double>(values.size());
  return student_95(values.size() - 1) * std::sqrt(squares / (count - 1) / count);
}

}  // namespace flitcast
