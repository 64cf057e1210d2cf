// SPDX-License-Identifier: Apache-2.0
// Replays the packets of a recorded program.
#include <fmt/format.h>

#include <algorithm>

#include "base/figures.h"
#include "base/sequences.h"
#include "network/network_params.h"
#include "sim/experiment/workload.h"
#include "traffic/trace_source.h"

namespace flitcast {
namespace {

/// The time of the longest chain of tasks, by cause.
struct CriticalPath {
  std::uint64_t cycles = 0;
  std::uint64_t compute = 0;
  std::uint64_t startup = 0;
  std::uint64_t network = 0;
  std::optional<std::uint64_t> credits{};
  std::optional<std::uint64_t> contention{};
  std::size_t messages = 0;
};

FigureTable<CriticalPath> critical_path_figures() {
  return {
      {"critical_path.cycles", "cycles",
       "From cycle 0 to the end of the task that ended last; the following five together.",
       &CriticalPath::cycles},
      {"critical_path.compute", "cycles",
       "Computing, or before a cycle of the trace, on the chain of tasks that led to that end.",
       &CriticalPath::compute},
      {"critical_path.startup", "cycles", "node.startup of the messages of the chain.",
       &CriticalPath::startup},
      {"critical_path.network", "cycles",
       "Hops and serialisation: what the messages of the chain take in an empty network; with all "
       "their waiting where that is not known, as channels differ or are set up as circuits.",
       &CriticalPath::network},
      {"critical_path.credits", "cycles",
       "Waiting of these messages for credits, as buffers do not cover the credit round trip of "
       "channels: at most what they would wait in an empty network, in one virtual channel.",
       [](const CriticalPath& p) { return figure_of(p.credits); }},
      {"critical_path.contention", "cycles",
       "Other waiting of these messages behind other packets, at their nodes and in the network.",
       [](const CriticalPath& p) { return figure_of(p.contention); }},
      {"critical_path.messages", "messages", "Messages in the chain.", &CriticalPath::messages},
  };
}

FigureTable<NodeTime> rank_figures() {
  return {
      {"node", "node", "A node that has a part in the program.",
       [](const NodeTime& t) { return index(t.node); }},
      {"compute", "cycles", "Cycles in which it computed.", &NodeTime::compute},
      {"idle", "cycles",
       "The other cycles until the last task of all ended: it waited for messages, or was done.",
       &NodeTime::idle},
  };
}

FigureTable<ReplayedCollectives> replayed_figures() {
  return {
      {"operation", "", "The operation.", &ReplayedCollectives::operation},
      {"algorithm", "(text)", "The algorithm that its messages follow.",
       &ReplayedCollectives::algorithm},
      {"ranks", "ranks", "Ranks that take part.", &ReplayedCollectives::ranks},
      {"count", "", "The number of such operations.", &ReplayedCollectives::count},
  };
}

std::vector<FigureMeaning> trace_figure_meanings() {
  std::vector<FigureMeaning> meanings = critical_path_figures().meanings();
  meanings.push_back(
      {"replayed_collectives", "(list)", "The collective operations of a trace, by kind."});
  append(meanings, replayed_figures().meanings("replayed_collectives."));
  meanings.push_back({"ranks", "(list)", "Each node that has a part in a trace with computation."});
  append(meanings, rank_figures().meanings("ranks."));
  return meanings;
}

class TraceReplay : public Workload {
 public:
  explicit TraceReplay(const WorkloadContext& context) : context_(context) {}

  void join(const NetworkPlan& network) override {
    source_ = make_trace(context_.section(), *network.topology, context_.seed());
    knows_empty_network_ = network.can.has_known_latency && channels_alike(*network.topology);
  }
  PacketSource& source() override { return *source_; }
  std::uint32_t longest_packet() const override { return source_->longest_packet(); }
  bool ends() const override { return true; }
  bool ended(const Totals& totals) const override {
    return source_->all_created() && totals.packets_delivered == source_->packet_count();
  }
  std::string text() const override {
    return fmt::format("{} trace {}", context_.section().text("format"),
                       context_.section().text("file"));
  }
  std::vector<std::string> notes() const override { return source_->notes(); }
  const char* phase() const override { return "replay"; }

  // A program may compute for some cycles after its last packet.
  std::optional<std::uint64_t> completion_cycle(Cycle last_arrival) const override {
    const auto chain = source_->longest_chain();
    return chain ? chain->cycles : index(last_arrival) + 1;
  }

