// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/assignments.h"

#include <stdexcept>

#include "clos/bounds/exact_arithmetic.h"

namespace flitcast::clos {
namespace {

constexpr std::uint64_t kMostBits = std::uint64_t{1} << 26;

// Beyond its memory GMP ends the program.
void require_bits(std::uint64_t factors, std::uint64_t factor) {
  const std::uint64_t bits = mpz_sizeinbase(mpz_class(factor).get_mpz_t(), 2);
  if (saturating_multiply(factors, bits) > kMostBits) {
    throw std::overflow_error(
        "the number of assignments has more than 2^26 bits; take a smaller network");
  }
}

}  // namespace

mpz_class multicast_assignments(std::uint64_t inputs, std::uint64_t outputs) {
  require_positive("the number of inputs", inputs);
  require_positive("the number of outputs", outputs);
  require_bits(outputs, inputs);
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), inputs, outputs);
  return result;
}

mpz_class permutation_assignments(std::uint64_t ports) {
  require_positive("the number of ports", ports);
  require_bits(ports, ports);
  mpz_class result;
  mpz_fac_ui(result.get_mpz_t(), ports);
  return result;
}

}  // namespace flitcast::clos
