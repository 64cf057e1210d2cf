// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/param.h"
#include "config/section.h"
#include "topology/topology.h"

namespace flitcast {

/// A topology with failed links and routers. The nodes of failed routers are removed, and the
/// remaining nodes are renumbered in their order; routers and ports keep their numbers.
///
/// A Faulty topology belongs to no family, so only routings that accept every topology route around
/// the faults.
class Faulty : public Topology {
 public:
  struct Faults {
    std::vector<std::size_t> channels;  ///< Indices into Topology::channels().
    std::vector<RouterId> routers;  ///< Failed routers; all channels from and to them fail, too.
  };

  /// Throws std::invalid_argument for channels and routers that do not exist, and if no node is
  /// left.
  Faulty(std::shared_ptr<const Topology> whole, const Faults& faults);

  /// The topology without faults.
  const Topology& whole() const { return *whole_; }
  /// Per channel of whole(), true if it has failed.
  const std::vector<bool>& failed() const { return failed_; }
  /// The number of a node in whole().
  NodeId number_in_whole(NodeId node) const { return nodes_[index(node)]; }

  /// The node grid of whole(), if no node is removed.
  std::vector<std::size_t> node_grid() const override;
  std::string channel_class(const Channel& channel) const override {
    return whole_->channel_class(channel);
  }
  Layout layout() const override { return whole_->layout(); }
  std::string router_name(RouterId router) const override { return whole_->router_name(router); }

 private:
  std::shared_ptr<const Topology> whole_;
  std::vector<bool> failed_;
  std::vector<NodeId> nodes_;
};

/// Declares the key topology.faults.
Param faults_param();

/// Applies the faults that the section lists to the topology, if any.
/// Throws ConfigError, with all problems, for faults that name no link or router, and for pairs of
/// nodes that the faults separate.
std::unique_ptr<Topology> with_faults(std::unique_ptr<Topology> topology, const Section& section);

/// "node 3 to node 7, node 5 to node 7 and more": the list of pairs in a message. If `pairs` has
/// kEnoughPairs pairs, the last one becomes "and more".
std::string listed_pairs(const std::vector<std::pair<NodeId, NodeId>>& pairs);
/// The largest number of pairs that listed_pairs() needs.
inline constexpr std::size_t kEnoughPairs = 9;

}  // namespace flitcast
