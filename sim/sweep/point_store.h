// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "config/configuration.h"

namespace flitcast {

/// The state of a point in a folder.
struct StoredPoint {
  enum class State {
    kMissing,  ///< Never run, or stopped on the way.
    kDone,     ///< There is its result, complete.
    kFailed,   ///< It was run and came to no result.
    kDamaged,  ///< Its file is no result.
    kStale,    ///< Its result is of another version.
  };

  State state = State::kMissing;
  nlohmann::ordered_json result{};  ///< Present if the point is done.
  std::string reason{};             ///< Why it is not done, without a full stop.

  bool done() const { return state == State::kDone; }
};

/// Results of points, a file each, by the id of the configuration, so that whoever asks for the
/// same experiment again finds it: ID.json as `run` writes it, ID.fail.json where that failed. A
/// result counts for more than a failure.
class PointStore {
 public:
  /// @param folder   Need not exist.
  /// @param version  Of the program whose results count.
  PointStore(std::string folder, std::string version)
      : folder_(std::move(folder)), version_(std::move(version)) {}

  std::string result_file(const std::string& id) const { return folder_ + "/" + id + ".json"; }
  std::string failure_file(const std::string& id) const {
    return folder_ + "/" + id + ".fail.json";
  }

  StoredPoint find(const std::string& id) const;

  /// Throws std::system_error, as the next one does.
  void write_failure(const std::string& id, const nlohmann::ordered_json& failure) const;
  void forget_failure(const std::string& id) const;

 private:
  std::string folder_;
  std::string version_;
};

}  // namespace flitcast
