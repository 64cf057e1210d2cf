// SPDX-License-Identifier: Apache-2.0
#include "stats/student.h"

#include <array>
#include <cmath>
#include <numeric>

namespace flitcast {
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
