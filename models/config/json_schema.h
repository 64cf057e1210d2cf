// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "config/schema.h"

namespace flitcast {

/// The table as JSON Schema, draft 2020-12, for editors that complete and check configuration
/// files.
///
/// It accepts every file that validate() accepts, once the file is read as JSON; it cannot say how
/// a number is spelt, so it lets 8.0 pass for 8. Two parts, because a file with a sweep need not be
/// valid by itself: the keys with their types hold always; which of them apply or are required
/// holds unless the file has the key `exempting`.
///
/// @param extra      Further properties of the top level, by name: { "sweep": {...} }.
/// @param exempting  The one of them that lifts the second part; "" for none.
nlohmann::ordered_json json_schema(const Schema& schema,
                                   const nlohmann::ordered_json& extra = nullptr,
                                   const std::string& exempting = "");

}  // namespace flitcast
