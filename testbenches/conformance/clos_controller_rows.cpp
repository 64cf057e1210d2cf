// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_controller_rows.h"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "clos/catalog.h"
#include "clos/controllers/control_unit.h"
#include "clos/controllers/serve.h"
#include "conformance/clos_params.h"
#include "conformance/controllers_rtl.h"

namespace flitcast::conformance {
namespace {

using namespace flitcast::clos;

struct Instance {
  explicit Instance(const ClosParams& params)
      : structure{params.size("m"), 1, 1, 1, params.size("r")},
        wanted(structure.r2),
        store(0, 0, 0) {
    require_buildable(structure);
    wanted = params.mask("I", structure.r2);
    if (wanted.none()) throw std::invalid_argument("I is empty: that is no request");
    const std::vector<BitSet> sets = params.masks("M", structure.r2);
    if (sets.size() != structure.m) throw std::invalid_argument("M does not list m sets");
    BitMatrix destination_sets(structure.m, structure.r2);
    for (std::size_t j = 0; j < sets.size(); ++j) destination_sets.assign(j, sets[j]);
    BitMatrix available(1, structure.m);
    available.assign(0, params.mask("avail", structure.m));
    store = DestinationStore(destination_sets, available);
  }

  Structure structure;  // It has one input switch.
  BitSet wanted;
  DestinationStore store;
};

/// "1:25 7:18", or "BLOCKED".
std::string route_text(const Selection& selection) {
  if (selection.blocked()) return "BLOCKED";
  std::string text;
  for (std::size_t leg = 0; leg < selection.size(); ++leg) {
    text += (leg == 0 ? "" : " ") + std::to_string(index(selection.middle(leg))) + ":" +
            to_hex(selection.served_set(leg));
  }
  return text;
}

constexpr std::array<std::array<const char*, 2>, 4> kDesigns{
    {{"SC", "seq_counter"}, {"SA", "seq_adder"}, {"PC", "par_counter"}, {"PA", "par_adder"}}};

auto find_design(const std::string& abbreviation) {
  return std::find_if(kDesigns.begin(), kDesigns.end(),
                      [&](const auto& design) { return abbreviation == design[0]; });
}

std::string expected_route(const ClosParams& expected) {
  std::string text;
  for (const std::string& word : expected.keys()) {
    const bool bare = word == "BLOCKED" || word.find(':') != std::string::npos;
    if (bare) text += (text.empty() ? "" : " ") + word;
    if (!bare && word != "passes" && find_design(word) == kDesigns.end()) {
      throw std::invalid_argument("no result is called \"" + word + "\" here");
    }
  }
  return text;
}

class Comparison {
 public:
  explicit Comparison(const std::string& expected) : expected_(expected) {}

  void route(const std::string& who, const std::string& got, std::uint64_t passes) {
    add("selection by " + who, expected_route(expected_), got);
    count("passes", "passes by " + who, passes);
  }
  void route(const std::string& who, const Selection& got) {
    route(who, route_text(got), got.passes());
  }
  void clocks(const std::string& design, const std::string& who, std::uint64_t got) {
    count(design, who, got);
  }
  Verdict verdict() { return Verdict::of(std::move(differences_)); }

 private:
  // Items that `expected` omits are not verified.
  void count(const std::string& key, const std::string& what, std::uint64_t got) {
    if (expected_.has(key)) add(what, expected_.text(key), std::to_string(got));
  }
  void add(const std::string& what, const std::string& expected, const std::string& got) {
    if (expected != got) differences_.push_back({what, expected, got});
  }

  ClosParams expected_;
  std::vector<Difference> differences_;
};

void compare_strategy(const Instance& instance, Comparison& comparison) {
  const auto strategy = find(strategies(), "S1")->make({instance.structure});
  const BitSet candidates = instance.store.available().set_of(0);
  Selection selection(instance.structure.r2);
  strategy->select({instance.wanted, candidates, instance.store.destination_sets()}, selection);
  comparison.route("S1", selection);
}

void compare_design(const Instance& instance, const char* abbreviation, const char* name,
                    Comparison& comparison) {
  const ControllerParams params{instance.structure.m, instance.structure.r2};
  ControlUnit unit(find(controllers(), name)->make, params, instance.store);
  Selection selection(instance.structure.r2);
  comparison.clocks(abbreviation, abbreviation, serve(unit, {0, instance.wanted}, selection));
  comparison.route(name, selection);
}

/// The columns with the clocks of a design in RTL. The lecture has no columns for the other
/// designs.
const std::map<std::string, std::string> kRtlColumns{{"seq_counter", "SC"},
                                                     {"seq_adder", "SA"},
                                                     {"par_counter", "PC"},
                                                     {"par_adder", "PA"},
                                                     {"par_thermo", "PA"}};

void compare_rtl(const Instance& instance, Comparison& comparison) {
  const BitSet available = instance.store.available().set_of(0);
  for (const RtlAnswer& answer :
       serve_in_rtl(instance.wanted, available, instance.store.destination_sets())) {
    const std::string who = answer.design + " in RTL";
    const auto column = kRtlColumns.find(answer.design);
    if (column != kRtlColumns.end()) {
      comparison.clocks(column->second, "clocks of " + who, answer.clocks);
    }
    comparison.route(who, answer.route, answer.passes);
  }
}

}  // namespace

Verdict clos_controller_row(const Row& row, Level level) {
  const Instance instance(ClosParams(row["params"], {"m=", "r=", "I=", "avail=", "M="}));
  Comparison comparison(row["expected"]);
  compare_strategy(instance, comparison);
  if (level == Level::kRtl) {
    compare_rtl(instance, comparison);
    return comparison.verdict();
  }
  for (const auto& [abbreviation, name] : kDesigns) {
    compare_design(instance, abbreviation, name, comparison);
  }
  return comparison.verdict();
}

}  // namespace flitcast::conformance
