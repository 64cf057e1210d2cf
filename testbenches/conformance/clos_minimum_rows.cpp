// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_minimum_rows.h"

#include <chrono>
#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "clos/minimum/rising.h"
#include "conformance/clos_params.h"

namespace flitcast::conformance {
namespace {

using namespace flitcast::clos;

constexpr std::chrono::minutes kMostTime{10};  // The time limit of a row.

SearchLimits limits() {
  const auto end = std::chrono::steady_clock::now() + kMostTime;
  SearchLimits limits;
  limits.stop = [end] { return std::chrono::steady_clock::now() > end; };
  return limits;
}

constexpr const char* kLeave = "(leave)";
constexpr const char* kOpenTies = "(open-ties)";

// Phrases of the table that consist of several words.
const std::vector<std::pair<std::string, std::string>> kPhrases{
    {"any strategy", kAnyStrategy},
    {"with leave events", kLeave},
    {"adversarial ties", kOpenTies},
};

std::string in_single_words(std::string params) {
  for (const auto& [phrase, word] : kPhrases) {
    const std::size_t at = params.find(phrase);
    if (at != std::string::npos) params.replace(at, phrase.size(), word);
  }
  const std::string between = std::string(kLeave) + ", " + kOpenTies;
  const std::size_t at = params.find(between);
  if (at != std::string::npos) params.erase(at + std::string(kLeave).size(), 1);
  return params;
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
  params.leave = row.has(kLeave);
  if (row.has(kOpenTies)) params.ties = Ties::kByAdversary;
  params.limits = limits();
  params.shortening_states = 0;
  const Structure structure = structure_of(row);
  return compare(expected,
                 {{"m", minimum_of(check_rising_middles(structure, structure.n1, params))}});
}

Verdict rearrangeable_row(const ClosParams& row, const std::string& expected) {
  const bool multicast = row.has("multicast");
  if (!multicast && !row.has("permutations") && !row.has("permutation")) {
    throw std::invalid_argument("neither multicast nor permutations are asked for");
  }
  const AssignmentKind kind =
      multicast ? AssignmentKind::kMulticast : AssignmentKind::kPermutations;
  return compare(
      expected, {{"m", minimum_of(check_rising_rearrangeable(structure_of(row), kind, limits()))}});
}

}  // namespace

Verdict clos_minimum_row(const Row& row, Level) {
  const std::string params = in_single_words(row["params"]);
  if (row["kind"] == "min_m") {
    return minimum_row({params, {"n=", "r=", "strategy=", "(exhaustive)", kLeave, kOpenTies}},
                       row["expected"]);
  }
  if (row["kind"] == "rearrangeable") {
    return rearrangeable_row(
        {params, {"n=", "r=", "multicast", "permutations", "permutation", "(exhaustive)"}},
        row["expected"]);
  }
  throw std::invalid_argument("no kind \"" + row["kind"] + "\"");
}

}  // namespace flitcast::conformance
