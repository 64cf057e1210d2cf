// SPDX-License-Identifier: Apache-2.0
// The rounds of the specification's table, as numbers.
#include <algorithm>
#include <stdexcept>

#include "collective/round_cases.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

/// The rounds of an operation on 16, 12 and 2 nodes.
struct Rounds {
  const char* operation;
  std::size_t multicast[3];
  std::size_t unicast[3];
};

constexpr std::size_t kNodes[] = {16, 12, 2};

// Multicasts reach half of the other nodes: 8, 6 and 1.
constexpr Rounds kTable[] = {
    {"broadcast", {1, 1, 1}, {4, 4, 1}},   {"multicast", {1, 1, 1}, {4, 3, 1}},
    {"scatter", {15, 11, 1}, {15, 11, 1}}, {"gather", {15, 11, 1}, {15, 11, 1}},
    {"gossip", {16, 12, 2}, {15, 11, 1}},  {"all_to_all_scatter", {15, 11, 1}, {15, 11, 1}},
    {"reduce", {4, 4, 1}, {4, 4, 1}},      {"all_reduce", {5, 5, 2}, {4, 5, 1}},
    {"scan", {4, 4, 1}, {4, 4, 1}},        {"barrier", {5, 5, 2}, {4, 4, 1}},
};

const Rounds& row_of(const std::string& name) {
  return *std::find_if(std::begin(kTable), std::end(kTable), [&](const Rounds& row) {
    return name.substr(0, name.find(' ')) == row.operation;
  });
}

}  // namespace

TEST_CASE("every operation has as many rounds as the table says", "[collective]") {
  for (std::size_t size = 0; size < 3; ++size) {
    for (const bool multicast : {true, false}) {
      for (const RoundCase& one : round_cases(kNodes[size], multicast)) {
        const Rounds& row = row_of(one.name);
        INFO(one.name);
        CHECK(one.plan().schedule.rounds() == (multicast ? row.multicast : row.unicast)[size]);
      }
    }
  }
}

TEST_CASE("the table has every operation that is carried out in rounds", "[collective]") {
  CHECK(collectives().find("unicast_rounds")->operations.size() == std::size(kTable));
  for (const Rounds& row : kTable)
    CHECK(to_text(operation_named(row.operation)) == std::string(row.operation));
  CHECK_THROWS_AS(operation_named("gossiping"), std::invalid_argument);
}

TEST_CASE("hardware multicast saves rounds where copies are made, and costs one where sums are",
          "[collective]") {
  for (const RoundCase& one : round_cases(64, true)) {
    const std::size_t rounds = one.plan().claim.rounds;
    const std::size_t unicast = RoundCase{one.name, one.demand, false}.plan().claim.rounds;
    INFO(one.name);
    if (one.demand.operation == Operation::kBroadcast) CHECK(rounds + 5 == unicast);
    if (one.demand.operation == Operation::kBarrier) CHECK(rounds == unicast + 1);
  }
}
