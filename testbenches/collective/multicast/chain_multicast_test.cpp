// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <vector>

#include "base/random.h"
#include "collective/algorithms.h"
#include "collective/cost.h"
#include "collective/overlaps.h"
#include "collective/refusal.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "topology/hypercube.h"

using namespace flitcast;

namespace {

std::vector<NodeId> nodes_of(std::uint64_t set, NodeId source, std::size_t nodes) {
  std::vector<NodeId> members;
  for (std::uint32_t node = 0; node < nodes; ++node) {
    if ((set >> node & 1) != 0 && NodeId{node} != source) members.push_back(NodeId{node});
  }
  return members;
}

Schedule chain_schedule(const Topology& topology, NodeId source,
                        const std::vector<NodeId>& members) {
  const bool cube = dynamic_cast<const Hypercube*>(&topology) != nullptr;
  return plan_by(cube ? "ucube" : "umesh", {topology, source, 1, Operation::kMulticast, members})
      .schedule;
}

void require_free_of_contention(const Topology& topology, NodeId source,
                                const std::vector<NodeId>& members) {
  const Schedule schedule = chain_schedule(topology, source, members);
  const Overlaps overlaps(topology, schedule);
  REQUIRE(schedule.rounds() == ceil_log(2, members.size() + 1));
  REQUIRE(overlaps.step_free());
  REQUIRE(overlaps.depth_free());
}

std::vector<std::unique_ptr<Topology>> small_networks() {
  std::vector<std::unique_ptr<Topology>> all;
  for (const auto& sizes :
       {std::vector<std::size_t>{3, 3}, {4, 2}, {2, 4}, {2, 2, 2}, {9}, {1, 5}, {6, 1}}) {
    all.push_back(std::make_unique<Grid>(mesh(sizes)));
  }
  for (const std::size_t n : {0, 2, 3}) all.push_back(std::make_unique<Hypercube>(n));
  return all;
}

}  // namespace

TEST_CASE("chain halving is free of contention for every source and set of small networks",
          "[collective]") {
  for (const auto& network : small_networks()) {
    INFO(network->name());
    for (std::uint32_t source = 0; source < network->node_count(); ++source) {
      for (std::uint64_t set = 0; set < std::uint64_t{1} << network->node_count(); ++set) {
        if ((set >> source & 1) != 0) continue;
        require_free_of_contention(*network, NodeId{source},
                                   nodes_of(set, NodeId{source}, network->node_count()));
      }
    }
  }
}

TEST_CASE("chain halving is free of contention for random sets of larger networks",
          "[collective]") {
  std::vector<std::unique_ptr<Topology>> networks;
  networks.push_back(std::make_unique<Grid>(mesh({7, 5})));
  networks.push_back(std::make_unique<Grid>(mesh({3, 4, 5})));
  networks.push_back(std::make_unique<Hypercube>(6));
  Random random(5);
  for (const auto& network : networks) {
    INFO(network->name());
    for (int trial = 0; trial < 40; ++trial) {
      const NodeId source{static_cast<std::uint32_t>(random.below(network->node_count()))};
      const std::uint64_t some = random.next();
      const std::uint64_t fewer = some & random.next();
      require_free_of_contention(*network, source, nodes_of(fewer, source, network->node_count()));
    }
  }
}

// 4x4, from (1,1) to (0,2), (1,3), (2,0), (3,1) and (3,3).
TEST_CASE("the example of the chain on a 4x4 mesh is sent as written", "[collective]") {
  const Schedule schedule = chain_schedule(
      mesh({4, 4}), NodeId{5}, {NodeId{8}, NodeId{13}, NodeId{2}, NodeId{7}, NodeId{15}});
  std::vector<std::pair<std::uint32_t, std::uint32_t>> sent;
  for (std::size_t m = 0; m < schedule.size(); ++m) {
    sent.emplace_back(index(schedule.message(m).from), index(schedule.message(m).to));
  }
  CHECK(sent == std::vector<std::pair<std::uint32_t, std::uint32_t>>{
                    {5, 2}, {5, 13}, {2, 15}, {5, 8}, {2, 7}});
}

TEST_CASE("chains are refused where the order of dimensions leads round", "[collective]") {
  const Grid round = torus({4, 4});
  CHECK(refusal([&] { chain_schedule(round, NodeId{0}, {NodeId{3}}); }).subject() ==
        PreconditionError::Subject::kTopology);
  const Grid row = mesh({4});
  CHECK(refusal([&] { chain_schedule(row, NodeId{4}, {NodeId{3}}); }).subject() ==
        PreconditionError::Subject::kSource);
}
