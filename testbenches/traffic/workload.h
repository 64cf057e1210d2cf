// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/param.h"
#include "config/section.h"

namespace flitcast {

/// Makes a workload section as the configuration does: `values` override the defaults of the table.
inline Section workload(const std::vector<Param>& params,
                        std::map<std::string, nlohmann::json> values) {
  for (const Param& param : params) values.emplace(param.key, param.fallback);
  return Section::of("workload", std::move(values));
}

/// Returns the error message of `action`; empty if it succeeds.
template <class Action>
std::string complaint(Action action) {
  try {
    action();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

}  // namespace flitcast
