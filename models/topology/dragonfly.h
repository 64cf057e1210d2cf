// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// The dragonfly: groups of a routers, all linked to each other, with p nodes and h global links at
/// each router; a h + 1 groups, each with one global link to every other group.
///
///   node = p * router + place     router = a * group + number within the group
///
/// The global links of a group are numbered h * (number within the group) + j; the arrangement says
/// to which group each leads. Outputs 0 to a - 2 lead to the routers of the group that are 1 to
/// a - 1 further on (modulo a), the next h outputs to global links, and the last p outputs to
/// nodes. Input p faces the neighbour that output p leads to.
///
/// Balanced for uniform traffic with a = 2p = 2h.
/// Source: Kim, Dally, Scott and Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology",
/// ISCA 2008; the arrangement: Hastings et al., "Comparing Global Link Arrangements for Dragonfly
/// Networks", CLUSTER 2015.
class Dragonfly : public Topology {
 public:
  /// The group that global link i of group m leads to, modulo the number of groups.
  enum class Arrangement {
    kAbsolute,   ///< i if i < m, else i + 1.
    kRelative,   ///< m + i + 1.
    kCirculant,  ///< m + 1, m - 1, m + 2, m - 2, ...
  };

  struct Params {
    std::size_t nodes = 1;         ///< p: nodes of each router.
    std::size_t routers = 2;       ///< a: routers of each group.
    std::size_t global_links = 1;  ///< h: global links of each router.
    Arrangement arrangement = Arrangement::kAbsolute;
  };

  /// Throws std::invalid_argument unless buildable().
  explicit Dragonfly(const Params& params);

  /// True if all parameters are at least 1 and neither kMaxRouters nor kMaxPorts is exceeded.
  static bool buildable(const Params& params);
  /// The size for any parameters, buildable or not.
  static TopologySize size(const Params& params);

  const Params& params() const { return params_; }
  std::size_t groups() const { return params_.routers * params_.global_links + 1; }
  std::size_t group(RouterId router) const { return index(router) / params_.routers; }
  RouterId router_of(NodeId node) const { return to_id<RouterId>(index(node) / params_.nodes); }

  /// The output of the global link from one group to another.
  Endpoint gateway(std::size_t from, std::size_t to) const;
  /// The output of the link from a router to another of its group.
  PortId towards(RouterId from, RouterId to) const;

  /// Dimension 0: the nodes of a router, 1: the routers of a group, 2: the groups. With minimal
  /// routing, a shift in dimension 2 sends all packets of a group over one global link.
  std::vector<std::size_t> node_grid() const override {
    return {params_.nodes, params_.routers, groups()};
  }
  /// "local" for the channels within a group, "global" for those between groups.
  std::string channel_class(const Channel& channel) const override {
    return group(channel.from.router) == group(channel.to.router) ? "local" : "global";
  }
  Layout layout() const override { return in_groups(groups(), params_.routers); }

 private:
  void connect(RouterId router);
  std::size_t group_behind(std::size_t link, std::size_t from) const;
  std::size_t link_towards(std::size_t to, std::size_t from) const;

  Params params_;
};

}  // namespace flitcast
