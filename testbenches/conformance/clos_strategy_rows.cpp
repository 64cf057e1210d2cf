// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_strategy_rows.h"

#include <stdexcept>

#include "base/ids.h"
#include "clos/catalog.h"
#include "conformance/clos_params.h"

namespace flitcast::conformance {
namespace {

using clos::Selection;
using clos::Structure;

/// A request and the state that it meets.
struct Instance {
  explicit Instance(const ClosParams& params);

  Structure structure;
  BitSet wanted;
  BitSet available;
  BitMatrix busy;
  std::size_t pass_limit = 0;
  std::uint64_t seed = 1;
};

Structure single_input_structure(const ClosParams& params) {
  const Structure structure = Structure::symmetric(params.size("m"), 1, params.size("r"));
  clos::require_buildable(structure);
  return structure;
}

BitSet available_of(const ClosParams& params, std::size_t m) {
  return params.text("avail") == "all" ? BitSet::full(m) : params.mask("avail", m);
}

BitMatrix busy_of(const ClosParams& params, const Structure& structure) {
  const std::vector<BitSet> sets = params.masks("M", structure.r2);
  if (sets.size() != structure.m) {
    throw std::invalid_argument("M lists " + std::to_string(sets.size()) + " sets for " +
                                std::to_string(structure.m) + " middle switches");
  }
  BitMatrix busy(structure.m, structure.r2);
  for (std::size_t j = 0; j < sets.size(); ++j) busy.assign(j, sets[j]);
  return busy;
}

Instance::Instance(const ClosParams& params)
    : structure(single_input_structure(params)),
      wanted(params.mask("I", structure.r2)),
      available(available_of(params, structure.m)),
      busy(busy_of(params, structure)) {
  if (wanted.none()) throw std::invalid_argument("a request for no output switch");
  if (params.has("x")) pass_limit = params.size("x");
  if (params.has("seed")) seed = params.count("seed");
}

std::string to_text(const Selection& selection) {
  if (selection.blocked()) return "B";
  std::string text;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    if (leg > 0) text += "+";
    text += std::to_string(index(selection.middle(leg))) + ":" + to_hex(selection.served_set(leg));
  }
  return text;
}

std::string select(const std::string& strategy, const Instance& instance) {
  const auto* entry = find(clos::strategies(), strategy);
  if (entry == nullptr) throw std::invalid_argument("no strategy is called \"" + strategy + "\"");
  const auto chosen = entry->make({instance.structure, instance.pass_limit, instance.seed});
  Selection selection(instance.structure.r2);
  chosen->select({instance.wanted, instance.available, instance.busy}, selection);
  return to_text(selection);
}

}  // namespace

Verdict clos_strategy_row(const Row& row, Level) {
  const Instance instance(
      ClosParams(row["params"], {"m=", "r=", "I=", "avail=", "M=", "x=", "seed="}));
  const ClosParams expected(row["expected"]);
  std::vector<Computed> computed;
  for (const std::string& strategy : expected.keys()) {
    computed.emplace_back(strategy, select(strategy, instance));
  }
  return compare(row["expected"], computed);
}

}  // namespace flitcast::conformance
