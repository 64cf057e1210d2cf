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

std::string bound_text(const CollectiveWorkload& workload) {
  const std::size_t rounds = workload.judgement.rounds;
  const std::size_t bound = workload.bound.rounds;
  const std::string verdict = rounds == bound ? "met" : fmt::format("missed by {}", rounds - bound);
  return fmt::format("{} rounds: {} ({})", bound, verdict, workload.bound.reason);
}

std::string send_text(const Schedule& schedule, std::size_t send, bool with_chunk) {
  const Send& message = schedule.send(send);
  std::string text = fmt::format("{}->{}", index(message.from), index(message.to));
  if (with_chunk) text += fmt::format(":{}", index(message.chunk));
  return text;
}

/// "round 2: 4 sends, 4 new, longest path 1: 0->2 1->3 ..."
std::string round_text(const CollectiveWorkload& workload, std::size_t round) {
  constexpr std::size_t kShown = 12;
  const Schedule& schedule = workload.collective.plan.schedule;
  const std::size_t sends = schedule.end(round) - schedule.begin(round);
  std::string text = fmt::format(
      "  round {:<4} {} send{}, {} new, longest path {}:", round + 1, sends, sends == 1 ? "" : "s",
      workload.judgement.new_per_round[round], workload.judgement.longest_path_per_round[round]);
  for (std::size_t s = 0; s < std::min(sends, kShown); ++s) {
    text += " " +
            send_text(schedule, schedule.begin(round) + s, workload.collective.demand.chunks() > 1);
  }
  return text + (sends > kShown ? " ...\n" : "\n");
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
  const auto line = [&text](const char* label, const std::string& value) {
    text += fmt::format("  {:<13} {}\n", label, value);
  };
  line("rounds", std::to_string(workload.judgement.rounds));
  line("lower bound", bound_text(workload));
  line("transmissions", fmt::format("{}, {} duplicates", workload.judgement.transmissions,
                                    workload.judgement.duplicates));
  const std::string cycles =
      workload.analytic_cycles ? fmt::format("{} cycles", *workload.analytic_cycles) : "no formula";
  line("analytic",
       fmt::format("{} (ts {}, td {}, tm {}, m {}; {})", cycles, cost.startup, cost.hop, cost.flit,
                   cost.length, configuration.section("router").text("kind")));
  constexpr std::size_t kRounds = 64;
  const std::size_t rounds = workload.collective.plan.schedule.rounds();
  for (std::size_t r = 0; r < std::min(rounds, kRounds); ++r) text += round_text(workload, r);
  if (rounds > kRounds) text += fmt::format("  ... {} rounds more\n", rounds - kRounds);
  return text;
}

void write_dump_file(const Model& model, const std::string& file) {
  std::ostringstream text;
  write_dump(text, *model.topology, model.collective->collective.plan.schedule,
             model.collective->collective.discipline.switching);
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
  model.collective = std::make_unique<CollectiveWorkload>(
      make_collective(configuration, *model.topology, model.params));
  if (!options.dump.empty()) write_dump_file(model, options.dump);
  if (options.json) {
    std::cout << schedule_json(*model.collective).dump(2) << std::endl;
  } else if (options.dump != "-") {
    std::cout << schedule_text(model, configuration);
  }
  return kDone;
}

}  // namespace flitcast
