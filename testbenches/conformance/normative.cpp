// SPDX-License-Identifier: Apache-2.0
#include "conformance/normative.h"

#include <stdexcept>

#include "conformance/text.h"

namespace flitcast::conformance {
namespace {

// Reads a word about rounds; false for other words.
bool read_rounds(const std::string& word, Norm& norm) {
  if (const char* margin = after(word, "rounds<=lb+")) {
    norm.rounds = Norm::Rounds::kAboveBound;
    norm.above_bound = to_count(margin);
  } else if (word == "rounds<=") {
    norm.rounds = Norm::Rounds::kAtMost;
  } else if (word == "rounds" || word == "rounds=") {
    norm.rounds = Norm::Rounds::kEqual;
  } else {
    return false;
  }
  return true;
}

bool* flag_of(const std::string& word, Norm& norm) {
  if (word == "tx") return &norm.transmissions;
  if (word == "dup") return &norm.duplicates;
  if (word == "new") return &norm.new_per_round;
  if (word == "paths") return &norm.longest_paths;
  if (word == "reject") return &norm.rejected;
  return nullptr;
}

}  // namespace

Norm read_norm(const std::string& normative) {
  Norm norm;
  for (const std::string& word : split(normative, ',')) {
    if (word.empty() || read_rounds(word, norm)) continue;
    bool* flag = flag_of(word, norm);
    if (flag == nullptr) throw std::invalid_argument("normative: no column \"" + word + "\"");
    *flag = true;
  }
  return norm;
}

}  // namespace flitcast::conformance
