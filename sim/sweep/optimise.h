// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/figures.h"
#include "base/random.h"
#include "config/configuration.h"
#include "config/param.h"

namespace flitcast {

/// "minimise energy.total_pj".
struct Objective {
  std::string figure;
  bool maximise = false;
};

/// "latency_cycles.mean <= 60", or "accepted_flits_per_node_cycle.mean >= 95 % of best".
struct Constraint {
  std::string figure;
  bool at_least = false;
  double value = 0;
  bool of_best = false;  ///< `value` is a share of the best value in all results.
};

/// The section `optimise`: the demands on the points of a sweep.
struct Goals {
  std::vector<Objective> objectives;
  std::vector<Constraint> constraints;
  bool unsaturated = false;  ///< Only points with status `ok` count.
  std::size_t budget = 0;    ///< The largest number of points that run.
  std::uint64_t seed = 0;

  /// The figures of objectives and constraints, each once.
  std::vector<std::string> figures() const;
};

/// The keys of the section `optimise`; no key changes the result of a point.
std::vector<Param> optimise_keys();

/// True if the section `optimise` of the experiment names an objective or a bound.
bool has_goals(const Configuration& configuration);

/// Reads the section `optimise`. Throws ConfigError with all its problems.
Goals goals_of(const Configuration& configuration);

/// True if the analytic capacity of a point shows, without a run, that it misses the goals: it
/// cannot carry its load, or saturate as late as a constraint on saturation.value demands. Throws
/// ConfigError for a point that is no network.
bool is_hopeless(const Goals& goals, const Configuration& point, bool unsafe);

/// Searches the grid of a sweep for its Pareto set: the points that satisfy all constraints and
/// that no other such point beats in one objective without being worse in another.
///
/// A grid within the budget is searched completely. Otherwise the search starts at random points,
/// then takes the neighbours of the set, one step on one axis, until all of them are known, and
/// then random points again, up to the budget. The choices depend on the seed and on the results,
/// which are the same on every machine, so an interrupted search continues as if it had not been.
///
/// Source: non-dominated points, Deb, Multi-Objective Optimization Using Evolutionary Algorithms
/// (2001), chapter 2; Pareto local search, Paquete, Chiarandini and Stuetzle, Metaheuristics for
/// Multiobjective Optimisation (2004).
class ParetoSearch {
 public:
  /// Returns true if analysis alone shows that a point needs no run.
  using Sieve = std::function<bool(std::size_t point)>;

  /// @param shape  The number of values on each axis, slowest first.
  ParetoSearch(Goals goals, std::vector<std::size_t> shape, Sieve sieve);

  /// The points to run next, ascending; none at the end. take() each before the next call.
  std::vector<std::size_t> next();
  /// @param result  Null for a point that has failed.
  void take(std::size_t point, const ordered_json& result);

  /// The Pareto set so far, by the first objective, then by number.
  std::vector<std::size_t> front() const;
  /// By point that ran: `status` and the figures of the goals by their full names; null if the run
  /// failed.
  const std::map<std::size_t, ordered_json>& results() const { return results_; }
  std::size_t sieved() const { return sieved_.size(); }
  std::size_t size() const { return size_; }

 private:
  bool known(std::size_t point) const;
  std::optional<double> limit(const Constraint& constraint) const;
  /// True if a result may be in the set, or the best that constraints refer to.
  bool counts(const ordered_json& kept) const;
  std::vector<Constraint> bounds() const;
  std::vector<std::size_t> neighbours() const;

  const Goals goals_;
  const std::vector<std::size_t> shape_;
  const Sieve sieve_;
  std::size_t size_ = 1;
  Random random_;
  std::map<std::size_t, ordered_json> results_;
  std::set<std::size_t> sieved_;
};

}  // namespace flitcast
