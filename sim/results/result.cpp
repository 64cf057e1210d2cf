// SPDX-License-Identifier: Apache-2.0
#include "sim/results/result.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <utility>

#include "base/sequences.h"
#include "sim/measure/flow_error.h"
#include "topology/channel_numbering.h"

namespace flitcast {

namespace {

/// The largest number of routers whose layout a result has.
constexpr std::size_t kMostRouters = 1024;

/// The data from which a result is written.
struct Report {
  const Measurement& measurement;
  const Configuration& configuration;
  const Model& model;
  double wall_seconds;

  const PartitionProbe& packets() const { return *measurement.packets; }
  const Topology& topology() const { return model.topology(); }
};

std::string host_name() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown";
}

const FigureTable<Report> kRunFigures{
    {"topology.name", "(text)", "Family and size of the topology.",
     [](const auto& r) { return r.topology().name(); }},
    {"topology.nodes", "nodes", "Nodes that send and receive.",
     [](const auto& r) { return r.topology().node_count(); }},
    {"topology.routers", "routers", "Routers, or switches.",
     [](const auto& r) { return r.topology().router_count(); }},
    {"topology.channels", "channels", "Channels from router to router, each one way.",
     [](const auto& r) { return r.topology().channels().size(); }},
    {"status", "(text)",
     "ok, saturated, not_steady, unmeasured, imprecise, deadlock or stopped; `run --help` says "
     "when.",
     [](const auto& r) { return to_text(r.measurement.verdict.status); }},
    {"reason", "(text)", "Why it is saturated, not steady, unmeasured or imprecise.",
     [](const auto& r) {
       const std::string& reason = r.measurement.verdict.reason;
       return reason.empty() ? ordered_json() : ordered_json(reason);
     }},
    {"notes", "(list)", "Notes on how to read the figures, and on values that were rounded.",
     [](const auto& r) {
       std::vector<std::string> notes = r.configuration.notes();
       append(notes, r.measurement.verdict.notes);
       return notes.empty() ? ordered_json() : ordered_json(notes);
     }},
    {"complete", "(true or false)", "True if the run ended by itself, saturated or not.",
     [](const auto& r) { return r.measurement.complete(); }},
    {"cycles", "cycles", "Simulated cycles.", [](const auto& r) { return r.measurement.cycles; }},
    {"window_cycles", "cycles",
     "Length of the measured window; of a workload that ends, the whole run.",
     [](const auto& r) { return r.measurement.window_cycles; }},
    {"completion_cycle", "cycles",
     "Cycles until a workload that ends was complete: the cycle after that of its last arrival, or "
     "after that in which its nodes end to compute.",
     [](const auto& r) {
       if (!r.measurement.complete()) return ordered_json();
       return figure_of(r.model.workload->completion_cycle(r.packets().last_arrival()));
     }},
};

const FigureTable<Report> kCountFigures{
    {"packets.created", "packets",
     "Packets created in the whole run; a multicast counts once, whatever its receivers.",
     [](const auto& r) { return r.measurement.totals.packets_created; }},
    {"packets.copies", "copies",
     "Copies due from the packets created, one for each receiver; absent without multicasts.",
     [](const auto& r) -> ordered_json {
       const Totals& totals = r.measurement.totals;
       if (totals.receivers == totals.packets_created) return nullptr;
       return totals.receivers;
     }},
    {"packets.combined", "copies", "Copies merged into others by combining routers.",
     [](const auto& r) -> ordered_json {
       const std::uint64_t combined = r.measurement.totals.receivers_combined;
       return combined == 0 ? ordered_json() : ordered_json(combined);
     }},
    {"packets.delivered", "copies",
     "Copies that arrived in the whole run, one for each receiver of a packet.",
     [](const auto& r) { return r.measurement.totals.packets_delivered; }},
    {"flits.injected", "flits", "Flits that entered the network in the whole run.",
     [](const auto& r) { return r.measurement.totals.flits_injected; }},
    {"flits.ejected", "flits", "Flits that left the network in the whole run.",
     [](const auto& r) { return r.measurement.totals.flits_ejected; }},
    {"flits.hops", "flits", "Routers crossed by flits in the whole run, summed over all flits.",
     [](const auto& r) { return r.measurement.flit_hops; }},
};

const FigureTable<Loads> kLoadFigures{
    {"offered_flits_per_node_cycle", "flits per node and cycle", "Flits created in the window.",
     &Loads::offered},
    {"accepted_flits_per_node_cycle.mean", "flits per node and cycle",
     "Flits ejected in the window.", &Loads::accepted},
    {"accepted_flits_per_node_cycle.worst_node", "flits per node and cycle",
     "Flits ejected in the window at the node that received fewest.", &Loads::worst_node},
    {"accepted_flits_per_node_cycle.fairness", "",
     "Jain's index of the flits that nodes received: 1 if all received the same, 1/n if one of n "
     "received everything; with measure.fairness.",
     [](const auto& l) { return figure_of(l.fairness); }},
};

const FigureTable<QueueGrowth::Growth> kBacklogFigures{
    {"backlog.growth", "flits",
     "Flits created in the window minus flits of packets that arrived in it.",
     [](const auto& g) { return g.whole.growth; }},
    {"backlog.chance", "flits", "Growth that chance explains; more is overload.",
     [](const auto& g) { return g.whole.chance; }},
    {"backlog.source.node", "node",
     "The source whose backlog growth exceeds chance most, or comes closest to it.",
     [](const auto& g) { return g.source.node; }},
    {"backlog.source.growth", "flits", "Growth of the backlog of that source.",
     [](const auto& g) { return g.source.growth; }},
    {"backlog.source.chance", "flits", "Growth at that source that chance explains.",
     [](const auto& g) { return g.source.chance; }},
    {"backlog.destination.node", "node",
     "The destination whose backlog growth exceeds chance most, or comes closest to it.",
     [](const auto& g) { return figure_of(g.destination, &QueueGrowth::Part::node); }},
    {"backlog.destination.growth", "flits", "Growth of the backlog for that destination.",
     [](const auto& g) { return figure_of(g.destination, &QueueGrowth::Part::growth); }},
    {"backlog.destination.chance", "flits", "Growth for that destination that chance explains.",
     [](const auto& g) { return figure_of(g.destination, &QueueGrowth::Part::chance); }},
    {"backlog.flow.source", "node", "Source of the flow whose backlog has grown most.",
     [](const auto& g) { return figure_of(g.flow, &QueueGrowth::Flow::source); }},
    {"backlog.flow.destination", "node", "Destination of the flow whose backlog has grown most.",
     [](const auto& g) { return figure_of(g.flow, &QueueGrowth::Flow::destination); }},
    {"backlog.flow.growth", "flits", "Growth of the backlog of that flow.",
     [](const auto& g) { return figure_of(g.flow, &QueueGrowth::Flow::flits); }},
    {"backlog.collapse.cycle", "cycle",
     "Cycle until which a network that is overloaded now had kept up.",
     [](const auto& g) { return figure_of(g.collapse, &QueueGrowth::Collapse::cycle); }},
    {"backlog.collapse.offered_flits_per_node_cycle", "flits per node and cycle",
     "Flits created from that cycle to the end of the window.",
     [](const auto& g) { return figure_of(g.collapse, &QueueGrowth::Collapse::offered); }},
    {"backlog.collapse.accepted_flits_per_node_cycle", "flits per node and cycle",
     "Flits ejected from that cycle to the end of the window.",
     [](const auto& g) { return figure_of(g.collapse, &QueueGrowth::Collapse::accepted); }},
};

/// The mean number of routers that packets crossed; null if none arrived.
ordered_json hops_of(const LatencyProbe& latency) {
  return latency.count() > 0 ? ordered_json(latency.mean_hops()) : ordered_json();
}

/// Flits per node and cycle of a class; null if no cycle was measured.
ordered_json rate_of(std::uint64_t flits, const ClassCount& one) {
  if (one.node_cycles <= 0) return nullptr;
  return static_cast<double>(flits) / one.node_cycles;
}

const FigureTable<ClassCount> kClassFigures{
    {"name", "", "Name of the class.", &ClassCount::name},
    {"packets.created", "packets", "Packets of the class created in the whole run.",
     [](const auto& c) { return c.packets.packets_created(); }},
    {"packets.delivered", "packets", "Packets of the class that arrived in the whole run.",
     [](const auto& c) { return c.packets.packets_delivered(); }},
    {"offered_flits_per_node_cycle", "flits per node and cycle",
     "Flits of the class created in the window; the classes add up to the total.",
     [](const auto& c) { return rate_of(c.packets.flits_offered(), c); }},
    {"accepted_flits_per_node_cycle", "flits per node and cycle",
     "Flits of packets of the class whose tails arrived in the window.",
     [](const auto& c) { return rate_of(c.packets.flits_accepted(), c); }},
    {"hops_mean", "routers",
     "Mean number of routers crossed by packets of the class created in the window.",
     [](const auto& c) { return hops_of(c.packets.latency()); }},
};

ordered_json classes_of(const Measurement& measurement) {
  return mapped(measurement.classes, [](const ClassCount& one) {
    ordered_json entry;
    kClassFigures.write(one, entry);
    const LatencyProbe& latency = one.packets.latency();
    if (latency.count() > 0) latency_figures().write({latency, one.interval}, entry);
    return entry;
  });
}

const FigureTable<Report> kClassesFigure{
    {"classes", "(list)", "The classes of a workload with several, in the order of the file.",
     [](const auto& r) {
       return r.measurement.classes.empty() ? ordered_json() : classes_of(r.measurement);
     }},
};

/// A channel with its load.
struct LoadedLink {
  const Topology& topology;
  const ChannelNumbering& channels;
  const LinkLoad& load;
  const Series* series;  ///< Null if there is none.

