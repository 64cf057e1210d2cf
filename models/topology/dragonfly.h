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
///
/// Dragonfly+ has l leaves in each group, too: p nodes at each leaf and none at the a routers,
/// which are the spines of the group; every leaf is linked to every spine, and there are no other
/// links within a group. The leaves are the first l routers of a group. Outputs 0 to a - 1 of a
/// leaf lead to the spines and the next p to nodes; outputs 0 to l - 1 of a spine lead to the
/// leaves and the next h to global links. Balanced for uniform traffic with a = l = p = h.
///
/// Sources: Kim, Dally, Scott and Abts, "Technology-Driven, Highly-Scalable Dragonfly Topology",
/// ISCA 2008; the arrangement: Hastings et al., "Comparing Global Link Arrangements for Dragonfly
/// Networks", CLUSTER 2015; leaves: Shpiner et al., "Dragonfly+: Low Cost Topology for Scaling
/// Datacenters", HiPINEB 2017, here with one link between any two groups.
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
    std::size_t routers = 2;       ///< a: routers of each group with global links.
    std::size_t global_links = 1;  ///< h: global links of each router.
    Arrangement arrangement = Arrangement::kAbsolute;
    std::size_t leaves = 0;  ///< l: leaves of each group; 0: nodes are at the a routers.
  };

  /// Throws std::invalid_argument unless buildable().
  explicit Dragonfly(const Params& params);

  /// True if all parameters but `leaves` are at least 1 and neither kMaxRouters nor kMaxPorts is
  /// exceeded.
  static bool buildable(const Params& params);
  /// The size for any parameters, buildable or not.
  static TopologySize size(const Params& params);

  const Params& params() const { return params_; }
  std::size_t groups() const { return params_.routers * params_.global_links + 1; }
  /// The routers of a group, leaves included.
  std::size_t members() const { return params_.leaves + params_.routers; }
  std::size_t group(RouterId router) const { return index(router) / members(); }
  RouterId router_of(NodeId node) const {
    const std::size_t number = index(node) / params_.nodes;
    if (params_.leaves == 0) return to_id<RouterId>(number);
    return to_id<RouterId>(number / hosts() * members() + number % hosts());
  }
  /// The first port of a router for nodes, if it has nodes; no router has other ports behind it.
  std::size_t first_node_port(RouterId router) const {
    return is_leaf(router) ? params_.routers : first_global_port() + params_.global_links;
  }

  /// The output of the global link from one group to another.
  Endpoint gateway(std::size_t from, std::size_t to) const;
  /// The output of the first link from a router to another of its group. Between two leaves, or two
  /// spines, `spread` modulo the number of routers in between says by which of them.
  PortId towards(RouterId from, RouterId to, std::size_t spread = 0) const;
  /// The number of links between two routers of a group.
  std::size_t links_between(RouterId from, RouterId to) const {
    if (from == to) return 0;
    return params_.leaves > 0 && is_leaf(from) == is_leaf(to) ? 2 : 1;
  }

  /// Dimension 0: the nodes of a router, 1: the routers with nodes of a group, 2: the groups. With
  /// minimal routing, a shift in dimension 2 sends all packets of a group over one global link.
  std::vector<std::size_t> node_grid() const override { return {params_.nodes, hosts(), groups()}; }
  /// "local" for the channels within a group, "global" for those between groups.
  std::string channel_class(const Channel& channel) const override {
    return group(channel.from.router) == group(channel.to.router) ? "local" : "global";
  }
  Layout layout() const override { return in_groups(groups(), members()); }

 private:
  void connect(RouterId router);
  /// The routers with nodes of each group.
  std::size_t hosts() const { return params_.leaves > 0 ? params_.leaves : params_.routers; }
  bool is_leaf(RouterId router) const {
    return params_.leaves > 0 && index(router) % members() < params_.leaves;
  }
  std::size_t first_global_port() const {
    return params_.leaves > 0 ? params_.leaves : params_.routers - 1;
  }
  std::size_t group_behind(std::size_t link, std::size_t from) const;
  std::size_t link_towards(std::size_t to, std::size_t from) const;

  Params params_;
};

}  // namespace flitcast
