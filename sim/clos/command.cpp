// SPDX-License-Identifier: Apache-2.0
#include "sim/clos/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <set>
#include <utility>
#include <vector>

#include "base/bit_set.h"
#include "base/sequences.h"
#include "config/problem.h"
#include "sim/host/process.h"

namespace flitcast {

// Each function is defined in the file of its command.
Command clos_bound();
Command clos_designs();
Command clos_crosspoints();
Command clos_route();
Command clos_traffic();
Command clos_minimum();
Command clos_worst();

namespace {

double matrix_bytes(double rows, std::size_t columns) {
  return rows * static_cast<double>(set_words(columns) * sizeof(SetWord));
}

// The memory in bytes for the sets of busy links, one bit each and twice because the final check
// rebuilds them, and some hundred bytes per port.
double state_bytes(const clos::Structure& s) {
  return 2 * (matrix_bytes(s.m, s.r2) + matrix_bytes(s.r1, s.m)) +
         400.0 * (s.inputs() + s.outputs());
}

// The memory in bytes for the loads of links, which the final check sums again, and for the sets of
// full links. Networks with more than kMostLinks links are refused earlier.
double load_bytes(const clos::Structure& s) {
  const double links = 1.0 * s.m * (1.0 * s.r1 + s.r2);
  return 2 * sizeof(clos::Weight) * std::min(links, 1.0 * clos::LoadTable::kMostLinks);
}

void require_memory(const clos::Structure& structure, double bytes) {
  // The limit is computed once, because curves call this function for every point.
  static const MemoryLimit limit = memory_limit();
  flitcast::require_memory(bytes, limit,
                           fmt::format("the state of {} takes about", to_text(structure)),
                           {{}, "", "", "use fewer middle switches or ports"});
}

/// A control of connections, with weights or without.
/// @param bytes  The memory of the control without the strategy.
template <class Control, class... Weights>
Control control_of(const clos::Structure& structure, const ClosAdmissionOptions& options,
                   std::uint64_t seed, double bytes, const Weights&... weights) {
  clos::AdmissionParams params;
  params.pass_limit = options.pass_limit;
  if (options.candidates == "first") params.candidates = clos::Candidates::kFirst;
  if (options.join == "bounded") params.join = clos::JoinPolicy::kBounded;
  if (options.join == "reroute") params.join = clos::JoinPolicy::kReroute;
  const clos::StrategyEntry& strategy =
      entry_named(clos::strategies(), "strategy", options.strategy);
  const auto tables = static_cast<double>(strategy.tables);
  require_memory(structure, bytes + tables * matrix_bytes(structure.m, structure.r2));
  return Control(structure, weights..., strategy.make({structure, params.pass_limit, seed}),
                 params);
}

int run_reporting_as(const std::string& command, const Action& run) {
  const auto refuse = [&](const char* what) -> int {
    fail_option(command, what, "see flitcast " + command + " --help");
  };
  try {
    return run();
  } catch (const ConfigError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) problem.key = command;
    throw ConfigError(std::move(problems));
  } catch (const std::invalid_argument& error) {
    return refuse(error.what());
  } catch (const std::overflow_error& error) {
    return refuse(error.what());
  } catch (const std::length_error& error) {
    return refuse(error.what());
  } catch (const std::bad_alloc&) {
    fail_option(command, "this takes more memory than there is",
                "use fewer middle switches or ports");
  }
}

}  // namespace

Action declare_clos(CLI::App& clos) {
  return declare_subcommands(clos,
                             {clos_bound(), clos_designs(), clos_crosspoints(), clos_route(),
                              clos_traffic(), clos_minimum(), clos_worst()},
                             run_reporting_as);
}

CLI::Option* add_number(CLI::App& command, const std::string& name, std::uint64_t& value,
                        const std::string& help, std::int64_t least, std::int64_t most) {
  return command.add_option(name, value, help)->option_text("N")->check(CLI::Range(least, most));
}

void add_sizes(CLI::App& command, ClosSizes& sizes) {
  add_number(command, "--n", sizes.n, "Ports of an input switch and of an output switch");
  add_number(command, "--r", sizes.r, "Input switches and output switches");
  add_number(command, "--n1", sizes.n1, "Ports of an input switch, if not n");
  add_number(command, "--r1", sizes.r1, "Input switches, if not r");
  add_number(command, "--n2", sizes.n2, "Ports of an output switch, if not n");
  add_number(command, "--r2", sizes.r2, "Output switches, if not r");
}