  bool from_router() const { return !channels.is_injection(load.channel); }
  bool to_router() const { return !channels.is_ejection(load.channel); }
  std::optional<Endpoint> begin() const {
    return from_router() ? std::optional(channels.begin(load.channel)) : std::nullopt;
  }
  std::optional<Endpoint> end() const {
    return to_router() ? std::optional(channels.end(load.channel)) : std::nullopt;
  }
};

const FigureTable<LoadedLink> kLinkFigures{
    {"kind", "", "router: between two routers; injection: from a node; ejection: to a node.",
     [](const auto& l) {
       return !l.from_router() ? "injection" : l.to_router() ? "router" : "ejection";
     }},
    {"node", "node", "The node at one end of an injection or ejection channel.",
     [](const auto& l) {
       const bool has_node = !l.from_router() || !l.to_router();
       return has_node ? ordered_json(index(l.channels.node(l.load.channel))) : ordered_json();
     }},
    {"from", "router", "Number of the router at which the channel starts; absent for injection.",
     [](const auto& l) { return figure_of(l.begin(), &Endpoint::router); }},
    {"port", "", "Output port of that router.",
     [](const auto& l) { return figure_of(l.begin(), &Endpoint::port); }},
    {"to", "router", "Number of the router at which the channel ends; absent for ejection.",
     [](const auto& l) { return figure_of(l.end(), &Endpoint::router); }},
    {"latency", "cycles", "Latency of the channel; absent if it is link.latency.",
     [](const auto& l) -> ordered_json {
       if (!l.from_router() || !l.to_router()) return nullptr;
       const std::uint32_t own = l.topology.channels()[l.load.channel].latency;
       return own == 0 ? ordered_json() : ordered_json(own);
     }},
    {"flits", "flits", "Flits sent on the channel in the window.",
     [](const auto& l) { return l.load.flits; }},
    {"load", "", "Share of the window in which flits occupied the channel.",
     [](const auto& l) { return l.load.load; }},
    {"series", "flits", "Flits sent on the channel in each span of the series, if there is one.",
     [](const auto& l) -> ordered_json {
       if (l.series == nullptr || l.series->moments.front().links.empty()) return nullptr;
       return l.series->of_link(l.load.channel);
     }},
};

ordered_json layout(const Report& report) {
  if (report.topology().router_count() > kMostRouters) return nullptr;
  return ordered_json(mapped(report.topology().layout(), [&](const Position& at) {
    return ordered_json::array({at.x, at.y});
  }));
}

ordered_json links(const Report& report) {
  if (!report.measurement.loads) return nullptr;
  const ChannelNumbering channels(report.topology());
  const auto& series = report.measurement.series;
  return kLinkFigures.list(mapped(report.measurement.links, [&](const LinkLoad& load) {
    return LoadedLink{report.topology(), channels, load, series ? &*series : nullptr};
  }));
}

const FigureTable<Report> kPathFigures{
    {"hops_mean", "routers", "Mean number of routers crossed by packets created in the window.",
     [](const auto& r) { return hops_of(r.packets().latency()); }},
    {"distances", "(list)",
     "Latencies by the number of routers crossed, in rising order; with measure.distances.",
     [](const auto& r) -> ordered_json {
       const DistanceProbe* const probe = r.packets().distances();
       return probe == nullptr ? ordered_json() : distance_figures().list(probe->by_hops());
     }},
    {"layout", "(list)",
     "Positions of the routers in drawings, [x, y] by number; absent beyond 1024 routers.", layout},
    {"links", "(list)", "The most loaded channels, at most 1024, in falling order of load.", links},
};

/// Converts the figures of a result from cycles and flits to physical units.
struct Physical {
  const ordered_json& result;
  const Scale& scale;

