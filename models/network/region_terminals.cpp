// SPDX-License-Identifier: Apache-2.0
// What terminals and a reset do to a region between two ticks; the rest of Region is in region.cpp.
#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "network/region.h"

namespace flitcast {

std::size_t Region::waiting(std::uint32_t local, std::size_t message_class) const {
  std::size_t packets = 0;
  for (std::size_t port = 0; port < node_ports_; ++port) {
    PacketSlot slot = interfaces_[local * node_ports_ + port].queues[message_class].front;
    for (; slot != PacketStore::kNone; slot = packets_.next(slot)) ++packets;
  }
  return packets;
}

void Region::bound_ejection(std::uint32_t local, std::uint32_t places) {
  if (bounded_nodes_.empty()) bounded_nodes_.resize(node_ids_.size());
  nodes_apart_ = true;
  auto bounded = std::make_unique<BoundedNode>();
  bounded->places.assign(message_classes_, places);
  bounded->most = places;
  bounded->ports.resize(node_ports_);
  for (std::size_t port = 0; port < node_ports_; ++port) {
    NodeInterface& node = interfaces_[local * node_ports_ + port];
    bounded->ports[port].places = &bounded->places;
    bounded->ports[port].held.resize(context_.params.router.virtual_channels);
    node.bounded = &bounded->ports[port];
  }
  bounded_nodes_[local] = std::move(bounded);
}

void Region::free_places(std::uint32_t local, std::size_t message_class, std::uint32_t places) {
  bounded_nodes_[local]->places[message_class] += places;
}

void Region::reset(const std::function<void(const Packet&, std::uint32_t)>& lost) {
  for (Region* peer : context_.peers) {
    for (auto& by_owner : peer->returned_) {
      for (const PacketSlot slot : by_owner[number_]) packets_.arrived(slot);
      by_owner[number_].clear();
    }
  }
  packets_.drop_all([&](const Packet& packet, std::uint32_t due) {
    totals_.receivers_dropped += due;
    if (probe_ != nullptr && due == packet.receivers) probe_->dropped(packet);
    lost(packet, due);
  });
  deliveries_.clear();
  for (WakeRows& wakes : router_wakes_) wakes.clear();
  for (WakeRows& wakes : node_wakes_) wakes.clear();
  std::fill(awake_routers_.begin(), awake_routers_.end(), 0);
  std::fill(awake_interfaces_.begin(), awake_interfaces_.end(), 0);
  std::fill(node_rows_.begin(), node_rows_.end(), 0);
  for (std::size_t place = 0; place < interfaces_.size(); ++place) init_interface(place);
  empty_bounded_nodes();
  remake_routers();
}

void Region::empty_bounded_nodes() {
  for (const auto& bounded : bounded_nodes_) {
    if (bounded == nullptr) continue;
    bounded->places.assign(message_classes_, bounded->most);
    for (EjectionBuffer& port : bounded->ports) {
      for (std::deque<Flit>& held : port.held) held.clear();
      port.last_vc = 0;
    }
  }
}

}  // namespace flitcast
