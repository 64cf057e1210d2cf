// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/growth.h"

#include <fmt/format.h>

#include <numeric>
#include <stdexcept>

namespace flitcast::clos {
namespace {

Exponent reduced(unsigned numerator, unsigned denominator) {
  const unsigned divisor = std::gcd(numerator, denominator);
  return {numerator / divisor, denominator / divisor};
}

void require_level(const char* name, unsigned value) {
  if (value < 1 || value > 1000) {
    throw std::invalid_argument(fmt::format("{} is {}; take 1 to 1000", name, value));
  }
}

CrosspointGrowth yang_masson(unsigned k) {
  const Exponent log = theorem5_log_power(k);
  const std::string power =
      log.denominator == 1 ? "" : fmt::format("^({}/{})", log.numerator, log.denominator);
  return {"Yang and Masson",
          2 * k + 1,
          theorem5_power(k),
          fmt::format("(log N / log log N){}", power),
          true,
          "this design; control in time linear in the fan-out and the middle switches"};
}

CrosspointGrowth nonconstructive(unsigned k) {
  return {"Feldman, Friedman and Pippenger",
          k,
          reduced(k + 1, k),
          fmt::format("(log N)^({}/{})", k - 1, k),
          false,
          "existence only; its control is co-NP-complete"};
}

}  // namespace

const std::vector<CrosspointGrowth>& crosspoint_growths() {
  static const std::vector<CrosspointGrowth> growths{
      {"Masson", 3, {5, 3}, "", true, ""},
      {"Hwang and Jajszczyk", 3, {5, 3}, "", true, ""},
      {"Feldman, Friedman and Pippenger", 2, {5, 3}, "", true, ""},
      {"Feldman, Friedman and Pippenger", 3, {11, 7}, "", true, ""},
      yang_masson(1),
      yang_masson(2),
      yang_masson(3),
      nonconstructive(2),
      nonconstructive(3),
  };
  return growths;
}

Exponent theorem5_power(unsigned k) {
  require_level("k", k);
  return {k + 2, k + 1};
}

Exponent theorem5_log_power(unsigned k) {
  require_level("k", k);
  return reduced((k + 2) * (k + 1) - 2, 2 * (k + 1));
}

}  // namespace flitcast::clos
