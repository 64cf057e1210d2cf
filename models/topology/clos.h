// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "topology/topology.h"

namespace flitcast {

/// The symmetric Clos network v(m, n, r): r input switches (n x m), m middle switches (r x r) and r
/// output switches (m x n), unidirectional, N = n r nodes. With several levels the middle switches
/// of a level are Clos networks themselves, of r ports a side: 2k + 1 stages for k levels.
///
///   node q --> input switch q / n --> middle j --> output switch q' / n --> node q'
///
/// Output j of an input switch leads to middle j, output k of a middle switch to output switch k;
/// nodes have the lowest ports. Routers are numbered input switches first, then middle by middle,
/// then output switches. Source: Clos, "A study of non-blocking switching networks", Bell System
/// Technical Journal 32 (1953).
class Clos : public Topology {
 public:
  struct Level {
    std::size_t ports = 1;            ///< n: of an input switch towards the outside.
    std::size_t middle_switches = 1;  ///< m.
  };

  /// One of the three-stage networks that it consists of: the whole, or a middle one.
  class Network {
   public:
    const Level& level() const { return clos_->levels_[depth_]; }
    /// r: input switches, and output switches.
    std::size_t switches() const { return clos_->switches_[depth_]; }
    /// Whether its middle switches are networks.
    bool nested() const { return depth_ + 1 < clos_->levels_.size(); }

    RouterId input_switch(std::size_t i) const { return router(i); }
    RouterId output_switch(std::size_t k) const;
    /// Unless nested().
    RouterId middle_switch(std::size_t j) const { return router(switches() + j); }
    /// If nested().
    Network middle_network(std::size_t j) const;
    /// Where port p of a side enters and leaves.
    Endpoint entry(std::size_t port) const;
    Endpoint exit(std::size_t port) const;

   private:
    friend class Clos;
    Network(const Clos& clos, std::size_t depth, std::size_t first)
        : clos_(&clos), depth_(depth), first_(first) {}
    RouterId router(std::size_t offset) const {
      return RouterId{static_cast<std::uint32_t>(first_ + offset)};
    }

    const Clos* clos_;
    std::size_t depth_;
    std::size_t first_;
  };

  /// @param levels    Outermost first, at least one.
  /// @param switches  r of the innermost level; further out r = n r of the next level.
  /// Throws std::invalid_argument unless buildable().
  Clos(std::vector<Level> levels, std::size_t switches);

  static constexpr std::size_t kMostChannels = std::size_t{1} << 26;

  /// Whether all sizes are at least 1, with at most kMaxRouters routers and nodes, kMostChannels
  /// channels and 2^16 ports of a switch.
  static bool buildable(const std::vector<Level>& levels, std::size_t switches);

  const std::vector<Level>& levels() const { return levels_; }
  Network network() const { return {*this, 0, 0}; }

  /// Dimension 0: the ports of a switch, dimension 1: the switches.
  std::vector<std::size_t> node_grid() const override {
    return {levels_.front().ports, switches_.front()};
  }

 private:
  void connect(const Network& network);

  std::vector<Level> levels_;
  std::vector<std::size_t> switches_;  // r of every level.
  std::vector<std::size_t> routers_;   // Of a network of that level, all stages.
};

}  // namespace flitcast
