// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "config/problem.h"

namespace flitcast {

/// Runs steps that may each find faults in the user's input, so that all faults come to light at
/// once.
class Collector {
 public:
  /// Runs the step and keeps its problems for later.
  template <class Step>
  void attempt(Step&& step) {
    try {
      std::forward<Step>(step)();
    } catch (const ConfigError& error) {
      append(problems_, error);
    }
  }
  void throw_if_any() const {
    if (!problems_.empty()) throw ConfigError(problems_);
  }

 private:
  std::vector<Problem> problems_;
};

}  // namespace flitcast
