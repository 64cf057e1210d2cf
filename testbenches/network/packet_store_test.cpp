// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/packet_store.h"

#include <set>

#include "support/test_catch.h"

using namespace flitcast;

namespace {

Packet packet_of(std::uint64_t number) {
  Packet packet;
  packet.id = PacketId{number};
  return packet;
}

}  // namespace

TEST_CASE("records stay where they are while the store grows", "[network]") {
  PacketStore store(5);
  std::vector<PacketSlot> slots;
  std::vector<const Packet*> places;
  for (std::uint64_t n = 0; n < 5000; ++n) {
    slots.push_back(store.add(packet_of(n)));
    places.push_back(&store.packet(slots.back()));
  }
  CHECK(store.due() == 5000);
  for (std::uint64_t n = 0; n < 5000; ++n) {
    REQUIRE(&store.packet(slots[n]) == places[n]);
    REQUIRE(store.packet(slots[n]).id == PacketId{n});
    REQUIRE(PacketStore::partition_of(slots[n]) == 5);
    REQUIRE(store.next(slots[n]) == PacketStore::kNone);
  }
}

TEST_CASE("slots in use are distinct and freed ones are used again before new ones", "[network]") {
  PacketStore store(62);
  std::set<PacketSlot> first;
  for (std::uint64_t n = 0; n < 1024; ++n) first.insert(store.add(packet_of(n)));
  REQUIRE(first.size() == 1024);
  CHECK(first.count(PacketStore::kNone) == 0);
  for (const PacketSlot slot : first) store.arrived(slot);
  CHECK(store.due() == 0);
  std::set<PacketSlot> second;
  for (std::uint64_t n = 0; n < 1024; ++n) second.insert(store.add(packet_of(n)));
  CHECK(second == first);
}
