// SPDX-License-Identifier: Apache-2.0
#include "clos/bounds/assignments.h"

#include <stdexcept>
#include <string>

#include "clos/bounds/exact_arithmetic.h"

namespace flitcast::clos {
namespace {

constexpr std::uint64_t kMostBits = std::uint64_t{1} << 26;
constexpr std::uint64_t kMostSummands = 20000;

// Beyond its memory GMP ends the program.
void require_bits(std::uint64_t factors, std::uint64_t factor) {
  const std::uint64_t bits = mpz_sizeinbase(mpz_class(factor).get_mpz_t(), 2);
  if (saturating_multiply(factors, bits) > kMostBits) {
    throw std::overflow_error(
        "the number of assignments has more than 2^26 bits; take a smaller network");
  }
}

mpz_class power(std::uint64_t base, std::uint64_t exponent) {
  require_bits(exponent, base);
  mpz_class result;
  mpz_ui_pow_ui(result.get_mpz_t(), base, exponent);
  return result;
}

}  // namespace

mpz_class multicast_assignments(std::uint64_t inputs, std::uint64_t outputs) {
  require_positive("the number of inputs", inputs);
  require_positive("the number of outputs", outputs);
  return power(inputs, outputs);
}

mpz_class permutation_assignments(std::uint64_t ports) {
  require_positive("the number of ports", ports);
  require_bits(ports, ports);
  mpz_class result;
  mpz_fac_ui(result.get_mpz_t(), ports);
  return result;
}

mpz_class partial_multicast_assignments(std::uint64_t inputs, std::uint64_t outputs) {
  require_positive("the number of inputs", inputs);
  require_positive("the number of outputs", outputs);
  return power(saturating_add(inputs, 1), outputs);
}

mpz_class partial_permutation_assignments(std::uint64_t ports) {
  require_positive("the number of ports", ports);
  if (ports > kMostSummands) {
    throw std::overflow_error("the sum over partial permutations of " + std::to_string(ports) +
                              " ports takes too long; take at most " +
                              std::to_string(kMostSummands));
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

}  // namespace flitcast::clos
