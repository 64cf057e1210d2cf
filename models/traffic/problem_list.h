// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "config/problem.h"

namespace flitcast {

/// Gathers the faults of a file, so that the user sees all of them at once, but no more than can be
/// read: of the faults beyond the first 50 only the number is told.
class ProblemList {
 public:
  static constexpr std::size_t kShown = 50;

  void add(Problem problem) {
    if (problems_.size() < kShown) {
      problems_.push_back(std::move(problem));
    } else {
      ++hidden_;
    }
  }

  /// Throws ConfigError if there are any.
  void throw_if_any() const {
    if (problems_.empty()) return;
    std::vector<Problem> problems = problems_;
    if (hidden_ != 0) {
      problems.push_back({{problems_.front().place.file, 0, 0},
                          "",
                          std::to_string(hidden_) + " more problems are not shown",
                          "correct these first"});
    }
    throw ConfigError(std::move(problems));
  }

 private:
  std::vector<Problem> problems_;
  std::size_t hidden_ = 0;
};

}  // namespace flitcast
