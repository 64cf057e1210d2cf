// SPDX-License-Identifier: Apache-2.0
#include <sstream>
#include <string>

#include "delivery.h"
#include "stats/delivery_probes.h"
#include "support/test_catch.h"

using namespace flitcast;

TEST_CASE("rows are ordered by arrival, then by packet, whichever probe saw them", "[stats]") {
  PacketLog log;
  log.delivered(delivery(9, 3, 20));
  log.delivered(delivery(4, 1, 20));
  PacketLog other;
  other.delivered(delivery(5, 0, 13));
  log.merge(other);
  std::ostringstream out;
  log.write_csv(out);
  CHECK(out.str() ==
        "packet,source,destination,length_flits,created_cycle,injected_cycle,arrived_cycle,"
        "latency_cycles,network_latency_cycles,hops\n"
        "0.5,1,7,5,0,2,13,13,11,3\n"
        "0.4,1,7,5,1,3,20,19,17,3\n"
        "0.9,1,7,5,3,5,20,17,15,3\n");
}

TEST_CASE("rows of one cycle are ordered by packet, the copies of a packet by node", "[stats]") {
  const auto copy = [](std::uint64_t id, std::uint32_t node) {
    Delivery arrived = delivery(id, 1, 20);
    arrived.node = NodeId{node};
    return arrived;
  };
  PacketLog log;
  for (const Delivery& arrived : {copy(4, 9), copy(3, 5), copy(4, 2)}) log.delivered(arrived);
  std::ostringstream out;
  log.write_csv(out);
  const std::string rows = out.str();
  CHECK(rows.find("0.3,1,5,") < rows.find("0.4,1,2,"));
  CHECK(rows.find("0.4,1,2,") < rows.find("0.4,1,9,"));
  CHECK(rows.find("0.4,1,9,") != std::string::npos);
}

TEST_CASE("a packet that has not arrived has a cell for its injection only if it was injected",
          "[stats]") {
  PacketLog log;
  Packet packet = delivery(4, 0, 20).packet;
  packet.injected = Cycle{0};
  log.add_outstanding(packet);
  Packet waiting;
  waiting.id = PacketId{5};
  log.add_outstanding(waiting);
  std::ostringstream out;
  log.write_csv(out);
  CHECK(out.str().find("0.4,1,7,5,0,0,,,,\n0.5,0,0,1,0,,,,,\n") != std::string::npos);
}
