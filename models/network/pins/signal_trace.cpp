// SPDX-License-Identifier: Apache-2.0
#include "network/pins/signal_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace flitcast {

SignalGroup signal_group(const std::string& name, const Topology& topology) {
  using Kind = SignalGroup::Kind;
  struct Family {
    Kind kind;
    std::string prefix;
    std::size_t count;
  };
  const std::array<Family, 3> families{{{Kind::kRouter, "router_", topology.router_count()},
                                        {Kind::kLink, "link_", topology.channels().size()},
                                        {Kind::kNode, "node_", topology.node_count()}}};
  std::string known;
  for (const Family& family : families) {
    if (family.count == 0) continue;
    known += fmt::format("{}{}0 to {}{}", known.empty() ? "" : ", ", family.prefix, family.prefix,
                         family.count - 1);
    if (name.compare(0, family.prefix.size(), family.prefix) != 0) continue;
    std::size_t number = 0;
    const char* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data() + family.prefix.size(), end, number);
    if (error == std::errc{} && stop == end && number < family.count) return {family.kind, number};
  }
  throw std::invalid_argument(
      fmt::format("no signals \"{}\" among {} of {}", name, known, topology.name()));
}

}  // namespace flitcast
