// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/catalog.h"
#include "config/configuration.h"
#include "sim/results/result.h"

namespace flitcast {

/// Runs the experiment with this value of the searched key and returns the result of a complete
/// run.
/// Throws if there is none.
using Trial = std::function<nlohmann::ordered_json(double value)>;

/// Carries out the search that a section describes.
using SearchMaker = Finding (*)(const Section& search, const Trial& trial);

/// The entries that search.find can name; the first one disables the search and has no maker.
const Catalog<CatalogEntry<SearchMaker>>& searches();

/// Decides if a run counts as saturated: the rules that search.rule can name.
/// @param lowest  The result at search.from, the first run of all.
using SaturationRule = bool (*)(const Section& search, const nlohmann::ordered_json& lowest,
                                const nlohmann::ordered_json& result);
const Catalog<CatalogEntry<SaturationRule>>& saturation_rules();

/// The keys of the section `search`.
std::vector<Param> search_keys();

/// True if the point is a search rather than a single run.
bool is_search(const Configuration& point);

/// Throws ConfigError for a search that cannot be carried out.
void require_sound_search(const Configuration& point);

/// Carries out the search of the point. The result has the finding and every run: status `ok`, or
/// `unmeasured` with a reason.
nlohmann::ordered_json search_result(const Configuration& point, const Trial& trial);

}  // namespace flitcast
