// SPDX-License-Identifier: Apache-2.0
// Machines for document 002: permutation routing on hypercubes.
#include <vector>

#include "sim/claims/statement.h"
#include "sim/claims/trials.h"

namespace flitcast::claims {

std::vector<Machine> hypercube_machines() { return {}; }

}  // namespace flitcast::claims
