// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_minimum_rows.h"

#include <chrono>
#include <functional>
#include <stdexcept>

#include "clos/minimum/rising.h"
#include "conformance/clos_params.h"

namespace flitcast::conformance {
namespace {

using namespace flitcast::clos;

constexpr std::chrono::minutes kMostTime{10};  // Of a row.

SearchLimits limits() {
  const auto end = std::chrono::steady_clock::now() + kMostTime;
  SearchLimits limits;
  limits.stop = [end] { return std::chrono::steady_clock::now() > end; };
  return limits;
}

// The name of the game has a blank in the table.
std::string in_one_word(std::string params) {
  const std::string name = "any strategy";
  const std::size_t at = params.find(name);
  return at == std::string::npos ? params : params.replace(at, name.size(), kAnyStrategy);
}

Structure structure_of(const ClosParams& params) {
  return Structure::symmetric(1, params.size("n"), params.size("r"));
}

template <class Verdict>
std::string minimum_of(const std::vector<Verdict>& verdicts) {
  const Verdict& last = verdicts.back();
  if (last.outcome == SearchOutcome::kNeverBlocks) return std::to_string(last.m);
  return "no verdict on " + std::to_string(last.m);
}

Verdict minimum_row(const ClosParams& row, const std::string& expected) {
  MinimumParams params;
  params.strategy = row.text("strategy");
  params.limits = limits();
  params.shortening_states = 0;
  const Structure structure = structure_of(row);
  return compare(expected,
                 {{"m", minimum_of(judge_rising_middles(structure, structure.n1, params))}});
}

Verdict rearrangeable_row(const ClosParams& row, const std::string& expected) {
  const bool multicast = row.has("multicast");
  if (!multicast && !row.has("permutations") && !row.has("permutation")) {
    throw std::invalid_argument("neither multicast nor permutations are asked for");
  }
  const AssignmentKind kind =
      multicast ? AssignmentKind::kMulticast : AssignmentKind::kPermutations;
  return compare(
      expected, {{"m", minimum_of(judge_rising_rearrangeable(structure_of(row), kind, limits()))}});
}

}  // namespace

Verdict clos_minimum_row(const Row& row, Level) {
  const ClosParams params(in_one_word(row["params"]));
  if (row["kind"] == "min_m") return minimum_row(params, row["expected"]);
  if (row["kind"] == "rearrangeable") return rearrangeable_row(params, row["expected"]);
  throw std::invalid_argument("no kind \"" + row["kind"] + "\"");
}

}  // namespace flitcast::conformance
