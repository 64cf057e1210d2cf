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
#include "network/realisation.h"
#include "network/router_entry.h"
#include "routing/routing.h"
#include "sim/experiment/interface.h"
#include "topology/topology.h"

namespace flitcast {

/// A network as a configuration describes it, not yet in SystemC time.
struct NetworkPlan {
  const RouterEntry* router = nullptr;
  const Realisation* realisation = &realisations()[0];
  std::unique_ptr<Interface> interface;
  std::unique_ptr<Topology> topology;
  NetworkParams params;
  /// Destinations of the multicasts of a centrally controlled network; null for others.
  std::unique_ptr<DestinationGroups> groups;
  /// The virtual channels of each message class; none: one class, which has all.
  std::vector<VcRange> class_vcs{};
  /// Null for circuits, whose control is among the parameters.
  std::shared_ptr<Routing> routing;
  /// Absent: no waveform is asked for.
  std::optional<SignalTrace> trace{};
};

/// "rounds" and "3 (lower bound 3: met)": a line of a summary.
using SummaryLine = std::pair<std::string, std::string>;

/// What the nodes of an experiment send. It is described by a configuration, joins one network and
/// is played there once.
class Workload {
 public:
  virtual ~Workload() = default;

  // Making. A workload may change how the network is built.

  /// The routing by which routers carry it out, in place of the one that the configuration names;
  /// null: that one.
  virtual std::shared_ptr<Routing> routing() const { return nullptr; }
  /// Changes the parameters of the network or the ports of its nodes; throws ConfigError for a
  /// network that cannot be changed so.
  virtual void adapt(NetworkPlan& network) { static_cast<void>(network); }
  /// Makes the source of packets. Throws ConfigError for what cannot be on this network; a network
  /// whose routing is absent has a problem that is known already.
  virtual void join(const NetworkPlan& network) = 0;

  // Playing, once it has joined.

  virtual PacketSource& source() = 0;
  /// In flits.
  virtual std::uint32_t longest_packet() const = 0;
  /// A bound, which lets buffers take less memory the higher it is.
  virtual std::uint32_t shortest_packet() const { return 1; }
  /// Whether it comes to an end and is measured as a whole; others go on, and are measured in a
  /// window after a warm-up.
  virtual bool ends() const = 0;
  /// Whether it has come to its end in a network that has counted `totals`.
  virtual bool ended(const Totals& totals) const;
  /// Cycles that it took, if it has ended and counts them itself.
  virtual std::optional<std::uint64_t> cycles() const { return std::nullopt; }
  /// Throws InvariantError if it has ended and left anything missing or wrong, or if the network
  /// that it was played on has not counted what it must.
  virtual void audit(const Network& network) const { static_cast<void>(network); }

  /// Absent for workloads that offer no steady load.
  virtual std::optional<OfferedLoad> offered_load() const { return std::nullopt; }

  // Telling.

  /// "uniform traffic at 0.1 flits per node and cycle, packets of 5 flits".
  virtual std::string text() const = 0;
  /// Of message classes, whose packets results tell apart; none: they do not.
  virtual std::vector<std::string> class_names() const { return {}; }
  /// The name of its only phase, for progress, if it ends.
  virtual const char* phase() const { return "run"; }
  /// What a user should know who has given keys that mean nothing here.
  virtual std::vector<std::string> notes() const { return {}; }
  /// The cycle that results call its completion; absent if there was none.
  virtual std::optional<std::uint64_t> completion_cycle(Cycle last_arrival) const;
  /// Adds its own figures, those of its entry.
  virtual void add_figures(nlohmann::ordered_json& result) const { static_cast<void>(result); }
  /// Whether there is a schedule that can be told without a network: its figures, the text for
  /// readers, and its sends, a line each.
  virtual bool has_schedule() const { return false; }
  virtual nlohmann::ordered_json schedule_figures() const { return {}; }
  virtual std::string schedule_text() const { return {}; }
  virtual void write_schedule(std::ostream& out) const { static_cast<void>(out); }
  /// What stands in a summary instead of latencies and loads; none: those.
  virtual std::vector<SummaryLine> summary() const { return {}; }
  /// What `check` tells of it.
  virtual std::vector<SummaryLine> findings() const { return {}; }
  /// What stands in a summary besides.
  virtual std::vector<SummaryLine> more_summary() const { return {}; }
};

/// What a workload is made for.
struct WorkloadContext {
  const Configuration& configuration;  ///< Must outlive the workload, as must the topology.
  const Topology& topology;
  NetworkParams params;  ///< Of the network before the workload changes it.
  /// Of a workload that is one of several: what describes it instead of the section `workload`.
  const Section* part = nullptr;

  const Section& section() const {
    return part == nullptr ? configuration.section("workload") : *part;
  }
};

/// Makes what the section `workload` describes; throws ConfigError.
using WorkloadMaker = std::unique_ptr<Workload> (*)(const WorkloadContext& context);

struct WorkloadEntry : CatalogEntry<WorkloadMaker> {
  std::vector<FigureMeaning> figures{};  ///< That results have of it alone.
  bool may_lose_packets = false;         ///< A network may give its packets up.
};

/// The workloads that a user can name under workload.kind.
Catalog<WorkloadEntry>& workloads();

/// The entry that the configuration names.
const WorkloadEntry& workload_entry(const Configuration& configuration);

/// "1 flit", "2 flits".
std::string counted(std::int64_t count, const char* thing);

/// "  rounds        4\n": a line of the text of a schedule.
std::string labelled(const char* label, const std::string& value);

}  // namespace flitcast
