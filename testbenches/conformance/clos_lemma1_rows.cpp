// SPDX-License-Identifier: Apache-2.0
#include "conformance/clos_lemma1_rows.h"

#include <fmt/format.h>

#include <stdexcept>

#include "clos/adversaries/lemma1.h"
#include "clos/catalog.h"
#include "conformance/clos_params.h"
#include "conformance/text.h"

namespace flitcast::conformance {
namespace {

using clos::Lemma1Family;
using clos::Lemma1Outcome;

// The parts of "S1 and S2", "I_4 blocked; I_5 blocked" and similar texts, trimmed.
std::vector<std::string> parts(const std::string& text, const std::string& separator) {
  std::vector<std::string> result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    std::string part = text.substr(begin, end - begin);
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) result.push_back(part);
    begin = end + separator.size();
  }
  return result;
}

Lemma1Family family_of(const ClosParams& params) {
  Lemma1Family family;
  family.n = params.size("n");
  family.x = params.size("x");
  family.r = params.size("r");
  family.requests = params.masks("I", family.r);
  family.destination_sets = params.masks("M", family.r);
  if (family.requests.size() != family.n) throw std::invalid_argument("there must be n sets I");
  if (family.m() != params.size("m")) throw std::invalid_argument("there must be m sets M");
  return family;
}

Lemma1Outcome play(const Lemma1Family& family, const std::string& strategy) {
  const auto* entry = find(clos::strategies(), strategy);
  if (entry == nullptr) throw std::invalid_argument("no strategy \"" + strategy + "\"");
  return clos::play_lemma1(family, entry->make({clos::lemma1_network(family)}));
}

// The first and the last number, from 1, of "I_4" or "I_1..I_3".
std::pair<std::size_t, std::size_t> range_of(const std::string& text, std::size_t n) {
  const std::vector<std::string> ends = parts(text, "..");
  if (ends.empty() || ends.size() > 2) throw std::invalid_argument("no sets \"" + text + "\"");
  const auto number = [&](const std::string& name) {
    const char* digits = after(name, "I_");
    const std::size_t i = digits == nullptr ? 0 : to_count(digits);
    if (i == 0 || i > n) throw std::invalid_argument("no set \"" + name + "\"");
    return i;
  };
  return {number(ends.front()), number(ends.back())};
}

// The number of middle switches that a claim states for an I_i: 0 for "blocked", 3 for "use 3
// each".
std::size_t claimed_middles(const std::vector<std::string>& words) {
  if (words.size() == 2 && words[1] == "blocked") return 0;
  const bool uses = words.size() >= 3 && (words[1] == "use" || words[1] == "uses");
  if (uses && (words.size() == 3 || (words.size() == 4 && words[3] == "each"))) {
    return to_count(words[2]);
  }
  throw std::invalid_argument("a claim on an I_i is \"use 2 each\" or \"blocked\"");
}

std::string fate(std::size_t middles) {
  return middles == 0 ? "blocked" : fmt::format("uses {}", middles);
}

void verify(const std::string& claim, const std::string& strategy, const Lemma1Outcome& outcome,
            std::vector<Difference>& differences) {
  if (claim == "M_j alone on middle j") {
    if (!outcome.alone) differences.push_back({strategy + " M_j", "alone on middle j", "not"});
    return;
  }
  const std::vector<std::string> words = parts(claim, " ");
  const auto [first, last] = range_of(words.front(), outcome.middles.size());
  const std::size_t claimed = claimed_middles(words);
  for (std::size_t i = first; i <= last; ++i) {
    const std::size_t middles = outcome.middles[i - 1];
    if (middles == claimed) continue;
    differences.push_back({fmt::format("{} I_{}", strategy, i), fate(claimed), fate(middles)});
  }
}

}  // namespace

Verdict clos_lemma1_row(const Row& row, Level) {
  const Lemma1Family family = family_of({row["params"], {"n=", "m=", "x=", "r=", "I=", "M="}});
  const std::vector<std::string> halves = parts(row["expected"], ":");
  if (halves.size() != 2) throw std::invalid_argument("expected is not \"strategies: claims\"");
  std::vector<Difference> differences;
  if (const auto fault = fault_of(family)) {
    differences.push_back({"conditions of the lemma", "hold", *fault});
  }
  for (const std::string& strategy : parts(halves[0], " and ")) {
    const Lemma1Outcome outcome = play(family, strategy);
    for (const std::string& claim : parts(halves[1], ";")) {
      verify(claim, strategy, outcome, differences);
    }
  }
  return Verdict::of(std::move(differences));
}

}  // namespace flitcast::conformance
