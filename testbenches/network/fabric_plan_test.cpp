// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/fabric_plan.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "support/test_catch.h"
#include "topology/fat_tree.h"
#include "topology/grid.h"

using namespace flitcast;

namespace {

NetworkParams on_threads(unsigned threads) {
  NetworkParams params;
  params.threads = threads;
  return params;
}

FatTree k_ary_tree(std::size_t arity, std::size_t levels) {
  std::vector<FatTree::Level> all(levels, {arity, arity});
  all.back().up = 0;
  return {"fat tree", all};
}

/// The work of the busiest partition, in flits: those that the inputs of its routers take in a
/// cycle, and one and a half for each node.
double most_work(const Topology& topology, unsigned threads) {
  const std::vector<std::uint32_t> partitions =
      FabricPlan::partitions_of(topology, on_threads(threads));
  std::vector<double> work(threads);
  for (const RouterId router : topology.routers()) {
    work.at(partitions[index(router)]) += static_cast<double>(topology.input_count(router));
  }
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    work.at(partitions[index(topology.attachment(NodeId{n}).injection.router)]) += 1.5;
  }
  return *std::max_element(work.begin(), work.end());
}

}  // namespace

// A row has a channel in each direction between two partitions.
TEST_CASE("a window is the least flight of a flit or credit between partitions", "[network]") {
  const Grid row = mesh({8});
  NetworkParams params;
  params.threads = 2;
  const auto window = [&] { return FabricPlan::window(row, params); };
  params.router.pipeline.switch_allocation = 1;
  params.router.pipeline.traversal = 1;
  const std::uint32_t departure = params.router.pipeline.departure();
  for (const std::uint32_t latency : {1U, 2U, 9U}) {
    params.link_latency = latency;
    params.credit_latency = 0;
    CHECK(window() == std::min(departure + latency, latency + 1));
    params.credit_latency = 3;
    CHECK(window() == std::min(departure + latency, 4U));
  }
  params.credit_latency = 0;
  params.link_latency = 1000;
  CHECK(window() == FabricPlan::kLongestWindow);
  params.lockstep = true;
  CHECK(window() == 1);
  params.lockstep = false;
  params.combine = [](std::uint64_t a, std::uint64_t b) { return a + b; };
  CHECK(window() == 1);
  params.combine = nullptr;
  params.threads = 1;
  CHECK(window() == FabricPlan::cycles_at_once(params));
}

// The routers of the lowest level have all nodes, and those of the highest half as many channels.
TEST_CASE("partitions of a fat tree have about equal work", "[network]") {
  const FatTree tree = k_ary_tree(4, 4);
  const double all = most_work(tree, 1);
  for (const unsigned threads : {2U, 3U, 4U, 8U}) {
    CHECK(most_work(tree, threads) < 1.1 * all / threads);
  }
}

TEST_CASE("partitions are consecutive routers, and none is empty", "[network]") {
  const FatTree tree = k_ary_tree(2, 3);
  const Grid grid = mesh({3, 4});
  const unsigned threads = GENERATE(2U, 5U, 7U, 11U, 12U);  // 12 are as many as routers.
  for (const Topology* topology : std::initializer_list<const Topology*>{&tree, &grid}) {
    const auto partitions = FabricPlan::partitions_of(*topology, on_threads(threads));
    CHECK(partitions.front() == 0);
    CHECK(partitions.back() == threads - 1);
    for (std::size_t r = 1; r < partitions.size(); ++r) {
      CHECK(partitions[r] - partitions[r - 1] <= 1);
    }
  }
}
