// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: strategies, necessary conditions, controllers, multirate networks.
#include <vector>

#include "sim/claims/statement.h"
#include "sim/claims/trials.h"

namespace flitcast::claims {

std::vector<Machine> multirate_machines() { return {}; }

}  // namespace flitcast::claims
