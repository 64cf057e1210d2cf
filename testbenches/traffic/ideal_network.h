// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "base/packet_source.h"

namespace flitcast {

/// Plays a source on a network without contention, in which a packet takes latency(packet) cycles.
/// Stops before cycle `end` or when nothing is left to do; returns the deliveries in order.
template <class Latency>
std::vector<Delivery> play(PacketSource& source, std::size_t node_count, Latency latency,
                           Cycle end = kNever) {
  std::vector<Cycle> asked(node_count);  // The next cycle in which each node is called.
  for (std::uint32_t node = 0; node < node_count; ++node) asked[node] = source.first(NodeId{node});
  std::vector<std::uint64_t> created(node_count, 0);
  std::multimap<Cycle, Delivery> in_flight;
  std::vector<Delivery> deliveries;
  while (true) {
    Cycle now = *std::min_element(asked.begin(), asked.end());
    if (!in_flight.empty()) now = std::min(now, in_flight.begin()->first);
    if (now >= end) return deliveries;
    for (; !in_flight.empty() && in_flight.begin()->first == now;
         in_flight.erase(in_flight.begin())) {
      deliveries.push_back(in_flight.begin()->second);
      std::vector<WakeUp> wake_ups;
      if (source.wants_deliveries()) source.delivered(deliveries.back(), wake_ups);
      for (const WakeUp& wake_up : wake_ups) {
        Cycle& cycle = asked[index(wake_up.node)];
        cycle = std::min(cycle, wake_up.cycle);
      }
    }
    for (std::uint32_t node = 0; node < node_count; ++node) {
      if (asked[node] != now) continue;
      std::vector<PacketRequest> requests;
      asked[node] = source.create(NodeId{node}, now, requests);
      for (const PacketRequest& request : requests) {
        Delivery delivery;
        delivery.packet = {
            PacketId{}, NodeId{node}, request.destination, request.length, request.continues,
            now,        now,          request.tag};
        delivery.packet.id = PacketId{std::uint64_t{node} << 32 | created[node]++};
        delivery.packet.message_class = request.message_class;
        delivery.packet.payload = request.payload;
        delivery.node = request.destination;
        delivery.arrival = now + latency(delivery.packet);
        in_flight.emplace(delivery.arrival, delivery);
      }
    }
  }
}

/// The creation cycle of every packet of a trace, by index.
inline std::vector<std::uint64_t> creation_cycles(const std::vector<Delivery>& deliveries) {
  std::vector<std::uint64_t> cycles(deliveries.size());
  for (const Delivery& delivery : deliveries) {
    cycles.at(delivery.packet.tag) = index(delivery.packet.created);
  }
  return cycles;
}

}  // namespace flitcast
