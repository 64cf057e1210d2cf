// SPDX-License-Identifier: Apache-2.0
#include "sim/workloads/collective.h"

#include <fmt/format.h>

#include <algorithm>

#include "collective/rounds/catalog.h"
#include "router/invariant.h"
#include "traffic/collective_params.h"

namespace flitcast {
namespace {

using nlohmann::ordered_json;

// A start-up shorter than the way through the nodes' interfaces does not exist.
CostModel cost_model(const WorkloadContext& context) {
  const NetworkParams& params = context.params;
  const auto least =
      static_cast<std::uint64_t>(std::max<std::int64_t>(interface_cycles(params), 0));
  const auto startup =
      static_cast<std::uint64_t>(context.configuration.section("node").integer("startup"));
  return {std::max(startup, least), hop_cycles(params), params.cycles_per_flit,
          static_cast<std::uint64_t>(context.section().integer("length"))};
}

template <class Number>
ordered_json of_schedules(const CollectiveVerdict& verdict, Number CostModel::*number) {
  return verdict.longest_path_per_round ? ordered_json(verdict.cost.*number) : ordered_json();
}

const FigureTable<CollectiveVerdict>& verdict_figures() {
  using Verdict = CollectiveVerdict;
  static const FigureTable<Verdict> table{
      {"algorithm", "", "The algorithm that made the plan.", &Verdict::algorithm},
      {"rounds", "rounds", "Rounds until every node has what it is to have.", &Verdict::rounds},
      {"transmissions", "messages", "Messages that nodes send.", &Verdict::transmissions},
      {"receipts", "messages", "Arrivals of messages; a multicast has one for each receiver.",
       [](const Verdict& v) { return figure_of(v.receipts); }},
      {"duplicates", "messages", "Arrivals that told their node nothing new.",
       &Verdict::duplicates},
      {"lower_bound_rounds", "rounds", "No plan of this kind needs fewer rounds.",
       [](const Verdict& v) { return v.bound.rounds; }},
      {"lower_bound_reason", "", "Why no plan needs fewer rounds.",
       [](const Verdict& v) { return v.bound.reason; }},
      {"new_per_round", "chunks", "For every round: what was new for the nodes that got it.",
       &Verdict::new_per_round},
      {"longest_path_per_round", "channels", "For every round: the longest way of a message.",
       [](const Verdict& v) { return figure_of(v.longest_path_per_round); }},
      {"cost_cycles.ts", "cycles", "Start-up of a node for a message, in the cost model.",
       [](const Verdict& v) { return of_schedules(v, &CostModel::startup); }},
      {"cost_cycles.td", "cycles", "A head's way through a router to the next, in the cost model.",
       [](const Verdict& v) { return of_schedules(v, &CostModel::hop); }},
      {"cost_cycles.tm", "cycles", "A flit's time on a channel, in the cost model.",
       [](const Verdict& v) { return of_schedules(v, &CostModel::flit); }},
      {"analytic_cycles", "cycles", "The time that the cost model gives, where it has a formula.",
       [](const Verdict& v) { return figure_of(v.analytic_cycles); }},
      {"cycles", "cycles", "The time measured, from the first send to the last arrival.",
       [](const Verdict& v) { return figure_of(v.cycles); }},
  };
  return table;
}

std::string bound_verdict(const CollectiveVerdict& verdict) {
  return verdict.rounds == verdict.bound.rounds
             ? "met"
             : fmt::format("missed by {}", verdict.rounds - verdict.bound.rounds);
}

/// Of a plan's text: "  rounds        4\n".
std::string line(const char* label, const std::string& value) {
  return fmt::format("  {:<13} {}\n", label, value);
}

std::unique_ptr<Workload> make_collective(const WorkloadContext& context) {
  const bool in_rounds = find(round_methods(), context.section().text("algorithm")) != nullptr;
  return in_rounds ? make_rounds_workload(context) : make_schedule_workload(context);
}

}  // namespace

CollectiveWorkload::CollectiveWorkload(const WorkloadContext& context) : context_(context) {
  verdict_.algorithm = section().text("algorithm");
  verdict_.cost = cost_model(context);
}

void CollectiveWorkload::fail(const PreconditionError& error) const {
  switch (error.subject()) {
    case PreconditionError::Subject::kSource:
      section().fail("source", error.reason(), error.remedy());
    case PreconditionError::Subject::kPorts:
      context_.configuration.section("node").fail("ports", error.reason(), error.remedy());
    case PreconditionError::Subject::kTopology:
      break;
  }
  section().fail("algorithm", error.reason(), error.remedy());
}

std::uint32_t CollectiveWorkload::startup(std::uint32_t) const {
  return static_cast<std::uint32_t>(static_cast<std::int64_t>(verdict_.cost.startup) -
                                    interface_cycles(context_.params));
}

std::optional<std::uint64_t> CollectiveWorkload::cycles() const {
  if (!finished()) return std::nullopt;
  return player_->cycles();
}

// Wrong bytes at the end would be our own mistake, in the plan or in the network.
void CollectiveWorkload::audit() const {
  if (!finished() || player_->wrong() == 0) return;
  throw InvariantError(
      fmt::format("{} chunks are missing or wrong at their nodes", player_->wrong()));
}

ordered_json CollectiveWorkload::figures() const {
  CollectiveVerdict verdict = verdict_;
  verdict.cycles = cycles();
  ordered_json figures;
  verdict_figures().write(verdict, figures);
  return figures;
}

void CollectiveWorkload::add_figures(ordered_json& result) const {
  result["collective"] = figures();
}

std::string CollectiveWorkload::text() const {
  const std::string& operation = section().text("operation");
  const bool barrier = operation == "barrier";
  const std::string source =
      section().has("source") ? fmt::format(" from node {}", section().integer("source")) : "";
  return fmt::format("{} by {}{}{}, {} of {}", operation, verdict_.algorithm, source, executor(),
                     barrier ? "messages" : "chunks",
                     counted(barrier ? 1 : section().integer("length"), "flit"));
}

std::vector<SummaryLine> CollectiveWorkload::summary() const {
  return {{"rounds", rounds_line()}, {"collective", time_line()}};
}

std::string CollectiveWorkload::rounds_line() const {
  return fmt::format("{} (lower bound {}: {}), {} transmissions, {} duplicates", verdict_.rounds,
                     verdict_.bound.rounds, bound_verdict(verdict_), verdict_.transmissions,
                     verdict_.duplicates);
}

// The analytic time is that of rounds which wait for each other.
std::string CollectiveWorkload::time_line() const {
  const std::string analytic = verdict_.analytic_cycles
                                   ? fmt::format("{} analytic", *verdict_.analytic_cycles)
                                   : "no analytic time";
  if (!finished()) return "unfinished, " + analytic;
  return fmt::format("{} cycles measured{}, {}{}", *cycles(), self_timed() ? ", self-timed" : "",
                     analytic, self_timed() ? " in rounds" : "");
}

std::string CollectiveWorkload::plan_text() const {
  const Configuration& configuration = context_.configuration;
  std::string text =
      fmt::format("{}: {} by {} on {}, {}\n", configuration.name(), section().text("operation"),
                  verdict_.algorithm, context_.topology.name(), manner());
  text += line("rounds", std::to_string(verdict_.rounds));
  text += line("lower bound", fmt::format("{} rounds: {} ({})", verdict_.bound.rounds,
                                          bound_verdict(verdict_), verdict_.bound.reason));
  const std::string receipts =
      verdict_.receipts ? fmt::format(" {} receipts,", *verdict_.receipts) : "";
  text += line("transmissions", fmt::format("{},{} {} duplicates", verdict_.transmissions, receipts,
                                            verdict_.duplicates));
  const std::string cycles =
      verdict_.analytic_cycles ? fmt::format("{} cycles", *verdict_.analytic_cycles) : "no formula";
  text += line("analytic", fmt::format("{} ({}; {})", cycles, times_text(),
                                       configuration.section("router").text("kind")));
  constexpr std::size_t kShownRounds = 64;
  const std::size_t rounds = planned_rounds();
  for (std::size_t r = 0; r < std::min(rounds, kShownRounds); ++r) {
    text += fmt::format("  round {:<4} {}\n", r + 1, round_text(r));
  }
  if (rounds <= kShownRounds) return text;
  return text + fmt::format("  ... {} rounds more\n", rounds - kShownRounds);
}

WorkloadEntry collective_workload() {
  return {{"collective",
           "A collective operation, from its first send to its last arrival.",
           collective_params(),
           make_collective,
           {"operation: gossip, algorithm: unicast_rounds, length: 4",
            "operation: barrier, algorithm: unicast_rounds"}},
          verdict_figures().meanings("collective.")};
}

}  // namespace flitcast
