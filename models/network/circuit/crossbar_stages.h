// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "base/flit.h"
#include "base/ids.h"
#include "network/fabric/channel_outputs.h"
#include "router/crossbar_core.h"
#include "topology/topology.h"

namespace flitcast {

/// All crossbars of a circuit-switched network, the links between them, and the flits on the links.
///
///   inject(t) --> wire --> crossbar --> link --> crossbar --> ... --> link --> take_arrivals()
///                   t                 t + t_s             t + 2 t_s          t + (2k + 1) t_s
///
/// A link is represented by its FlitOutput, as in the other networks: a flit is written to the row
/// that the next switch reads t_s cycles later, together with the bit that wakes the switch in that
/// cycle. Within a cycle no switch reads what another writes, so their order does not matter. Time
/// of a cycle: O(copies + switches / 64); idle switches cost nothing.
class CrossbarStages {
 public:
  /// Makes a crossbar for every router of the topology, with the same number.
  CrossbarStages(const Topology& topology, std::uint32_t stage_cycles);
  CrossbarStages(const CrossbarStages&) = delete;
  CrossbarStages& operator=(const CrossbarStages&) = delete;

  CrossbarCore& crossbar(std::uint32_t number) { return switches_[number].core; }
  const CrossbarCore& crossbar(std::uint32_t number) const { return switches_[number].core; }
  std::size_t size() const { return switches_.size(); }

  /// Puts a flit on the wire from a node in cycle `now`; must precede tick(now).
  void inject(std::uint32_t node, const Flit& flit, Cycle now) {
    injections_[node].send(index(now), row_mask_, 0, flit);
  }
  /// Takes the flits that have reached nodes and calls visit(node, flit) in rising order of nodes.
  template <class Visit>
  void take_arrivals(Cycle now, Visit&& visit) {
    const std::size_t row = row_of(now);
    const std::size_t nodes = switches_.size();
    std::uint64_t& wake = wakes(nodes / 64, row);
    const std::uint64_t bit = std::uint64_t{1} << nodes % 64;
    if ((wake & bit) == 0) return;
    wake &= ~bit;
    Receiver& sinks = receivers_[nodes];
    for (std::size_t w = 0; w < sinks.words; ++w) {
      SetWord rest = std::exchange(sinks.arrivals[w * (row_mask_ + 1) + row], 0);
      for (; rest != 0; rest &= rest - 1) {
        const std::size_t node = w * 64 + static_cast<std::size_t>(__builtin_ctzll(rest));
        visit(static_cast<std::uint32_t>(node), sinks.flits[node * (row_mask_ + 1) + row]);
      }
    }
  }

  /// Moves the flits at switches through them; returns the number of switches that had flits.
  std::uint64_t tick(Cycle now);

  /// The link behind an output of a switch.
  const FlitOutput& link(Endpoint output) const {
    return switches_[index(output.router)].links[index(output.port)];
  }
  /// The wire from a node to its input switch.
  const FlitOutput& injection(std::uint32_t node) const { return injections_[node]; }

  // The functions below are for audits and observers, between two cycles.

  /// True if a flit reaches the far end of this output's link in cycle `due`, which is at most t_s
  /// - 1 cycles after the next cycle.
  bool expected(Endpoint output, Cycle due) const;
  /// The flit for which expected() is true.
  const Flit& flit_due(Endpoint output, Cycle due) const { return link(output).ring[row_of(due)]; }
  /// Flits on all links.
  std::uint64_t flits_on_links() const;

 private:
  /// A receiver of flits: a switch or, as the last receiver, all nodes together.
  struct Receiver {
    std::vector<SetWord> arrivals;  ///< Ports with a flit due: for each word, one entry per row.
    std::vector<Flit> flits;        ///< For each port, one flit per row.
    std::size_t words = 0;          ///< Words of the set of ports in one row.
  };
  struct Switch {
    CrossbarCore core;
    std::vector<FlitOutput> links;
  };

  void add_receiver(std::size_t ports);
  /// Makes the output of a link to a port of a receiver; the ports of receiver size() are the
  /// nodes.
  FlitOutput end_at(std::size_t receiver, std::size_t port, std::uint32_t latency);
  FlitOutput& link_of(Endpoint output) {
    return switches_[index(output.router)].links[index(output.port)];
  }
  void tick_switch(std::size_t number, Cycle now);
  std::size_t row_of(Cycle cycle) const { return index(cycle) & row_mask_; }
  std::uint64_t& wakes(std::size_t word, std::size_t row) {
    return wakes_[word * (row_mask_ + 1) + row];
  }

  const std::uint32_t row_mask_;
  std::vector<Switch> switches_;
  std::vector<Receiver> receivers_;
  std::vector<FlitOutput> injections_;
  std::size_t wake_words_;
  // Receivers with a flit due: for each word, one entry per row.
  std::vector<std::uint64_t> wakes_;
  std::vector<SetWord> valid_;  // Ports of a switch with a flit in this cycle.
};

}  // namespace flitcast
