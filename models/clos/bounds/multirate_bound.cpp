// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/multirate_bound.h"

#include <fmt/format.h>

#include <stdexcept>

#include "clos/bounds/exact_arithmetic.h"

namespace flitcast::clos {
namespace {

[[noreturn]] void refuse_rate(const std::string& text) {
  throw std::invalid_argument("the rate " + text +
                              " is not above 0 and at most 1; write it as 3/10, 0.3 or 1");
}

void require_rate(const Rate& rate) {
  if (rate.numerator == 0 || rate.numerator > rate.denominator) {
    refuse_rate(fmt::format("{}/{}", rate.numerator, rate.denominator));
  }
}

// Eighteen digits always fit.
std::uint64_t digits(const std::string& text, const std::string& whole) {
  const bool number = text.find_first_not_of("0123456789") == std::string::npos;
  if (!number || text.empty() || text.size() > 18) refuse_rate("\"" + whole + "\"");
  return std::stoull(text);
}

Rate parse_decimal(const std::string& text, std::size_t point) {
  const std::string places = text.substr(point + 1);
  Rate rate{digits(text.substr(0, point) + places, text), 1};
  for (std::size_t i = 0; i < places.size(); ++i) rate.denominator *= 10;
  return rate;
}

// K (n - 1): connections of the other ports of a switch that can meet one link each.
std::uint64_t others(std::uint64_t n, const Rate& least) {
  return saturating_multiply(connections_per_link(least), n - 1);
}

}  // namespace

Rate parse_rate(const std::string& text) {
  Rate rate;
  if (const std::size_t point = text.find('.'); point != std::string::npos) {
    rate = parse_decimal(text, point);
  } else {
    const std::size_t bar = text.find('/');
    rate.numerator = digits(text.substr(0, bar), text);
    if (bar != std::string::npos) rate.denominator = digits(text.substr(bar + 1), text);
  }
  require_rate(rate);
  return rate;
}

std::uint64_t connections_per_link(const Rate& least) {
  require_rate(least);
  return least.denominator / least.numerator;
}

Bound multirate(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2, const Rate& least) {
  require_positive("n1", n1);
  require_positive("n2", n2);
  require_positive("r2", r2);
  const std::uint64_t sharing = require_fitting(others(n2, least), "K (n2 - 1)");
  return best_by_roots(others(n1, least), sharing, r2);
}

Bound multirate(std::uint64_t n, std::uint64_t r, const Rate& least) {
  return multirate(n, n, r, least);
}

std::uint64_t multirate_unicast(std::uint64_t n, const Rate& least) {
  require_positive("n", n);
  return require_fitting(saturating_add(saturating_multiply(2, others(n, least)), 1),
                         "the number of middle switches");
}

}  // namespace flitcast::clos
