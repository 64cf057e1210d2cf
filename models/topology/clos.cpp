// SPDX-License-Identifier: Apache-2.0
#include "topology/clos.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "base/sequences.h"
#include "config/wording.h"
#include "topology/catalog.h"
#include "topology/topology.h"

namespace flitcast {
namespace {

constexpr std::size_t kMostSwitchPorts = std::size_t{1} << 16;

std::size_t output_ports(const Clos::Level& level) {
  return level.output_ports != 0 ? level.output_ports : level.ports;
}

/// The sizes that follow from the levels and the innermost switches.
struct Sizes {
  Sizes(const std::vector<Clos::Level>& levels, std::size_t innermost_inputs,
        std::size_t innermost_outputs)
      : inputs(levels.size(), innermost_inputs),
        outputs(levels.size(), innermost_outputs != 0 ? innermost_outputs : innermost_inputs),
        routers(levels.size()) {
    std::size_t middle = 1;
    for (std::size_t depth = levels.size(); depth-- > 0;) {
      if (depth + 1 < levels.size()) {
        const Clos::Level& inner = levels[depth + 1];
        inputs[depth] = bounded_product({inner.ports, inputs[depth + 1]});
        outputs[depth] = bounded_product({output_ports(inner), outputs[depth + 1]});
      }
      const std::size_t outer = inputs[depth] + outputs[depth];
      middle = outer + bounded_product({levels[depth].middle_switches, middle});
      routers[depth] = middle;
      const std::size_t of_middle = outer + std::min(channels, Clos::kMostChannels);
      channels = levels[depth].middle_switches * of_middle;
    }
  }

