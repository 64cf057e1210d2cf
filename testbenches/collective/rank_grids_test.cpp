// SPDX-License-Identifier: Apache-2.0
// Algorithms on grids of ranks: their sizes, parts of the data, and the channels of a torus.
#include <algorithm>
#include <functional>

#include "collective/paths.h"
#include "collective/rank_cases.h"
#include "collective/refusal.h"
#include "routing/dimension_order.h"
#include "support/test_catch.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

using Op = Operation;
using Sizes = std::vector<std::size_t>;
using Values = std::map<std::string, nlohmann::json>;

Collective on(const Topology& network, const std::string& algorithm, Op operation,
              Values keys = {}) {
  CollectiveContext context{network};
  context.operation = operation;
  const CollectiveEntry& entry = *collectives().find(algorithm);
  for (const Param& param : entry.params()) keys.try_emplace(param.key, param.fallback);
  return entry.make(Section::of("workload", keys), context);
}

Verification verified_on(const Topology& network, const Collective& made) {
  return verify(network, made.plan.schedule, made.demand, made.discipline, made.plan.claim);
}

/// The most messages of a round that cross one channel, by shortest paths in ascending dimensions.
std::size_t most_on_a_channel(const Grid& torus, const Collective& made) {
  DimensionOrder::Params params;
  params.tie_by_coin = false;
  params.virtual_channels = 4;
  const auto paths = paths_of(torus, DimensionOrder(torus, params), made.plan.schedule, {}).value();
  return *std::max_element(paths.load_per_round.begin(), paths.load_per_round.end());
}

}  // namespace

TEST_CASE("rings in the dimensions of a torus share no channel, also with a part for every link",
          "[collective]") {
  for (const Sizes& sizes : {Sizes{5}, Sizes{4, 4}, Sizes{3, 3, 3}}) {
    const Grid network = torus(sizes);
    for (const std::size_t parts : {std::size_t{1}, 2 * sizes.size()}) {
      const Collective made = on(network, "grid_ring", Op::kAllReduce, {{"parts", parts}});
      const Verification verification = verified_on(network, made);
      INFO(sizes.size() << " dimensions, " << parts << " parts");
      CHECK(verification.legal());
      CHECK(verification.serial_blocks == 2 * (network.node_count() - 1));
      CHECK(made.demand.cuts == parts * network.node_count());
      CHECK(most_on_a_channel(network, made) == 1);
    }
  }
}

TEST_CASE("algorithms on grids are legal and as claimed for all sizes and parts", "[collective]") {
  for (const Sizes& sizes : {Sizes{4}, Sizes{2, 4}, Sizes{5, 3}, Sizes{2, 3, 4}, Sizes{8, 2, 4}}) {
    const Grid network = torus(sizes);
    for (const std::size_t parts : {1, 2, 3, 7}) {
      for (const char* const name : {"ring", "grid_ring", "swing"}) {
        const bool is_power = (network.node_count() & (network.node_count() - 1)) == 0;
        const std::size_t ports = name == std::string("ring") ? 2 : 2 * sizes.size();
        if ((name == std::string("swing") && !is_power) || parts > ports) continue;
        INFO(name << ", " << network.node_count() << " ranks, " << parts << " parts");
        const Collective made = on(network, name, Op::kAllReduce, {{"parts", parts}});
        const Verification verification = verified_on(network, made);
        INFO((verification.legal() ? "legal" : verification.violations.front().text));
        CHECK(verification.legal());
        CHECK(made.discipline.ports == parts);
      }
    }
    CHECK(verified_on(network, on(network, "dimension_exchange", Op::kAllToAllScatter)).legal());
  }
}

TEST_CASE("rings of 2d further parts skip ranks, and those of the second half go downwards",
          "[collective]") {
  const auto receivers_of_rank_0 = [](std::size_t ranks) {
    const Complete network(ranks);
    const Collective made = on(network, "ring", Op::kAllReduce, {{"parts", 4}});
    Sizes receivers;
    for (std::size_t m = 0; m < 4 * ranks; m += ranks) {
      receivers.push_back(index(made.plan.schedule.message(m).to));
    }
    return receivers;
  };
  CHECK(receivers_of_rank_0(5) == Sizes{1, 4, 2, 3});
  CHECK(receivers_of_rank_0(6) == Sizes{1, 5, 5, 1});
}

