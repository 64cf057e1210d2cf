// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>

#include "collective/schedule.h"

namespace flitcast {

/// What the theorem behind an algorithm promises of an instance. It comes from a closed formula,
/// never from the schedule, for the two are compared.
struct Claim {
  std::size_t rounds = 0;  ///< Until everyone is served.
  bool at_most = false;    ///< The theorem bounds the rounds only from above.
  std::optional<std::size_t> transmissions{};
  std::optional<std::size_t> duplicates{};
};

/// What a collective algorithm returns: its schedule for an instance, and the promise to hold it
/// to.
struct Plan {
  Schedule schedule;
  Claim claim;
};

}  // namespace flitcast
