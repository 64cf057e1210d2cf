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

std::unique_ptr<ClosedLoop> closed_loop(const Values& values) {
  return make_closed_loop(workload(closed_loop_params(), values), mesh({4}), 1, nullptr);
}

/// Creates the request of a node that is due in a cycle.
Delivery ask(ClosedLoop& loop, std::uint32_t node, std::uint64_t cycle) {
  std::vector<PacketRequest> packets;
  loop.create(NodeId{node}, Cycle{cycle}, packets);
  REQUIRE(packets.size() == 1);
  Delivery delivery;
  delivery.packet.source = NodeId{node};
  delivery.packet.created = Cycle{cycle};
  delivery.packet.tag = packets[0].tag;
  delivery.node = packets[0].destination;
  return delivery;
}

void answer(ClosedLoop& loop, Delivery delivery, std::uint64_t cycle) {
  std::vector<WakeUp> wake_ups;
  delivery.arrival = Cycle{cycle};
  loop.delivered(delivery, wake_ups);
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

TEST_CASE("round trips are those of the requests of the window, whenever they are answered",
          "[traffic]") {
  const auto loop = closed_loop({});
  const Delivery before = ask(*loop, 0, 5);
  answer(*loop, ask(*loop, 1, 6), 9);
  CHECK(loop->round_trips().count == 1);
  loop->open_window(Cycle{10});
  CHECK(loop->round_trips().count == 0);
  answer(*loop, ask(*loop, 1, 10), 14);
  answer(*loop, before, 12);
  const Delivery soon = ask(*loop, 1, 15);
  const Delivery late = ask(*loop, 2, 17);
  CHECK_FALSE(loop->round_trips().unanswered.has_value());
  CHECK_FALSE(loop->finish_window(Cycle{20}));
  CHECK(loop->round_trips().unanswered == 2);
  answer(*loop, ask(*loop, 3, 20), 22);  // Created after the window.
  answer(*loop, soon, 30);
  CHECK_FALSE(loop->finish_window(Cycle{20}));
  answer(*loop, late, 57);
  CHECK(loop->finish_window(Cycle{20}));
  CHECK(loop->round_trips().count == 3);
  CHECK(loop->round_trips().cycles == 4 + 15 + 40);
  CHECK(loop->round_trips().longest == 40);
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
