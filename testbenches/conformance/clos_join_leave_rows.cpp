// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_join_leave_rows.h"

#include <stdexcept>

#include "clos/bounds/bounds.h"
#include "clos/catalog.h"
#include "clos/replay.h"
#include "clos/trace.h"
#include "conformance/clos_params.h"
#include "conformance/text.h"

namespace flitcast::conformance {
namespace {

using namespace flitcast::clos;

JoinPolicy policy_of(const std::string& name) {
  if (name == "incremental") return JoinPolicy::kIncremental;
  if (name == "bounded") return JoinPolicy::kBounded;
  if (name == "reroute") return JoinPolicy::kReroute;
  throw std::invalid_argument("no way to join \"" + name +
                              "\"; take incremental, bounded or reroute");
}

// Bounded joins keep the pass limit of Theorem 3 unless the row gives one; other rows have no limit
// unless they give one.
ConnectionAdmission control_of(const ClosParams& params) {
  const Structure structure =
      Structure::symmetric(params.size("m"), params.size("n"), params.size("r"));
  const auto* entry = find(strategies(), params.text("strategy"));
  if (entry == nullptr) {
    throw std::invalid_argument("no strategy \"" + params.text("strategy") + "\"");
  }
  AdmissionParams control;
  if (params.has("join")) control.join = policy_of(params.text("join"));
  if (params.has("x")) {
    control.pass_limit = params.size("x");
  } else if (control.join == JoinPolicy::kBounded) {
    control.pass_limit = theorem3(structure.n1, structure.r1).x;
  }
  const std::uint64_t seed = params.has("seed") ? params.count("seed") : 1;
  return {structure, entry->make({structure, control.pass_limit, seed}), control};
}

std::string destination_sets(const NetworkState& state) {
  std::string text;
  const BitMatrix& sets = state.destination_sets();
  for (std::size_t j = 0; j < sets.rows(); ++j) {
    text += (j == 0 ? "" : ",") + to_hex(sets.set_of(j));
  }
  return text;
}

}  // namespace

// The expected field is a trace, then "|" and the final sets: "C 0 6,9 = 0:c; L 0 9 = closed |
// M=0".
Verdict clos_join_leave_row(const Row& row, Level) {
  const ClosParams params(row["params"], {"n=", "r=", "m=", "strategy=", "join=", "x=", "seed="});
  const std::vector<std::string> parts = split(row["expected"], '|');
  if (parts.size() != 2) throw std::invalid_argument("expected is no \"events | M=sets\"");
  ConnectionAdmission control = control_of(params);
  const std::vector<Event> trace = parse_trace(parts[0], control.state().structure().r2);
  if (trace.empty()) throw std::invalid_argument("the trace has no events");
  if (const auto difference = replay(trace, control)) {
    return Verdict::of(
        {{"event " + std::to_string(difference->event), difference->expected, difference->got}});
  }
  control.state().verify();
  return compare(parts[1], {{"M", destination_sets(control.state())}});
}

}  // namespace flitcast::conformance
