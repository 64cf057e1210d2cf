// SPDX-License-Identifier: Apache-2.0
#include "sim/energy/energy_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

#include "base/sequences.h"

namespace flitcast {

namespace {

/// A fit needs more rows than terms.
constexpr std::size_t kMostTerms = 3;
constexpr std::size_t kLeastRows = kMostTerms + 1;
constexpr std::size_t kTerms = 6;

using Terms = std::array<double, kTerms>;

Terms terms_of(const EnergyRow& row) {
  const auto ports = static_cast<double>(row.ports);
  const auto vcs = static_cast<double>(row.virtual_channels);
  const auto slots = vcs * static_cast<double>(row.buffer_depth);
  const auto width = static_cast<double>(row.width);
  return {ports * width, vcs, slots * width, ports * vcs * vcs, 1, slots};
}

/// A row's terms, its value, and the value that counts as an error of 1.
struct Sample {
  Terms terms;
  double value = 0;
  double scale = 1;
};

/// Solves the normal equations of some terms by elimination; absent if a coefficient is negative or
/// the terms are not independent.
std::optional<std::vector<double>> coefficients(const std::vector<Sample>& samples,
                                                const std::vector<std::size_t>& used) {
  constexpr double kDependent = 1e-9;  // The least pivot, as a share of the term's own square.
  const std::size_t n = used.size();
  std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1));
  for (const Sample& s : samples) {
    const double weight = 1 / (s.scale * s.scale);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        rows[i][j] += weight * s.terms[used[i]] * s.terms[used[j]];
      }
      rows[i][n] += weight * s.terms[used[i]] * s.value;
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const double own = sum_of<double>(
        samples, [&](const Sample& s) { return std::pow(s.terms[used[i]] / s.scale, 2); });
    if (rows[i][i] <= kDependent * own) return std::nullopt;
    for (std::size_t j = 0; j < n; ++j) {
      if (j == i) continue;
      const double factor = rows[j][i] / rows[i][i];
      for (std::size_t k = i; k <= n; ++k) rows[j][k] -= factor * rows[i][k];
    }
  }
  const auto result = tabulated(n, [&](std::size_t i) { return rows[i][n] / rows[i][i]; });
  const bool sound = all_of(result, [](double c) { return c >= 0; });
  return sound ? std::optional(result) : std::nullopt;
}

double weighted_sum(const Terms& terms, const std::vector<std::size_t>& used,
                    const std::vector<double>& factors) {
  return sum_of<double>(numbers(used.size()),
                        [&](std::size_t i) { return factors[i] * terms[used[i]]; });
}

double squared_error(const std::vector<Sample>& samples, const std::vector<std::size_t>& used,
                     const std::vector<double>& factors) {
  return sum_of<double>(samples, [&](const Sample& s) {
    return std::pow((weighted_sum(s.terms, used, factors) - s.value) / s.scale, 2);
  });
}

/// The value at `wanted` by the best terms. Among equally good sets it takes the first of those
/// with the fewest terms; if all rows have one width, this set contains the term of the width.
double fitted(const std::vector<Sample>& samples, const Terms& wanted) {
  constexpr double kBetter = 1e-9;  // Smaller differences of the error are rounding.
  double least = squared_error(samples, {}, {});
  double result = 0;
  for (std::size_t size = 1; size <= kMostTerms; ++size) {
    for (unsigned set = 1; set < (1U << kTerms); ++set) {
      const auto used =
          filtered(numbers(kTerms), [&](std::size_t t) { return (set >> t & 1U) != 0; });
      if (used.size() != size) continue;
      const auto factors = coefficients(samples, used);
      if (!factors) continue;
      const double error = squared_error(samples, used, *factors);
      if (error >= least - kBetter) continue;
      least = error;
      result = weighted_sum(wanted, used, *factors);
    }
  }
  return result;
}

using ValueOf = std::function<double(const EnergyRow&)>;

/// Fits a value of the rows; an error of `scale(row)` counts as 1.
double fitted(const std::vector<EnergyRow>& rows, const EnergyRow& wanted, const ValueOf& value,
              const ValueOf& scale) {
  const std::vector<Sample> samples = mapped(rows, [&](const EnergyRow& row) {
    const double unit = scale(row);
    return Sample{terms_of(row), value(row), unit > 0 ? unit : 1};
  });
  return fitted(samples, terms_of(wanted));
}

