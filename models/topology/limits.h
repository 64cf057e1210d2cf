// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

namespace flitcast {

/// Most routers, and most nodes, of a topology.
inline constexpr std::size_t kMaxRouters = std::size_t{1} << 24;

/// Most inputs or outputs of a router, the local port included.
inline constexpr std::size_t kMaxPorts = 128;

/// The product of the sizes, or kMaxRouters + 1 when it is larger than kMaxRouters.
std::size_t bounded_product(const std::vector<std::size_t>& sizes);

/// For constructors: throws std::invalid_argument beyond the limits or without a router.
void require_buildable(std::size_t routers, std::size_t ports);

}  // namespace flitcast