  void add_figures(nlohmann::ordered_json& result) const override {
    if (source_ == nullptr) return;
    for (const std::string& note : source_->notes()) result["notes"].push_back(note);
    if (!source_->collectives().empty()) {
      result["replayed_collectives"] = replayed_figures().list(source_->collectives());
    }
    const auto path = critical_path();
    if (!path) return;
    critical_path_figures().write(*path, result);
    result["ranks"] = rank_figures().list(source_->node_times());
  }

  std::vector<SummaryLine> more_summary() const override {
    std::vector<SummaryLine> lines;
    for (const ReplayedCollectives& one : source_->collectives()) {
      lines.emplace_back("collective", fmt::format("{} {} of {} ranks by {}", one.count,
                                                   one.operation, one.ranks, one.algorithm));
    }
    const auto path = critical_path();
    if (!path) return lines;
    std::string text = fmt::format("{} cycles: {} of compute, {} of start-up, {} of network",
                                   path->cycles, path->compute, path->startup, path->network);
    if (path->credits.value_or(0) > 0) {
      text += fmt::format(", {} of waiting for credits (buffers do not cover the round trip)",
                          *path->credits);
    }
    if (path->contention) text += fmt::format(", {} of contention", *path->contention);
    lines.emplace_back("critical", text);
    lines.emplace_back("idle", idle_text());
    return lines;
  }

 private:
  std::optional<CriticalPath> critical_path() const {
    const auto chain = source_ ? source_->longest_chain() : std::nullopt;
    if (!chain) return std::nullopt;
    CriticalPath path{chain->cycles, chain->compute, 0, 0, {}, {}, chain->messages.size()};
    if (knows_empty_network_) path.credits = path.contention = 0;
    for (const TaskChain::Message& message : chain->messages) add(message, path);
    return path;
  }

  std::string idle_text() const {
    const std::vector<NodeTime> times = source_->node_times();
    const auto [least, most] =
        std::minmax_element(times.begin(), times.end(),
                            [](const NodeTime& a, const NodeTime& b) { return a.idle < b.idle; });
    return fmt::format("{} cycles of node {} to {} cycles of node {}", least->idle,
                       index(least->node), most->idle, index(most->node));
  }

  void add(const TaskChain::Message& message, CriticalPath& path) const {
    const std::uint64_t startup = std::min<std::uint64_t>(context_.params.startup, message.cycles);
    const std::uint64_t rest = message.cycles - startup;
    const std::uint64_t network =
        knows_empty_network_ ? std::min(cycles_when_empty(message), rest) : rest;
    path.startup += startup;
    path.network += network;
    if (!path.contention) return;
    const std::uint64_t credits = std::min(credit_stalls(message), rest - network);
    *path.credits += credits;
    *path.contention += rest - network - credits;
  }

  // Assumes all packets of the message in one virtual channel: after as many flits as it has slots,
  // the next flit waits for the rest of the credit round trip. Waits at one channel space the
  // flits, so that they need not wait at the others.
  std::uint64_t credit_stalls(const TaskChain::Message& message) const {
    const NetworkParams& params = context_.params;
    if (context_.can.unit == BufferUnit::kPacket) return 0;
    const std::uint64_t depth = params.router.buffer_depth;
    const std::uint64_t cycles =
        credit_round_trip(params, message.hops > 1 ? params.link_latency : 1);
    const std::uint64_t covered = depth * params.cycles_per_flit;
    return covered >= cycles ? 0 : (message.flits - 1) / depth * (cycles - covered);
  }

  // The packets of a message follow one another, so only the first has the latency of the hops.
  std::uint64_t cycles_when_empty(const TaskChain::Message& message) const {
    const NetworkParams& params = context_.params;
    const std::uint64_t channels = message.hops - 1;  // The number of channels between routers.
    const std::uint64_t stored = context_.can.unit == BufferUnit::kPacket ? message.length : 0;
    const std::uint64_t flits = message.flits + channels * stored;
    return static_cast<std::uint64_t>(interface_cycles(params)) + channels * hop_cycles(params) +
           flits * params.cycles_per_flit;
  }

  const WorkloadContext context_;
  std::unique_ptr<TraceSource> source_;
  bool knows_empty_network_ = false;
};

std::vector<Param> trace_keys() { return with_interfaces(trace_params()); }

}  // namespace

WorkloadEntry trace_workload() {
  return {{"trace",
           "The packets of a recorded program, each after those that it depends on.",
           trace_keys,
           makes<TraceReplay>(),
           {"format: csv, file: trace.csv"}},
          trace_figure_meanings()};
}

}  // namespace flitcast
