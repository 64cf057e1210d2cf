// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gmpxx.h>

#include <cstdint>

#include "clos/bounds/designs.h"

namespace flitcast::clos {

// Results of the literature on Clos networks that no program needs. Errors as in bounds.h.

/// The largest r for which a coefficient of Theorem 3 suffices: m > c (n - 1) middle switches are
/// enough for up to r output switches, with pass limit x.
struct Coefficient {
  std::uint64_t c = 2;
  mpz_class r = 1;
  std::uint64_t x = 1;  ///< The smallest, if several reach r.
};

/// The largest r with min over x of x + r^(1/x) at most c: the largest (c - x)^x, by the definition
/// of x + r^(1/x) <= c. Presumes n - 1 >= x, as the table in the source does. c from 2 to 10000;
/// anything else throws std::invalid_argument.
/// Source: CS838 lecture notes (1999), "Relationship between r and the coefficient of m": its 14
/// rows are exact.
Coefficient coefficient(std::uint64_t c);

/// Corollary 1, "in particular": floor((n - 1) (2 ln d / ln ln d + sqrt(ln d))) + 1, which shows
/// how m grows. d below 3, for which ln ln is not positive, is an invalid argument.
/// Source: CS838 lecture notes (1999), "A bound on m as a function of n and r".
std::uint64_t corollary1_closed(std::uint64_t n, std::uint64_t d);

/// f_k(N) = N^(1 + 1/(k+1)) (ln N / ln ln N)^((k+2)/2 - 1/(k+1)), the growth of Theorem 5 without
/// its constant; k >= 1, N >= 3, or std::invalid_argument. The crosspoints of CrosspointPlans by
/// Theorem 3 are 4.8 to 5.2 times f_1, 8.2 to 11.0 times f_2 and 8.9 to 15.8 times f_3 for N = 2^8
/// to 2^24: the ratio has converged for k = 1, but not for k = 3.
double theorem5_growth(std::uint64_t ports, unsigned k);

/// The power of N of a three-stage network with a fixed pass limit x: 3/2 + 1 / (2 x). Derived: the
/// best n makes 2 N m and m r^2 equal for m = O(n r^(1/x)). x = 3 gives the 5/3 of Masson.
Exponent fixed_limit_power(unsigned x);

/// Multicast assignments in which outputs may be idle: (inputs + 1)^outputs (derived).
mpz_class partial_multicast_assignments(std::uint64_t inputs, std::uint64_t outputs);

/// Each input is connected to one output or none: the sum over k of C(N, k)^2 k!.
/// N up to 20000, which takes a second; a larger one throws std::overflow_error.
mpz_class partial_permutation_assignments(std::uint64_t ports);

/// A rate w in a network whose links carry `capacity`, where no connection has less than `least`.
struct Weights {
  std::uint64_t capacity = 1;  ///< W.
  std::uint64_t least = 1;     ///< b W, at least 1.
  std::uint64_t weight = 1;    ///< w W, from `least` to `capacity`.
};

/// T(n1, w, x): links of an input switch that can be too full for a request of weight w, every
/// connection taking x links at most. The smaller of
///   K (n1 - 1) x                           Lemma 3: such a link carries a connection of another
///                                          port, because the requesting port carries 1 - w at most
///   ceil(x (n1 - w) / (1 - w)) - 1         for b <= 1 - w: that number of links holds more than 1
///   - w,
///                                          and all ports together x (n1 - w) at most
/// The latter is derived; it is attained in the second example of bounds.h.
std::uint64_t unavailable_links(std::uint64_t n1, std::uint64_t x, const Weights& weights);

}  // namespace flitcast::clos
