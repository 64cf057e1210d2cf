// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace flitcast {

using Sizes = std::vector<std::size_t>;

/// "use 4x5 or 6x5", as remedies name the instances that work; at least one.
std::string use_one_of(const std::vector<Sizes>& choices);

}  // namespace flitcast
