// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/theorems.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>

#include "clos/bounds/bounds.h"

namespace flitcast::clos {

Coefficient coefficient(std::uint64_t c) {
  if (c < 2 || c > 10000) {
    throw std::invalid_argument("the coefficient " + std::to_string(c) +
                                " is not from 2 to 10000; a smaller one reaches no switch");
  }
  Coefficient best{c, 0, 0};
  for (std::uint64_t x = 1; x < c; ++x) {
    mpz_class r;
    mpz_ui_pow_ui(r.get_mpz_t(), c - x, x);
    if (r > best.r) best = {c, r, x};
  }
  return best;
}

std::uint64_t corollary1_closed(std::uint64_t n, std::uint64_t d) {
  require_positive("n", n);
  if (d < 3) throw std::invalid_argument("the closed form needs d >= 3");
  const double log = std::log(static_cast<double>(d));
  const double others = static_cast<double>(n - 1);
  return static_cast<std::uint64_t>(
             std::floor(others * (2 * log / std::log(log) + std::sqrt(log)))) +
         1;
}

double theorem5_growth(std::uint64_t ports, unsigned k) {
  if (ports < 3) {
    throw std::invalid_argument("the growth needs N >= 3, where ln ln N is positive");
  }
  const auto value = [](const Exponent& exponent) {
    return static_cast<double>(exponent.numerator) / exponent.denominator;
  };
  const double log = std::log(static_cast<double>(ports));
  return std::exp(value(theorem5_power(k)) * log +
                  value(theorem5_log_power(k)) * std::log(log / std::log(log)));
}

Exponent fixed_limit_power(unsigned x) {
  if (x == 0) throw std::invalid_argument("a limit of 0 passes; take at least 1");
  const unsigned divisor = std::gcd(3 * x + 1, 2 * x);
  return {(3 * x + 1) / divisor, 2 * x / divisor};
}

mpz_class partial_multicast_assignments(std::uint64_t inputs, std::uint64_t outputs) {
  return multicast_assignments(saturating_add(inputs, 1), outputs);
}

mpz_class partial_permutation_assignments(std::uint64_t ports) {
  require_positive("the number of ports", ports);
  if (ports > 20000) {
    throw std::overflow_error("the sum over partial permutations of " + std::to_string(ports) +
                              " ports takes too long; take at most 20000");
  }
  mpz_class sum = 1;
  mpz_class term = 1;  // C(N, k)^2 k! for k connections, from that for one fewer.
  for (std::uint64_t k = 1; k <= ports; ++k) {
    const mpz_class idle = ports - k + 1;
    term = term * idle * idle / mpz_class(k);
    sum += term;
  }
  return sum;
}

std::uint64_t unavailable_links(std::uint64_t n1, std::uint64_t x, const Weights& weights) {
  const auto [capacity, least, weight] = weights;
  require_positive("n1", n1);
  require_positive("x", x);
  if (least == 0 || weight < least || weight > capacity) {
    throw std::invalid_argument(
        fmt::format("weight {} is not from the least weight {} to the capacity {}, or the least "
                    "weight is 0; choose 1 <= least <= weight <= capacity",
                    weight, least, capacity));
  }
  mpz_class links = mpz_class(capacity / least) * mpz_class(n1 - 1) * mpz_class(x);
  if (least <= capacity - weight) {
    const mpz_class load = mpz_class(x) * (mpz_class(n1) * mpz_class(capacity) - mpz_class(weight));
    const mpz_class space = capacity - weight;
    const mpz_class by_load = (load + space - 1) / space - 1;
    links = std::min(links, by_load);
  }
  return require_fitting(links.fits_ulong_p() ? links.get_ui() : kTooLarge, "the number of links");
}

}  // namespace flitcast::clos