/// Fits a value of all ports, if every row has it.
std::optional<double> fitted_total(
    const std::vector<EnergyRow>& rows, const EnergyRow& wanted,
    const std::function<std::optional<double>(const EnergyRow&)>& of) {
  const bool known = all_of(rows, [&](const auto& row) { return of(row); });
  if (!known) return std::nullopt;
  const auto of_port = [&](const EnergyRow& row) {
    return *of(row) / static_cast<double>(row.ports);
  };
  return static_cast<double>(wanted.ports) * fitted(rows, wanted, of_port, of_port);
}

bool same_parts(const EnergyRow& a, const EnergyRow& b) {
  return std::equal(a.parts.begin(), a.parts.end(), b.parts.begin(), b.parts.end(),
                    [](const auto& x, const auto& y) { return x.name == y.name; });
}

/// A size of routers, and the words that follow its value in a message.
struct Size {
  const char* text;
  std::function<std::size_t(const EnergyRow&)> of;
};

const std::array<Size, 5> kSizes{{
    {"ports", [](const auto& row) { return row.ports; }},
    {"VCs", [](const auto& row) { return row.virtual_channels; }},
    {"slots of a VC", [](const auto& row) { return row.buffer_depth; }},
    {"slots of a port", [](const auto& row) { return row.virtual_channels * row.buffer_depth; }},
    {"bits", [](const auto& row) { return row.width; }},
}};

}  // namespace

EnergyFit::EnergyFit(const EnergyTable& table, const EnergyRow& wanted) {
  const auto* const of_kind = first_where(table.rows, [&](const auto& row) {
    return row.crossbar.empty() && row.router == wanted.router;
  });
  if (of_kind == nullptr) return;
  rows_ = filtered(table.rows, [&](const EnergyRow& row) {
    return row.crossbar.empty() && row.departure == wanted.departure &&
           row.longest_packet == of_kind->longest_packet && same_parts(row, *of_kind);
  });
}

bool EnergyFit::possible() const { return rows_.size() >= kLeastRows; }

EnergyRow EnergyFit::estimate(const EnergyRow& wanted) const {
  EnergyRow result = wanted;
  result.estimated = true;
  result.longest_packet = rows_.front().longest_packet;
  std::optional<std::size_t> larger;
  for (const EnergyRow& row : rows_) {
    if (row.ports >= wanted.ports) larger = std::min(larger.value_or(row.ports), row.ports);
  }
  result.ports = larger.value_or(wanted.ports);
  result.clock_pj = *fitted_total(rows_, result, &EnergyRow::clock_pj);
  result.leakage_uw = fitted_total(rows_, result, &EnergyRow::leakage_uw);
  result.area_um2 = fitted_total(rows_, result, &EnergyRow::area_um2);
  result.input_pin_pf = fitted(rows_, result, &EnergyRow::input_pin_pf, &EnergyRow::input_pin_pf);
  result.parts = rows_.front().parts;
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    // The sum of a part's prices is the scale of their errors: an error of a small price counts
    // less than one of a large price.
    for (std::size_t e = 0; e < result.parts[p].prices.size(); ++e) {
      result.parts[p].prices[e] = fitted(
          rows_, result, [&](const auto& row) { return row.parts[p].prices[e]; },
          [&](const auto& row) { return sum_of<double>(row.parts[p].prices); });
    }
  }
  return result;
}

std::string EnergyFit::beyond(const EnergyRow& estimate) const {
  std::string text;
  for (const Size& size : kSizes) {
    const auto less = [&](const auto& a, const auto& b) { return size.of(a) < size.of(b); };
    const auto [least, most] = std::minmax_element(rows_.begin(), rows_.end(), less);
    const std::size_t value = size.of(estimate);
    if (value >= size.of(*least) && value <= size.of(*most)) continue;
    text += fmt::format("{}{} {} beyond the measured {} to {}", text.empty() ? "" : ", ", value,
                        size.text, size.of(*least), size.of(*most));
  }
  return text;
}

std::vector<EnergyCheck> EnergyFit::checks() const {
  std::vector<EnergyCheck> checks;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::vector<EnergyRow> others = rows_;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(r));
    checks.push_back({rows_[r], EnergyFit(std::move(others)).estimate(rows_[r])});
  }
  return checks;
}

}  // namespace flitcast
