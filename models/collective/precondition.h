// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"
#include "topology/grid.h"
#include "topology/topology.h"

namespace flitcast {

/// An instance that an algorithm is not defined for.
class PreconditionError : public std::invalid_argument {
 public:
  /// What of the instance is at fault, so that a message can point at its place.
  enum class Subject { kTopology, kSource, kPorts };

  /// @param reason  "recursive tiling is defined on T(5^k,5^k) only, not on T(6,6)"
  /// @param hint  With the nearest instances that work: "use 5x5 or 25x25"
  PreconditionError(Subject subject, const std::string& reason, std::string hint)
      : std::invalid_argument(reason + "; " + hint),
        subject_(subject),
        reason_(reason),
        hint_(std::move(hint)) {}

  Subject subject() const { return subject_; }
  const std::string& reason() const { return reason_; }
  const std::string& hint() const { return hint_; }

 private:
  Subject subject_;
  std::string reason_;
  std::string hint_;
};

/// Throws PreconditionError (kSource) unless `source` is a node of the topology.
inline void require_source(const Topology& topology, NodeId source) {
  if (index(source) < topology.node_count()) return;
  throw PreconditionError(
      PreconditionError::Subject::kSource,
      "there is no node " + std::to_string(index(source)) + " in " + topology.name(),
      "use a source from 0 to " + std::to_string(topology.node_count() - 1));
}

/// For algorithms of two port models. Throws PreconditionError (kPorts) for others than 1 and
/// kAllPorts: "the spanning binomial tree is a schedule for 1 port or for all ports, not for 3".
inline void require_one_or_all_ports(const std::string& algorithm, unsigned ports) {
  if (ports == 1 || ports == kAllPorts) return;
  throw PreconditionError(PreconditionError::Subject::kPorts,
                          "the " + algorithm +
                              " is a schedule for 1 port or for all ports, not for " +
                              std::to_string(ports),
                          "use one or all");
}

/// The sizes of a grid, dimension 0 first.
using Sizes = std::vector<std::size_t>;

/// "use torus 4x5 or torus 6x5", as hints name the instances that work; at least one.
std::string use_one_of(const std::string& family, const std::vector<Sizes>& choices);

/// The sizes of the grid, each raised to 3 at least: from there on the two directions of a wrapped
/// dimension lead to different neighbours.
Sizes raised_to_three(const Grid& grid);

/// Throws PreconditionError (kTopology) unless the grid wraps in every dimension and every size is
/// 3 or more.
/// @param what  First words of the reason: "gossip on Hamiltonian cycles".
/// @param nearest  Tori that the algorithm works on, for the hint; those of raised_to_three() if
///   it works on all.
void require_torus(const Grid& grid, const std::string& what, const std::vector<Sizes>& nearest);
void require_torus(const Grid& grid, const std::string& what);

/// Throws PreconditionError (kTopology) unless the grid has two dimensions.
/// @param what  First words of the reason, as above.
void require_two_dimensions(const Grid& grid, const std::string& what);

/// Most sends of a generated schedule: 4.5 GiB of them, well within the 32 bits of
/// Message::first_hop.
inline constexpr std::size_t kMostSends = std::size_t{1} << 28;

/// Throws PreconditionError (kTopology) for a schedule of more than kMostSends: to be called before
/// it takes the memory.
/// @param hint  With the largest instance that fits: "use a hypercube of dimension 14 or less".
void require_sends(const Topology& topology, std::size_t sends, const std::string& hint);

/// The sends of a gossip in which every node receives every chunk but its own once.
std::size_t gossip_sends(std::size_t nodes, std::size_t chunks_per_node);

/// require_sends() for such a gossip; the hint names the most nodes that fit: 16384 with one
/// chunk a node, 11585 with two.
void require_gossip_sends(const Topology& topology, std::size_t chunks_per_node);

}  // namespace flitcast
