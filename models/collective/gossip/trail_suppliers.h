// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/ids.h"
#include "collective/gossip/loaded_trail.h"
#include "collective/gossip/trail_feeding.h"
#include "topology/grid.h"

namespace flitcast {

/// The links of a torus that trails run over; the others are free to feed nodes beside a trail.
class TrailLinks {
 public:
  /// `torus` must outlive this.
  TrailLinks(const Grid& torus, const std::vector<LoadedTrail>& trails);

  const Grid& torus() const { return torus_; }
  /// Whether a trail runs over the link behind a port, in either direction.
  bool used(NodeId node, PortId port) const { return used_[number(node, port)]; }

 private:
  std::size_t number(NodeId node, PortId port) const;

  const Grid& torus_;
  std::vector<bool> used_;
};

/// Who can feed whom with what circulates on one trail.
class Suppliers {
 public:
  /// `links` must outlive this.
  Suppliers(const TrailLinks& links, const LoadedTrail& trail);

  /// The neighbours of a node that lie on the trail, over links that no trail runs over.
  std::vector<Supplier> of(NodeId fed) const;

 private:
  const TrailLinks& links_;
  std::vector<std::uint32_t> position_;  // One of each node's on the trail, or kOffTrail.
};

}  // namespace flitcast
