// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace flitcast::clos {

/// numerator / denominator, of small numbers.
struct Exponent {
  unsigned numerator = 1;
  unsigned denominator = 1;
};

/// How the crosspoints of a family of multicast networks grow: O(N^power L), L a factor of
/// logarithms.
struct CrosspointGrowth {
  std::string design;  ///< Its authors.
  unsigned stages = 3;
  Exponent power;
  std::string factor;  ///< "" or a factor such as "(log N)^(1/2)".
  bool constructive = true;
  std::string remark;  ///< "" or what to know when comparing.
};

/// The multicast networks of the literature, for comparison by their exponents only: the source
/// gives no constants.
/// Source: CS838 lecture notes (1999), "Crosspoints comparisons".
const std::vector<CrosspointGrowth>& crosspoint_growths();

/// The power of N for a (2k + 1)-stage network of Theorem 5: 1 + 1 / (k + 1).
Exponent theorem5_power(unsigned k);
/// The power of ln N / ln ln N there: (k + 2) / 2 - 1 / (k + 1).
Exponent theorem5_log_power(unsigned k);

/// f_k(N) = N^(1 + 1/(k+1)) (ln N / ln ln N)^((k+2)/2 - 1/(k+1)), the growth of Theorem 5 without
/// its constant; k >= 1, N >= 3, or std::invalid_argument. The crosspoints of CrosspointPlans by
/// Theorem 3 are 4.8 to 5.2 times f_1, 8.2 to 11.0 times f_2 and 8.9 to 15.8 times f_3 for N = 2^8
/// to 2^24: settled for k = 1, not yet for k = 3.
double theorem5_growth(std::uint64_t ports, unsigned k);

/// The power of N of a three-stage network with a fixed pass limit x: 3/2 + 1 / (2 x). Derived: the
/// best n makes 2 N m and m r^2 equal for m = O(n r^(1/x)). x = 3 gives the 5/3 of Masson.
Exponent fixed_limit_power(unsigned x);

}  // namespace flitcast::clos
