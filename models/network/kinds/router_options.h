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
/// What they say. Throws ConfigError for what does not go with the rest of the parameters.
RouterOptions router_options(const Section& router, const RouterParams& params);

/// An option that does not go with the rest of the parameters.
struct OptionProblem {
  std::string key;
  std::string what;
  std::string hint;
};
std::vector<OptionProblem> problems_of_options(const RouterParams& params);

/// The key of an option that is not its default; there is one.
std::string key_of_option(const RouterOptions& options);

}  // namespace flitcast
