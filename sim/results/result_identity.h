// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>

#include "base/figures.h"
#include "config/configuration.h"

namespace flitcast {

/// What every result begins with: name, version, seed, id, configuration.
const FigureTable<Configuration>& identity_figures();

/// Members of results that say where and how fast they were made: they differ between equal runs.
const std::set<std::string>& passing_members();

/// Adds to a result, which has all but the passing members, the hash of what it has. Equal results
/// have equal digests, and one that was damaged has no longer its own.
void add_digest(nlohmann::ordered_json& result);
bool bears_its_digest(const nlohmann::ordered_json& result);

/// What the figure means.
FigureMeaning digest_meaning();

}  // namespace flitcast
