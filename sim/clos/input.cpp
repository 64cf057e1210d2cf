// SPDX-License-Identifier: Apache-2.0
#include "sim/clos/input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "config/problem.h"

namespace flitcast {
namespace {

// Sets of busy links, one bit each, besides some hundred bytes a port.
double state_bytes(const clos::Structure& s) {
  const double links = double{1.0} * s.m * (double{1.0} * s.r1 + s.r2);
  return links / 8 + 400.0 * (s.inputs() + s.outputs());
}

void require_memory(const clos::Structure& structure, const std::string& command) {
  const double present =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (state_bytes(structure) <= present) return;
  constexpr double kGiB = 1024.0 * 1024 * 1024;
  fail(command,
       fmt::format("the state of {} takes about {:.1f} GiB, and this machine has {:.1f} GiB",
                   to_text(structure), state_bytes(structure) / kGiB, present / kGiB),
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
  const auto own = [](std::uint64_t size, std::uint64_t common) {
    return size != 0 ? size : common;
  };
  const std::array<std::pair<const char*, std::uint64_t>, 5> given{
      {{"--m", sizes.m},
       {"--n (--n1)", own(sizes.n1, sizes.n)},
       {"--r (--r1)", own(sizes.r1, sizes.r)},
       {"--n (--n2)", own(sizes.n2, sizes.n)},
       {"--r (--r2)", own(sizes.r2, sizes.r)}}};
  std::vector<Problem> problems;
  for (const auto& [option, size] : given) {
    if (size >= 1 && size <= clos::kMostSwitches) continue;
    const Problem problem{{},
                          command,
                          fmt::format("{} is {}", option, size),
                          fmt::format("give a number from 1 to {}", clos::kMostSwitches)};
    if (problems.empty() || problems.back().what != problem.what) problems.push_back(problem);
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  const auto narrow = [](std::uint64_t size) { return static_cast<std::uint32_t>(size); };
  const clos::Structure structure{narrow(given[0].second), narrow(given[1].second),
                                  narrow(given[2].second), narrow(given[3].second),
                                  narrow(given[4].second)};
  as_user_error(command, [&] { require_buildable(structure); });
  require_memory(structure, command);
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
  return as_user_error(command, [&] {
    return clos::Control(structure, make({structure, params.pass_limit, seed}), params);
  });
}

}  // namespace flitcast
