// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/refined_bound.h"

#include <gmpxx.h>

#include <algorithm>
#include <string>

#include "clos/bounds/exact_arithmetic.h"
#include "clos/bounds/pass_limit_search.h"

namespace flitcast::clos {
namespace {

// Whether the count leaves an element to x sets out of `sets` > c; after c picks it never does.
bool may_meet(const mpz_class& sets, std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  mpz_class left = r;
  for (std::uint64_t i = 0; i < x && left > 0; ++i) {
    left = left * mpz_class(c - i) / (sets - mpz_class(i));
  }
  return left > 0;
}

std::uint64_t saturating(const mpz_class& number) {
  return number.fits_ulong_p() ? number.get_ui() : kTooLarge;
}

// Never more sets than elements times multiplicity; c equal sets always meet.
std::uint64_t saturating_family(std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  mpz_class meet = c;
  mpz_class do_not = mpz_class(c) * mpz_class(r) + 1;
  while (do_not - meet > 1) {
    const mpz_class middle = (meet + do_not) / 2;
    (may_meet(middle, c, r, x) ? meet : do_not) = middle;
  }
  return saturating(meet);
}

}  // namespace

std::uint64_t largest_family(std::uint64_t c, std::uint64_t r, std::uint64_t x) {
  require_positive("r", r);
  require_positive("x", x);
  return require_fitting(saturating_family(c, r, x), "the size of the largest family");
}

Bound refined(std::uint64_t n1, std::uint64_t n2, std::uint64_t r2) {
  require_positive("n1", n1);
  require_positive("n2", n2);
  require_positive("r2", r2);
  const std::uint64_t others = n2 - 1;
  // Every pick takes an element at least, so that more than r2 picks are never of use.
  return best_pass_limit({n1 - 1, others, std::min(n2, r2)},
                         [&](std::uint64_t x) { return saturating_family(others, r2, x); });
}

Bound refined(std::uint64_t n, std::uint64_t r) { return refined(n, n, r); }

std::uint64_t strict_sense(std::uint64_t n, std::uint64_t r) { return strict_sense(n, r, r); }

std::uint64_t strict_sense(std::uint64_t n, std::uint64_t r, std::uint64_t d) {
  require_positive("n", n);
  require_positive("r", r);
  require_positive("d", d);
  const std::uint64_t per_port = std::min(saturating_add(d, 1), r);
  return require_fitting(saturating_add(saturating_multiply(n - 1, per_port), 1),
                         "the number of middle switches");
}

Bound tightest(std::uint64_t n, std::uint64_t r) {
  require_positive("n", n);
  require_positive("r", r);
  const Bound wide = refined(n, r);
  const std::uint64_t strict = saturating_add(saturating_multiply(n - 1, r), 1);
  return strict < wide.m ? Bound{strict, 0} : wide;
}

}  // namespace flitcast::clos
