// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace flitcast {

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
