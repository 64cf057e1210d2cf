// SPDX-License-Identifier: Apache-2.0
#include "sim/clos/input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <set>
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
                        fmt::format("{} is {}", option, size),
                        fmt::format("give a number from 1 to {}", clos::kMostSwitches)});
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
