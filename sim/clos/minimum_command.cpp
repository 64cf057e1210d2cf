// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "clos/experiments/trace.h"
#include "clos/minimum/minimum_search.h"
#include "sim/clos/input.h"
#include "sim/commands.h"
#include "sim/stop_signal.h"

namespace flitcast {
namespace {

using Clock = std::chrono::steady_clock;
using nlohmann::ordered_json;

constexpr const char* kMinimumCommand = "clos minimum";
constexpr std::size_t kMostPrintedEvents = 100;  // About a screen.

const char* to_text(clos::SearchOutcome outcome) {
  switch (outcome) {
    case clos::SearchOutcome::kBlocks:
      return "blocks";
    case clos::SearchOutcome::kNeverBlocks:
      return "never blocks";
    case clos::SearchOutcome::kNoVerdict:
      return "no verdict";
  }
  return "";
}

clos::MinimumParams params_of(const ClosMinimumOptions& options, Clock::time_point& begin) {
  clos::MinimumParams params;
  params.strategy = options.strategy;
  if (options.most_states != 0) params.limits.most_states = options.most_states;
  params.limits.most_bytes = options.memory_mib << 20;
  const std::chrono::seconds patience(options.seconds);
  params.limits.stop = [&begin, patience] {
    return StopSignal::received() != 0 ||
           (patience.count() != 0 && Clock::now() - begin > patience);
  };
  return params;
}

ordered_json to_json(const clos::MiddleVerdict& verdict) {
  ordered_json json{{"m", verdict.m},
                    {"verdict", to_text(verdict.outcome)},
                    {"how", verdict.counted ? "counted" : "searched"},
                    {"states", verdict.states}};
  if (verdict.sequence.empty()) return json;
  json["shortest"] = verdict.shortest;
  json["sequence"] = ordered_json::array();
  for (const clos::Event& event : verdict.sequence) json["sequence"].push_back(to_line(event));
  return json;
}

void print(const clos::MiddleVerdict& verdict, const std::string& strategy) {
  const char* const tried = strategy == clos::kRearrangeable ? "assignments" : "states";
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

}  // namespace

int clos_minimum_command(const ClosMinimumOptions& options) {
  ClosSizes sizes = options.sizes;
  if (sizes.m == 0) sizes.m = std::max({std::uint64_t{1}, sizes.n, sizes.n1});
  clos::Structure structure = structure_of(sizes, kMinimumCommand);
  const StopSignal stop;
  Clock::time_point begin;
  const clos::MinimumParams params = params_of(options, begin);
  ordered_json result{{"n1", structure.n1},
                      {"r1", structure.r1},
                      {"n2", structure.n2},
                      {"r2", structure.r2},
                      {"strategy", options.strategy}};
  result["verdicts"] = ordered_json::array();
  clos::MiddleVerdict verdict;
  do {  // One at a time, so that every verdict is seen as soon as it is known.
    begin = Clock::now();
    verdict =
        as_user_error(kMinimumCommand, [&] { return clos::judge_middles(structure, params); });
    result["verdicts"].push_back(to_json(verdict));
    if (!options.json) {
      print(verdict, options.strategy);
      std::cout << std::flush;
    }
    ++structure.m;
  } while (verdict.outcome == clos::SearchOutcome::kBlocks);
  if (verdict.outcome == clos::SearchOutcome::kNeverBlocks) result["minimum"] = verdict.m;
  if (options.json) {
    std::cout << result.dump(2) << '\n';
  } else if (verdict.outcome == clos::SearchOutcome::kNeverBlocks) {
    std::cout << fmt::format("smallest m from {} on that never blocks under {}: {}\n", sizes.m,
                             options.strategy, verdict.m);
  } else {
    std::cout << "no verdict within the limits\n";
  }
  if (StopSignal::received() != 0) return kStoppedBySignal + StopSignal::received();
  return verdict.outcome == clos::SearchOutcome::kNoVerdict ? kNotConverged : kDone;
}

}  // namespace flitcast
