// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/clos_structure.h"
#include "topology/topology.h"

namespace flitcast {

/// The Clos network v(m, n, r): r input switches (n x m), m middle switches (r x r) and r output
/// switches (m x n), unidirectional, N = n r nodes. With several levels the middle switches of a
/// level are Clos networks themselves, with r inputs and outputs: 2k + 1 stages for k levels. The
/// two sides may differ: v(m, n1, r1, n2, r2) has as many inputs as outputs, n1 r1 = n2 r2.
///
///   node q --> input switch q / n --> middle j --> output switch q' / n --> node q'
///
/// Output j of an input switch leads to middle j, output k of a middle switch to output switch k;
/// nodes have the lowest ports. Routers are numbered input switches first, then middle by middle,
/// then output switches.
/// Source: Clos, "A study of non-blocking switching networks", Bell System Technical Journal 32
/// (1953).
class Clos : public Topology {
 public:
  /// The sizes of a level from which its other sizes follow.
  struct Level {
    std::size_t ports = 1;            ///< n1: inputs of an input switch.
    std::size_t middle_switches = 1;  ///< m.
    std::size_t output_ports = 0;     ///< n2: outputs of an output switch; 0: n1.
  };

  /// A three-stage network in the network: the whole, or a middle network.
  class Network {
   public:
    const clos::Structure& level() const { return clos_->structure_.levels[depth_]; }
    /// True if the middle switches are networks themselves.
    bool nested() const { return depth_ + 1 < clos_->structure_.levels.size(); }

    RouterId input_switch(std::size_t i) const { return router(i); }
    RouterId output_switch(std::size_t k) const {
      return router(clos_->routers_[depth_] - level().r2 + k);
    }
    /// The router of middle switch j, unless nested().
    RouterId middle_switch(std::size_t j) const { return router(level().r1 + j); }
    /// The middle network j, if nested().
    Network middle_network(std::size_t j) const {
      return {*clos_, depth_ + 1, first_ + level().r1 + j * clos_->routers_[depth_ + 1]};
    }
    /// The router ports at which port p of the network starts and ends.
    Endpoint entry(std::size_t port) const {
      return port_of(input_switch(port / level().n1), port % level().n1);
    }
    Endpoint exit(std::size_t port) const {
      return port_of(output_switch(port / level().n2), port % level().n2);
    }
    /// The router ports of input i and output k of middle switch or middle network j.
    Endpoint middle_input(std::size_t j, std::size_t i) const {
      return nested() ? middle_network(j).entry(i) : port_of(middle_switch(j), i);
    }
    Endpoint middle_output(std::size_t j, std::size_t k) const {
      return nested() ? middle_network(j).exit(k) : port_of(middle_switch(j), k);
    }

   private:
    friend class Clos;
    Network(const Clos& clos, std::size_t depth, std::size_t first)
        : clos_(&clos), depth_(depth), first_(first) {}
    RouterId router(std::size_t offset) const { return to_id<RouterId>(first_ + offset); }
    static Endpoint port_of(RouterId router, std::size_t port) {
      return {router, to_id<PortId>(port)};
    }

    const Clos* clos_;
    std::size_t depth_;
    std::size_t first_;
  };

  /// @param levels           Outermost first, at least one.
  /// @param switches         r1 of the innermost level; further out r1 = n1 r1 of the next level.
  /// @param output_switches  r2 of the innermost level; 0: r1.
  /// Throws std::invalid_argument unless buildable().
  Clos(const std::vector<Level>& levels, std::size_t switches, std::size_t output_switches = 0);

  static constexpr std::size_t kMostChannels = std::size_t{1} << 26;

  /// True if all sizes are at least 1, inputs and outputs are equally many, and there are at most
  /// kMaxRouters routers and nodes, kMostChannels channels and 2^16 ports per switch.
  static bool buildable(const std::vector<Level>& levels, std::size_t switches,
                        std::size_t output_switches = 0);

  const clos::MultistageStructure& structure() const { return structure_; }
  Network network() const { return {*this, 0, 0}; }

  /// Dimension 0: the ports of an input switch, dimension 1: the input switches.
  std::vector<std::size_t> node_grid() const override {
    return {structure_.levels.front().n1, structure_.levels.front().r1};
  }
  /// "level_s" for the channels from stage s to the next, counted from the input switches.
  std::string channel_class(const Channel& channel) const override {
    return "level_" + std::to_string(stage(channel.from.router));
  }
  /// One column per stage; the stages of middle networks lie between those of the outer switches.
  Layout layout() const override;

 private:
  void connect(const Network& network);
  /// The stage of a router, 0 for the input switches of the whole network.
  std::size_t stage(RouterId router) const;

  clos::MultistageStructure structure_;
  std::vector<std::size_t> routers_;  // Per level, the number of routers of one network.
};

}  // namespace flitcast