void add_control(CLI::App& command, ClosAdmissionOptions& control) {
  command.add_option("--strategy", control.strategy,
                     "The strategy that chooses the middle switches; see flitcast list strategies");
  add_number(command, "--pass-limit", control.pass_limit, "Most middle switches of a route; 0: any",
             0, 1 << 20);
  command.add_option("--candidates", control.candidates, "all, or the first that Theorem 3 needs")
      ->check(CLI::IsMember({"all", "first"}));
}

clos::Structure sizes_of(const ClosSizes& sizes, std::uint64_t most) {
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
  std::set<std::string> named;  // n and r occur twice.
  std::vector<std::uint32_t> sound;
  for (const auto& [option, size] : given) {
    sound.push_back(static_cast<std::uint32_t>(size));
    if (size >= 1 && size <= most) continue;
    if (!named.insert(option).second) continue;
    problems.push_back({{},
                        "",
                        size == 0 ? fmt::format("{} is missing or 0", option)
                                  : fmt::format("{} is {}", option, size),
                        fmt::format("give a number from 1 to {}", most)});
  }
  if (!problems.empty()) throw ConfigError(std::move(problems));
  return {sound[0], sound[1], sound[2], sound[3], sound[4]};
}

clos::Structure structure_of(const ClosSizes& sizes) {
  const clos::Structure structure = sizes_of(sizes, clos::kMostSwitches);
  require_buildable(structure);
  require_memory(structure, state_bytes(structure));
  return structure;
}

void require_fan_out(const char* flag, std::uint64_t fan_out, const clos::Structure& structure) {
  if (fan_out <= structure.r2) return;
  fail({}, fmt::format("{} is {}, but there are {} output switches", flag, fan_out, structure.r2),
       fmt::format("give 1 to {}", structure.r2));
}

clos::ConnectionAdmission make_control(const clos::Structure& structure,
                                       const ClosAdmissionOptions& options, std::uint64_t seed) {
  return control_of<clos::ConnectionAdmission>(structure, options, seed, state_bytes(structure));
}

clos::MultirateAdmission make_multirate_control(const clos::Structure& structure,
                                                const clos::WeightRange& weights,
                                                const ClosAdmissionOptions& options,
                                                std::uint64_t seed) {
  const double bytes = state_bytes(structure) + load_bytes(structure);
  return control_of<clos::MultirateAdmission>(structure, options, seed, bytes, weights);
}

namespace {

/// "S_1={1} minimum=0", "{1} {2}" or a value.
std::string line_of(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  std::string line;
  for (const auto& [key, part] : value.items()) {
    line += (line.empty() ? "" : " ") + (value.is_object() ? key + "=" : "") + line_of(part);
  }
  return line;
}

}  // namespace

void print_lines(const ordered_json& result) {
  for (const auto& [key, value] : result.items()) {
    const bool is_list = value.is_array() && !value.empty();
    std::cout << key << (is_list ? "" : ": " + line_of(value)) << '\n';
    for (std::size_t at = 0; is_list && at < value.size(); ++at) {
      if (value[at].contains("request")) {
        print_lines(value[at]);
      } else {
        std::cout << "  " << line_of(value[at]) << '\n';
      }
    }
  }
}

ordered_json sizes_json(const clos::Structure& structure) {
  return {{"n1", structure.n1}, {"r1", structure.r1}, {"n2", structure.n2}, {"r2", structure.r2}};
}

ordered_json levels_json(const clos::CrosspointPlan& plan) {
  return mapped(plan.levels, [](const clos::PlanLevel& level) {
    return ordered_json{
        {"n", level.n}, {"r", level.r}, {"m", level.middles.m}, {"x", level.middles.x}};
  });
}

std::vector<std::string> destination_sets_of(const clos::NetworkState& state) {
  const BitMatrix& sets = state.destination_sets();
  return tabulated(sets.rows(), [&](std::size_t j) { return to_hex(sets.set_of(j)); });
}

}  // namespace flitcast
