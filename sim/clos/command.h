// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "base/figures.h"
#include "base/sequences.h"
#include "clos/bounds/designs.h"
#include "clos/catalog.h"
#include "clos/connection_admission.h"
#include "clos/multirate/multirate_admission.h"
#include "config/problem.h"
#include "config/wording.h"
#include "sim/commands/command.h"
#include "topology/clos_structure.h"

namespace flitcast {

/// Declares the commands of `flitcast clos ...` below `clos`; the action returns the exit code of
/// the command that ran. Invalid arguments, lengths and overflows that the library reports, and a
/// lack of memory, become ConfigErrors in the name of the command.
Action declare_clos(CLI::App& clos);

// Functions that these commands share. Each command and its options are in a separate file; its
// function prints a table, or JSON, to standard output, returns the exit code and throws
// ConfigError for bad input.

/// The sizes of a Clos network as the user gives them: symmetric by n and r, or each size
/// separately. The numbers are wide so that sizes that are too large are refused and not truncated.
struct ClosSizes {
  std::uint64_t n = 0;
  std::uint64_t r = 0;
  std::uint64_t m = 0;
  std::uint64_t n1 = 0, r1 = 0, n2 = 0, r2 = 0;  ///< n1, n2: 0 means n; r1, r2: 0 means r.
};

/// The options that define how requests are decided.
struct ClosAdmissionOptions {
  std::string strategy = clos::strategies()[0].name;
  std::uint64_t pass_limit = 0;
  std::string candidates = "all";
  std::string join = "incremental";
};

/// Checks a given state, answers the requests on it one after the other and prints both; for the
/// texts see clos/statement.h. Returns kDone.
/// Throws ConfigError for statements that cannot hold in the network, std::invalid_argument for
/// unreadable statements.
int route_on_state(const clos::StrategyContext& context, const std::string& strategy,
                   const std::string& state, const std::string& requests, bool as_json);

/// Adds a flag that takes a whole number from `least` to `most`.
CLI::Option* add_number(CLI::App& command, const std::string& name, std::uint64_t& value,
                        const std::string& help, std::int64_t least = 0,
                        std::int64_t most = std::numeric_limits<std::int64_t>::max());
void add_sizes(CLI::App& command, ClosSizes& sizes);
void add_control(CLI::App& command, ClosAdmissionOptions& control);

/// The entry of that name; throws ConfigError with all names if there is none. `what` names the
/// kind of entry in the message: "strategy".
template <class Entry>
const Entry& entry_named(const Catalog<Entry>& catalog, const std::string& what,
                         const std::string& name) {
  if (const Entry* entry = catalog.find(name)) return *entry;
  fail({}, "no " + what + " \"" + name + "\"",
       "choose one of " + joined(mapped(catalog, &Entry::name)));
}

/// The structure that the sizes describe, which need not fit into memory.
/// Throws ConfigError with every size that is 0 or above `most`.
clos::Structure sizes_of(const ClosSizes& sizes, std::uint64_t most);

/// The structure that the sizes describe, for a network that can be built.
/// Throws ConfigError with every problem: sizes that are 0 or too large, and a network whose state
/// does not fit into memory.
clos::Structure structure_of(const ClosSizes& sizes);

/// Throws ConfigError if the flag asks for more output switches than the network has.
void require_fan_out(const char* flag, std::uint64_t fan_out, const clos::Structure& structure);

/// The admission control for a structure.
/// Throws ConfigError for names and limits that do not fit, and for a strategy that needs more
/// memory than is available.
clos::ConnectionAdmission make_control(const clos::Structure& structure,
                                       const ClosAdmissionOptions& options, std::uint64_t seed);

/// The admission control for requests with weights; throws the errors of make_control().
clos::MultirateAdmission make_multirate_control(const clos::Structure& structure,
                                                const clos::WeightRange& weights,
                                                const ClosAdmissionOptions& options,
                                                std::uint64_t seed);

/// Prints "key: value" in lines, a list in a line for each member.
void print_lines(const ordered_json& result);

/// n1, r1, n2 and r2.
ordered_json sizes_json(const clos::Structure& structure);
/// n, r, m and x of each level, outermost first.
ordered_json levels_json(const clos::CrosspointPlan& plan);
/// The destination sets M_0, M_1, ... of the middle switches in hexadecimal; bit k is output switch
/// k.
std::vector<std::string> destination_sets_of(const clos::NetworkState& state);

}  // namespace flitcast
