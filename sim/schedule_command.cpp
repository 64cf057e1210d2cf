// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <sstream>

#include "collective/dump.h"
#include "sim/commands.h"
#include "sim/model.h"
#include "sim/output_file.h"
#include "sim/result.h"
#include "sim/sweep.h"

namespace flitcast {

namespace {

const char* to_text(Switching switching) {
  return switching == Switching::kWormhole ? "wormhole" : "store-and-forward";
}

std::string ports_text(unsigned ports) {
  if (ports == kAllPorts) return "all ports";
  return ports == 1 ? "one port" : fmt::format("{} ports", ports);
}

std::string bound_text(std::size_t rounds, const LowerBound& bound) {
  const std::string verdict =
      rounds == bound.rounds ? "met" : fmt::format("missed by {}", rounds - bound.rounds);
  return fmt::format("{} rounds: {} ({})", bound.rounds, verdict, bound.reason);
}

/// Of the judgement: "  rounds        4\n".
std::string line(const char* label, const std::string& value) {
  return fmt::format("  {:<13} {}\n", label, value);
}

constexpr std::size_t kShownSends = 12;
constexpr std::size_t kShownRounds = 64;

std::string more_rounds(std::size_t rounds) {
  if (rounds <= kShownRounds) return "";
  return fmt::format("  ... {} rounds more\n", rounds - kShownRounds);
}

std::string send_text(const Schedule& schedule, std::size_t send, bool with_chunk) {
  const Send& message = schedule.send(send);
  std::string text = fmt::format("{}->{}", index(message.from), index(message.to));
  if (with_chunk) text += fmt::format(":{}", index(message.chunk));
  return text;
}

/// "round 2: 4 sends, 4 new, longest path 1: 0->2 1->3 ..."
std::string round_text(const CollectiveWorkload& workload, std::size_t round) {
  const Schedule& schedule = workload.collective.plan.schedule;
  const std::size_t sends = schedule.end(round) - schedule.begin(round);
  std::string text = fmt::format(
      "  round {:<4} {} send{}, {} new, longest path {}:", round + 1, sends, sends == 1 ? "" : "s",
      workload.judgement.new_per_round[round], workload.judgement.longest_path_per_round[round]);
  for (std::size_t s = 0; s < std::min(sends, kShownSends); ++s) {
    text += " " +
            send_text(schedule, schedule.begin(round) + s, workload.collective.demand.chunks() > 1);
  }
  return text + (sends > kShownSends ? " ...\n" : "\n");
}

std::string schedule_text(const Model& model, const Configuration& configuration) {
  const CollectiveWorkload& workload = *model.collective;
  const Section& section = configuration.section("workload");
  const Discipline& discipline = workload.collective.discipline;
  const CostModel& cost = workload.cost;
  std::string text =
      fmt::format("{}: {} by {} on {}, {}, {}\n", configuration.name(), section.text("operation"),
                  workload.algorithm, model.topology->name(), to_text(discipline.switching),
                  ports_text(discipline.ports));
  text += line("rounds", std::to_string(workload.judgement.rounds));
  text += line("lower bound", bound_text(workload.judgement.rounds, workload.bound));
  text += line("transmissions", fmt::format("{}, {} duplicates", workload.judgement.transmissions,
                                            workload.judgement.duplicates));
  const std::string cycles =
      workload.analytic_cycles ? fmt::format("{} cycles", *workload.analytic_cycles) : "no formula";
  text += line("analytic",
               fmt::format("{} (ts {}, td {}, tm {}, m {}; {})", cycles, cost.startup, cost.hop,
                           cost.flit, cost.length, configuration.section("router").text("kind")));
  const std::size_t rounds = workload.collective.plan.schedule.rounds();
  for (std::size_t r = 0; r < std::min(rounds, kShownRounds); ++r) text += round_text(workload, r);
  return text + more_rounds(rounds);
}

/// "0->1", "0->{1 2 3 ...}", with the chunk behind it where there are several.
std::string message_text(const RoundWorkload& workload, std::size_t number) {
  const RoundMessage& message = workload.plan.message(number);
  const NodeRange receivers = workload.plan.receivers(number);
  std::string to;
  for (const NodeId node : receivers) {
    if (&node - receivers.begin() == kShownSends) {
      to += " ...";
      break;
    }
    to += fmt::format("{}{}", to.empty() ? "" : " ", index(node));
  }
  if (receivers.size() > 1) to = "{" + to + "}";
  const bool tell_chunk = message.carries == Carries::kChunk && workload.demand.items() > 1;
  return fmt::format("{}->{}{}", index(message.from), to,
                     tell_chunk ? fmt::format(":{}", message.chunk) : "");
}

/// "round 2: 4 messages, 4 new: 0->2 1->3 ..."
std::string round_text(const RoundWorkload& workload, std::size_t round) {
  const std::size_t begin = workload.plan.begin(round);
  const std::size_t messages = workload.plan.end(round) - begin;
  std::string text = fmt::format("  round {:<4} {} message{}, {} new:", round + 1, messages,
                                 messages == 1 ? "" : "s", workload.judgement.new_per_round[round]);
  for (std::size_t m = 0; m < std::min(messages, kShownSends); ++m) {
    text += " " + message_text(workload, begin + m);
  }
  return text + (messages > kShownSends ? " ...\n" : "\n");
}

std::string rounds_text(const Model& model, const Configuration& configuration) {
  const RoundWorkload& workload = *model.rounds;
  const RoundJudgement& judgement = workload.judgement;
  std::string text =
      fmt::format("{}: {} by {} on {}, one message at a time\n", configuration.name(),
                  configuration.section("workload").text("operation"), workload.algorithm,
                  model.topology->name());
  text += line("rounds", std::to_string(judgement.rounds));
  text += line("lower bound", bound_text(judgement.rounds, workload.claim.bound));
  text += line("transmissions", fmt::format("{}, {} receipts, {} duplicates", judgement.messages,
                                            judgement.receipts, judgement.duplicates));
  const std::string cycles =
      workload.analytic_cycles ? fmt::format("{} cycles", *workload.analytic_cycles) : "no formula";
  text += line("analytic", fmt::format("{} (m {}; {})", cycles, workload.cost.length,
                                       configuration.section("router").text("kind")));
  const std::size_t rounds = workload.plan.rounds();
  for (std::size_t r = 0; r < std::min(rounds, kShownRounds); ++r) text += round_text(workload, r);
  return text + more_rounds(rounds);
}

void write_dump_file(const Model& model, const std::string& file) {
  std::ostringstream text;
  if (model.rounds != nullptr) {
    write_rounds(text, model.rounds->plan);
  } else {
    write_dump(text, *model.topology, model.collective->collective.plan.schedule,
               model.collective->collective.discipline.switching);
  }
  if (file == "-") {
    std::cout << text.str() << std::flush;
  } else {
    write_file(file, text.str());
  }
}

}  // namespace

int schedule_command(const ScheduleOptions& options) {
  const Configuration configuration = load_point(options.file, options.overrides, options.point);
  require_apart(options.dump, options.file);
  if (options.json && options.dump == "-") {
    throw ConfigError(Problem{{},
                              "--dump -",
                              "the judgement goes to standard output already",
                              "leave out --json, or dump to a file"});
  }
  if (configuration.section("workload").text("kind") != "collective") {
    configuration.section("workload")
        .fail("kind", "a schedule belongs to a collective operation",
              "write workload: {kind: collective, operation: ...}");
  }
  Model model = make_bare_model(configuration);
  const bool rounds = runs_in_rounds(configuration);
  if (rounds) {
    model.rounds = std::make_unique<RoundWorkload>(
        make_round_workload(configuration, *model.topology, model.params));
  } else {
    model.collective = std::make_unique<CollectiveWorkload>(
        make_collective(configuration, *model.topology, model.params));
  }
  if (!options.dump.empty()) write_dump_file(model, options.dump);
  if (options.json) {
    const auto json = rounds ? schedule_json(*model.rounds) : schedule_json(*model.collective);
    std::cout << json.dump(2) << std::endl;
  } else if (options.dump != "-") {
    std::cout << (rounds ? rounds_text(model, configuration) : schedule_text(model, configuration));
  }
  return kDone;
}

}  // namespace flitcast
