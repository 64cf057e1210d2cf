// SPDX-License-Identifier: Apache-2.0
#include <set>
#include <stdexcept>

#include "clos/bounds/bounds.h"
#include "clos/bounds/theorems.h"
#include "support/test_catch.h"

using namespace flitcast::clos;

namespace {

struct Counts {
  unsigned multicast = 0;
  unsigned permutations = 0;
  unsigned partial_multicast = 0;
  unsigned partial_permutations = 0;
};

/// Enumerates all choices of an owner or none (owner N) for each output of an N x N network.
Counts count_all(unsigned ports) {
  Counts counts;
  unsigned choices = 1;
  for (unsigned output = 0; output < ports; ++output) choices *= ports + 1;
  for (unsigned choice = 0; choice < choices; ++choice) {
    std::set<unsigned> owners;
    unsigned used = 0;
    unsigned rest = choice;
    for (unsigned output = 0; output < ports; ++output, rest /= ports + 1) {
      if (rest % (ports + 1) == ports) continue;
      owners.insert(rest % (ports + 1));
      ++used;
    }
    const bool one_to_one = owners.size() == used;
    ++counts.partial_multicast;
    if (one_to_one) ++counts.partial_permutations;
    if (used == ports) ++counts.multicast;
    if (used == ports && one_to_one) ++counts.permutations;
  }
  return counts;
}

}  // namespace

TEST_CASE("assignments are as many as going through all of them finds", "[clos]") {
  for (unsigned ports = 1; ports <= 5; ++ports) {
    const Counts counts = count_all(ports);
    CHECK(multicast_assignments(ports, ports) == counts.multicast);
    CHECK(permutation_assignments(ports) == counts.permutations);
    CHECK(partial_multicast_assignments(ports, ports) == counts.partial_multicast);
    CHECK(partial_permutation_assignments(ports) == counts.partial_permutations);
  }
}

TEST_CASE("assignments have their printed counts", "[clos]") {
  CHECK(multicast_assignments(2, 2) == 4);
  CHECK(multicast_assignments(3, 3) == 27);
  CHECK(multicast_assignments(4, 4) == 256);
  CHECK(multicast_assignments(8, 8) == 16777216);
  CHECK(permutation_assignments(2) == 2);
  CHECK(permutation_assignments(3) == 6);
  CHECK(permutation_assignments(4) == 24);
  CHECK(permutation_assignments(8) == 40320);
  CHECK(partial_multicast_assignments(3, 3) == 64);
  CHECK(partial_permutation_assignments(3) == 34);
}

TEST_CASE("inputs and outputs may differ in number, and counts may be of any size", "[clos]") {
  CHECK(multicast_assignments(2, 5) == 32);
  CHECK(partial_multicast_assignments(2, 5) == 243);
  CHECK(permutation_assignments(25).get_str() == "15511210043330985984000000");
  CHECK(multicast_assignments(1024, 1024) == mpz_class(1) << 10240);
}

TEST_CASE("counts too long for memory are refused before they are begun", "[clos]") {
  CHECK_THROWS_AS(multicast_assignments(0, 3), std::invalid_argument);
  CHECK_THROWS_AS(partial_multicast_assignments(3, 0), std::invalid_argument);
  CHECK_THROWS_AS(permutation_assignments(0), std::invalid_argument);
  CHECK_THROWS_AS(partial_permutation_assignments(0), std::invalid_argument);
  CHECK_THROWS_AS(multicast_assignments(2, std::uint64_t{1} << 40), std::overflow_error);
  CHECK_THROWS_AS(permutation_assignments(~std::uint64_t{0}), std::overflow_error);
  CHECK_THROWS_AS(partial_permutation_assignments(20001), std::overflow_error);
}
