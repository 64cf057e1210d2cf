// SPDX-License-Identifier: Apache-2.0
#include "collective/cost.h"
#include "support/test_catch.h"

using namespace flitcast;

namespace {

using Numbers = std::vector<std::size_t>;

/// The parameters of the specification's public instances: ts, td, tm, m.
constexpr CostModel kCost{50, 3, 1, 64};

/// The cycles of rounds with these longest paths, each of which informs at least one node.
std::uint64_t cycles(Switching switching, const Numbers& longest) {
  Verification verification;
  verification.rounds = longest.size();
  verification.longest_path_per_round = longest;
  return analytic_cycles(kCost, switching, verification);
}

}  // namespace

TEST_CASE("a packet pays router and length at every hop", "[collective]") {
  CHECK(message_cycles({7, 3, 2, 10}, Switching::kStoreAndForward, 1) == 7 + 3 + 2 * 10);
  CHECK(message_cycles({7, 3, 2, 10}, Switching::kStoreAndForward, 4) == 7 + 4 * (3 + 2 * 10));
}

TEST_CASE("a message pays the routers once each and its length once", "[collective]") {
  CHECK(message_cycles({7, 3, 2, 10}, Switching::kWormhole, 1) == 7 + 3 + 2 * 10);
  CHECK(message_cycles({7, 3, 2, 10}, Switching::kWormhole, 4) == 7 + 4 * 3 + 2 * 10);
}

TEST_CASE("between nodes at one router a message pays its length once, whatever the router",
          "[collective]") {
  for (const Switching switching : {Switching::kWormhole, Switching::kStoreAndForward}) {
    CHECK(message_cycles({7, 3, 2, 10}, switching, 0) == 7 + 2 * 10);
  }
}

TEST_CASE("the closed times of the public store-and-forward instances come out", "[collective]") {
  const auto of_rounds = [](std::size_t rounds) {
    return cycles(Switching::kStoreAndForward, Numbers(rounds, 1));
  };
  CHECK(of_rounds(0) == 0);
  CHECK(of_rounds(1) == 117);
  CHECK(of_rounds(4) == 468);
  CHECK(of_rounds(64) == 7488);
}

TEST_CASE("the closed times of the public wormhole instances come out", "[collective]") {
  const auto of_paths = [](const Numbers& longest) {
    return cycles(Switching::kWormhole, longest);
  };
  CHECK(of_paths({3, 1}) == 240);                      // Double tree on Q3.
  CHECK(of_paths({5, 1, 1}) == 363);                   // Double tree on Q5.
  CHECK(of_paths({4, 5, 4, 2, 1}) == 618);             // Chain halving on M(4,8).
  CHECK(of_paths({3, 1, 1, 5, 2, 1, 1}) == 840);       // Recursive doubling on T(6,10).
  CHECK(of_paths({77, 61, 63, 32, 8, 4, 1}) == 1536);  // Dominating nodes on M(64,64).
}

TEST_CASE("rounds in vain and rounds without a send take no time", "[collective]") {
  Verification verification;
  verification.rounds = 3;
  verification.longest_path_per_round = {1, 0, 1, 1};
  CHECK(analytic_cycles(kCost, Switching::kStoreAndForward, verification) == 2 * 117);
}
