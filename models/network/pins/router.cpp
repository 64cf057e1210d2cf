// SPDX-License-Identifier: Apache-2.0
#include "network/pins/router.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/sequences.h"
#include "network/report.h"
#include "router/bit_mask.h"
#include "router/invariant.h"

namespace flitcast::pins {

namespace {

Site bare_site(const Topology& topology, const NetworkParams& params, RouterId router) {
  Site site{router, static_cast<unsigned>(topology.input_count(router)),
            static_cast<unsigned>(topology.output_count(router)), params.router,
            params.cores->unit};
  site.channels.resize(site.outputs);
  site.connected.resize(site.outputs, false);
  site.from_node.resize(site.inputs, false);
  site.node_ports = topology.node_ports();
  if (site.node_ports > 1) site.further_ports.resize(site.outputs, 0);
  site.priority = params.priority;
  site.topology = &topology;
  return site;
}

void connect(std::vector<Site>& sites, Endpoint output, const OutputChannel& channel) {
  Site& site = sites[index(output.router)];
  site.channels[index(output.port)] = channel;
  site.connected[index(output.port)] = true;
}

void connect_node(std::vector<Site>& sites, const Topology& topology, NodeId node, std::size_t port,
                  const NetworkParams& params) {
  const Attachment& attachment = topology.attachment(node, port);
  const Endpoint& injection = attachment.injection;
  sites[index(injection.router)].from_node[index(injection.port)] = !params.stored_injection;
  connect(sites, attachment.ejection, channel_to_node(params));
  if (port != 1) return;
  const Endpoint first = topology.attachment(node).ejection;
  sites[index(first.router)].further_ports[index(first.port)] = index(attachment.ejection.port);
}

}  // namespace

std::vector<Site> sites_of(const Topology& topology, const NetworkParams& params) {
  std::vector<Site> sites = mapped(topology.routers(), [&](const RouterId router) {
    return bare_site(topology, params, router);
  });
  for (const Channel& channel : topology.channels()) {
    connect(sites, channel.from, channel_behind(channel, params));
  }
  for (std::uint32_t n = 0; n < topology.node_count(); ++n) {
    for (std::size_t port = 0; port < topology.node_ports(); ++port) {
      connect_node(sites, topology, NodeId{n}, port, params);
    }
  }
  return sites;
}

void require_destination(const Site& site, const Routing& routing, unsigned input, unsigned vc,
                         const Flit& head) {
  if (site.topology == nullptr || routing.multicast()) return;
  if (index(head.destination) >= site.topology->node_count()) {
    broken_invariant("packet for a node outside of the network", input, vc);
  }
}

void require_output(const Site& site, PortId output, VcSet vcs, unsigned input, unsigned vc) {
  const bool there =
      index(output) < site.outputs && (site.connected.empty() || site.connected[index(output)]);
  if (!there) {
    const std::string what =
        fmt::format("the routing sends by output {} of {}, which is not connected", index(output),
                    site.outputs);
    broken_invariant(what.c_str(), input, vc);
  }
  if (vcs == 0 || (vcs & ~vc_range(0, site.core.virtual_channels)) != 0) {
    broken_invariant("the routing allows no virtual channel, or an unknown one", input, vc);
  }
}

namespace {

std::string vc_problems(const Site& site, std::size_t most_vcs) {
  const RouterParams& core = site.core;
  if (core.virtual_channels < 1 || core.virtual_channels > kMaxVirtualChannels) {
    return fmt::format("; {} virtual channels, not 1 to {}", core.virtual_channels,
                       kMaxVirtualChannels);
  }
  const std::size_t ports = std::max(site.inputs, site.outputs);
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

std::string topology_problems(const Site& site) {
  if (site.topology == nullptr) return "";
  const Topology& topology = *site.topology;
  if (index(site.router) >= topology.router_count()) {
    return fmt::format("; router {} of {}, which has {}", index(site.router), topology.name(),
                       topology.router_count());
  }
  const std::size_t inputs = topology.input_count(site.router);
  const std::size_t outputs = topology.output_count(site.router);
  if (site.inputs >= inputs && site.outputs >= outputs) return "";
  return fmt::format("; {} inputs and {} outputs, where router {} of {} uses {} and {}",
                     site.inputs, site.outputs, index(site.router), topology.name(), inputs,
                     outputs);
}

std::string port_problems(const Site& site) {
  std::string problems;
  if (site.inputs == 0 || site.outputs == 0) problems += "; no inputs, or no outputs";
  const auto each = [](std::size_t entries, std::size_t ports) {
    return entries == 0 || entries == ports;
  };
  if (!each(site.channels.size(), site.outputs) || !each(site.connected.size(), site.outputs) ||
      !each(site.from_node.size(), site.inputs) || !each(site.further_ports.size(), site.outputs)) {
    problems += "; lists that do not have an entry for each port";
  }
  return problems;
}

}  // namespace

void ModelRouter::require_sound(const Site& site, std::size_t most_vcs) const {
  const std::string problems = port_problems(site) + vc_problems(site, most_vcs) +
                               core_problems(site.core) + topology_problems(site);
  if (problems.empty()) return;
  report_error("pins/site", name(), "a router cannot be built at this site: " + problems.substr(2));
}

}  // namespace flitcast::pins
