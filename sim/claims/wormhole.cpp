// SPDX-License-Identifier: Apache-2.0
// The second half of document 000: wormhole broadcast.
#include <vector>

#include "sim/claims/statement.h"
#include "sim/claims/trials.h"

namespace flitcast::claims {

std::vector<Machine> wormhole_machines() { return {}; }

}  // namespace flitcast::claims
