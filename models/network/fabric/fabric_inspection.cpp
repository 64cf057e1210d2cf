// SPDX-License-Identifier: Apache-2.0
#include "network/fabric/fabric_inspection.h"

#include <algorithm>

namespace flitcast {

const RouterState& FabricInspection::state(RouterId router) const {
  return *fabric_.router_node(router).state;
}

bool FabricInspection::external(RouterId router) const {
  return fabric_.router_node(router).external;
}

unsigned FabricInspection::announced(const RouterNode& node, const std::uint64_t* rows,
                                     unsigned vc_index) const {
  unsigned count = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    for (unsigned copy = 0; copy < node.copies; ++copy) {
      const std::size_t its = copy * node.words + vc_index / 64;
      const std::uint64_t word = rows[its * fabric_.rows() + row];
      count += (word >> (vc_index % 64) & 1) != 0;
    }
  }
  return count;
}

unsigned FabricInspection::flits_in_flight(RouterId router, unsigned input_vc) const {
  const RouterNode& node = fabric_.router_node(router);
  return announced(node, node.arrivals, input_vc);
}

unsigned FabricInspection::credits_in_flight(RouterId router, unsigned output_vc) const {
  const RouterNode& node = fabric_.router_node(router);
  return announced(node, node.credits, output_vc);
}

unsigned FabricInspection::flits_in_flight(NodeId node, std::size_t port, unsigned vc) const {
  unsigned count = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    count += (fabric_.node_interface(node, port).arrivals[row] >> vc & 1) != 0;
  }
  const std::deque<Flit>* const waiting = held(node, port, vc);
  return waiting == nullptr ? count : count + static_cast<unsigned>(waiting->size());
}

// Null where the node takes all that comes.
const std::deque<Flit>* FabricInspection::held(NodeId node, std::size_t port, unsigned vc) const {
  const EjectionBuffer* const buffer = fabric_.node_interface(node, port).bounded;
  return buffer == nullptr ? nullptr : &buffer->held[vc];
}

unsigned FabricInspection::credits_in_flight(NodeId node, std::size_t port, unsigned vc) const {
  unsigned count = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    count += (fabric_.node_interface(node, port).credits[row] >> vc & 1) != 0;
  }
  return count;
}

unsigned FabricInspection::heads_in_flight(RouterId router, unsigned input_vc) const {
  const RouterNode& node = fabric_.router_node(router);
  const Flit* const landing = node.landing + node.state->port_of(input_vc) * fabric_.rows();
  unsigned heads = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    for (unsigned copy = 0; copy < node.copies; ++copy) {
      const std::size_t its = copy * node.words + input_vc / 64;
      const bool announced =
          (node.arrivals[its * fabric_.rows() + row] >> (input_vc % 64) & 1) != 0;
      heads += announced && landing[row].head;
    }
  }
  return heads;
}

unsigned FabricInspection::heads_in_flight(NodeId node, std::size_t port, unsigned vc) const {
  const NodeInterface& interface = fabric_.node_interface(node, port);
  unsigned heads = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    heads += (interface.arrivals[row] >> vc & 1) != 0 && interface.sink[row].head;
  }
  const std::deque<Flit>* const waiting = held(node, port, vc);
  if (waiting == nullptr) return heads;
  const auto is_head = [](const Flit& flit) { return flit.head; };
  return heads + static_cast<unsigned>(std::count_if(waiting->begin(), waiting->end(), is_head));
}

const Packet& FabricInspection::packet(PacketSlot slot) const {
  return fabric_.partitions().packet(slot);
}

unsigned FabricInspection::injection_credits(NodeId node, std::size_t port, unsigned vc) const {
  return fabric_.node_interface(node, port).outputs[vc].credits;
}

bool FabricInspection::receives(NodeId node, std::size_t port, unsigned vc) const {
  return fabric_.node_interface(node, port).vcs[vc].arriving != PacketStore::kNone;
}

std::uint64_t FabricInspection::waiting_flits(NodeId node, std::size_t port) const {
  PacketStore& packets = fabric_.partitions().of(node).packets();
  std::uint64_t flits = 0;
  for (std::size_t c = 0; c < routing().message_classes(); ++c) {
    const SourceQueue& queue = fabric_.node_interface(node, port).queues[c];
    for (PacketSlot slot = queue.front; slot != PacketStore::kNone; slot = packets.next(slot)) {
      const bool leaving = slot == queue.front && queue.remaining != 0;
      flits += leaving ? queue.remaining : packets.packet(slot).length;
    }
  }
  return flits;
}

const NodeInterface* FabricInspection::interface(NodeId node, std::size_t port) const {
  return &fabric_.node_interface(node, port);
}

std::size_t FabricInspection::waiting_packets(NodeId node, std::size_t message_class) const {
  return fabric_.partitions().of(node).waiting(fabric_.partitions().local_index(node),
                                               message_class);
}

VcSet FabricInspection::ways_out(NodeId node, std::size_t port, std::size_t message_class) const {
  const SourceQueue& queue = fabric_.node_interface(node, port).queues[message_class];
  if (queue.front == PacketStore::kNone) return 0;
  if (queue.remaining != 0) return VcSet{1} << queue.vc;
  return queue.vcs & routing().injection_vcs(node, packet(queue.front).destination);
}

std::uint64_t FabricInspection::deliveries_due() const {
  std::uint64_t due = 0;
  for (const auto& partition : fabric_.partitions().all()) due += partition->packets().due();
  for (const auto& partition : fabric_.partitions().all()) due -= partition->pending_returns();
  return due;
}

}  // namespace flitcast
