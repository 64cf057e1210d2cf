// SPDX-License-Identifier: Apache-2.0
#include "network/router_place.h"

#include "network/fabric.h"

namespace flitcast {

namespace {

void describe_channels(const Fabric& fabric, pins::Place& place) {
  for (const Channel& channel : fabric.topology().channels()) {
    if (channel.from.router != place.router) continue;
    place.channels[index(channel.from.port)] = fabric.channel_behind(channel);
    place.connected[index(channel.from.port)] = true;
  }
}

void describe_node_port(const Fabric& fabric, const Attachment& attachment, pins::Place& place) {
  if (attachment.injection.router == place.router && !fabric.params().stored_injection) {
    place.from_node[index(attachment.injection.port)] = true;
  }
  if (attachment.ejection.router != place.router) return;
  place.channels[index(attachment.ejection.port)] = fabric.channel_to_node();
  place.connected[index(attachment.ejection.port)] = true;
}

void describe_nodes(const Fabric& fabric, pins::Place& place) {
  const Topology& topology = fabric.topology();
  place.node_ports = topology.node_ports();
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    for (std::size_t port = 0; port < place.node_ports; ++port) {
      describe_node_port(fabric, topology.attachment(NodeId{n}, port), place);
    }
  }
  const std::uint16_t* const further = fabric.router_node(place.router).further_ports;
  if (further != nullptr) place.further_ports.assign(further, further + place.outputs);
}

}  // namespace

pins::Place place_of(const Fabric& fabric, RouterId router) {
  pins::Place place;
  place.router = router;
  place.inputs = static_cast<unsigned>(fabric.topology().input_count(router));
  place.outputs = static_cast<unsigned>(fabric.topology().output_count(router));
  place.core = fabric.params().router;
  place.unit = fabric.params().cores->unit;
  place.channels.resize(place.outputs);
  place.connected.resize(place.outputs, false);
  place.from_node.resize(place.inputs, false);
  describe_channels(fabric, place);
  describe_nodes(fabric, place);
  place.priority = fabric.params().priority;
  place.packet_id = [&fabric](const Flit& head) {
    return fabric.regions()[PacketStore::region_of(head.packet)]->packets().packet(head.packet).id;
  };
  return place;
}

}  // namespace flitcast
