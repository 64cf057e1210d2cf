// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "config/catalog.h"
#include "config/configuration.h"
#include "sim/host/run_options.h"
#include "sim/results/result.h"
#include "sim/sweep/sweep.h"

namespace flitcast {

/// Runs the experiment as planned and returns the result of a complete run. Throws if there is
/// none.
using Trial = std::function<nlohmann::ordered_json(const TrialPlan& plan)>;

/// Carries out the search that a point describes.
using SearchMaker = Finding (*)(const Configuration& point, const Trial& trial);

/// The entries that search.find can name; the first one disables the search and has no maker.
const Catalog<CatalogEntry<SearchMaker>>& searches();

/// The assessment of a run by a rule, in the unit of what the rule compares.
struct Saturation {
  double excess = 0;  ///< How far the run is beyond the limit; negative: it is not saturated.
  double error = 0;   ///< Half-width of the 95 % interval of the excess; infinite if it is unknown.

  bool over() const { return excess > 0; }
  /// True if 0 is not inside the interval of the excess.
  bool decided() const { return std::abs(excess) >= error; }
};
/// Assesses a run that is not saturated by its status: the rules that search.rule can name.
/// @param lowest  The result at search.from, the first run of all.
using SaturationRule = Saturation (*)(const Section& search, const nlohmann::ordered_json& lowest,
                                      const nlohmann::ordered_json& result);
const Catalog<CatalogEntry<SaturationRule>>& saturation_rules();

/// The keys of the section `search`.
std::vector<Param> search_keys();

/// True if the point is a search rather than a single run.
bool is_search(const Configuration& point);

/// Throws ConfigError for a search of the point whose range is empty, and for faulty goals among
/// the points.
void require_sound_search(const Configuration& point);

/// Throws ConfigError as require_sound_search() for this point of the sweep, and for a search whose
/// experiment is invalid at search.from or at the highest value that it may run; makes both.
void require_sound_ends(const Sweep& sweep, std::size_t index, const Configuration& point,
                        const ExperimentOptions& options);

/// Carries out the search of the point. The result has the finding and every run: status `ok`, or
/// `unmeasured` with a reason.
nlohmann::ordered_json search_result(const Configuration& point, const Trial& trial);

}  // namespace flitcast
