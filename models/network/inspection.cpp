// SPDX-License-Identifier: Apache-2.0
#include "network/inspection.h"

namespace flitcast {

Inspection::Inspection(const Fabric& fabric) : fabric_(fabric) {
  const Topology& topology = fabric.topology();
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    from_.emplace_back(topology.output_count(RouterId{r}), kNone);
    to_.emplace_back(topology.input_count(RouterId{r}), kNone);
  }
  for (std::uint32_t c = 0; c < topology.channels().size(); ++c) {
    const Channel& channel = topology.channels()[c];
    from_[index(channel.from.router)][index(channel.from.port)] = c;
    to_[index(channel.to.router)][index(channel.to.port)] = c;
  }
}

unsigned Inspection::announced(const RouterNode& node, const std::uint64_t* rows,
                               unsigned vc_index) const {
  unsigned count = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    for (unsigned copy = 0; copy < node.copies; ++copy) {
      const std::uint64_t word = rows[row * node.row_words() + copy * node.words + vc_index / 64];
      count += (word >> (vc_index % 64) & 1) != 0;
    }
  }
  return count;
}

unsigned Inspection::flits_under_way(RouterId router, unsigned input_vc) const {
  const RouterNode& node = fabric_.router_node(router);
  return announced(node, node.arrivals, input_vc);
}

unsigned Inspection::credits_under_way(RouterId router, unsigned output_vc) const {
  const RouterNode& node = fabric_.router_node(router);
  return announced(node, node.credits, output_vc);
}

unsigned Inspection::flits_under_way(NodeId node, std::size_t port, unsigned vc) const {
  unsigned count = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    count += (fabric_.node_interface(node, port).arrivals[row] >> vc & 1) != 0;
  }
  return count;
}

unsigned Inspection::credits_under_way(NodeId node, std::size_t port, unsigned vc) const {
  unsigned count = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    count += (fabric_.node_interface(node, port).credits[row] >> vc & 1) != 0;
  }
  return count;
}

unsigned Inspection::heads_under_way(RouterId router, unsigned input_vc) const {
  const RouterNode& node = fabric_.router_node(router);
  const Flit* const landing = node.landing + node.state->port_of(input_vc) * fabric_.rows();
  unsigned heads = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    const std::uint64_t* const words = node.arrivals + row * node.row_words() + input_vc / 64;
    for (unsigned copy = 0; copy < node.copies; ++copy) {
      const bool announced = (words[copy * node.words] >> (input_vc % 64) & 1) != 0;
      heads += announced && landing[row].head;
    }
  }
  return heads;
}

unsigned Inspection::heads_under_way(NodeId node, std::size_t port, unsigned vc) const {
  const NodeInterface& interface = fabric_.node_interface(node, port);
  unsigned heads = 0;
  for (std::uint32_t row = 0; row < fabric_.rows(); ++row) {
    heads += (interface.arrivals[row] >> vc & 1) != 0 && interface.sink[row].head;
  }
  return heads;
}

const Packet& Inspection::packet(PacketSlot slot) const {
  return fabric_.regions()[PacketStore::region_of(slot)]->packets().packet(slot);
}

}  // namespace flitcast
