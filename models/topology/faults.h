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

/// A topology some links and routers of which have failed. The nodes of failed routers are gone,
/// and those that are left are numbered anew in their order; routers and ports keep their numbers.
///
/// It belongs to no family, so only routings that work on any topology find ways round the faults.
class Faulty : public Topology {
 public:
  struct Faults {
    std::vector<std::size_t> channels;  ///< Places in Topology::channels().
    std::vector<RouterId> routers;      ///< With all channels from and to them.
  };

  /// Throws std::invalid_argument for places and routers that there are not, and if no node is
  /// left.
  Faulty(std::shared_ptr<const Topology> whole, const Faults& faults);

  /// Before anything failed.
  const Topology& whole() const { return *whole_; }
  /// Per channel of whole(): whether it has failed.
  const std::vector<bool>& failed() const { return failed_; }
  /// The node's number in whole().
  NodeId number_in_whole(NodeId node) const { return nodes_[index(node)]; }

  /// The whole's, as long as no node is gone.
  std::vector<std::size_t> node_grid() const override;
  Layout layout() const override { return whole_->layout(); }
  std::string router_name(RouterId router) const override { return whole_->router_name(router); }

 private:
  std::shared_ptr<const Topology> whole_;
  std::vector<bool> failed_;
  std::vector<NodeId> nodes_;
};

/// The key topology.faults.
Param faults_param();

/// The topology with the faults that the section lists; itself if there are none. Throws
/// ConfigError, with all problems, for faults that name no link or router, and with the pairs of
/// nodes that they cut off from each other.
std::unique_ptr<Topology> with_faults(std::unique_ptr<Topology> topology, const Section& section);

/// "node 3 to node 7, node 5 to node 7 and more": a problem's list of pairs, of which `pairs` are
/// the first; one too many of them stands for all that follow.
std::string listed_pairs(const std::vector<std::pair<NodeId, NodeId>>& pairs);
/// As many are enough for listed_pairs().
inline constexpr std::size_t kEnoughPairs = 9;

}  // namespace flitcast
