// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "config/configuration.h"
#include "config/schema.h"

namespace flitcast {

/// An experiment file as the list of its points: the cartesian product of the values under `sweep`,
/// the first key slowest. A file without `sweep` has one point.
///
///   sweep: {workload.load: {from: 0.05, to: 0.5, step: 0.05}, routing.kind: [dimension_order,
///   e_cube]}
///
/// Keys are full dotted names. Steps are exact decimals, so `to` is reached where it is a multiple
/// away and every value is the one that a user would write. At most a million points.
///
/// Points are made when asked for, since a large sweep does not fit into memory.
class Sweep {
 public:
  /// Throws ConfigError when the file cannot be read or its sweep is faulty, with the other
  /// problems of the file. `schema` must outlive the sweep.
  Sweep(const std::string& path, const std::vector<std::string>& overrides, const Schema& schema);
  Sweep(Document document, const Schema& schema);

  /// Whether the file has a section `sweep`.
  bool swept() const { return swept_; }
  std::size_t size() const { return size_; }

  /// Full names of the swept keys, slowest first.
  std::vector<std::string> keys() const;

  /// Point `index`, from 0. Throws ConfigError if there is none or it is not valid.
  Configuration point(std::size_t index) const;

  /// The values of the swept keys in a point: {"workload.load": 0.05, ...}.
  nlohmann::ordered_json values(const Configuration& point) const;

  /// Throws ConfigError if any point is invalid, each problem once, or if two points are the same.
  void check() const;

 private:
  /// One swept key.
  struct Axis {
    std::string key;
    std::vector<YamlValue> values;
  };

  void read(const YamlEntry& sweep);
  void read_axis(const YamlEntry& entry);
  void count_points(const YamlEntry& sweep);
  Document document(std::size_t index) const;

  const Schema& schema_;
  Document base_;  ///< Without `sweep`.
  Place place_;
  bool swept_ = false;
  std::vector<Axis> axes_;
  std::size_t size_ = 1;
};

/// The experiment of the file: its point `point`, or the only one. Throws ConfigError when the file
/// sweeps and `point` is absent, besides what Sweep throws.
Configuration load_point(const std::string& path, const std::vector<std::string>& overrides,
                         std::optional<std::size_t> point);

/// The JSON Schema of `sweep`, for json_schema().
nlohmann::ordered_json sweep_json_schema(const Schema& schema);

}  // namespace flitcast
