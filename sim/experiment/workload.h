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

/// "rounds" and "3 (lower bound 3: met)": a line of a summary.
using SummaryLine = std::pair<std::string, std::string>;

/// A workload is what the nodes of an experiment send. It is described by a configuration, joins
/// one network and is played there once.
class Workload {
 public:
  virtual ~Workload() = default;

  // Making: a workload may change how the network is built.

  /// A routing that replaces the one that the configuration names, because routers carry out the
  /// workload; null: none.
  virtual std::shared_ptr<Routing> routing() const { return nullptr; }
  /// Changes the parameters of the network or the ports of its nodes; throws ConfigError if that is
  /// not possible.
  virtual void adapt(NetworkPlan& network) { static_cast<void>(network); }
  /// Makes the source of packets. Throws ConfigError for what does not work on this network. A
  /// network without a routing has a problem that is reported elsewhere.
  virtual void join(const NetworkPlan& network) = 0;

  // Playing, once it has joined.

  virtual PacketSource& source() = 0;
  /// Flits of the longest packet.
  virtual std::uint32_t longest_packet() const = 0;
  /// A lower bound on the flits of a packet; the higher it is, the less memory buffers take.
  virtual std::uint32_t shortest_packet() const { return 1; }
  /// True if it ends and is measured as a whole; others are measured in a window after a warm-up.
  virtual bool ends() const = 0;
  /// True if the workload is complete, given the network's totals.
  virtual bool ended(const Totals& totals) const;
  /// Its cycles, if it is complete and counts them itself.
  virtual std::optional<std::uint64_t> cycles() const { return std::nullopt; }
  /// Throws InvariantError if it is complete and a delivery is missing or wrong, or if the counters
  /// of the network disagree with it.
  virtual void audit(const Network& network) const { static_cast<void>(network); }

  /// Absent for workloads that offer no steady load.
  virtual std::optional<OfferedLoad> offered_load() const { return std::nullopt; }

  // Reporting.

  /// "uniform traffic at 0.1 flits per node and cycle, packets of 5 flits".
  virtual std::string text() const = 0;
  /// The message classes that results distinguish; none: they have no figures by class.
  virtual std::vector<std::string> class_names() const { return {}; }
  /// The name of its only phase in progress reports, if it ends.
  virtual const char* phase() const { return "run"; }
  /// Warnings, such as those about keys that have no effect.
  virtual std::vector<std::string> notes() const { return {}; }
  /// The cycle that results call its completion; absent if there was none.
  virtual std::optional<std::uint64_t> completion_cycle(Cycle last_arrival) const;
  /// Adds the figures of its entry.
  virtual void add_figures(nlohmann::ordered_json& result) const { static_cast<void>(result); }
  /// True if there is a schedule that needs no network: its figures, its text for readers, and its
  /// sends, a line each.
  virtual bool has_schedule() const { return false; }
  virtual nlohmann::ordered_json schedule_figures() const { return {}; }
  virtual std::string schedule_text() const { return {}; }
  virtual void write_schedule(std::ostream& out) const { static_cast<void>(out); }
  /// Lines of a summary that replace latencies and loads; none: those stay.
  virtual std::vector<SummaryLine> summary() const { return {}; }
  /// Lines of the report of `check`.
  virtual std::vector<SummaryLine> findings() const { return {}; }
  /// Further lines of a summary.
  virtual std::vector<SummaryLine> more_summary() const { return {}; }
};

/// The part of an experiment that a workload is made for.
struct WorkloadContext {
  const Configuration& configuration;  ///< Must outlive the workload, as must the topology.
  const Topology& topology;
  NetworkParams params;  ///< Parameters of the network before the workload changes it.
  Capabilities can;      ///< Capabilities of the network in the configuration.
  /// For one of several workloads: the section that describes it instead of `workload`.
  const Section* part = nullptr;

  const Section& section() const {
    return part == nullptr ? configuration.section("workload") : *part;
  }
};

/// Makes what the section `workload` describes; throws ConfigError.
using WorkloadMaker = std::unique_ptr<Workload> (*)(const WorkloadContext& context);

struct WorkloadEntry : CatalogEntry<WorkloadMaker> {
  std::vector<FigureMeaning> figures{};  ///< Only results of this workload have them.
  bool may_lose_packets = false;         ///< A network may drop its packets.
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
