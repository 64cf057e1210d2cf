// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "sim/claims/statement.h"

namespace flitcast::claims {

/// A page about findings: the documents in their order, with every finding's sentence, figures,
/// comparisons, verdict and drawings. One HTML file that needs nothing else.
std::string page_of(const std::vector<Finding>& findings);

}  // namespace flitcast::claims
