// SPDX-License-Identifier: Apache-2.0
#include "traffic/random_traffic.h"

#include <set>
#include <vector>

#include "ideal_network.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "workload.h"

using namespace flitcast;

namespace {

std::vector<Delivery> run(const std::map<std::string, nlohmann::json>& values, const Grid& grid,
                          std::uint64_t cycles, std::uint64_t seed = 1) {
  const auto source = make_traffic(workload(traffic_params(), values), grid, seed);
  return play(
      *source, grid.node_count(), [](const Packet&) { return 1; }, Cycle{cycles});
}

/// The packets that node 2 sends: destination, length and cycle of each.
std::vector<std::uint64_t> packets_of_node_2(const std::vector<Delivery>& deliveries) {
  std::vector<std::uint64_t> facts;
  for (const Delivery& delivery : deliveries) {
    const Packet& packet = delivery.packet;
    if (packet.source != NodeId{2}) continue;
    facts.insert(facts.end(), {index(packet.destination), packet.length, index(packet.created)});
  }
  return facts;
}

}  // namespace

TEST_CASE("the flits offered match the load whatever the mix of lengths", "[traffic]") {
  const auto deliveries = run({{"load", 0.3}, {"packet_length", {1, 5}}}, mesh({8, 8}), 10'000);
  double flits = 0;
  for (const Delivery& delivery : deliveries) flits += delivery.packet.length;
  // 64 000 packets of mean 3 and deviation 2: 5 standard deviations of the number of flits are 2.4
  // %.
  CHECK(std::abs(flits / 64 / 10'000 / 0.3 - 1) < 0.024);
}

TEST_CASE("cycle 0 has packets like every other cycle", "[traffic]") {
  int first = 0;
  for (const Delivery& delivery : run({{"load", 0.5}, {"packet_length", 1}}, mesh({64, 64}), 2)) {
    if (delivery.packet.created == Cycle{0}) ++first;
  }
  CHECK(std::abs(first - 2'048) < 160);  // The tolerance is 5 standard deviations of 32.
}

TEST_CASE("a full load creates one packet per node and cycle", "[traffic]") {
  const auto deliveries = run({{"load", 5}}, mesh({4}), 11);
  // The packets are created in cycles 0 to 9 and delivered one cycle later.
  REQUIRE(deliveries.size() == 40);
  std::set<std::pair<NodeId, Cycle>> slots;
  for (const Delivery& delivery : deliveries) {
    slots.emplace(delivery.packet.source, delivery.packet.created);
  }
  CHECK(slots.size() == 40);
}

TEST_CASE("no load creates no packet", "[traffic]") {
  const std::string injection = GENERATE("bernoulli", "on_off");
  CHECK(run({{"load", 0}, {"injection", injection}}, mesh({4}), 1'000).empty());
}

TEST_CASE("loads of 0 at every node leave the shares of the pattern", "[traffic]") {
  const Grid grid = mesh({4});
  const auto traffic = make_traffic(workload(traffic_params(), {{"load", {0, 0, 0, 0}}}), grid, 1);
  CHECK(traffic->share(NodeId{0}, NodeId{2}) == 0.25);
}

TEST_CASE("a node's packets depend on its own stream only", "[traffic]") {
  const std::map<std::string, nlohmann::json> values{{"load", 0.5}, {"pattern", "hot_spot"}};
  const auto alone = packets_of_node_2(run(values, mesh({8}), 500));
  const auto source = make_traffic(workload(traffic_params(), values), mesh({8}), 1);
  std::vector<std::uint64_t> silent_neighbours;
  std::vector<PacketRequest> requests;
  for (Cycle now = source->first(NodeId{2}); now < Cycle{499};) {
    const Cycle next = source->create(NodeId{2}, now, requests);
    silent_neighbours.insert(silent_neighbours.end(), {index(requests.back().destination),
                                                       requests.back().length, index(now)});
    now = next;
  }
  CHECK(alone.size() > 90);
  CHECK(alone == silent_neighbours);
}

TEST_CASE("the seed decides the traffic", "[traffic]") {
  const Grid grid = mesh({4, 4});
  const auto first = packets_of_node_2(run({}, grid, 1'000, 1));
  CHECK(first == packets_of_node_2(run({}, grid, 1'000, 1)));
  CHECK(first != packets_of_node_2(run({}, grid, 1'000, 2)));
}

TEST_CASE("random traffic of a known seed stays the same for ever", "[traffic]") {
  const auto deliveries = run({{"load", 0.5}, {"injection", "on_off"}}, mesh({4}), 1'000, 42);
  std::uint64_t sum = 0;
  for (const Delivery& delivery : deliveries) {
    sum = sum * 31 + index(delivery.packet.created) * 4 + index(delivery.packet.destination);
  }
  CHECK(deliveries.size() == 440);
  CHECK(sum == 0xe1325792c228a55fULL);
}

TEST_CASE("all problems of a traffic section come at once", "[traffic]") {
  const auto make = [](const std::map<std::string, nlohmann::json>& values) {
    return complaint([&] { make_traffic(workload(traffic_params(), values), mesh({5}), 1); });
  };
  CHECK_THAT(make({{"pattern", "shuffle"}, {"load", 7}}),
             Catch::Contains("workload.pattern") && Catch::Contains("workload.load"));
  CHECK_THAT(make({{"pattern", "shuffle"}, {"packet_weights", {1, 1}}}),
             Catch::Contains("workload.pattern") && Catch::Contains("workload.packet_weights"));
}

TEST_CASE("keys of a pattern or an injection apply only while it is chosen", "[traffic]") {
  for (const Param& param : traffic_params()) {
    if (param.key == "hot_spots") {
      REQUIRE(param.when.all.size() == 1);
      CHECK(param.when.all[0].key == "pattern");
      CHECK(param.when.all[0].values == std::vector<std::string>{"hot_spot"});
    }
    if (param.key == "peak_load") CHECK(param.when.all[0].key == "injection");
    if (param.key == "load") CHECK(param.when.all[0].key == "pattern");
  }
}
