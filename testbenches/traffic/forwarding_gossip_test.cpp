// SPDX-License-Identifier: Apache-2.0
// Gossip by the routers: spec/broadcast-and-gossip.md section 4.1; and the source that plays it.
#include <map>
#include <memory>

#include "collective/precondition.h"
#include "router/invariant.h"
#include "support/test_catch.h"
#include "traffic/forwarding_run.h"

using namespace flitcast;

namespace {

Grid all_port_torus(const std::vector<std::size_t>& sizes) {
  Grid grid = torus(sizes);
  grid.widen_nodes(2 * sizes.size());
  return grid;
}

Demand gossip_on(const Grid& grid) {
  return {Operation::kGossip, grid.node_count(), NodeId{0}, grid.dimensions()};
}

std::unique_ptr<ForwardingRun> gossip(const Grid& grid, const NetworkParams& params,
                                      std::uint32_t length) {
  return std::make_unique<ForwardingRun>(
      grid, hamiltonian_forwarding(grid, params.router.virtual_channels), gossip_on(grid), params,
      length);
}

std::vector<std::vector<std::size_t>> tori() {
  return {{3}, {4}, {7}, {3, 3}, {4, 3}, {3, 5}, {4, 4}, {6, 5}, {3, 3, 3}, {3, 4, 3}};
}

/// In each step every node receives a chunk from each of its neighbours; in the last step from half
/// of them if the number of other nodes is odd.
void check_steps(const ForwardingRun& run, const Grid& grid, const NetworkParams& params,
                 std::uint32_t length) {
  const std::size_t nodes = grid.node_count();
  const std::size_t steps = (nodes - 1 + 1) / 2;  // ceil((P - 1) / 2)
  std::map<std::uint64_t, std::size_t> arrivals;
  for (const Delivery& delivery : run.deliveries()) ++arrivals[index(delivery.arrival) + 1];
  REQUIRE(arrivals.size() == steps);
  for (std::size_t step = 1; step <= steps; ++step) {
    const bool half = 2 * step > nodes - 1;
    CHECK(arrivals[analytic_cycles(params, length, step)] ==
          nodes * grid.dimensions() * (half ? 1 : 2));
  }
  CHECK(run.depth() == steps);
  CHECK(run.cycles() == analytic_cycles(params, length, steps));
}

}  // namespace

TEST_CASE("gossip by routers that store takes ceil((P-1)/2) steps of td + m tm", "[traffic]") {
  const Grid grid = all_port_torus(tori()[GENERATE(range(std::size_t{0}, std::size_t{10}))]);
  const std::uint32_t length = GENERATE(1U, 4U);
  const NetworkParams params = params_of(Kind::kStored, length);
  const auto run = gossip(grid, params, length);
  CAPTURE(grid.name(), length);
  run->run();
  check_steps(*run, grid, params, length);
}

TEST_CASE("start-up, slow and long channels enter the time of a gossip as the model says",
          "[traffic]") {
  const NetworkParams params = with_slow_channels(params_of(Kind::kStored, 5), GENERATE(1U, 3U));
  const Grid grid = all_port_torus({4, 3});
  const auto run = gossip(grid, params, 5);
  run->run();
  check_steps(*run, grid, params, 5);
}

TEST_CASE("gossip by routers of any kind informs all nodes over equal channels", "[traffic]") {
  const Grid grid = all_port_torus(tori()[GENERATE(range(std::size_t{0}, std::size_t{10}))]);
  const std::uint32_t length = GENERATE(1U, 6U);
  NetworkParams params = params_of(GENERATE(from_range(kKinds)), length);
  params.router.virtual_channels = GENERATE(1U, 2U);
  if (params.cores != &packet_cores()) params.router.buffer_depth = 2 * length;
  const auto run = gossip(grid, params, length);
  CAPTURE(grid.name(), length);
  run->run();
  const std::size_t others = grid.node_count() - 1;
  CHECK(run->deliveries().size() == grid.dimensions() * grid.node_count() * others);
  std::map<std::uint64_t, std::size_t> channels_of_load;
  for (const std::uint64_t flits : run->channel_flits()) ++channels_of_load[flits];
  const std::size_t directed = grid.dimensions() * grid.node_count();
  CHECK(channels_of_load[length * (others / 2)] == directed * (others % 2 == 0 ? 2 : 1));
  CHECK(channels_of_load[length * (others - others / 2)] == directed * (others % 2 == 0 ? 2 : 1));
}

TEST_CASE("gossip asks for a torus and for a port in each direction", "[traffic]") {
  CHECK_THROWS_AS(hamiltonian_forwarding(torus({3, 3}), 1), PreconditionError);
  CHECK_THROWS_AS(hamiltonian_forwarding(all_port_torus({2, 3}), 1), PreconditionError);
  CHECK_THROWS_AS(hamiltonian_forwarding(all_port_torus({131071}), 1), PreconditionError);
  CHECK_THROWS_AS(hamiltonian_forwarding(all_port_torus({3, 3}), 0), std::invalid_argument);
  CHECK_NOTHROW(hamiltonian_forwarding(all_port_torus({3, 3}), 1));
}

TEST_CASE("a chunk that comes twice, or to a node that holds it, is an error", "[traffic]") {
  ForwardingPlayer source({{NodeId{1}, 0, 0, 2, ChunkId{0}}}, {Operation::kBroadcast, 3, NodeId{1}},
                          4, 1);
  std::vector<PacketRequest> requests;
  CHECK(source.first(NodeId{0}) == kNever);
  CHECK(source.first(NodeId{1}) == Cycle{0});
  CHECK(source.create(NodeId{1}, Cycle{0}, requests) == kNever);
  REQUIRE(requests.size() == 1);
  CHECK(requests[0].destination == NodeId{1});
  CHECK(requests[0].receivers == 2);

  std::vector<WakeUp> wake_ups;
  Delivery delivery;
  delivery.packet.payload = requests[0].payload;
  delivery.packet.tag = requests[0].tag;
  delivery.arrival = Cycle{20};
  source.delivered(delivery, wake_ups);
  CHECK_FALSE(source.finished());
  CHECK(source.wrong() == 1);
  CHECK_THROWS_AS(source.delivered(delivery, wake_ups), InvariantError);
  delivery.node = NodeId{1};
  CHECK_THROWS_AS(source.delivered(delivery, wake_ups), InvariantError);
  delivery.node = NodeId{2};
  source.delivered(delivery, wake_ups);
  CHECK(source.finished());
  CHECK(source.cycles() == 21);
  CHECK(source.wrong() == 0);
  CHECK(wake_ups.empty());
}

TEST_CASE("a node cannot inject a chunk that it does not hold", "[traffic]") {
  ForwardingPlayer source({{NodeId{0}, 0, 0, 2, ChunkId{0}}}, {Operation::kBroadcast, 3, NodeId{1}},
                          4, 1);
  std::vector<PacketRequest> requests;
  CHECK_THROWS_AS(source.create(NodeId{0}, Cycle{0}, requests), InvariantError);
}
