// SPDX-License-Identifier: Apache-2.0
// Machines for document 004: collective operations and the single-rate Clos network.
#include <vector>

#include "sim/claims/statement.h"
#include "sim/claims/trials.h"

namespace flitcast::claims {

std::vector<Machine> clos_machines() { return {}; }

}  // namespace flitcast::claims
