// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.h"
#include "collective/schedule.h"
#include "config/section.h"
#include "topology/grid.h"
#include "topology/topology.h"

namespace flitcast {

/// An instance on which an algorithm is not defined.
class PreconditionError : public std::invalid_argument {
 public:
  /// The part of the instance that violates the condition, so that a message can point at it.
  enum class Subject { kTopology, kSource, kPorts };

  /// @param reason  For example "recursive tiling is defined on T(5^k,5^k) only, not on T(6,6)".
  /// @param hint  Names the nearest instances that work: "use 5x5 or 25x25".
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

/// A condition of an algorithm, evaluated on an instance: empty if it holds, otherwise the error
/// that states what is wrong and what would work.
using Precondition = std::optional<PreconditionError>;

/// A violated condition on the topology.
inline Precondition violated(
    const std::string& reason, std::string hint,
    PreconditionError::Subject subject = PreconditionError::Subject::kTopology) {
  return PreconditionError(subject, reason, std::move(hint));
}

/// Throws the error of a violated condition.
inline void require(const Precondition& condition) {
  if (condition) throw *condition;
}
/// Throws a violated condition as a ConfigError at a key of the section.
void require(const Section& section, const char* key, const Precondition& condition);

/// The precondition that the source is a node of the topology (kSource).
Precondition source_exists(const Topology& topology, NodeId source);

/// The precondition that `ports` is 1 or kAllPorts, for algorithms with a schedule for either
/// (kPorts).
/// @param algorithm  For the reason: "spanning binomial tree".
Precondition one_or_all_ports(const std::string& algorithm, unsigned ports);

/// The sizes of a grid, dimension 0 first.
using Sizes = std::vector<std::size_t>;

/// The hint that names the instances that work, at least one: "use torus 4x5 or torus 6x5".
std::string use_one_of(const std::string& family, const std::vector<Sizes>& choices);

/// The sizes of the grid, each raised to at least 3: from 3 on, the two directions of a wrapped
/// dimension lead to different neighbours.
Sizes raised_to_three(const Grid& grid);

/// The precondition that the grid wraps in no dimension of size 2 or more.
/// @param what  Begins the reason: "chain halving is defined".
/// @param other  Ends the hint: ", or recursive doubling".
Precondition on_mesh(const Grid& grid, const std::string& what, const std::string& other = "");

/// The precondition that the grid wraps in every dimension and every size is 3 or more.
/// @param what  Begins the reason: "gossip on Hamiltonian cycles".
/// @param nearest  Tori that the algorithm works on, for the hint; the default is the torus with
///   the sizes of raised_to_three().
Precondition on_torus(const Grid& grid, const std::string& what,
                      const std::vector<Sizes>& nearest = {});

/// The precondition that the grid has two dimensions.
/// @param what  Begins the reason, as for on_mesh().
Precondition in_two_dimensions(const Grid& grid, const std::string& what);

/// The precondition that the number of nodes, or ranks, is a power of two; the hint names the
/// nearest powers.
/// @param algorithm  For example "recursive doubling".
/// @param other  An alternative for any number: "algorithm: ring".
Precondition on_power_of_two(const char* algorithm, std::size_t count, const char* other);

/// The most sends of a generated schedule: they take 3 GiB, or 4.5 GiB with paths of one hop, and
/// stay well within the 32 bits in which a schedule counts hops.
inline constexpr std::size_t kMostSends = std::size_t{1} << 28;

/// The precondition that a schedule has at most kMostSends, to be checked before the schedule is
/// built, because building takes the memory.
/// @param hint  Names the largest instance that fits: "use a hypercube of dimension 14 or less".
Precondition few_enough_sends(const Topology& topology, std::size_t sends, const std::string& hint);

/// The sends of a gossip in which every node receives every chunk but its own once.
std::size_t gossip_sends(std::size_t nodes, std::size_t chunks_per_node);

/// The precondition that a gossip has at most kMostSends; the hint names the largest number of
/// nodes: 16384 with one chunk a node, 11585 with two.
Precondition few_enough_gossip_sends(const Topology& topology, std::size_t chunks_per_node);

}  // namespace flitcast
