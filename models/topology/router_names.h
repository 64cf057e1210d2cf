// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// Finds routers by the names that users write.
class RouterNames {
 public:
  /// The topology must outlive the names.
  explicit RouterNames(const Topology& topology);

  /// The router of that name, if there is one.
  std::optional<RouterId> find(const std::string& name) const;
  /// A hint for a name that no router has: the closest name, or the range of names.
  std::string hint_for(const std::string& name) const;
  /// The channels from one router to another, as indices into Topology::channels().
  std::vector<std::size_t> channels(RouterId from, RouterId to) const;
  /// The names of the routers to which channels lead from a router: "1 and 8", or "none".
  std::string neighbours(RouterId router) const;

 private:
  const Topology& topology_;
  std::vector<std::string> names_;  // Per router.
  std::unordered_map<std::string, RouterId> numbers_;
};

}  // namespace flitcast
