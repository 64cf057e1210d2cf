// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "base/destination_groups.h"
#include "base/figures.h"
#include "base/packet_source.h"
#include "config/catalog.h"
#include "config/configuration.h"
#include "network/network.h"
#include "network/network_params.h"
#include "network/network_plan.h"
#include "network/router_entry.h"
#include "routing/routing.h"
#include "sim/experiment/interface.h"
#include "topology/topology.h"

namespace flitcast {

/// A line of a summary, such as "rounds" and "3 (lower bound 3: met)".
using SummaryLine = std::pair<std::string, std::string>;

/// A message of a schedule, or a packet's move in a phase of a permutation, to one receiver.
struct Transmission {
  NodeId from{};
  NodeId to{};
  std::size_t step = 1;  ///< The round, or the phase, from 1.
};

/// A workload determines what the nodes of an experiment send. It is described by a configuration,
/// joins one network and runs there once.
class Workload {
 public:
  virtual ~Workload() = default;

  // The functions below make the workload, which may change how the network is built.

  /// A routing that replaces the configured one, because routers carry out the workload; null:
  /// none.
  virtual std::shared_ptr<Routing> routing() const { return nullptr; }
  /// Changes the parameters of the network or the ports of its nodes; throws ConfigError if that is
  /// not possible.
  virtual void adapt(NetworkPlan& network) { static_cast<void>(network); }
  /// Throws the ConfigError of join() without making the source of packets, which takes time for
  /// collective operations with long messages; only collective operations have a separate check.
  virtual void check_fit(const NetworkPlan& network) const { static_cast<void>(network); }
  /// Makes the source of packets. Throws ConfigError for a workload that cannot run on this
  /// network. A network without a routing has a problem that is reported elsewhere.
  virtual void join(const NetworkPlan& network) = 0;

  // The functions below are for the run, after join().

  virtual PacketSource& source() = 0;
  /// The length of the longest packet in flits.
  virtual std::uint32_t longest_packet() const = 0;
  /// A lower bound on the length of a packet in flits; a higher bound saves memory for buffers.
  virtual std::uint32_t shortest_packet() const { return 1; }
  /// True if the workload ends; it is then measured as a whole. Others are measured in a window
  /// after a warm-up.
  virtual bool ends() const = 0;
  /// True if the workload is complete, given the network's totals.
  virtual bool ended(const Totals&) const { return false; }
  /// Begins the window of a workload that does not end; called between cycles.
  virtual void open_window(Cycle now) { static_cast<void>(now); }
  /// Ends the window before cycle `end`, if it has not ended. Returns true if its figures await no
  /// more than the arrivals of packets created in it; asked during the drain.
  virtual bool finish_window(Cycle) { return true; }
  /// The number of cycles of the workload, if it is complete and counts them itself.
  virtual std::optional<std::uint64_t> cycles() const { return std::nullopt; }
  /// Throws InvariantError if the workload is complete and a delivery is missing or wrong, or if
  /// the counters of the network disagree with it.
  virtual void audit(const Network& network) const { static_cast<void>(network); }

  /// The load of the channels; absent for workloads without a steady load.
  virtual std::optional<OfferedLoad> offered_load() const { return std::nullopt; }

  // The functions below are for reports.

  /// The description, such as "uniform traffic at 0.1 flits per node and cycle, packets of 5
  /// flits".
  virtual std::string text() const = 0;
  /// The message classes that results distinguish; empty: results have no figures by class.
  virtual std::vector<std::string> class_names() const { return {}; }
  /// The name of the only phase in progress reports, for a workload that ends.
  virtual const char* phase() const { return "run"; }
  /// Warnings, such as those about keys that have no effect.
  virtual std::vector<std::string> notes() const { return {}; }
  /// The first cycle after the workload, if it is complete: its cycles. Absent if it never ends.
  virtual std::optional<std::uint64_t> completion_cycle(Cycle last_arrival) const {
    return ends() ? std::optional(cycles().value_or(index(last_arrival) + 1)) : std::nullopt;
  }
  /// Adds the figures specific to this workload.
  virtual void add_figures(ordered_json& result) const { static_cast<void>(result); }
  /// True if the workload has a schedule that needs no network. The functions below give its
  /// figures, its text for readers, and its sends, one per line.
  virtual bool has_schedule() const { return false; }
  virtual ordered_json schedule_figures() const { return {}; }
  virtual std::string schedule_text() const { return {}; }
  /// The phases of the schedule, and the statements that it meets or misses, as JSON; empty: none.
  virtual ordered_json schedule_outline() const { return ordered_json::object(); }
  /// All messages of the schedule, in the order of their steps.
  virtual std::vector<Transmission> transmissions() const { return {}; }
  /// The time of a collective operation on chunks of this many flits by formula, with the waits for
  /// channels that messages of a round share; absent if no formula is known.
  virtual std::optional<std::uint64_t> cycles_by_formula(std::uint32_t) const {
    return std::nullopt;
  }
  virtual void write_schedule(std::ostream& out) const { static_cast<void>(out); }
  /// Lines of a summary that replace latencies and loads; empty: latencies and loads are kept.
  virtual std::vector<SummaryLine> summary() const { return {}; }
  /// Lines that the workload adds to the report of `check`.
  virtual std::vector<SummaryLine> findings() const { return {}; }
  /// Further lines of a summary.
  virtual std::vector<SummaryLine> more_summary() const { return {}; }
};

/// The part of an experiment that is known when a workload is made.
struct WorkloadContext {
  const Configuration& configuration;  ///< Must outlive the workload, as must the topology.
  const Topology& topology;
  NetworkParams params;  ///< The parameters of the network before the workload changes it.
  Capabilities can;      ///< The capabilities of the configured network.
  /// For one of several workloads: the section that describes it in place of `workload`, and its
  /// number from 0.
  const Section* part = nullptr;
  std::size_t number = 0;

  const Section& section() const {
    return part == nullptr ? configuration.section("workload") : *part;
  }
  /// The seed of its random streams, which other workloads do not share.
  std::uint64_t seed() const { return configuration.seed() ^ number * 0x9e3779b97f4a7c15; }
};

/// Makes the workload that the section `workload` describes; throws ConfigError.
using WorkloadMaker = std::unique_ptr<Workload> (*)(const WorkloadContext& context);

struct WorkloadEntry : CatalogEntry<WorkloadMaker> {
  std::vector<FigureMeaning> figures{};  ///< The figures that only results of this workload have.
  bool may_lose_packets = false;         ///< True if a network may drop its packets.
};

/// The workloads that can be named under workload.kind.
Catalog<WorkloadEntry>& workloads();

/// The workload that the configuration names.
const WorkloadEntry& workload_entry(const Configuration& configuration);

/// Returns "1 flit", "2 flits".
template <class Number>
std::string counted(Number count, const char* thing) {
  return std::to_string(count) + " " + thing + (count == 1 ? "" : "s");
}

/// Returns "met", or "missed by 2" if a schedule takes more rounds or steps than its lower bound.
std::string bound_verdict(std::size_t taken, std::size_t bound);

/// Returns a line of the text of a schedule with its line break, such as "  rounds        4".
std::string labelled(const char* label, const std::string& value);

}  // namespace flitcast
