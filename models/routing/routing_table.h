// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "routing/routing.h"
#include "topology/topology.h"

namespace flitcast {

/// How one of several outputs of an entry of a routing table is chosen.
enum class TableChoice : std::uint8_t {
  kNone,        ///< Every entry has one output: deterministic.
  kWeights,     ///< The source draws a number for each packet: oblivious.
  kPriorities,  ///< The router takes an open output: adaptive.
};

/// A line of a routing table: one output of packets for some destinations at a router, for all of
/// its inputs and VCs or for one.
struct TableLine {
  struct Output {
    PortId port{};
    VcSet vcs = 0;              ///< Not empty.
    std::uint16_t weight = 1;   ///< With TableChoice::kWeights, at least 1.
    std::uint8_t priority = 0;  ///< With TableChoice::kPriorities.
  };

  RouterId router{};
  std::optional<PortId> input{};
  std::optional<VcId> vc{};
  std::vector<bool> destinations;  ///< Per node.
  Output output;
  int number = 0;  ///< The line of the file, for messages.
};

/// Routing by a table of the user. An entry belongs to a router and a destination, and to an input
/// port or VC if lines name one. The lines that name most decide: input before VC before neither,
/// then one destination before several before all. Without a line, packets at the router of their
/// destination leave to it by all VCs.
///
/// Weights: the source draws a number below the least common multiple of the sums of all entries,
/// and every router takes it modulo its own sum, so the draws of a packet at two routers depend on
/// each other. Priorities: a router takes the open output of the highest priority. A packet waits
/// for outputs of the lowest priority of its entry; it enters others only while the buffers behind
/// them have space for it, as Duato's protocol requires. Injection uses all VCs.
/// Source: Duato, "A New Theory of Deadlock-Free Adaptive Routing in Wormhole Networks", IEEE
/// Trans. Parallel and Distributed Systems 4(12), 1993.
class RoutingTable : public OnAllVcs<Routing> {
 public:
  /// The largest number of entries: routers (times inputs times VCs, if lines name them) * nodes.
  static constexpr std::size_t kMaxEntries = std::size_t{1} << 26;
  /// The largest number of values that a source draws from.
  static constexpr std::uint32_t kMostChoices = 5040;

  struct Params {
    std::size_t virtual_channels = 1;
    TableChoice choice = TableChoice::kNone;
    OutputSelection selection = OutputSelection::kFreeCredits;
    std::string file;         ///< For messages.
    bool everywhere = false;  ///< Packets start at all routers, not only at those of nodes.
  };

  /// Throws ConfigError for entries with several outputs that nothing decides between, for tables
  /// that are too large, for packets that reach a router without an entry for them or another
  /// node, and for packets that can come to a place twice. `topology` need not outlive the table.
  RoutingTable(const Topology& topology, const std::vector<TableLine>& lines, const Params& params);

  Route route(const RouteRequest& request) const override;
  bool reads_arrival() const override { return !first_input_.empty(); }
  std::uint32_t most_choices() const override { return choices_; }
  bool adaptive() const override { return params_.choice == TableChoice::kPriorities; }
  OutputSelection selection() const override { return params_.selection; }
  void alternatives(const RouteRequest& request, Alternatives& alternatives) const override;

 private:
  using Output = TableLine::Output;

  /// The outputs of an entry; entries with equal outputs share them.
  struct Outputs {
    std::vector<Output> all;
    std::uint32_t weight = 0;  // The sum.
    std::uint8_t lowest_priority = std::numeric_limits<std::uint8_t>::max();
  };
  class Builder;
  class PathCheck;

  /// The place of a packet, where lines may tell it from others.
  std::size_t place(RouterId router, PortId input, VcId vc) const {
    if (first_input_.empty()) return index(router);
    return (first_input_[index(router)] + index(input)) * params_.virtual_channels + index(vc);
  }
  const Outputs& outputs(const RouteRequest& request) const;

  Params params_;
  std::size_t nodes_;
  std::uint32_t choices_ = 1;
  std::vector<std::size_t> first_input_;  // Per router; empty if no line names an input or VC.
  std::vector<std::uint32_t> entries_;    // Per place and destination, an index into outputs_.
  std::vector<Outputs> outputs_;          // The first is empty: no line.
};

/// Reads a routing table: a list in YAML if the name of the file ends in .yaml or .yml, else CSV.
/// See the manual's guide/routing.md for its columns, and RoutingTable::Params.
/// Throws ConfigError with all problems.
RoutingTable read_routing_table(const std::string& path, const Topology& topology,
                                std::size_t virtual_channels, OutputSelection selection,
                                bool everywhere = false);

/// The table of a routing in the form for a file of that name, which read_routing_table() reads.
/// Throws std::invalid_argument, with the reason, for a routing that no table holds.
std::string routing_table_text(const Topology& topology, const Routing& routing,
                               std::size_t virtual_channels, const std::string& path = "");

}  // namespace flitcast
