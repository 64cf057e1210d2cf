// SPDX-License-Identifier: Apache-2.0
#include "network/pins/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "network/kinds/router_options.h"
#include "router/bit_mask.h"
#include "router/invariant.h"

namespace flitcast::pins {

namespace {

Site bare_place(const Topology& topology, const NetworkParams& params, RouterId router) {
  Site place;
  place.router = router;
  place.inputs = static_cast<unsigned>(topology.input_count(router));
  place.outputs = static_cast<unsigned>(topology.output_count(router));
  place.core = params.router;
  place.unit = params.cores->unit;
  place.channels.resize(place.outputs);
  place.connected.resize(place.outputs, false);
  place.from_node.resize(place.inputs, false);
  place.node_ports = topology.node_ports();
  if (place.node_ports > 1) place.further_ports.resize(place.outputs, 0);
  place.priority = params.priority;
  place.topology = &topology;
  return place;
}

void connect(std::vector<Site>& places, Endpoint output, const OutputChannel& channel) {
  Site& place = places[index(output.router)];
  place.channels[index(output.port)] = channel;
  place.connected[index(output.port)] = true;
}

void connect_node(std::vector<Site>& places, const Topology& topology, NodeId node,
                  std::size_t port, const NetworkParams& params) {
  const Attachment& attachment = topology.attachment(node, port);
  const Endpoint& injection = attachment.injection;
  places[index(injection.router)].from_node[index(injection.port)] = !params.stored_injection;
  connect(places, attachment.ejection, channel_to_node(params));
  if (port != 1) return;
  const Endpoint first = topology.attachment(node).ejection;
  places[index(first.router)].further_ports[index(first.port)] = index(attachment.ejection.port);
}

}  // namespace

std::vector<Site> sites_of(const Topology& topology, const NetworkParams& params) {
  std::vector<Site> places;
  for (std::uint32_t r = 0; r < topology.router_count(); ++r) {
    places.push_back(bare_place(topology, params, RouterId{r}));
  }
  for (const Channel& channel : topology.channels()) {
    connect(places, channel.from, channel_behind(channel, params));
  }
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    for (std::size_t port = 0; port < topology.node_ports(); ++port) {
      connect_node(places, topology, NodeId{n}, port, params);
    }
  }
  return places;
}

void require_destination(const Site& place, const Routing& routing, unsigned input, unsigned vc,
                         const Flit& head) {
  if (place.topology == nullptr || routing.multicast()) return;
  if (index(head.destination) >= place.topology->node_count()) {
    broken_invariant("packet for a node outside of the network", input, vc);
  }
}

void require_output(const Site& place, PortId output, VcSet vcs, unsigned input, unsigned vc) {
  const bool there =
      index(output) < place.outputs && (place.connected.empty() || place.connected[index(output)]);
  if (!there) {
    const std::string what = fmt::format(
        "the routing sends by output {} of {}, which leads nowhere", index(output), place.outputs);
    broken_invariant(what.c_str(), input, vc);
  }
  if (vcs == 0 || (vcs & ~vc_range(0, place.core.virtual_channels)) != 0) {
    broken_invariant("the routing allows no virtual channel, or one that there is not", input, vc);
  }
}

namespace {

std::string vc_problems(const Site& place, std::size_t most_vcs) {
  const RouterParams& core = place.core;
  if (core.virtual_channels < 1 || core.virtual_channels > kMaxVirtualChannels) {
    return fmt::format("; {} virtual channels, not 1 to {}", core.virtual_channels,
                       kMaxVirtualChannels);
  }
  const std::size_t ports = std::max(place.inputs, place.outputs);
  const std::size_t vcs = ports << detail::log2_ceil(core.virtual_channels);
  if (vcs <= most_vcs) return "";
  return fmt::format("; {} ports with {} virtual channels, where {} virtual channels a side fit",
                     ports, core.virtual_channels, most_vcs);
}

std::string core_problems(const RouterParams& core) {
  std::string problems;
  if (core.buffer_depth < 1 || core.buffer_depth > 65535) {
    problems += fmt::format("; a buffer depth of {}, not 1 to 65535", core.buffer_depth);
  }
  if (core.pipeline.switch_allocation < 1) problems += "; no cycle of switch allocation";
  if (core.options.any()) {
    problems += "; options such as " + key_of_option(core.options) + ", which pins do not have";
  }
  return problems;
}

std::string topology_problems(const Site& place) {
  if (place.topology == nullptr) return "";
  const Topology& topology = *place.topology;
  if (index(place.router) >= topology.router_count()) {
    return fmt::format("; router {} of {}, which has {}", index(place.router), topology.name(),
                       topology.router_count());
  }
  const std::size_t inputs = topology.input_count(place.router);
  const std::size_t outputs = topology.output_count(place.router);
  if (place.inputs >= inputs && place.outputs >= outputs) return "";
  return fmt::format("; {} inputs and {} outputs, where router {} of {} uses {} and {}",
                     place.inputs, place.outputs, index(place.router), topology.name(), inputs,
                     outputs);
}

std::string port_problems(const Site& place) {
  std::string problems;
  if (place.inputs == 0 || place.outputs == 0) problems += "; no inputs, or no outputs";
  const auto each = [](std::size_t entries, std::size_t ports) {
    return entries == 0 || entries == ports;
  };
  if (!each(place.channels.size(), place.outputs) || !each(place.connected.size(), place.outputs) ||
      !each(place.from_node.size(), place.inputs) ||
      !each(place.further_ports.size(), place.outputs)) {
    problems += "; lists that do not have an entry for each port";
  }
  return problems;
}

}  // namespace

void ModelRouter::require_sound(const Site& place, std::size_t most_vcs) const {
  const std::string problems = port_problems(place) + vc_problems(place, most_vcs) +
                               core_problems(place.core) + topology_problems(place);
  if (problems.empty()) return;
  const std::string text = "no router can stand in this place: " + problems.substr(2);
  SC_REPORT_ERROR(name(), text.c_str());
}

}  // namespace flitcast::pins
