// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/coefficients.h"

#include <stdexcept>
#include <string>

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

}  // namespace flitcast::clos
