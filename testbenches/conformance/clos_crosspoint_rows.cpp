// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_crosspoint_rows.h"

#include <stdexcept>

#include "clos/bounds/designs.h"
#include "conformance/clos_params.h"

namespace flitcast::conformance {
namespace {

// A plan contains spaces, which also separate items, so the plan is the rest of the field.
constexpr const char* kPlan = " plan=";

clos::CrosspointPlan compute(const ClosParams& params) {
  const std::string& rule = params.text("rule");
  const auto* entry = find(clos::middle_rules(), rule);
  if (entry == nullptr) throw std::invalid_argument("no rule is called \"" + rule + "\"");
  return clos::CrosspointPlans(entry->make).at(params.count("N"), params.size("k"));
}

}  // namespace

Verdict clos_crosspoint_row(const Row& row, Level) {
  const std::string& expected = row["expected"];
  const clos::CrosspointPlan plan = compute({row["params"], {"N=", "k=", "rule=", "n|N"}});
  const std::size_t cut = expected.find(kPlan);
  Verdict verdict = compare(expected.substr(0, cut), {{"C", std::to_string(plan.crosspoints)}});
  if (cut == std::string::npos) return verdict;
  const std::string wanted = expected.substr(cut + std::string(kPlan).size());
  const std::string got = to_text(plan);
  if (got != wanted) verdict.differences.push_back({"plan", wanted, got});
  return Verdict::of(std::move(verdict.differences));
}

}  // namespace flitcast::conformance
