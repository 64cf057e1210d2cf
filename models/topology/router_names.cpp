// SPDX-License-Identifier: Apache-2.0
#include "topology/router_names.h"

#include <set>

#include "base/sequences.h"
#include "config/wording.h"

namespace flitcast {

RouterNames::RouterNames(const Topology& topology) : topology_(topology) {
  for (const RouterId r : topology.routers()) {
    names_.push_back(topology.router_name(r));
    numbers_.emplace(names_.back(), r);
  }
}

std::optional<RouterId> RouterNames::find(const std::string& name) const {
  const auto found = numbers_.find(name);
  if (found == numbers_.end()) return std::nullopt;
  return found->second;
}

std::string RouterNames::hint_for(const std::string& name) const {
  // A number is not corrected to another number.
  const bool number = number_in<std::uint64_t>(name) && number_in<std::uint64_t>(names_.front());
  const std::string meant = number ? "" : closest(name, names_);
  return meant.empty() ? "routers are " + names_.front() + " to " + names_.back()
                       : "did you mean " + printable(meant) + "?";
}

std::vector<std::size_t> RouterNames::channels(RouterId from, RouterId to) const {
  const std::vector<Channel>& all = topology_.channels();
  return filtered(numbers(all.size()), [&](std::size_t c) {
    return all[c].from.router == from && all[c].to.router == to;
  });
}

std::string RouterNames::neighbours(RouterId router) const {
  std::set<std::uint32_t> reached;
  for (const Channel& channel : topology_.channels()) {
    if (channel.from.router == router) reached.insert(index(channel.to.router));
  }
  if (reached.empty()) return "none";
  return listed(mapped(reached, [&](std::uint32_t one) { return printable(names_[one]); }));
}

}  // namespace flitcast
