// SPDX-License-Identifier: Apache-2.0
// Machines for document 003: permutation routing on meshes.
#include <vector>

#include "sim/claims/statement.h"
#include "sim/claims/trials.h"

namespace flitcast::claims {

std::vector<Machine> mesh_machines() { return {}; }

}  // namespace flitcast::claims
