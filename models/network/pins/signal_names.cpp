// SPDX-License-Identifier: Apache-2.0
#include "network/pins/signal_names.h"

#include <fmt/format.h>

#include <stdexcept>
#include <tuple>

#include "config/wording.h"

namespace flitcast {

SignalGroup signal_group(const std::string& name, const Topology& topology) {
  using Kind = SignalGroup::Kind;
  const std::tuple<Kind, std::string, std::size_t> groups[] = {
      {Kind::kRouter, "router_", topology.router_count()},
      {Kind::kLink, "link_", topology.channels().size()},
      {Kind::kNode, "node_", topology.node_count()}};
  std::string known;
  for (const auto& [kind, prefix, count] : groups) {
    if (count == 0) continue;
    known += fmt::format("{}{}0 to {}{}", known.empty() ? "" : ", ", prefix, prefix, count - 1);
    if (name.compare(0, prefix.size(), prefix) != 0) continue;
    const auto number = number_in<std::size_t>(name.substr(prefix.size()));
    if (number && *number < count) return {kind, *number};
  }
  throw std::invalid_argument(
      fmt::format("no signals \"{}\" among {} of {}", name, known, topology.name()));
}

}  // namespace flitcast
