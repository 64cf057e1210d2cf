// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "base/sequences.h"
#include "sim/sweep/optimise.h"

namespace flitcast {

namespace {

/// A batch of random points takes this share of the budget, but at least kLeastRandom points.
constexpr std::size_t kRandomShare = 4;
constexpr std::size_t kLeastRandom = 4;

/// A point that satisfies the constraints.
struct Candidate {
  std::size_t point = 0;
  std::vector<double> costs;  ///< By objective; less is better.
};

std::optional<double> number_of(const ordered_json& kept, const std::string& figure) {
  if (kept.is_null() || !kept.at(figure).is_number()) return std::nullopt;
  return kept.at(figure).get<double>();
}

bool is_within(const ordered_json& kept, const std::vector<Constraint>& bounds) {
  return all_of(bounds, [&](const Constraint& bound) {
    const std::optional<double> own = number_of(kept, bound.figure);
    return own && (bound.at_least ? *own >= bound.value : *own <= bound.value);
  });
}

/// The costs of a point by objective; absent if the point lacks a figure.
std::optional<std::vector<double>> costs_of(const ordered_json& kept,
                                            const std::vector<Objective>& objectives) {
  std::vector<double> costs;
  for (const Objective& objective : objectives) {
    const std::optional<double> own = number_of(kept, objective.figure);
    if (!own) return std::nullopt;
    costs.push_back(objective.maximise ? -*own : *own);
  }
  return costs;
}

bool beats(const std::vector<double>& a, const std::vector<double>& b) {
  bool better = false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] > b[i]) return false;
    better = better || a[i] < b[i];
  }
  return better;
}

}  // namespace

ParetoSearch::ParetoSearch(Goals goals, std::vector<std::size_t> shape, Sieve sieve)
    : goals_(std::move(goals)),
      shape_(std::move(shape)),
      sieve_(std::move(sieve)),
      random_(goals_.seed) {
  for (const std::size_t values : shape_) size_ *= values;
}

bool ParetoSearch::known(std::size_t point) const {
  return results_.count(point) != 0 || sieved_.count(point) != 0;
}

std::vector<std::size_t> ParetoSearch::next() {
  std::set<std::size_t> batch;
  const auto left = [&] { return goals_.budget - results_.size() - batch.size(); };
  const auto add = [&](std::size_t point) {
    if (left() == 0 || known(point) || batch.count(point) != 0) return;
    (sieve_(point) ? sieved_ : batch).insert(point);
  };
  if (size_ <= goals_.budget) {
    for (std::size_t point = 0; point < size_; ++point) add(point);
    return {batch.begin(), batch.end()};
  }
  std::vector<std::size_t> near = neighbours();
  for (std::size_t n = near.size(); n > 1; --n) std::swap(near[n - 1], near[random_.below(n)]);
  for (const std::size_t point : near) add(point);
  const std::size_t wanted =
      batch.empty() ? std::max(kLeastRandom, goals_.budget / kRandomShare) : batch.size();
  while (batch.size() < wanted && left() > 0) {
    if (results_.size() + sieved_.size() + batch.size() == size_) break;
    std::size_t point = random_.below(size_);
    while (batch.count(point) != 0 || known(point)) point = (point + 1) % size_;
    add(point);
  }
  return {batch.begin(), batch.end()};
}

/// One step up or down on one axis from each point of the front.
std::vector<std::size_t> ParetoSearch::neighbours() const {
  std::vector<std::size_t> found;
  for (const std::size_t point : front()) {
    std::size_t stride = 1;
    for (auto axis = shape_.rbegin(); axis != shape_.rend(); ++axis) {
      const std::size_t place = point / stride % *axis;
      if (place > 0) found.push_back(point - stride);
      if (place + 1 < *axis) found.push_back(point + stride);
      stride *= *axis;
    }
  }
  return found;
}

void ParetoSearch::take(std::size_t point, const ordered_json& result) {
  ordered_json& kept = results_[point] = nullptr;
  if (result.is_null()) return;
  kept["status"] = result.at("status");
  for (const std::string& figure : goals_.figures()) kept[figure] = figure_at(result, figure);
}

std::optional<double> ParetoSearch::limit(const Constraint& constraint) const {
  if (!constraint.of_best) return constraint.value;
  std::optional<double> best;
  for (const auto& [point, kept] : results_) {
    const std::optional<double> own = number_of(kept, constraint.figure);
    if (!own || !counts(kept)) continue;
    const bool better = !best || (constraint.at_least ? *own > *best : *own < *best);
    if (better) best = own;
  }
  if (!best) return std::nullopt;
  // A share above 1 of a negative best is above it, too.
  return *best * (*best < 0 ? 2 - constraint.value : constraint.value);
}

bool ParetoSearch::counts(const ordered_json& kept) const {
  return !kept.is_null() && (!goals_.unsaturated || kept.at("status") == "ok");
}

/// The constraints with the bounds that hold for the results so far.
std::vector<Constraint> ParetoSearch::bounds() const {
  return mapped(goals_.constraints, [&](const Constraint& constraint) {
    // No result has the figure if there is no best, so no point is within any bound.
    return Constraint{constraint.figure, constraint.at_least, limit(constraint).value_or(0)};
  });
}

std::vector<std::size_t> ParetoSearch::front() const {
  std::vector<Candidate> candidates;
  const std::vector<Constraint> all = bounds();
  for (const auto& [point, kept] : results_) {
    if (!counts(kept) || !is_within(kept, all)) continue;
    if (auto costs = costs_of(kept, goals_.objectives)) candidates.push_back({point, *costs});
  }
  std::vector<Candidate> best = filtered(candidates, [&](const Candidate& candidate) {
    return none_of(candidates,
                   [&](const auto& other) { return beats(other.costs, candidate.costs); });
  });
  sort_by(best, [](const Candidate& candidate) { return candidate.costs.front(); });
  return mapped(best, &Candidate::point);
}

}  // namespace flitcast
