// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "config/schema.h"

namespace flitcast {

/// All keys of an experiment file but `sweep`: those of the catalogs and those that every network
/// has.
const Schema& experiment_schema();

/// What `flitcast schema` prints: the JSON Schema of experiment files, `sweep` included.
nlohmann::ordered_json experiment_json_schema();

}  // namespace flitcast