  /// A figure in cycles as nanoseconds; null if the result does not have it.
  ordered_json time(const char* figure) const {
    const ordered_json cycles = figure_at(result, figure);
    return cycles.is_null() ? cycles : ordered_json(cycles.get<double>() / *scale.clock_ghz);
  }
  /// A rate in flits per cycle as GB/s, 10^9 bytes a second; null without a flit width.
  ordered_json rate_of(const char* figure) const {
    const ordered_json flits = figure_at(result, figure);
    if (flits.is_null() || !scale.flit_bits) return nullptr;
    return flits.get<double>() * *scale.flit_bits / 8 * *scale.clock_ghz;
  }
};

const FigureTable<Physical> kPhysicalFigures{
    {"physical.clock_ghz", "GHz", "The clock; without it there are no physical figures.",
     [](const auto& p) { return *p.scale.clock_ghz; }},
    {"physical.time_ns", "ns",
     "Time of the simulated cycles, or until the end of a workload that has one.",
     [](const auto& p) {
       return p.time(p.result.contains("completion_cycle") ? "window_cycles" : "cycles");
     }},
    {"physical.latency_ns.mean", "ns", "Mean latency.",
     [](const auto& p) { return p.time("latency_cycles.mean"); }},
    {"physical.latency_ns.p50", "ns", "Median latency.",
     [](const auto& p) { return p.time("latency_cycles.p50"); }},
    {"physical.latency_ns.p99", "ns", "Latency that 99 % of the packets do not exceed.",
     [](const auto& p) { return p.time("latency_cycles.p99"); }},
    {"physical.latency_ns.max", "ns", "The longest latency.",
     [](const auto& p) { return p.time("latency_cycles.max"); }},
    {"physical.offered_gb_per_s", "GB/s per node", "Offered load; with a flit width.",
     [](const auto& p) { return p.rate_of("offered_flits_per_node_cycle"); }},
    {"physical.accepted_gb_per_s", "GB/s per node", "Accepted load; with a flit width.",
     [](const auto& p) { return p.rate_of("accepted_flits_per_node_cycle.mean"); }},
};

void add_physical(const Report& report, ordered_json& result) {
  const Scale& scale = report.configuration.scale();
  if (!scale.clock_ghz) return;
  kPhysicalFigures.write({result, scale}, result);
}

const FigureTable<BlockedVc> kDeadlockFigures{
    {"router", "router", "Router in which a packet waits.", &BlockedVc::router},
    {"port", "", "Input port at which it waits.", &BlockedVc::input},
    {"vc", "", "Virtual channel of that input.", &BlockedVc::vc},
    {"packet", "", "Source of the packet and its number among the packets of that node, from 0.",
     [](const BlockedVc& vc) { return packet_name(vc.packet); }},
    {"destination", "node", "Destination of the packet.", &BlockedVc::destination},
};

const FigureTable<Report> kEndFigures{
    {"deadlock", "(list)", "Packets that wait for each other in a cycle, each for the next one.",
     [](const auto& r) {
       const std::vector<BlockedVc>& cycle = r.measurement.deadlock_cycle;
       return cycle.empty() ? ordered_json() : kDeadlockFigures.list(cycle);
     }},
    {"checksum", "(text)", "Hash of all arrivals: packet, cycle and node. Equal for equal runs.",
     [](const auto& r) { return r.packets().checksum().text(); }},
};

const FigureTable<Report> kFlowFigures{
    {"flow.cycles", "cycles", "With --both: the completion cycle at the flow level.",
     [](const auto& r) { return figure_of(r.measurement.flow_cycles); }},
    {"flow.error_percent", "%", "With --both: its error, of the completion cycle of flits.",
     [](const auto& r) -> ordered_json {
       const auto& flows = r.measurement.flow_cycles;
       const auto flits = r.model.workload->completion_cycle(r.packets().last_arrival());
       if (!r.measurement.complete() || !flows || !flits) return nullptr;
       return 100 * (static_cast<double>(*flows) / static_cast<double>(*flits) - 1);
     }},
};

std::optional<FlowError> flow_error_in(const Report& report) {
  if (report.model.network.implementation != &flow_level()) return std::nullopt;
  const Section& workload = report.configuration.section("workload");
  return flow_error(workload.has("operation") ? workload.text("operation") : "");
}

/// See passing_members().
const FigureTable<Report> kPassingFigures{
    {"wall_seconds", "seconds", "Wall-clock time of the run.", &Report::wall_seconds},
    {"host", "(text)", "Machine on which it ran.", [](const Report&) { return host_name(); }},
};

/// A group of figures in results: writes those that apply, and lists what they mean.
struct Part {
  std::function<void(const Report& report, ordered_json& result)> write;
  std::function<std::vector<FigureMeaning>()> meanings;
};

/// The figures of the object that `find` returns, as a pointer or an optional; they do not apply if
/// it is null.
template <class Of, class Find>
Part part(const FigureTable<Of>& table, Find find) {
  return {[&table, find](const Report& report, ordered_json& result) {
            if (const auto& of = find(report)) table.write(*of, result);
          },
          [&table] { return table.meanings(); }};
}

Part part(const FigureTable<Report>& table) {
  return part(table, [](const Report& report) { return &report; });
}

/// The figures of an optional member of the measurement.
template <class Of>
Part part(const FigureTable<Of>& table, std::optional<Of> Measurement::*member) {
  return part(
      table, [member](const Report& r) -> const auto& { return r.measurement.*member; });
}

/// The meanings of figures that another part writes as members of lists.
Part members(std::function<std::vector<FigureMeaning>()> meanings) {
  return {[](const Report&, ordered_json&) {}, std::move(meanings)};
}

template <class Of>
Part members(const FigureTable<Of>& table, const char* prefix) {
  return members([&table, prefix] { return table.meanings(prefix); });
}

template <class Entry>
Part figures_of(const Catalog<Entry>& catalog,
                std::function<void(const Report& report, ordered_json& result)> write) {
  return {std::move(write), [&catalog] { return concatenated(catalog, &Entry::figures); }};
}

/// The figures of the list `workloads`, whose members have the figures of their kind of workload.
std::vector<FigureMeaning> figures_of_several() {
  std::vector<FigureMeaning> all =
      filtered(concatenated(workloads(), &WorkloadEntry::figures),
               [](const FigureMeaning& one) { return one.name.rfind("workloads", 0) != 0; });
  for (FigureMeaning& one : all) one.name = "workloads." + one.name;
  return all;
}

std::optional<CapacityOf> capacity_in(const Report& report) {
  const auto& capacity = report.model.capacity;
  if (!capacity || !capacity->known()) return std::nullopt;
  return CapacityOf{*capacity, report.topology()};
}

/// All parts of a result, in their order.
const std::vector<Part>& parts() {
  const auto latency = [](const Report& r) -> std::optional<MeasuredLatency> {
    const LatencyProbe& all = r.packets().latency();
    if (all.count() == 0) return std::nullopt;
    return MeasuredLatency{all, r.measurement.interval};
  };
  static const std::vector<Part> all{
      part(kIdentityFigures, [](const Report& r) { return &r.configuration; }),
      part(kRunFigures),
      part(kFlowErrorFigures, flow_error_in),
      part(kFlowFigures),
      part(kCountFigures),
      members(search_figures),
      part(latency_figures(), latency),
      part(kLoadFigures, &Measurement::loads),
      part(kCapacityFigures, capacity_in),
      part(kBacklogFigures, &Measurement::growth),
      part(kClassesFigure),
      members(kClassFigures, "classes."),
      members(latency_figures(), "classes."),
      part(kPathFigures),
      members(distance_figures(), "distances."),
      members(kLinkFigures, "links."),
      part(kSeriesFigures, &Measurement::series),
      figures_of(workloads(), [](const Report& r,
                                 ordered_json& result) { r.model.workload->add_figures(result); }),
      members(figures_of_several),
      figures_of(interfaces(), [](const Report& r,
                                  ordered_json& result) { result.update(r.measurement.figures); }),
      figures_of(routers(), [](const Report&, ordered_json&) {}),
      part(kEnergyFigures, &Measurement::energy),
      members(kEnergyPartFigures, "energy.parts."),
      members(kEnergyRouterFigures, "energy.routers."),
      part(kBufferFigures, &Measurement::buffers),
      members(buffer_member_meanings),
      part(control_figures(), [](const Report& r) { return r.model.control(); }),
      {add_physical, [] { return kPhysicalFigures.meanings(); }},
      part(kEndFigures),
      members(kDeadlockFigures, "deadlock."),
      {[](const Report&, ordered_json& result) { add_digest(result); },
       [] { return std::vector<FigureMeaning>{digest_meaning()}; }},
      part(kPassingFigures),
  };
  return all;
}

}  // namespace

ordered_json to_json(const Measurement& measurement, const Configuration& configuration,
                     const Model& model, double wall_seconds) {
  const Report report{measurement, configuration, model, wall_seconds};
  ordered_json result;
  for (const Part& part : parts()) part.write(report, result);
  return result;
}

std::vector<FigureMeaning> figure_reference() {
  std::vector<FigureMeaning> reference;
  std::set<std::string> names;
  for (const Part& part : parts()) {
    for (FigureMeaning& figure : part.meanings()) {
      if (names.insert(figure.name).second) reference.push_back(std::move(figure));
    }
  }
  return reference;
}

}  // namespace flitcast