// By hand from the rule of the paper: rank 0 of 8 exchanges with 1, 7 and 3, rank 3 with 2, 4 and
// 0; on 4 x 4 rank 0 exchanges with 1 in its row, 4 in its column, 3 and 12.
TEST_CASE("Swing exchanges at distances 1, -1, 3 in a line, and by turns in a torus",
          "[collective]") {
  const auto partners = [](const Collective& made, std::size_t from) {
    Sizes found;
    const Schedule& schedule = made.plan.schedule;
    for (std::size_t m = 0; m < schedule.size(); ++m) {
      if (index(schedule.message(m).from) == from) found.push_back(index(schedule.message(m).to));
    }
    return found;
  };
  const Collective line = on(torus({8}), "swing", Op::kReduceScatter);
  CHECK(partners(line, 0) == Sizes{1, 7, 3});
  CHECK(partners(line, 3) == Sizes{2, 4, 0});
  CHECK(partners(on(torus({8}), "swing", Op::kGossip), 0) == Sizes{3, 7, 1});
  CHECK(partners(on(torus({4, 4}), "swing", Op::kReduceScatter), 0) == Sizes{1, 4, 3, 12});
  const Collective halves = on(torus({8}), "swing", Op::kAllReduce, {{"parts", 2}});
  CHECK(partners(halves, 0) == Sizes{1, 7, 7, 1, 3, 5, 3, 5, 7, 1, 1, 7});
}

TEST_CASE("Swing shares channels less than recursive halving on a torus", "[collective]") {
  const Grid network = torus({16});
  const auto load = [&](const char* name) {
    return most_on_a_channel(network, on(network, name, Op::kReduceScatter));
  };
  CHECK(load("swing") < load("recursive_halving"));
}

TEST_CASE("ranks in a grid are those of the network, of the key, or nearly a square",
          "[collective]") {
  const auto rounds = [](const Topology& network, const Values& keys) {
    return on(network, "grid_ring", Op::kGossip, keys).plan.claim.rounds;
  };
  CHECK(rounds(torus({2, 3, 4}), {}) == 1 + 2 + 3);
  CHECK(rounds(Complete(24), {}) == 5 + 3);
  CHECK(rounds(Complete(16), {}) == 3 + 3);
  CHECK(rounds(torus({12}), {}) == 11);
  CHECK(rounds(mesh({12}), {}) == 3 + 2);
  CHECK(rounds(torus({2, 3, 4}), {{"grid", {12, 2}}}) == 11 + 1);
  CHECK(rounds(Complete(24), {{"row", 8}}) == 7 + 2);
}

TEST_CASE("grids that the ranks do not fill, and parts that nodes cannot send, are refused",
          "[collective]") {
  const auto refused = [](const Topology& network, const char* name, Op operation, Values keys) {
    return refusal([&] { on(network, name, operation, keys); });
  };
  const PreconditionError sizes =
      refused(Complete(12), "grid_ring", Op::kGossip, {{"grid", {5, 2}}});
  CHECK(sizes.reason() == "12 ranks do not fill 5x2");
  CHECK(sizes.hint() == "use sizes whose product is 12");
  CHECK_THROWS_AS(on(Complete(12), "grid_ring", Op::kGossip, {{"grid", {6, 2}}, {"row", 6}}),
                  ConfigError);
  const PreconditionError power = refused(torus({6, 4}), "swing", Op::kAllReduce, {});
  CHECK(power.reason() == "Swing along a dimension is defined on 2^k nodes only, not on 6");
  const PreconditionError parts = refused(torus({4, 4}), "swing", Op::kAllReduce, {{"parts", 5}});
  CHECK(parts.reason() == "5 parts at once need as many ports of a node");
  CHECK(parts.hint() == "use at most 4");
  CHECK(parts.subject() == PreconditionError::Subject::kPorts);
  CHECK_NOTHROW(on(torus({4, 4}), "swing", Op::kAllReduce, {{"parts", 4}}));
}
