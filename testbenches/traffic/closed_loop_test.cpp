// SPDX-License-Identifier: Apache-2.0
#include "traffic/closed_loop.h"

#include <algorithm>
#include <map>
#include <vector>

#include "ideal_network.h"
#include "support/test_catch.h"
#include "topology/grid.h"
#include "workload.h"

using namespace flitcast;

namespace {

using Values = std::map<std::string, nlohmann::json>;

std::unique_ptr<ClosedLoop> closed_loop(const Values& values, std::uint64_t measured_from = 0) {
  return make_closed_loop(workload(closed_loop_params(), values), mesh({4}), 1, nullptr,
                          Cycle{measured_from});
}

/// Requests take 4 cycles and replies 6.
std::uint64_t latency(const Packet& packet) { return packet.tag == 0 ? 4 : 6; }

std::size_t requests_of(const std::vector<Delivery>& deliveries, std::uint32_t node) {
  return static_cast<std::size_t>(
      std::count_if(deliveries.begin(), deliveries.end(), [node](const Delivery& delivery) {
        return delivery.packet.tag == 0 && delivery.packet.source == NodeId{node};
      }));
}

}  // namespace

TEST_CASE("a node has k requests on their way, and throughput times the loop is k", "[traffic]") {
  const auto k = GENERATE(1, 3);
  const auto loop = closed_loop({{"outstanding", k}});
  const auto deliveries = play(*loop, 4, latency, Cycle{1001});
  // A loop takes 4 cycles and the one until the next request; cycles 0 to 995 begin 200 of them.
  for (std::uint32_t node = 0; node < 4; ++node) CHECK(requests_of(deliveries, node) == 200U * k);
  std::map<std::uint64_t, int> created;
  for (const Delivery& delivery : deliveries) {
    if (delivery.packet.source == NodeId{2}) ++created[index(delivery.packet.created)];
  }
  for (const auto& [cycle, count] : created) {
    CHECK(cycle % 5 == 0);
    CHECK(count == k);
  }
  CHECK(loop->round_trips().cycles == 4 * loop->round_trips().count);
}

TEST_CASE("a reply follows its request after the service and ends its round trip", "[traffic]") {
  const auto loop = closed_loop({{"reply_length", 7}, {"service", 10}, {"packet_length", 2}});
  const auto deliveries = play(*loop, 4, latency, Cycle{2200});
  for (const Delivery& delivery : deliveries) {
    CHECK(delivery.packet.length == (delivery.packet.tag == 0 ? 2 : 7));
  }
  const ClosedLoop::RoundTrips& trips = loop->round_trips();
  CHECK(trips.longest == 4 + 1 + 10 + 6);
  CHECK(trips.cycles == 21 * trips.count);
  CHECK(trips.count == 4 * 100);  // A loop takes a cycle more.
}

TEST_CASE("a batch has as many requests of every node, and ends with the last answer",
          "[traffic]") {
  const auto loop =
      closed_loop({{"outstanding", 2}, {"batch", 5}, {"reply_length", 1}, {"packet_length", 3}});
  CHECK_FALSE(loop->finished());
  const auto deliveries = play(*loop, 4, latency);
  CHECK(loop->finished());
  CHECK(deliveries.size() == 4 * 5 * 2);
  for (std::uint32_t node = 0; node < 4; ++node) CHECK(requests_of(deliveries, node) == 5);
  CHECK(deliveries.back().arrival == Cycle{2 * 12 + 11});  // Two, two and one after the other.
  CHECK_FALSE(closed_loop({})->finished());
}

TEST_CASE("round trips count from the first measured request on", "[traffic]") {
  const auto loop = closed_loop({}, 500);
  play(*loop, 4, latency, Cycle{1001});
  CHECK(loop->round_trips().count == 4 * 100);
}

TEST_CASE("patterns with rates of their own have none in a closed loop", "[traffic]") {
  for (const Param& param : closed_loop_params()) {
    CHECK(param.key != "load");
    CHECK(param.key != "matrix");
  }
  CHECK_THAT(complaint([] {
               closed_loop({{"pattern", "transpose"}, {"packet_weights", {0}}});
             }),
             Catch::Contains("packet_weights"));
}
