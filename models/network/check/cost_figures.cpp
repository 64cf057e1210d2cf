// SPDX-License-Identifier: Apache-2.0
#include "base/figures.h"
#include "base/sequences.h"
#include "network/check/inspection.h"

namespace flitcast {

namespace {

struct WiredPorts {
  std::uint64_t inputs = 0;
  std::uint64_t outputs = 0;
};

/// The connected ports of every router; unconnected ports, as at the border of a mesh, cost
/// nothing.
std::vector<WiredPorts> wired_ports(const Topology& topology) {
  std::vector<WiredPorts> routers(topology.router_count());
  const auto wire = [&](const Endpoint& output, const Endpoint& input) {
    ++routers[index(output.router)].outputs;
    ++routers[index(input.router)].inputs;
  };
  for (const Channel& channel : topology.channels()) wire(channel.from, channel.to);
  for (const Attachment& attachment : topology.attachments()) {
    wire(attachment.ejection, attachment.injection);
  }
  return routers;
}

std::uint64_t buffer_slots(const Inspection& network) {
  const NetworkParams& params = network.params();
  std::uint64_t slots = network.topology().attachments().size() * params.router.buffer_depth;
  for (const Channel& channel : network.topology().channels()) {
    slots += channel_behind(channel, params).buffer_depth;
  }
  return slots * params.router.virtual_channels;
}

Figure<Inspection>::Value slots_in(BufferUnit unit) {
  return [unit](const Inspection& network) -> nlohmann::ordered_json {
    if (network.params().cores->unit != unit) return nullptr;
    return buffer_slots(network);
  };
}

}  // namespace

std::uint64_t crosspoints(const Topology& topology) {
  return sum_of<std::uint64_t>(wired_ports(topology), [](const WiredPorts& router) {
    return router.inputs * router.outputs;
  });
}

const FigureTable<Inspection>& cost_figures() {
  static const FigureTable<Inspection> table{
      {"cost.crosspoints", "", "Crosspoints of all router crossbars, without unconnected ports.",
       [](const Inspection& network) { return crosspoints(network.topology()); }},
      {"cost.buffer_packets", "packets", "Capacity of the buffers of all routers.",
       slots_in(BufferUnit::kPacket)},
      {"cost.buffer_flits", "flits", "Capacity of the buffers of all routers.",
       slots_in(BufferUnit::kFlit)},
  };
  return table;
}

}  // namespace flitcast
