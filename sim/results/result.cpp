// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>

#include "sim/measure/measurement.h"
#include "sim/results/result_identity.h"
#include "sim/sweep/search.h"
#include "topology/channel_numbering.h"

namespace flitcast {

namespace {

using nlohmann::ordered_json;

/// Routers whose places a result tells.
constexpr std::size_t kMostRouters = 1024;

/// All that a result tells.
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

const FigureTable<Report>& run_figures() {
  using R = Report;
  static const FigureTable<R> table{
      {"topology.name", "", "Family and size of the topology.",
       [](const R& r) { return r.topology().name(); }},
      {"topology.nodes", "nodes", "Nodes that send and receive.",
       [](const R& r) { return r.topology().node_count(); }},
      {"topology.routers", "routers", "Routers, or switches.",
       [](const R& r) { return r.topology().router_count(); }},
      {"topology.channels", "channels", "Channels from router to router, each one way.",
       [](const R& r) { return r.topology().channels().size(); }},
      {"status", "",
       "ok, saturated, not_steady, unmeasured, imprecise, deadlock or stopped; `run --help` says "
       "when.",
       [](const R& r) { return to_text(r.measurement.verdict.status); }},
      {"reason", "", "Why it is saturated, not steady, unmeasured or imprecise.",
       [](const R& r) {
         const std::string& reason = r.measurement.verdict.reason;
         return reason.empty() ? ordered_json() : ordered_json(reason);
       }},
      {"notes", "", "What a reader of the figures should know.",
       [](const R& r) {
         const auto& notes = r.measurement.verdict.notes;
         return notes.empty() ? ordered_json() : ordered_json(notes);
       }},
      {"complete", "", "Whether the run went to its end, saturated or not.",
       [](const R& r) { return r.measurement.complete(); }},
      {"cycles", "cycles", "Cycles simulated in all.",
       [](const R& r) { return r.measurement.cycles; }},
      {"window_cycles", "cycles",
       "Length of the measured window; a workload that ends is measured as a whole.",
       [](const R& r) { return r.measurement.window_cycles; }},
      {"completion_cycle", "cycles", "When a workload that ends was complete.",
       [](const R& r) {
         return figure_of(r.model.workload->completion_cycle(r.packets().last_arrival()));
       }},
      {"packets.created", "packets",
       "Packets created in the whole run; a multicast counts once, whatever its receivers.",
       [](const R& r) { return r.measurement.totals.packets_created; }},
      {"packets.copies", "copies",
       "Copies that the packets created are to become, one for each receiver; absent where none "
       "has several.",
       [](const R& r) -> ordered_json {
         const Totals& totals = r.measurement.totals;
         if (totals.receivers == totals.packets_created) return nullptr;
         return totals.receivers;
       }},
      {"packets.combined", "copies",
       "Copies that never came to be, because routers made their packets part of others.",
       [](const R& r) -> ordered_json {
         const std::uint64_t combined = r.measurement.totals.receivers_combined;
         return combined == 0 ? ordered_json() : ordered_json(combined);
       }},
      {"packets.delivered", "copies",
       "Copies that arrived in the whole run, one for each receiver of a packet.",
       [](const R& r) { return r.measurement.totals.packets_delivered; }},
      {"flits.injected", "flits", "Flits that entered the network in the whole run.",
       [](const R& r) { return r.measurement.totals.flits_injected; }},
      {"flits.ejected", "flits", "Flits that left the network in the whole run.",
       [](const R& r) { return r.measurement.totals.flits_ejected; }},
      {"flits.hops", "flits", "Flits times routers that they crossed, in the whole run.",
       [](const R& r) { return r.measurement.flit_hops; }},
  };
  return table;
}

const FigureTable<Loads>& load_figures() {
  static const FigureTable<Loads> table{
      {"offered_flits_per_node_cycle", "flits per node and cycle", "Flits created in the window.",
       &Loads::offered},
      {"accepted_flits_per_node_cycle.mean", "flits per node and cycle",
       "Flits ejected in the window.", &Loads::accepted},
      {"accepted_flits_per_node_cycle.worst_node", "flits per node and cycle",
       "Flits ejected in the window at the node that got fewest.", &Loads::worst_node},
      {"accepted_flits_per_node_cycle.fairness", "",
       "Jain's index of what nodes got: 1 if all got the same, 1/n if one of n got all; with "
       "measure.fairness.",
       [](const Loads& l) { return figure_of(l.fairness); }},
  };
  return table;
}

const FigureTable<QueueGrowth::Growth>& backlog_figures() {
  using G = QueueGrowth::Growth;
  static const FigureTable<G> table{
      {"backlog.growth", "flits",
       "Flits created in the window less those of packets that arrived in it.",
       [](const G& g) { return g.whole.growth; }},
      {"backlog.chance", "flits", "Growth that chance explains: more of it is overload.",
       [](const G& g) { return g.whole.chance; }},
      {"backlog.source.node", "node",
       "The source whose backlog is furthest beyond chance, or nearest to it.",
       [](const G& g) { return g.source.node; }},
      {"backlog.source.growth", "flits", "Growth of the backlog of that source.",
       [](const G& g) { return g.source.growth; }},
      {"backlog.source.chance", "flits", "Growth for that source that chance explains.",
       [](const G& g) { return g.source.chance; }},
      {"backlog.destination.node", "node",
       "The destination whose backlog is furthest beyond chance, or nearest to it.",
       [](const G& g) { return figure_of(g.destination, &QueueGrowth::Part::node); }},
      {"backlog.destination.growth", "flits", "Growth of the backlog for that destination.",
       [](const G& g) { return figure_of(g.destination, &QueueGrowth::Part::growth); }},
      {"backlog.destination.chance", "flits", "Growth for that destination that chance explains.",
       [](const G& g) { return figure_of(g.destination, &QueueGrowth::Part::chance); }},
      {"backlog.flow.source", "node", "Where the flow starts whose backlog has grown most.",
       [](const G& g) { return figure_of(g.flow, &QueueGrowth::Flow::source); }},
      {"backlog.flow.destination", "node", "Where the flow ends whose backlog has grown most.",
       [](const G& g) { return figure_of(g.flow, &QueueGrowth::Flow::destination); }},
      {"backlog.flow.growth", "flits", "Growth of the backlog of that flow.",
       [](const G& g) { return figure_of(g.flow, &QueueGrowth::Flow::growth); }},
  };
  return table;
}

const FigureTable<ClassCount>& class_figures() {
  using C = ClassCount;
  const auto rate = [](std::uint64_t flits, const C& c) {
    return c.node_cycles > 0 ? ordered_json(static_cast<double>(flits) / c.node_cycles)
                             : ordered_json();
  };
  static const FigureTable<C> table{
      {"name", "", "Of the class.", &C::name},
      {"packets.created", "packets", "Packets of the class created in the whole run.",
       [](const C& c) { return c.packets.packets_created(); }},
      {"packets.delivered", "packets", "Packets of the class that arrived in the whole run.",
       [](const C& c) { return c.packets.packets_delivered(); }},
      {"offered_flits_per_node_cycle", "flits per node and cycle",
       "Flits of the class created in the window; the classes sum up to all.",
       [rate](const C& c) { return rate(c.packets.flits_offered(), c); }},
      {"accepted_flits_per_node_cycle", "flits per node and cycle",
       "Flits of packets of the class whose tails arrived in the window.",
       [rate](const C& c) { return rate(c.packets.flits_accepted(), c); }},
      {"hops_mean", "routers",
       "Routers that a packet of the class and of the window crossed, on average.",
       [](const C& c) {
         const LatencyProbe& latency = c.packets.latency();
         return latency.count() > 0 ? ordered_json(latency.mean_hops()) : ordered_json();
       }},
  };
  return table;
}

ordered_json classes_of(const Measurement& measurement) {
  ordered_json list = ordered_json::array();
  for (const ClassCount& one : measurement.classes) {
    ordered_json entry;
    class_figures().write(one, entry);
    const LatencyProbe& latency = one.packets.latency();
    if (latency.count() > 0) latency_figures().write(latency, entry);
    list.push_back(std::move(entry));
  }
  return list;
}

const FigureTable<Report>& classes_figure() {
  static const FigureTable<Report> table{
      {"classes", "", "Of a workload with several classes, each, in the order of the file.",
       [](const Report& r) {
         return r.measurement.classes.empty() ? ordered_json() : classes_of(r.measurement);
       }}};
  return table;
}

/// A channel with its load.
struct LoadedLink {
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

const FigureTable<LoadedLink>& link_figures() {
  using L = LoadedLink;
  static const FigureTable<L> table{
      {"kind", "", "router: between two of them; injection: from a node; ejection: to a node.",
       [](const L& l) {
         return !l.from_router() ? "injection" : l.to_router() ? "router" : "ejection";
       }},
      {"node", "node", "The node that injects or receives by it.",
       [](const L& l) {
         const bool has_node = !l.from_router() || !l.to_router();
         return has_node ? ordered_json(index(l.channels.node(l.load.channel))) : ordered_json();
       }},
      {"from", "router", "Where the channel starts, unless at a node.",
       [](const L& l) { return figure_of(l.begin(), &Endpoint::router); }},
      {"port", "", "The output of that router.",
       [](const L& l) { return figure_of(l.begin(), &Endpoint::port); }},
      {"to", "router", "Where the channel ends, unless at a node.",
       [](const L& l) { return figure_of(l.end(), &Endpoint::router); }},
      {"flits", "flits", "Flits that it was sent in the window.",
       [](const L& l) { return l.load.flits; }},
      {"load", "",
       "Share of the window that flits took on it; of one on the edge, the cycles inside.",
       [](const L& l) { return l.load.load; }},
      {"series", "flits", "Flits that it was sent in each span of the series, if there is one.",
       [](const L& l) -> ordered_json {
         if (l.series == nullptr || l.series->moments.front().links.empty()) return nullptr;
         return l.series->of_link(l.load.channel);
       }},
  };
  return table;
}

ordered_json layout(const Report& report) {
  if (report.topology().router_count() > kMostRouters) return nullptr;
  ordered_json places = ordered_json::array();
  for (const Position& at : report.topology().layout()) {
    places.push_back(ordered_json::array({at.x, at.y}));
  }
  return places;
}

ordered_json links(const Report& report) {
  if (!report.measurement.loads) return nullptr;
  const ChannelNumbering channels(report.topology());
  const auto& series = report.measurement.series;
  std::vector<LoadedLink> links;
  for (const LinkLoad& load : report.measurement.links) {
    links.push_back({channels, load, series ? &*series : nullptr});
  }
  return link_figures().list(links);
}

const FigureTable<Report>& way_figures() {
  static const FigureTable<Report> table{
      {"hops_mean", "routers", "Routers that a packet of the window crossed, on average.",
       [](const Report& r) {
         const LatencyProbe& latency = r.packets().latency();
         return latency.count() > 0 ? ordered_json(latency.mean_hops()) : ordered_json();
       }},
      {"distances", "",
       "Latencies by the routers crossed, by rising distance; with "
       "measure.distances.",
       [](const Report& r) -> ordered_json {
         const DistanceProbe* const probe = r.packets().distances();
         return probe == nullptr ? ordered_json() : distance_figures().list(probe->by_hops());
       }},
      {"layout", "",
       "Where drawings put the routers, [x, y] of each by number; absent beyond 1024 of them.",
       layout},
      {"links", "", "The most loaded channels, at most 1024, by falling load.", links},
  };
  return table;
}

const FigureTable<BlockedVc>& deadlock_figures() {
  static const FigureTable<BlockedVc> table{
      {"router", "router", "Where a packet waits.",
       [](const BlockedVc& vc) { return index(vc.router); }},
      {"port", "", "The input at which it waits.",
       [](const BlockedVc& vc) { return index(vc.input); }},
      {"vc", "", "The virtual channel of that input.",
       [](const BlockedVc& vc) { return index(vc.vc); }},
      {"packet", "", "Its source and its number among that node's packets, from 0.",
       [](const BlockedVc& vc) { return packet_name(vc.packet); }},
      {"destination", "node", "Where it is to go.",
       [](const BlockedVc& vc) { return index(vc.destination); }},
  };
  return table;
}

const FigureTable<Report>& end_figures() {
  static const FigureTable<Report> table{
      {"deadlock", "", "Packets that wait for each other in a cycle, each for the next.",
       [](const Report& r) {
         const std::vector<BlockedVc>& cycle = r.measurement.deadlock_cycle;
         return cycle.empty() ? ordered_json() : deadlock_figures().list(cycle);
       }},
      {"checksum", "", "Hash of every arrival: packet, cycle and node. Equal for equal runs.",
       [](const Report& r) { return r.packets().checksum().text(); }},
  };
  return table;
}

/// See passing_members().
const FigureTable<Report>& passing_figures() {
  static const FigureTable<Report> table{
      {"wall_seconds", "seconds", "Time that the run took.", &Report::wall_seconds},
      {"host", "", "The machine on which it ran.", [](const Report&) { return host_name(); }},
  };
  return table;
}

}  // namespace

ordered_json to_json(const Measurement& measurement, const Configuration& configuration,
                     const Model& model, double wall_seconds) {
  const Report report{measurement, configuration, model, wall_seconds};
  const LatencyProbe& latency = measurement.packets->latency();
  ordered_json json;
  identity_figures().write(configuration, json);
  run_figures().write(report, json);
  if (latency.count() > 0) latency_figures().write(latency, json);
  if (measurement.loads) load_figures().write(*measurement.loads, json);
  if (model.capacity && model.capacity->known()) {
    capacity_figures().write({*model.capacity, model.topology()}, json);
  }
  if (measurement.growth) backlog_figures().write(*measurement.growth, json);
  classes_figure().write(report, json);
  way_figures().write(report, json);
  if (measurement.series) series_figures().write(*measurement.series, json);
  model.workload->add_figures(json);
  json.update(measurement.figures);
  if (measurement.energy) energy_figures().write(*measurement.energy, json);
  if (measurement.buffers) buffer_figures().write(*measurement.buffers, json);
  if (model.control() != nullptr) control_figures().write(*model.control(), json);
  end_figures().write(report, json);
  add_digest(json);
  passing_figures().write(report, json);
  return json;
}

std::vector<FigureMeaning> figure_reference() {
  std::vector<std::vector<FigureMeaning>> parts{identity_figures().meanings(),
                                                run_figures().meanings(),
                                                search_figures(),
                                                latency_figures().meanings(),
                                                load_figures().meanings(),
                                                capacity_figures().meanings(),
                                                backlog_figures().meanings(),
                                                classes_figure().meanings(),
                                                class_figures().meanings("classes."),
                                                latency_figures().meanings("classes."),
                                                way_figures().meanings(),
                                                distance_figures().meanings("distances."),
                                                link_figures().meanings("links."),
                                                series_figures().meanings(),
                                                buffer_figures().meanings(),
                                                buffer_member_meanings()};
  for (const WorkloadEntry& workload : workloads()) parts.push_back(workload.figures);
  for (const InterfaceEntry& interface : interfaces()) parts.push_back(interface.figures);
  for (const RouterEntry& router : routers()) parts.push_back(router.figures);
  parts.insert(parts.end(),
               {energy_figures().meanings(), energy_part_figures().meanings("energy.parts."),
                energy_router_figures().meanings("energy.routers.")});
  parts.insert(parts.end(), {control_figures().meanings(),
                             end_figures().meanings(),
                             deadlock_figures().meanings("deadlock."),
                             {digest_meaning()},
                             passing_figures().meanings()});
  std::vector<FigureMeaning> reference;
  std::set<std::string> told;
  for (const std::vector<FigureMeaning>& part : parts) {
    for (const FigureMeaning& figure : part) {
      if (told.insert(figure.name).second) reference.push_back(figure);
    }
  }
  return reference;
}

}  // namespace flitcast