  std::vector<std::size_t> inputs;   ///< r1 of every level, at most kMaxRouters + 1.
  std::vector<std::size_t> outputs;  ///< r2 of every level, at most kMaxRouters + 1.
  /// Routers of a network of every level, at most about kMaxRouters^2.
  std::vector<std::size_t> routers;
  std::size_t channels = 0;  ///< Channels of the whole network, at most about kMostChannels^2.
};

clos::MultistageStructure structure_from(const std::vector<Clos::Level>& levels,
                                         const Sizes& sizes) {
  const auto size = [](std::size_t value) { return static_cast<std::uint32_t>(value); };
  clos::MultistageStructure structure;
  for (std::size_t depth = 0; depth < levels.size(); ++depth) {
    const Clos::Level& level = levels[depth];
    structure.levels.push_back({size(level.middle_switches), size(level.ports),
                                size(sizes.inputs[depth]), size(output_ports(level)),
                                size(sizes.outputs[depth])});
  }
  return structure;
}

/// "clos v(13,4,4)".
std::string name_of(const std::vector<Clos::Level>& levels, const Sizes& sizes) {
  std::string name = "clos";
  for (const clos::Structure& level : structure_from(levels, sizes).levels) {
    name += " " + all_replaced(clos::to_text(level), " ", "");
  }
  return name;
}

}  // namespace

bool Clos::buildable(const std::vector<Level>& levels, std::size_t switches,
                     std::size_t output_switches) {
  const auto fits = [](std::size_t size) { return size >= 1 && size <= kMostSwitchPorts; };
  const bool sound = all_of(levels, [&](const Level& level) {
    return fits(level.ports) && fits(level.middle_switches) && fits(output_ports(level));
  });
  if (levels.empty() || !sound || !fits(switches) || output_switches > kMostSwitchPorts) {
    return false;
  }
  const Sizes sizes(levels, switches, output_switches);
  const std::size_t nodes = bounded_product({levels.front().ports, sizes.inputs.front()});
  return nodes <= kMaxRouters && sizes.routers.front() <= kMaxRouters &&
         nodes == bounded_product({output_ports(levels.front()), sizes.outputs.front()}) &&
         sizes.channels <= kMostChannels;
}

Clos::Clos(const std::vector<Level>& levels, std::size_t switches, std::size_t output_switches)
    : Topology(levels.empty() ? "clos"
                              : name_of(levels, Sizes(levels, switches, output_switches))) {
  if (!buildable(levels, switches, output_switches)) {
    throw std::invalid_argument("no such Clos network");
  }
  Sizes sizes(levels, switches, output_switches);
  structure_ = structure_from(levels, sizes);
  routers_ = std::move(sizes.routers);
  for (std::size_t router = 0; router < routers_.front(); ++router) add_router(0, 0);
  const Network whole = network();
  connect(whole);
  for (std::size_t node = 0; node < whole.level().inputs(); ++node) {
    add_node({whole.entry(node), whole.exit(node)});
  }
}

void Clos::connect(const Network& network) {
  const clos::Structure& level = network.level();
  for (std::size_t i = 0; i < level.r1; ++i) {
    set_ports(network.input_switch(i), level.n1, level.m);
  }
  for (std::size_t k = 0; k < level.r2; ++k) {
    set_ports(network.output_switch(k), level.m, level.n2);
  }
  for (std::size_t j = 0; j < level.m; ++j) {
    if (network.nested()) {
      connect(network.middle_network(j));
    } else {
      set_ports(network.middle_switch(j), level.r1, level.r2);
    }
    for (std::size_t i = 0; i < std::max(level.r1, level.r2); ++i) {
      if (i < level.r1) {
        add_channel({Network::port_of(network.input_switch(i), j), network.middle_input(j, i)});
      }
      if (i < level.r2) {
        add_channel({network.middle_output(j, i), Network::port_of(network.output_switch(i), j)});
      }
    }
  }
}

std::size_t Clos::stage(RouterId router) const {
  const std::size_t levels = structure_.levels.size();
  std::size_t number = index(router);  // Within its network of the level.
  for (std::size_t depth = 0; depth < levels; ++depth) {
    const clos::Structure& level = structure_.levels[depth];
    if (number < level.r1) return depth;
    if (number >= routers_[depth] - level.r2) return 2 * levels - depth;
    if (depth + 1 < levels) number = (number - level.r1) % routers_[depth + 1];
  }
  return levels;
}

Layout Clos::layout() const {
  return in_columns(mapped(routers(), [&](RouterId router) { return stage(router); }));
}

namespace {

std::vector<Clos::Level> levels_of(const Section& section) {
  const auto ports = counts_of(section, "ports");
  const auto middle_switches = counts_of(section, "middle_switches");
  if (ports.empty() || ports.size() != middle_switches.size()) {
    section.fail("middle_switches",
                 std::to_string(middle_switches.size()) + " levels, but ports has " +
                     std::to_string(ports.size()),
                 "write a number for each level in both, outermost first");
  }
  return tabulated(ports.size(), [&](std::size_t depth) {
    return Clos::Level{ports[depth], middle_switches[depth]};
  });
}

TopologySize clos_size(const Section& section) {
  const std::vector<Clos::Level> levels = levels_of(section);
  const std::size_t switches = section.count("switches");
  if (!Clos::buildable(levels, switches)) return {};
  const Sizes sizes(levels, switches, switches);
  return {sizes.routers.front(), levels.front().ports * sizes.inputs.front(), sizes.channels};
}

std::unique_ptr<Topology> make_clos(const Section& section) {
  const std::vector<Clos::Level> levels = levels_of(section);
  const std::size_t switches = section.count("switches");
  if (!Clos::buildable(levels, switches)) {
    section.fail("middle_switches",
                 "more than 2^24 switches or nodes, 2^26 links, or 2^16 ports of a switch",
                 "make the network smaller");
  }
  return std::make_unique<Clos>(levels, switches);
}

}  // namespace

TopologyEntry clos_topology() {
  return {
      {"clos",
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
        "ports: [2, 2], middle_switches: [3, 3], switches: 2"}},
      clos_size};
}

}  // namespace flitcast
