// SPDX-License-Identifier: Apache-2.0
#include "topology/clos.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "topology/catalog.h"
#include "topology/topology.h"

namespace flitcast {
namespace {

constexpr std::size_t kMostSwitchPorts = std::size_t{1} << 16;

Endpoint port_of(RouterId router, std::size_t port) {
  return {router, PortId{static_cast<std::uint16_t>(port)}};
}

// r of every level, each at most kMaxRouters + 1.
std::vector<std::size_t> switches_of(const std::vector<Clos::Level>& levels,
                                     std::size_t innermost) {
  std::vector<std::size_t> switches(levels.size(), innermost);
  for (std::size_t depth = levels.size() - 1; depth-- > 0;) {
    switches[depth] = bounded_product({levels[depth + 1].ports, switches[depth + 1]});
  }
  return switches;
}

// Routers of a network of every level, each at most about kMaxRouters^2.
std::vector<std::size_t> routers_of(const std::vector<Clos::Level>& levels,
                                    const std::vector<std::size_t>& switches) {
  std::vector<std::size_t> routers(levels.size());
  std::size_t middle = 1;
  for (std::size_t depth = levels.size(); depth-- > 0;) {
    middle = 2 * switches[depth] + bounded_product({levels[depth].middle_switches, middle});
    routers[depth] = middle;
  }
  return routers;
}

// Channels of a network of the outermost level, at most about kMostChannels^2.
std::size_t channels_of(const std::vector<Clos::Level>& levels,
                        const std::vector<std::size_t>& switches) {
  std::size_t channels = 0;
  for (std::size_t depth = levels.size(); depth-- > 0;) {
    const std::size_t of_middle = 2 * switches[depth] + std::min(channels, Clos::kMostChannels);
    channels = levels[depth].middle_switches * of_middle;
  }
  return channels;
}

std::string name_of(const std::vector<Clos::Level>& levels, std::size_t innermost) {
  const auto switches = switches_of(levels, innermost);
  std::string name = "clos";
  for (std::size_t depth = 0; depth < levels.size(); ++depth) {
    name += " v(" + std::to_string(levels[depth].middle_switches) + "," +
            std::to_string(levels[depth].ports) + "," + std::to_string(switches[depth]) + ")";
  }
  return name;
}

}  // namespace

bool Clos::buildable(const std::vector<Level>& levels, std::size_t switches) {
  if (levels.empty() || switches < 1 || switches > kMostSwitchPorts) return false;
  const bool sound = std::all_of(levels.begin(), levels.end(), [](const Level& level) {
    const auto fits = [](std::size_t size) { return size >= 1 && size <= kMostSwitchPorts; };
    return fits(level.ports) && fits(level.middle_switches);
  });
  if (!sound) return false;
  const auto all_switches = switches_of(levels, switches);
  return bounded_product({levels.front().ports, all_switches.front()}) <= kMaxRouters &&
         routers_of(levels, all_switches).front() <= kMaxRouters &&
         channels_of(levels, all_switches) <= kMostChannels;
}

Clos::Clos(std::vector<Level> levels, std::size_t switches)
    : Topology(levels.empty() ? "clos" : name_of(levels, switches)), levels_(std::move(levels)) {
  if (!buildable(levels_, switches)) throw std::invalid_argument("no such Clos network");
  switches_ = switches_of(levels_, switches);
  routers_ = routers_of(levels_, switches_);
  for (std::size_t router = 0; router < routers_.front(); ++router) add_router(0, 0);
  connect(network());
  const Network whole = network();
  for (std::size_t node = 0; node < levels_.front().ports * whole.switches(); ++node) {
    add_node({whole.entry(node), whole.exit(node)});
  }
}

void Clos::connect(const Network& network) {
  const Level& level = network.level();
  const std::size_t r = network.switches();
  for (std::size_t i = 0; i < r; ++i) {
    set_ports(network.input_switch(i), level.ports, level.middle_switches);
    set_ports(network.output_switch(i), level.middle_switches, level.ports);
  }
  for (std::size_t j = 0; j < level.middle_switches; ++j) {
    if (network.nested()) {
      connect(network.middle_network(j));
    } else {
      set_ports(network.middle_switch(j), r, r);
    }
    for (std::size_t i = 0; i < r; ++i) {
      const bool nested = network.nested();
      const Endpoint in =
          nested ? network.middle_network(j).entry(i) : port_of(network.middle_switch(j), i);
      const Endpoint out =
          nested ? network.middle_network(j).exit(i) : port_of(network.middle_switch(j), i);
      add_channel({port_of(network.input_switch(i), j), in});
      add_channel({out, port_of(network.output_switch(i), j)});
    }
  }
}

RouterId Clos::Network::output_switch(std::size_t k) const {
  return router(clos_->routers_[depth_] - switches() + k);
}

Clos::Network Clos::Network::middle_network(std::size_t j) const {
  return {*clos_, depth_ + 1, first_ + switches() + j * clos_->routers_[depth_ + 1]};
}

Endpoint Clos::Network::entry(std::size_t port) const {
  return port_of(input_switch(port / level().ports), port % level().ports);
}

Endpoint Clos::Network::exit(std::size_t port) const {
  return port_of(output_switch(port / level().ports), port % level().ports);
}

namespace {

std::unique_ptr<Topology> make_clos(const Section& section) {
  const auto ports = section.integers("ports");
  const auto middle_switches = section.integers("middle_switches");
  if (ports.empty() || ports.size() != middle_switches.size()) {
    section.fail("middle_switches",
                 std::to_string(middle_switches.size()) + " levels, but ports has " +
                     std::to_string(ports.size()),
                 "write a number for each level in both, outermost first");
  }
  std::vector<Clos::Level> levels;
  for (std::size_t depth = 0; depth < ports.size(); ++depth) {
    levels.push_back(
        {static_cast<std::size_t>(ports[depth]), static_cast<std::size_t>(middle_switches[depth])});
  }
  const std::size_t switches = section.count("switches");
  if (!Clos::buildable(levels, switches)) {
    section.fail("middle_switches",
                 "more than 2^24 switches or nodes, 2^26 links, or 2^16 ports of a switch",
                 "make the network smaller");
  }
  return std::make_unique<Clos>(std::move(levels), switches);
}

}  // namespace

TopologyEntry clos_topology() {
  return {"clos",
          "v(m, n, r): n r nodes, r input, m middle and r output switches, unidirectional; nested "
          "for more than three stages.",
          {Param::integers("ports", "ports",
                           "n: nodes of an input switch, and of an output switch. For 5 or more "
                           "stages a list, outermost level first.",
                           1, kMaxRouters),
           Param::integers("middle_switches", "switches",
                           "m; `flitcast clos bound` says how many make the network nonblocking. A "
                           "list of as many numbers as ports.",
                           1, kMaxRouters),
           Param::integer("switches", "switches",
                          "r: input switches, and output switches, of the innermost level.", 1,
                          kMaxRouters)},
          make_clos,
          {"ports: 1, middle_switches: 1, switches: 1", "ports: 2, middle_switches: 3, switches: 2",
           "ports: 3, middle_switches: 5, switches: 4",
           "ports: [2, 2], middle_switches: [3, 3], switches: 2"}};
}

}  // namespace flitcast
