// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/figures.h"
#include "config/catalog.h"
#include "config/configuration.h"

namespace flitcast {

/// Runs the experiment with this value of the searched key and returns its result, that of a
/// complete run. Throws if there is none.
using Trial = std::function<nlohmann::ordered_json(double value)>;

/// One run of a search, in the order in which they were made.
struct TrialResult {
  double value = 0;
  bool over = false;  ///< The value is beyond what is sought.
  nlohmann::ordered_json result;
};

/// What a search has found.
struct Finding {
  std::vector<TrialResult> trials;
  double value = 0;    ///< What was sought: the middle of the next two.
  double below = 0;    ///< The largest value that is not over,
  double above = 0;    ///< and the smallest that is.
  std::string reason;  ///< Why nothing was found; empty if it was.

  bool found() const { return reason.empty(); }
};

/// Searches as the section says.
using SearchMaker = Finding (*)(const Section& search, const Trial& trial);

/// What a user can name under search.find; the first one searches nothing and has no maker.
const Catalog<CatalogEntry<SearchMaker>>& searches();

/// When a run counts as saturated: what a user can name under search.rule.
/// @param lowest  The result at search.from, the first run of all.
using SaturationRule = bool (*)(const Section& search, const nlohmann::ordered_json& lowest,
                                const nlohmann::ordered_json& result);
const Catalog<CatalogEntry<SaturationRule>>& saturation_rules();

/// The keys of the section `search`.
std::vector<Param> search_keys();

/// Whether the point is a search and not a run.
bool is_search(const Configuration& point);

/// Throws ConfigError for a search that cannot be made.
void require_sound_search(const Configuration& point);

/// Makes the search of the point. Its result tells what was found and every run of it:
/// status `ok`, or `unmeasured` with a reason.
nlohmann::ordered_json search_result(const Configuration& point, const Trial& trial);

/// The figures of results of searches, without those that every result has.
std::vector<FigureMeaning> search_figures();

/// Of the result of a search: "0.596, between 0.594 and 0.598, in 9 runs", or why there is none.
std::string search_outcome(const nlohmann::ordered_json& result);

}  // namespace flitcast
