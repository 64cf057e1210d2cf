// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include <cstdint>

namespace flitcast::clos {

/// How far a coefficient of Theorem 3 reaches: m > c (n - 1) middle switches suffice for up to r
/// output switches, with pass limit x.
struct Coefficient {
  std::uint64_t c = 2;
  mpz_class r = 1;
  std::uint64_t x = 1;  ///< The smallest, if several reach r.
};

/// The largest r with min over x of x + r^(1/x) at most c: the largest (c - x)^x, because
/// x + r^(1/x) <= c just says so. Presumes n - 1 >= x, as the table in the source does.
/// c from 2 to 10000; anything else throws std::invalid_argument.
/// Source: CS838 lecture notes (1999), "Relationship between r and the coefficient of m": its 14
/// rows are exact.
Coefficient coefficient(std::uint64_t c);

}  // namespace flitcast::clos
