// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "collective/rounds/round_claim.h"
#include "collective/rounds/round_demand.h"
#include "config/catalog.h"

namespace flitcast {

/// The algorithms that carry out every operation in rounds: multicast_rounds and unicast_rounds.
const Catalog<CatalogEntry<RoundMethod>>& round_methods();

/// An operation with its name in experiments.
struct RoundOperationEntry {
  const char* name;
  RoundOperation operation;
};

/// All of them. Some are operations of collective/catalog.h, too, with algorithms for one topology.
const std::vector<RoundOperationEntry>& round_operations();
/// The entry of that name, or null.
const RoundOperationEntry* find_round_operation(const std::string& name);

}  // namespace flitcast
