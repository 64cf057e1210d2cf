// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "config/configuration.h"
#include "config/param.h"
#include "router/router_params.h"

namespace flitcast {

/// The keys of RouterOptions in the section of a kind of router.
std::vector<Param> option_keys();
/// The options of the section; throws ConfigError for those that conflict with other parameters.
RouterOptions router_options(const Section& router, const RouterParams& params);

/// An option that conflicts with another parameter.
struct OptionProblem {
  std::string key;
  std::string what;
  std::string hint;
};
std::vector<OptionProblem> problems_of_options(const RouterParams& params);

/// The key of an option that differs from its default; at least one must.
std::string key_of_option(const RouterOptions& options);

}  // namespace flitcast
