// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <set>
#include <stdexcept>

#include "config/problem.h"
#include "support/test_catch.h"
#include "traffic/random_traffic.h"
#include "traffic/workload.h"

using namespace flitcast;

namespace {

// Returns the packets of a node up to the given number.
std::vector<PacketRequest> packets_of(PacketSource& source, NodeId node, int packets) {
  std::vector<PacketRequest> requests;
  Cycle when = source.first(node);
  while (static_cast<int>(requests.size()) < packets) when = source.create(node, when, requests);
  return requests;
}

std::unique_ptr<PacketSource> source_of(const Clos& clos, DestinationGroups& groups,
                                        std::map<std::string, nlohmann::json> values) {
  return make_multicast_traffic(workload(multicast_traffic_params(), std::move(values)), clos,
                                groups, 7);
}

}  // namespace

TEST_CASE("multicasts go to at most one node of a switch and to at most fan_out switches",
          "[traffic]") {
  const Clos clos({{3, 5}}, 4);
  DestinationGroups groups(clos.node_count());
  const auto source = source_of(clos, groups, {{"fan_out", 3}});
  std::map<std::size_t, int> fan_outs;
  std::map<NodeId, int> nodes;
  for (const PacketRequest& request : packets_of(*source, NodeId{5}, 6000)) {
    const auto& members = groups.members(request.destination);
    CHECK(request.receivers == members.size());
    std::set<std::uint32_t> switches;
    for (const NodeId member : members) {
      switches.insert(index(member) / 3);
      ++nodes[member];
    }
    CHECK(switches.size() == members.size());
    ++fan_outs[members.size()];
  }
  // 2000 packets of each fan-out, and 12000 / 12 to each node, within six standard deviations.
  CHECK(fan_outs.size() == 3);
  for (const auto& [fan_out, count] : fan_outs) CHECK(std::abs(count - 2000) < 6 * 37);
  CHECK(nodes.size() == 12);
  for (const auto& [node, count] : nodes) CHECK(std::abs(count - 1000) < 6 * 31);
}

TEST_CASE("a full load asks for a multicast in every cycle, from cycle 0 on", "[traffic]") {
  const Clos clos({{2, 3}}, 3);
  DestinationGroups groups(clos.node_count());
  const auto source = source_of(clos, groups, {{"load", 1.0}, {"packet_length", {1}}});
  std::vector<PacketRequest> requests;
  for (std::uint32_t node = 0; node < 6; ++node) {
    Cycle when = source->first(NodeId{node});
    for (std::uint64_t cycle = 0; cycle < 10; ++cycle) {
      REQUIRE(when == Cycle{cycle});
      when = source->create(NodeId{node}, when, requests);
    }
  }
}

TEST_CASE("the group of a packet is released with its last arrival", "[traffic]") {
  const Clos clos({{2, 3}}, 3);
  DestinationGroups groups(clos.node_count());
  const auto source = source_of(clos, groups, {{"fan_out", 0}});
  REQUIRE(source->wants_deliveries());
  std::vector<WakeUp> wake_ups;
  for (const PacketRequest& request : packets_of(*source, NodeId{1}, 200)) {
    Delivery delivery;
    delivery.packet.destination = request.destination;
    const bool is_group = index(request.destination) >= groups.nodes();
    for (std::uint32_t copy = 0; copy < request.receivers; ++copy) {
      if (is_group) CHECK_FALSE(groups.members(request.destination).empty());
      source->delivered(delivery, wake_ups);
    }
    if (is_group) CHECK(groups.members(request.destination).empty());
  }
  const std::size_t end = groups.end();
  packets_of(*source, NodeId{2}, 100);
  CHECK(groups.end() == end);  // The group was released and allocated again.
}

TEST_CASE("the group of a packet that is given up is released, a single node is not affected",
          "[traffic]") {
  const Clos clos({{2, 3}}, 3);
  DestinationGroups groups(clos.node_count());
  const auto source =
      make_multicast_traffic(workload(multicast_traffic_params(), {}), clos, groups, 7);
  std::size_t alone = 0;
  std::vector<WakeUp> wake_ups;
  for (const PacketRequest& request : packets_of(*source, NodeId{1}, 200)) {
    Packet packet;
    packet.destination = request.destination;
    source->dropped(packet, Cycle{}, wake_ups);
    const bool is_group = index(request.destination) >= groups.nodes();
    alone += is_group ? 0 : 1;
    CHECK(groups.members(request.destination).empty() == is_group);
  }
  CHECK(alone > 0);
}

TEST_CASE("a fan-out beyond the output switches and a load beyond the channel are both reported",
          "[traffic]") {
  const Clos clos({{2, 3}}, 3);
  DestinationGroups groups(clos.node_count());
  try {
    source_of(clos, groups, {{"fan_out", 4}, {"load", 9.0}});
    FAIL("accepted");
  } catch (const ConfigError& error) {
    REQUIRE(error.problems().size() == 2);
    CHECK(error.problems()[0].key == "workload.fan_out");
    CHECK(error.problems()[1].key == "workload.load");
  }
  CHECK_THROWS_AS(MulticastTraffic(clos, groups, 0, 1, Load{{nullptr}, PacketLengths({1}, {1.0})}),
                  std::invalid_argument);
}
