// SPDX-License-Identifier: Apache-2.0
#include "traffic/traffic_classes.h"

#include <algorithm>
#include <utility>

#include "base/sequences.h"

namespace flitcast {

ClassTraffic::ClassTraffic(std::size_t node_count, std::uint64_t seed,
                           std::vector<TrafficClass> classes)
    : classes_(std::move(classes)), nodes_(node_count) {
  for (std::size_t n = 0; n < node_count; ++n) {
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      nodes_[n].random.push_back(Random::stream(seed, c * node_count + n));
    }
  }
}

Cycle ClassTraffic::first(NodeId node) {
  const auto& due = nodes_[index(node)].due;
  Cycle next = due.empty() ? kNever : due.begin()->first;
  for (const TrafficClass& one : classes_) {
    if (one.traffic) next = std::min(next, one.traffic->first(node));
  }
  return next;
}

Cycle ClassTraffic::create(NodeId id, Cycle now, std::vector<PacketRequest>& packets) {
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    RandomTraffic* const traffic = classes_[c].traffic.get();
    if (traffic == nullptr || traffic->first(id) != now) continue;
    traffic->create(id, now, packets);
    packets.back().message_class = static_cast<std::uint8_t>(c);
  }
  Node& node = nodes_[index(id)];
  for (; !node.due.empty() && node.due.begin()->first == now; node.due.erase(node.due.begin())) {
    const Reply& reply = node.due.begin()->second;
    PacketRequest packet{reply.to};
    packet.length = classes_[reply.message_class].lengths->draw(node.random[reply.message_class]);
    packet.tag = reply.request;
    packet.message_class = reply.message_class;
    packets.push_back(packet);
  }
  return first(id);
}

bool ClassTraffic::wants_deliveries() const {
  return any_of(classes_, [](const TrafficClass& one) { return one.reply.has_value(); });
}

void ClassTraffic::delivered(const Delivery& delivery, std::vector<WakeUp>& wake_ups) {
  const Packet& packet = delivery.packet;
  const TrafficClass& one = classes_[packet.message_class];
  if (!one.reply) return;
  const Cycle due = delivery.arrival + 1 + one.service;
  nodes_[index(delivery.node)].due.emplace(due, Reply{*one.reply, packet.source, index(packet.id)});
  wake_ups.push_back({delivery.node, due});
}

// The packet rates of the classes that a class answers, directly or through replies to replies;
// such a chain is no longer than the number of classes.
std::vector<double> loads_of(const std::vector<TrafficClass>& classes,
                             const std::vector<double>& given) {
  std::vector<double> loads = given;
  for (std::size_t step = 0; step < classes.size(); ++step) {
    std::vector<double> replies(classes.size(), 0);
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (classes[c].reply) replies[*classes[c].reply] += loads[c] / classes[c].mean_length();
    }
    for (std::size_t c = 0; c < classes.size(); ++c) {
      if (!classes[c].traffic) loads[c] = replies[c] * classes[c].mean_length();
    }
  }
  return loads;
}

}  // namespace flitcast
