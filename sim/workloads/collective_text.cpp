// SPDX-License-Identifier: Apache-2.0
// The figures, the summary and the plan of a collective operation, for users.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/sequences.h"
#include "config/wording.h"
#include "sim/workloads/collective.h"

namespace flitcast {

namespace {

constexpr std::size_t kShownMessages = 12;  // Per round; also the limit of receivers per message.
constexpr std::size_t kShownRounds = 64;

template <class Value>
ordered_json only_if(bool applies, const Value& value) {
  return applies ? ordered_json(value) : ordered_json();
}

FigureTable<CollectiveVerdict> verdict_figures() {
  return {
      {"algorithm", "(text)", "The algorithm that made the plan.", &CollectiveVerdict::algorithm},
      {"rounds", "rounds", "Rounds until every node has what it is to have.",
       [](const CollectiveVerdict& v) { return v.verification.rounds; }},
      {"transmissions", "messages", "Messages that nodes send.",
       [](const CollectiveVerdict& v) { return v.verification.transmissions; }},
      {"receipts", "messages", "Arrivals of messages; a multicast has one for each receiver.",
       [](const CollectiveVerdict& v) { return only_if(!v.has_paths, v.verification.receipts); }},
      {"duplicates", "messages", "Arrivals that were not new for their node.",
       [](const CollectiveVerdict& v) { return v.verification.duplicates; }},
      {"lower_bound_rounds", "rounds",
       "No algorithm whose messages move like those of this one (over one channel, along a whole "
       "path, or between ranks) needs fewer rounds on this network with this number of ports.",
       [](const CollectiveVerdict& v) { return v.bound.rounds; }},
      {"lower_bound_reason", "(text)", "Why no such algorithm needs fewer rounds.",
       [](const CollectiveVerdict& v) { return v.bound.reason; }},
      {"new_per_round", "(list of chunks)", "By round: what was new for the nodes that got it.",
       [](const CollectiveVerdict& v) { return v.verification.new_per_round; }},
      {"longest_path_per_round", "(list of channels)", "By round: the longest path of a message.",
       [](const CollectiveVerdict& v) {
         return only_if(v.knows_paths(), v.verification.longest_path_per_round);
       }},
      {"link_load_per_round", "(list of messages)",
       "By round: the most messages that share a channel; 1: none waits for another.",
       [](const CollectiveVerdict& v) {
         return v.paths ? ordered_json(v.paths->load_per_round) : ordered_json();
       }},
      {"nodes_of_ranks", "(list of nodes)",
       "The node of every rank, with workload.nodes or mapping.",
       [](const CollectiveVerdict& v) {
         return only_if(!v.rank_nodes.empty(), mapped(v.rank_nodes, index<NodeId>));
       }},
      {"links", "channels", "Channels that the messages of a multicast take, all together.",
       [](const CollectiveVerdict& v) { return figure_of(v.links); }},
      {"cost_cycles.ts", "cycles", "Start-up of a node for a message, in the cost model.",
       [](const CollectiveVerdict& v) { return only_if(v.knows_paths(), v.cost.startup); }},
      {"cost_cycles.td", "cycles",
       "A header's time from one router to the next, in the cost model.",
       [](const CollectiveVerdict& v) { return only_if(v.knows_paths(), v.cost.hop); }},
      {"cost_cycles.tm", "cycles", "A flit's time on a channel, in the cost model.",
       [](const CollectiveVerdict& v) { return only_if(v.knows_paths(), v.cost.flit); }},
      {"analytic_cycles", "cycles", "The time that the cost model gives, where it has a formula.",
       [](const CollectiveVerdict& v) { return figure_of(v.analytic_cycles); }},
      {"cycles", "cycles", "The time measured, from the first send to the last arrival.",
       [](const CollectiveVerdict& v) { return figure_of(v.cycles); }},
      {"contention_cycles", "cycles",
       "By how much the time measured exceeds the analytic one: messages of a round wait for "
       "channels that they share, or for buffers that are too short for a stream.",
       [](const CollectiveVerdict& v) { return figure_of(v.contention_cycles()); }},
  };
}

/// Returns "holds with equality", "holds with 2 to spare" or "missed by 1".
std::string theorem_verdict(const Theorem& theorem, std::size_t rounds) {
  if (rounds > theorem.rounds) return fmt::format("missed by {}", rounds - theorem.rounds);
  if (rounds == theorem.rounds) return "holds with equality";
  return fmt::format("holds with {} to spare", theorem.rounds - rounds);
}

/// Returns the rules of a round, such as "wormhole, all ports".
std::string manner(const Discipline& discipline) {
  if (discipline.switching == Switching::kAnyNetwork) {
    return discipline.ports == 1 ? "one message at a time"
                                 : fmt::format("{} messages at a time", discipline.ports);
  }
  if (discipline.switching == Switching::kThroughRouters) return "through routers";
  const char* const switching =
      discipline.switching == Switching::kWormhole ? "wormhole" : "store-and-forward";
  if (discipline.ports == kAllPorts) return fmt::format("{}, all ports", switching);
  return fmt::format(
      "{}, {}", switching,
      discipline.ports == 1 ? "one port" : fmt::format("{} ports", discipline.ports));
}

/// Returns the first nodes of a list, such as "0 1 3 2 ..."; with `routers`, "r4" is router 4.
template <class Nodes>
std::string first_of(const Nodes& nodes, std::size_t routers = kMaxRouters) {
  const auto shown =
      tabulated(std::min(nodes.size(), kShownMessages), [&](std::size_t place) -> std::string {
        const std::size_t one = index(nodes[place]);
        return one < routers ? fmt::format("{}", one) : fmt::format("r{}", one - routers);
      });
  return fmt::format("{}{}", fmt::join(shown, " "), nodes.size() > kShownMessages ? " ..." : "");
}

/// Returns the parameters of the analytic time, such as "ts 0, td 5, tm 1, m 64".
std::string times_text(const CollectiveVerdict& verdict) {
  const CostModel& cost = verdict.cost;
  if (!verdict.knows_paths()) return fmt::format("m {}", cost.length);
  return fmt::format("ts {}, td {}, tm {}, m {}", cost.startup, cost.hop, cost.flit, cost.length);
}

/// Returns "no channel by two messages of a round" or "channels by up to 4 messages, in 3 of 6
/// rounds".
std::string paths_line(const MessagePaths& paths) {
  const std::vector<std::size_t>& loads = paths.load_per_round;
  const auto shared = count_if(loads, [](auto load) { return load > 1; });
  if (shared == 0) return "no channel by two messages of a round";
  return fmt::format("channels by up to {} messages, in {} of {} rounds",
                     *std::max_element(loads.begin(), loads.end()), shared, loads.size());
}

std::string rounds_line(const CollectiveVerdict& verdict) {
  const Verification& verification = verdict.verification;
  return fmt::format("{} (lower bound {}: {}), {} transmissions, {} duplicates",
                     verification.rounds, verdict.bound.rounds,
                     bound_verdict(verification.rounds, verdict.bound.rounds),
                     verification.transmissions, verification.duplicates);
}

// The analytic time is that of rounds, each of which waits for the previous one.
std::string time_line(const CollectiveVerdict& verdict) {
  const std::string analytic = verdict.analytic_cycles
                                   ? fmt::format("{} analytic", *verdict.analytic_cycles)
                                   : "no analytic time";
  if (!verdict.cycles) return "unfinished, " + analytic;
  const std::uint64_t contention = verdict.contention_cycles().value_or(0);
  return fmt::format("{} cycles measured{}, {}{}{}", *verdict.cycles,
                     verdict.self_timed ? ", self-timed" : "", analytic,
                     verdict.self_timed ? " in rounds" : "",
                     contention == 0 ? "" : fmt::format(", {} of contention", contention));
}

/// Returns "0->1" or "0->{1 2 3 ...}", followed by the chunk if there are several.
std::string message_text(const CollectiveTask& task, std::size_t number) {
  const Message& message = task.schedule().message(number);
  const Receivers receivers = task.schedule().receivers(number);
  const std::size_t routers = task.first_router();
  std::string to = first_of(receivers, routers);
  if (receivers.size() > 1) to = "{" + to + "}";
  const bool tell_chunk = !is_sum(message.chunk) && task.collective.demand.chunks() > 1;
  return fmt::format("{}->{}{}", first_of(Receivers{&message.from, &message.from + 1}, routers), to,
                     tell_chunk ? fmt::format(":{}", index(message.chunk)) : "");
}

/// Returns "4 sends, 4 new, longest path 1: 0->2 1->3" or "1 message, 3 new: 0->{1 2 3}".
std::string round_text(const CollectiveTask& task, std::size_t round) {
  const Verification& verification = task.verdict.verification;
  const std::size_t begin = task.schedule().begin(round);
  const std::size_t messages = task.schedule().end(round) - begin;
  std::string text = counted(messages, task.verdict.has_paths ? "send" : "message");
  text += fmt::format(", {} new", verification.new_per_round[round]);
  if (task.verdict.knows_paths()) {
    text += fmt::format(", longest path {}", verification.longest_path_per_round[round]);
  }
  if (task.verdict.paths && task.verdict.paths->load_per_round[round] > 1) {
    text += fmt::format(", {} messages on a channel", task.verdict.paths->load_per_round[round]);
  }
  text += ":";
  for (std::size_t m = 0; m < std::min(messages, kShownMessages); ++m) {
    text += " " + message_text(task, begin + m);
  }
  return text + (messages > kShownMessages ? " ..." : "");
}

}  // namespace

ordered_json CollectiveWorkload::schedule_figures() const {
  CollectiveVerdict verdict = task_.verdict;
  verdict.cycles = cycles();
  ordered_json figures;
  verdict_figures().write(verdict, figures);
  if (finished()) executor_->add_figures(figures);
  return figures;
}

ordered_json CollectiveWorkload::schedule_outline() const {
  ordered_json outline = ordered_json::object();
  const std::size_t* const news = task_.verdict.verification.new_per_round.data();
  for (const auto& [name, begin, end] : schedule().phases()) {
    outline["phases"].push_back(
        {{"name", name},
         {"first_round", begin + 1},
         {"last_round", end},
         {"new", std::accumulate(news + begin, news + end, std::size_t{0})}});
  }
  for (const Theorem& theorem : task_.collective.plan.theorems) {
    outline["claims"].push_back(
        {{"id", theorem.id},
         {"at_most", theorem.formula},
         {"rounds", theorem.rounds},
         {"verdict", theorem_verdict(theorem, task_.verdict.verification.rounds)}});
  }
  return outline;
}

std::vector<Transmission> CollectiveWorkload::transmissions() const {
  const Placement& placement = task_.instance.placement;
  // In pictures node n sits at router n.
  const auto place = [&, first = task_.first_router()](NodeId one) {
    return index(one) < first ? placement.node(one) : to_id<NodeId>(index(one) - first);
  };
  std::vector<Transmission> all;
  for (std::size_t r = 0; r < schedule().rounds(); ++r) {
    for (std::size_t m = schedule().begin(r); m < schedule().end(r); ++m) {
      const NodeId from = place(schedule().message(m).from);
      for (const NodeId to : schedule().receivers(m)) {
        if (place(to) != from) all.push_back({from, place(to), r + 1});
      }
    }
  }
  return all;
}

std::vector<FigureMeaning> CollectiveWorkload::figure_meanings() {
  return concatenated({verdict_figures().meanings("collective."), data_figure_meanings(),
                       bandwidth_figures().meanings()});
}

auto CollectiveWorkload::bandwidth_figures() -> FigureTable<DataMoved> {
  return {
      {"physical.bytes", "bytes",
       "Data of a collective operation: the buffer of a rank as NCCL counts it.",
       &DataMoved::bytes},
      {"physical.algorithm_gb_per_s", "GB/s",
       "Algorithm bandwidth: these bytes by the time measured.", &DataMoved::algorithm},
      {"physical.bus_gb_per_s", "GB/s",
       "Bus bandwidth: algorithm bandwidth times 2(n-1)/n for an all-reduce of n ranks, 1 for a "
       "broadcast, multicast or reduce, (n-1)/n for others.",
       &DataMoved::bus},
  };
}

void CollectiveWorkload::add_bandwidths(std::uint64_t cycles, ordered_json& result) const {
  const Demand& demand = task_.collective.demand;
  const std::optional<Bandwidth> factors = bandwidth_of(demand.operation, demand.nodes);
  const Scale& scale = configuration().scale();
  if (!factors || !scale.clock_ghz || !scale.flit_bits || cycles == 0) return;
  const double flits = factors->buffer * static_cast<double>(task_.length());
  const auto bytes_of = [&](double count) { return count * *scale.flit_bits / 8; };
  const auto rate_of = [&](double count) {
    return bytes_of(count / static_cast<double>(cycles)) * *scale.clock_ghz;
  };
  bandwidth_figures().write({bytes_of(flits), rate_of(flits), rate_of(factors->bus * flits)},
                            result);
}

std::string CollectiveWorkload::text() const {
  const std::string source =
      section().has("source") ? fmt::format(" from node {}", section().integer("source")) : "";
  return fmt::format("{} by {}{}{}, {} of {}{}", section().text("operation"),
                     task_.verdict.algorithm, source, executor_->manner(),
                     task_.collective.demand.is_union() ? "messages" : "chunks",
                     counted(task_.collective.demand.is_union() ? 1 : task_.length(), "flit"),
                     executor_->data_text());
}

std::vector<SummaryLine> CollectiveWorkload::summary() const {
  CollectiveVerdict verdict = task_.verdict;
  verdict.cycles = cycles();
  std::vector<SummaryLine> lines{{"rounds", rounds_line(verdict)},
                                 {"collective", time_line(verdict)}};
  append(lines, findings());
  if (!finished()) return lines;
  for (SummaryLine& line : executor_->summary()) lines.push_back(std::move(line));
  return lines;
}

std::vector<SummaryLine> CollectiveWorkload::findings() const {
  if (!task_.verdict.paths) return {};
  return {{"shared", paths_line(*task_.verdict.paths)}};
}

std::string CollectiveWorkload::schedule_text() const {
  const Verification& verification = task_.verdict.verification;
  std::string text = fmt::format("{}: {} by {} on {}, {}\n", configuration().name(),
                                 section().text("operation"), task_.verdict.algorithm,
                                 context().topology.name(), manner(task_.collective.discipline));
  text += labelled("rounds", std::to_string(verification.rounds));
  text += labelled("lower bound",
                   fmt::format("{} rounds: {} ({})", task_.verdict.bound.rounds,
                               bound_verdict(verification.rounds, task_.verdict.bound.rounds),
                               task_.verdict.bound.reason));
  for (const Theorem& theorem : task_.collective.plan.theorems) {
    text += labelled("claim",
                     fmt::format("{}, at most {} = {} rounds: {}", theorem.id, theorem.formula,
                                 theorem.rounds, theorem_verdict(theorem, verification.rounds)));
  }
  const std::string receipts =
      task_.verdict.has_paths ? "" : fmt::format(" {} receipts,", verification.receipts);
  text += labelled("transmissions", fmt::format("{},{} {} duplicates", verification.transmissions,
                                                receipts, verification.duplicates));
  if (task_.verdict.links) text += labelled("links", std::to_string(*task_.verdict.links));
  if (!task_.verdict.rank_nodes.empty())
    text += labelled("ranks", "at nodes " + first_of(task_.verdict.rank_nodes));
  if (task_.verdict.paths) text += labelled("shared", paths_line(*task_.verdict.paths));
  const std::string cycles = task_.verdict.analytic_cycles
                                 ? fmt::format("{} cycles", *task_.verdict.analytic_cycles)
                                 : "no formula";
  text += labelled("analytic", fmt::format("{} ({}; {})", cycles, times_text(task_.verdict),
                                           configuration().section("router").text("kind")));
  const std::size_t rounds = schedule().rounds();
  const ordered_json phases = schedule_outline().value("phases", ordered_json::array());
  for (std::size_t r = 0; r < std::min(rounds, kShownRounds); ++r) {
    for (const ordered_json& phase : phases) {
      if (phase.at("first_round") != r + 1) continue;
      text += fmt::format("  phase      {}: {} new\n", phase.at("name").get<std::string>(),
                          phase.at("new").dump());
    }
    text += fmt::format("  round {:<4} {}\n", r + 1, round_text(task_, r));
  }
  if (rounds <= kShownRounds) return text;
  return text + fmt::format("  ... {} more\n", counted(rounds - kShownRounds, "round"));
}

}  // namespace flitcast
