// SPDX-License-Identifier: Apache-2.0
#include "conformance/collective_rows.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "collective/cost.h"
#include "collective/precondition.h"
#include "collective/verification.h"
#include "conformance/collective_instance.h"
#include "conformance/collective_network_rows.h"
#include "conformance/text.h"

namespace flitcast::conformance {
namespace {

std::string list(const std::vector<std::size_t>& numbers) {
  std::string text;
  for (const std::size_t number : numbers)
    text += (text.empty() ? "" : ";") + std::to_string(number);
  return text;
}

std::vector<std::size_t> read_list(const std::string& text) {
  std::vector<std::size_t> numbers;
  for (const std::string& number : split(text, ';')) numbers.push_back(to_count(number));
  return numbers;
}

/// Compares one row with the result of the step machine on its instance.
class StepCheck {
 public:
  StepCheck(const Row& row, const Norm& norm, const CollectiveInstance& instance)
      : row_(row),
        norm_(norm),
        instance_(instance),
        verification_(verify(*instance.topology, plan().schedule, instance.collective.demand,
                             instance.collective.discipline, plan().claim)) {}

  Verdict verdict() {
    check_legality();
    check_rounds();
    check_counts();
    check_lists();
    if (filled("lower_bound")) equal("lower_bound", instance_.lower_bound);
    if (filled("time")) check_time();
    check_quiescence();
    return Verdict::of(std::move(differences_));
  }

 private:
  const Plan& plan() const { return instance_.collective.plan; }
  bool filled(const std::string& column) const { return !row_[column].empty(); }

  void check_legality();
  void check_rounds();
  void check_counts();
  void check_lists();
  void check_time();
  void check_quiescence();

  bool fixed(bool normative, bool defined, const std::string& column) const {
    return normative || (defined && filled(column));
  }
  bool paths_fixed() const;

  void equal(const std::string& column, std::size_t got);
  void at_most(const std::string& column, std::size_t got);
  void equal(const std::string& column, const std::vector<std::size_t>& got);
  void differs(std::string what, std::string expected, std::string got) {
    differences_.push_back({std::move(what), std::move(expected), std::move(got)});
  }

  const Row& row_;
  const Norm& norm_;
  const CollectiveInstance& instance_;
  const Verification verification_;
  std::vector<Difference> differences_;
};

void StepCheck::equal(const std::string& column, std::size_t got) {
  if (to_count(row_[column]) != got) differs(column, row_[column], std::to_string(got));
}

void StepCheck::at_most(const std::string& column, std::size_t got) {
  if (to_count(row_[column]) < got) differs(column, "at most " + row_[column], std::to_string(got));
}

void StepCheck::equal(const std::string& column, const std::vector<std::size_t>& got) {
  if (row_[column] != list(got)) differs(column, row_[column], list(got));
}

void StepCheck::check_legality() {
  if (verification_.legal()) return;
  const std::string more =
      verification_.faults > 1 ? " and " + std::to_string(verification_.faults - 1) + " more" : "";
  differs("schedule", "legal and as claimed", verification_.violations.front().text + more);
}

void StepCheck::check_rounds() {
  const std::size_t most = instance_.lower_bound + norm_.above_bound;
  switch (norm_.rounds) {
    case Norm::Rounds::kFree:
      break;
    case Norm::Rounds::kEqual:
      equal("rounds", verification_.rounds);
      break;
    case Norm::Rounds::kAtMost:
      at_most("rounds", verification_.rounds);
      break;
    case Norm::Rounds::kAboveBound:
      if (verification_.rounds <= most) break;
      differs("rounds", "at most " + std::to_string(most), std::to_string(verification_.rounds));
      break;
  }
}

// Each count determines the other: every demanded packet is received once, and the others are
// redundant.
void StepCheck::check_counts() {
  if (fixed(norm_.transmissions, norm_.duplicates, "transmissions")) {
    equal("transmissions", verification_.transmissions);
  }
  if (fixed(norm_.duplicates, norm_.transmissions, "duplicates")) {
    equal("duplicates", verification_.duplicates);
  }
}

void StepCheck::check_lists() {
  if (fixed(norm_.new_per_round, instance_.defined.new_per_round, "new_per_round")) {
    equal("new_per_round", verification_.new_per_round);
  }
  if (fixed(norm_.longest_paths, instance_.defined.longest_paths, "longest_path_per_round")) {
    equal("longest_path_per_round", verification_.longest_path_per_round);
  }
}

// True for single hops under store-and-forward.
bool StepCheck::paths_fixed() const {
  return instance_.collective.discipline.switching == Switching::kStoreAndForward ||
         norm_.longest_paths || instance_.defined.longest_paths;
}

void StepCheck::check_time() {
  const CostModel cost = cost_of(row_);
  const Switching switching = instance_.collective.discipline.switching;
  if (paths_fixed()) {
    const std::uint64_t cycles = analytic_cycles(cost, switching, verification_);
    if (norm_.rounds == Norm::Rounds::kEqual) equal("time", cycles);
    if (norm_.rounds == Norm::Rounds::kAtMost) at_most("time", cycles);
  } else if (filled("longest_path_per_round")) {
    Verification row;
    row.longest_path_per_round = read_list(row_["longest_path_per_round"]);
    row.rounds = row.longest_path_per_round.size();
    equal("time", analytic_cycles(cost, switching, row));
  }
}

// Sends continue after the last node is informed.
void StepCheck::check_quiescence() {
  const char* rounds = after(row_["rule"], "quiescent after ");
  if (rounds == nullptr || to_count(rounds) == plan().schedule.rounds()) return;
  differs("quiescent after", rounds, std::to_string(plan().schedule.rounds()));
}

Verdict check_refusal(const Row& row) {
  try {
    collective_instance(row);
  } catch (const PreconditionError&) {
    return Verdict::of({});
  }
  return Verdict::of({{"instance", "a refusal", "a schedule"}});
}

Verdict check_steps(const Row& row, const Norm& norm) {
  try {
    return StepCheck(row, norm, collective_instance(row)).verdict();
  } catch (const PreconditionError& error) {
    return Verdict::of({{"instance", "a schedule", std::string("a refusal: ") + error.what()}});
  }
}

Verdict check_network(const Row& row) {
  try {
    return Verdict::of(differences_on_network(row));
  } catch (const PreconditionError& error) {
    return Verdict::of({{"instance", "a schedule", std::string("a refusal: ") + error.what()}});
  }
}

}  // namespace

// There is no RTL of a whole network, so that level also uses the step machine for these rows.
Verdict collective_row(const Row& row, Level level) {
  const Norm norm = read_norm(row["normative"]);
  if (norm.rejected) return check_refusal(row);
  Verdict verdict = check_steps(row, norm);
  const bool plays = level == Level::kNetwork || level == Level::kBoth;
  if (!plays || verdict.kind != Verdict::Kind::kPassed) return verdict;
  return check_network(row);
}

}  // namespace flitcast::conformance
