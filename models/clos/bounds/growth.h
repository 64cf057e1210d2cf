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

}  // namespace flitcast::clos
