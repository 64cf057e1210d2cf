// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/figures.h"
#include "config/configuration.h"
#include "config/schema.h"
#include "config/yaml.h"

namespace flitcast {

/// A value that a key takes at some points.
struct SweptValue {
  YamlValue value;
  /// The name of a whole section in tables and pictures; empty for the value of a key.
  std::string label{};
};

/// Keys, or sections, that change together from point to point; usually a single key.
struct Axis {
  std::vector<std::string> keys;  ///< Full dotted names of keys, names of sections.
  /// One row for each position on the axis: a value for every key.
  std::vector<std::vector<SweptValue>> rows;
};

/// The axes that the section `sweep` defines, slowest first: a list of values, {from, to, step}, or
/// under `zip` a map, or a list of maps, of keys whose values are paired by position. Adds problems
/// to those of `base`, the document without the section.
///
/// The values of a section are maps, each with all keys of the section; that of the document is
/// replaced. The key `label` names such a value; without it the label lists its keys and values,
/// "fat_tree, arity 4, levels 3".
std::vector<Axis> read_axes(const YamlEntry& sweep, Document& base, const Schema& schema);

/// A scalar as a user would write it.
YamlValue scalar(std::string text, const Place& place);

/// The entry under a full dotted name; null if there is none.
const YamlEntry* entry_at(const YamlValue& map, const std::string& name);

/// The largest number of repetitions.
inline constexpr int kMostRepetitions = 10000;

/// The JSON Schema of `sweep`, for json_schema().
ordered_json sweep_json_schema(const Schema& schema);

/// All keys of an experiment file except `sweep`: the keys of the catalogs and those of every
/// network.
const Schema& experiment_schema();

/// The output of `flitcast schema`: the JSON Schema of experiment files, `sweep` included.
ordered_json experiment_json_schema();

/// A decimal fraction, digits / 10^places. It is exact where binary fractions are not:
/// 0.05 + 2 * 0.05 is 0.15 rather than 0.15000000000000002.
struct Decimal {
  std::int64_t digits = 0;
  int places = 0;  ///< Zero or more.

  /// Reads "-12", "0.05", "1e-3". Absent for other texts and for more than 17 digits.
  static std::optional<Decimal> parse(const std::string& text);

  /// The same value with `more` places; absent if that takes more than 17 digits.
  std::optional<Decimal> with_places(int more) const;

  /// The number without superfluous zeros: "0.15", "8".
  std::string text() const;
};

/// The largest number of points; a larger number suggests a mistyped step.
inline constexpr std::size_t kMostPoints = 1'000'000;

/// The values of {from: A, to: B, step: S}: A + i S up to B, exactly, as a user would write them.
/// For other maps it adds problems and returns no values.
///
/// @param name  The name in problems: "sweep.workload.load".
std::vector<YamlValue> steps(const YamlValue& map, const std::string& name,
                             std::vector<Problem>& problems);

/// A run of a search, with these values in place of those of the experiment.
struct TrialPlan {
  double value = 0;          ///< The value of the searched key.
  std::uint64_t window = 0;  ///< measure.window.
  std::uint64_t seed = 0;
  std::uint64_t warmup = 0;  ///< measure.warmup.
};

/// An experiment file as the list of its points: the cartesian product of the axes under `sweep`,
/// the first key slowest, each with `repeat` seeds, which vary fastest. A file without both has one
/// point.
///
///   sweep: {workload.load: {from: 0.05, to: 0.5, step: 0.05}, routing.kind: [dimension_order,
///   e_cube]}
///   repeat: 5
///
/// Keys are full dotted names, or names of sections, whose values replace the section before the
/// values of single keys are set. Steps are exact decimals, so `to` is reached if its distance from
/// `from` is a multiple of the step, and every value is what a user would write. There are at most
/// a million points.
///
/// A point with a section `search` (search.h) represents many runs; as an experiment it has the
/// lowest value of the searched key.
///
/// Points are made on demand, since a large sweep does not fit into memory.
class Sweep {
 public:
  /// Reads and checks the file.
  /// Throws ConfigError if the file cannot be read or its sweep is invalid, with the other problems
  /// of the file.
  /// `schema` must outlive the sweep.
  Sweep(const std::string& path, const std::vector<std::string>& overrides, const Schema& schema);
  Sweep(Document document, const Schema& schema);

  const std::string& file() const { return base_.file; }
  /// True if the file has a section `sweep`.
  bool swept() const { return swept_; }
  /// True if overrides have changed the file.
  bool overridden() const { return overridden_; }
  /// True if the file represents more than one run: it sweeps, repeats or searches.
  bool explores() const;
  std::size_t size() const { return size_; }
  /// The number of consecutive points that differ only in the seed.
  std::size_t repetitions() const { return repetitions_; }

  /// The number of positions on each axis, slowest first.
  std::vector<std::size_t> shape() const {
    return mapped(axes_, [](const Axis& axis) { return axis.rows.size(); });
  }

  /// Full names of the keys that differ from point to point, slowest first.
  std::vector<std::string> keys() const;

  /// Point `index`, from 0.
  /// Throws ConfigError if it does not exist or is not valid.
  Configuration point(std::size_t index) const { return validate(document(index), schema_); }

  /// A point that searches, as a run of the plan; measure.precision does not end its window early.
  /// Throws ConfigError as point() does.
  Configuration trial(std::size_t index, const TrialPlan& plan) const;

  /// A point with other values, as a user would write them, for the keys with these full dotted
  /// names; an empty value removes the key.
  /// Throws ConfigError as point() does.
  Configuration variation(std::size_t index,
                          const std::vector<std::pair<std::string, std::string>>& values) const;

  /// The values of keys() in point `index`, which is `point`: {"workload.load": 0.05, ...}.
  /// Sections have their labels.
  ordered_json values(std::size_t index, const Configuration& point) const;

  /// Receives a valid point; may throw ConfigError for problems of the point.
  using Visit = std::function<void(std::size_t index, const Configuration& point)>;

  /// Throws ConfigError if any point is invalid, or `visit` refuses one, with each problem once, or
  /// if two points are equal. The check ends at kMostProblems problems, or at kMostFaulty points
  /// with problems, and then reports how many points it has checked.
  void check(const Visit& visit = nullptr) const;
  /// One problem fewer than a message shows, since the note on the end takes a line.
  static constexpr std::size_t kMostProblems = ConfigError::kMostShown - 1;
  static constexpr std::size_t kMostFaulty = 1000;

 private:
  /// Adds the axis of `repeat: N`: the seed of the file and the N - 1 seeds that follow it.
  void read_repetitions();
  void count_points();
  void start_search(Document& document) const;
  /// The values of keys() in point `index`, each with its key.
  std::vector<std::pair<std::string, const SweptValue*>> swept_at(std::size_t index) const;
  /// Throws ConfigError if there is no such point.
  Document document(std::size_t index) const;

  const Schema& schema_;
  Document base_;  ///< The document without `sweep`.
  Place place_;
  bool swept_ = false;
  bool overridden_ = false;
  std::vector<Axis> axes_;
  std::size_t size_ = 1;
  std::size_t repetitions_ = 1;
};

/// The experiment of a sweep: its point `point`, or its only point.
/// Throws ConfigError if there are several and `point` is absent.
Configuration point_of(const Sweep& sweep, std::optional<std::size_t> point);

}  // namespace flitcast
