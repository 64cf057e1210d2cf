// SPDX-License-Identifier: Apache-2.0
// The first half of document 000: store-and-forward broadcast.
#include <vector>

#include "sim/claims/statement.h"
#include "sim/claims/trials.h"

namespace flitcast::claims {

std::vector<Machine> broadcast_machines() { return {}; }

}  // namespace flitcast::claims
