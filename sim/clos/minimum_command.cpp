// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iostream>
#include <string>

#include "base/sequences.h"
#include "clos/minimum/minimum_search.h"
#include "clos/trace.h"
#include "sim/clos/command.h"
#include "sim/host/process.h"

namespace flitcast {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kMostPrintedEvents = 100;  // About one screen.

struct MinimumOptions : PrintOptions {
  ClosSizes sizes;  ///< The search starts at m = sizes.m; 0: at m = n.
  std::string strategy = clos::strategies()[0].name;
  std::string ties = "index";
  bool leave = false;
  std::uint64_t most_states = 0;  ///< 0: no limit.
  std::uint64_t memory_mib = 8192;
  std::uint64_t seconds = 0;  ///< Time limit for each m; 0: no limit.
};

const char* to_text(clos::SearchOutcome outcome) {
  constexpr std::array<const char*, 3> kNames{"blocks", "never blocks", "no verdict"};
  return kNames[static_cast<std::size_t>(outcome)];
}

clos::MinimumParams params_of(const MinimumOptions& options, Clock::time_point& begin) {
  clos::MinimumParams params;
  params.strategy = options.strategy;
  if (options.ties == "adversary") params.ties = clos::Ties::kByAdversary;
  params.leave = options.leave;
  if (options.most_states != 0) params.limits.most_states = options.most_states;
  params.limits.most_bytes = options.memory_mib << 20;
  const std::chrono::seconds patience(options.seconds);
  params.limits.stop = [&begin, patience] {
    return StopSignal::received() != 0 ||
           (patience.count() != 0 && Clock::now() - begin > patience);
  };
  return params;
}

// "S1", or "S1, members leave, an adversary breaks ties".
std::string rules_of(const MinimumOptions& options) {
  std::string rules = options.strategy;
  if (options.leave) rules += ", members leave";
  if (options.ties == "adversary") rules += ", an adversary breaks ties";
  return rules;
}

ordered_json to_json(const clos::MiddleVerdict& verdict) {
  ordered_json json{{"m", verdict.m},
                    {"verdict", to_text(verdict.outcome)},
                    {"how", verdict.counted ? "counted" : "searched"},
                    {"states", verdict.states}};
  if (verdict.sequence.empty()) return json;
  json["shortest"] = verdict.shortest;
  json["sequence"] = mapped(verdict.sequence, clos::to_line);
  return json;
}

void print_verdict(const clos::MiddleVerdict& verdict, const std::string& strategy) {
  const char* const tried = strategy == clos::kRearrangeableStrategy ? "assignments" : "states";
  std::cout << fmt::format(
      "  m = {:<4} {:<13} {}\n", verdict.m, to_text(verdict.outcome),
      verdict.counted ? "by counting" : fmt::format("{} {}", verdict.states, tried));
  if (verdict.sequence.empty()) return;
  const std::size_t events = verdict.sequence.size();
  if (events > kMostPrintedEvents) {
    std::cout << fmt::format("           by a sequence of {} events, which --json lists\n", events);
    return;
  }
  std::cout << (verdict.shortest ? "           a shortest sequence:" : "           a sequence:");
  for (const clos::Event& event : verdict.sequence) {
    std::cout << ' ' << to_line(event) << (&event == &verdict.sequence.back() ? "\n" : ";");
  }
}

int minimum_command(const MinimumOptions& options) {
  ClosSizes sizes = options.sizes;
  if (sizes.m == 0) sizes.m = std::max({std::uint64_t{1}, sizes.n, sizes.n1});
  clos::Structure structure = structure_of(sizes);
  const StopSignal stop;
  Clock::time_point begin;
  const clos::MinimumParams params = params_of(options, begin);
  ordered_json result = sizes_json(structure);
  result.update({{"strategy", options.strategy},
                 {"ties", options.ties},
                 {"leave", options.leave},
                 {"verdicts", ordered_json::array()}});
  clos::MiddleVerdict verdict;
  do {  // Runs one at a time, so that every verdict is printed as soon as it is known.
    begin = Clock::now();
    verdict = clos::check_middles(structure, params);
    result["verdicts"].push_back(to_json(verdict));
    if (!options.json) {
      print_verdict(verdict, options.strategy);
      std::cout << std::flush;
    }
    ++structure.m;
  } while (verdict.outcome == clos::SearchOutcome::kBlocks);
  if (verdict.outcome == clos::SearchOutcome::kNeverBlocks) result["minimum"] = verdict.m;
  print(options.json, result, [&] {
    std::cout << (!result.contains("minimum")
                      ? "no verdict within the limits\n"
                      : fmt::format("smallest m from {} on that never blocks under {}: {}\n",
                                    sizes.m, rules_of(options), verdict.m));
  });
  if (StopSignal::received() != 0) return kStoppedBySignal + StopSignal::received();
  return verdict.outcome == clos::SearchOutcome::kNoVerdict ? kNotConverged : kDone;
}

void add_minimum_flags(CLI::App& command, MinimumOptions& minimum) {
  add_sizes(command, minimum.sizes);
  add_number(command, "--m", minimum.sizes.m, "Smallest m to search; 0: n");
  command.add_option(
      "--strategy", minimum.strategy,
      "A strategy by name, any (the best of all strategies), strict (every choice of "
      "routes), or rearrangeable (connections may be moved)");
  command
      .add_option(
          "--ties", minimum.ties,
          "Choice among middle switches that the strategy rates equally: index (the lowest) "
          "or adversary (the one that leads to blocking)")
      ->check(CLI::IsMember({"index", "adversary"}));
  command.add_flag("--leave", minimum.leave, "Single outputs may also leave connections");
  add_number(command, "--max-states", minimum.most_states,
             "Most states of one search; 0: no limit");
  add_number(command, "--memory", minimum.memory_mib, "Memory of one search, in MiB", 1, 1 << 24);
  add_number(command, "--seconds", minimum.seconds, "Time for one m; 0: no limit");
}

}  // namespace

Command clos_minimum() {
  return {"minimum", "Smallest m whose reachable states never block, by exhaustive search",
          declare<MinimumOptions, add_minimum_flags, minimum_command>};
}

}  // namespace flitcast
