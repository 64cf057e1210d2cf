// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "collective/discipline.h"
#include "collective/precondition.h"

namespace flitcast {

/// For algorithms of two port models. Throws PreconditionError (kPorts) for others than 1 and
/// kAllPorts: "the spanning binomial tree is a schedule for 1 port or for all ports, not for 3".
inline void require_one_or_all_ports(const std::string& algorithm, unsigned ports) {
  if (ports == 1 || ports == kAllPorts) return;
  throw PreconditionError(PreconditionError::Subject::kPorts,
                          "the " + algorithm +
                              " is a schedule for 1 port or for all ports, not for " +
                              std::to_string(ports),
                          "use one or all");
}

}  // namespace flitcast
