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
    kMissing,  ///< The point never ran, or was interrupted.
    kDone,     ///< The complete result is stored.
    kFailed,   ///< The run failed without a result.
    kDamaged,  ///< The file is not a valid result.
    kStale,    ///< The result is from another version of the program.
  };

  State state = State::kMissing;
  nlohmann::ordered_json result{};  ///< Present if the state is kDone.
  std::string reason{};             ///< The reason why there is no result, without a full stop.

  bool done() const { return state == State::kDone; }
};

/// Stores the results of points in files named by the id of the configuration, so that equal
/// experiments share results: ID.json is the result as `run` writes it, ID.fail.json describes a
/// failure. A result takes precedence over a failure.
class PointStore {
 public:
  /// @param folder   Need not exist.
  /// @param version  The program version whose results are valid.
  PointStore(std::string folder, std::string version)
      : folder_(std::move(folder)), version_(std::move(version)) {}

  std::string result_file(const std::string& id) const { return folder_ + "/" + id + ".json"; }
  std::string failure_file(const std::string& id) const {
    return folder_ + "/" + id + ".fail.json";
  }

  StoredPoint find(const std::string& id) const;

  /// Throws std::system_error if the file cannot be written, as does the next function.
  void write_failure(const std::string& id, const nlohmann::ordered_json& failure) const;
  void forget_failure(const std::string& id) const;

 private:
  std::string folder_;
  std::string version_;
};

}  // namespace flitcast
