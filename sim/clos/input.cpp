// SPDX-License-Identifier: Apache-2.0
#include "sim/clos/input.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "config/problem.h"

namespace flitcast {
namespace {

double matrix_bytes(double rows, std::size_t columns) {
  return rows * static_cast<double>(set_words(columns) * sizeof(SetWord));
}

// Sets of busy links, one bit each, which the check at the end counts again, besides some hundred
// bytes a port.
double state_bytes(const clos::Structure& s) {
  return 2 * (matrix_bytes(s.m, s.r2) + matrix_bytes(s.r1, s.m)) +
         400.0 * (s.inputs() + s.outputs());
}

// Loads of links, which the check at the end sums up again, and the sets of those without room.
// More links than kMostLinks are refused anyway.
double load_bytes(const clos::Structure& s) {
  const double links = 1.0 * s.m * (1.0 * s.r1 + s.r2);
  return 2 * sizeof(clos::Weight) * std::min(links, 1.0 * clos::LoadTable::kMostLinks);
}

// The search for a minimum set keeps two tables of what middle switches leave unserved.
double strategy_bytes(const clos::Structure& s, const std::string& strategy) {
  return strategy == "S2" || strategy == "S3m" ? 2 * matrix_bytes(s.m, s.r2) : 0;
}

// Of the machine, or less if this process may not have all of it.
double memory_bytes() {
  const double machine =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return machine;
  return std::min(machine, static_cast<double>(limit.rlim_cur));
}

void require_memory(const clos::Structure& structure, double bytes, const std::string& command) {
  const double present = memory_bytes();
  if (bytes <= present) return;
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  fail(command,
       fmt::format("the state of {} takes about {:.1f} GiB, and there are {:.1f} GiB",
                   to_text(structure), bytes / kGiB, present / kGiB),
       "use fewer middle switches or ports");
}

clos::Candidates candidates_named(const std::string& name) {
  return name == "first" ? clos::Candidates::kFirst : clos::Candidates::kAll;
}

clos::JoinPolicy join_named(const std::string& name) {
  if (name == "bounded") return clos::JoinPolicy::kBounded;
  return name == "reroute" ? clos::JoinPolicy::kReroute : clos::JoinPolicy::kIncremental;
}

}  // namespace

void fail(const std::string& command, const std::string& what, const std::string& remedy) {
  throw ConfigError(Problem{{}, command, what, remedy});
}

clos::Structure structure_of(const ClosSizes& sizes, const std::string& command) {
  using Given = std::pair<const char*, std::uint64_t>;
  const auto own = [](const Given& size, const Given& common) {
    return size.second != 0 ? size : common;
  };
  const Given n{"--n", sizes.n};
  const Given r{"--r", sizes.r};
  const std::array<Given, 5> given{{{"--m", sizes.m},
                                    own({"--n1", sizes.n1}, n),
                                    own({"--r1", sizes.r1}, r),
                                    own({"--n2", sizes.n2}, n),
                                    own({"--r2", sizes.r2}, r)}};
  std::vector<Problem> problems;
  std::set<std::string> named;  // n and r are asked for twice.
  for (const auto& [option, size] : given) {
    if (size >= 1 && size <= clos::kMostSwitches) continue;
    if (!named.insert(option).second) continue;
    problems.push_back({{},
                        command,
                        size == 0 ? fmt::format("{} is missing or 0", option)
                                  : fmt::format("{} is {}", option, size),
                        fmt::format("give a number from 1 to {}", clos::kMostSwitches)});
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  const auto narrow = [](std::uint64_t size) { return static_cast<std::uint32_t>(size); };
  const clos::Structure structure{narrow(given[0].second), narrow(given[1].second),
                                  narrow(given[2].second), narrow(given[3].second),
                                  narrow(given[4].second)};
  as_user_error(command, [&] { require_buildable(structure); });
  require_memory(structure, state_bytes(structure), command);
  return structure;
}

clos::StrategyMaker strategy_named(const std::string& name, const std::string& command) {
  std::string names;
  for (const auto& entry : clos::strategies()) {
    if (entry.name == name) return entry.make;
    names += (names.empty() ? "" : ", ") + entry.name;
  }
  fail(command, "no strategy \"" + name + "\"", "choose one of " + names);
}

clos::Control make_control(const clos::Structure& structure, const ClosControlOptions& options,
                           std::uint64_t seed, const std::string& command) {
  clos::ControlParams params;
  params.pass_limit = options.pass_limit;
  params.candidates = candidates_named(options.candidates);
  params.join = join_named(options.join);
  const clos::StrategyMaker make = strategy_named(options.strategy, command);
  require_memory(structure, state_bytes(structure) + strategy_bytes(structure, options.strategy),
                 command);
  return as_user_error(command, [&] {
    return clos::Control(structure, make({structure, params.pass_limit, seed}), params);
  });
}

clos::MultirateControl make_multirate_control(const clos::Structure& structure,
                                              const clos::WeightRange& weights,
                                              const ClosControlOptions& options, std::uint64_t seed,
                                              const std::string& command) {
  clos::MultirateControlParams params;
  params.pass_limit = options.pass_limit;
  params.candidates = candidates_named(options.candidates);
  const clos::StrategyMaker make = strategy_named(options.strategy, command);
  require_memory(
      structure,
      state_bytes(structure) + load_bytes(structure) + strategy_bytes(structure, options.strategy),
      command);
  return as_user_error(command, [&] {
    return clos::MultirateControl(structure, weights, make({structure, params.pass_limit, seed}),
                                  params);
  });
}

}  // namespace flitcast
