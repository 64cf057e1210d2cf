// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/bounds.h"

#include <gmpxx.h>

#include <algorithm>
#include <stdexcept>

#include "clos/bounds/exact_arithmetic.h"
#include "clos/bounds/pass_limit_search.h"

namespace flitcast::clos {
namespace {

// kTooLarge for roots that are too large.
std::uint64_t saturating_root(std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), c, x);
  power *= mpz_class(r);
  mpz_class root;
  mpz_root(root.get_mpz_t(), power.get_mpz_t(), x);
  return root.fits_ulong_p() ? root.get_ui() : kTooLarge;
}

}  // namespace

std::uint64_t scaled_root(std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  if (x < 1 || x > kMostPassLimit) {
    throw std::invalid_argument("the order x of a root is " + std::to_string(x) + "; take 1 to " +
                                std::to_string(kMostPassLimit));
  }
  return require_fitting(saturating_root(c, r, x), "the root");
}

Bound theorem3(std::uint64_t n, std::uint64_t r) { return asymmetric(n, n, r); }

Bound corollary1(std::uint64_t n, std::uint64_t d) {
  require_positive("d", d);
  return theorem3(n, d);
}

Bound asymmetric(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2) {
  require_positive("n1", n1);
  require_positive("n2", n2);
  require_positive("r2", r2);
  return best_by_roots(n1 - 1, n2 - 1, r2);
}

Bound best_by_roots(std::uint64_t taken, std::uint64_t c, std::uint64_t r) {
  return best_pass_limit({taken, c, std::min(c, r)},
                         [&](std::uint64_t x) { return saturating_root(c, r, x); });
}

}  // namespace flitcast::clos
