// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace flitcast {

/// An instance that an algorithm is not defined for.
class PreconditionError : public std::invalid_argument {
 public:
  /// What of the instance is at fault, so that a message can point at its place.
  enum class Subject { kTopology, kSource, kPorts };

  /// @param reason  "recursive tiling is defined on T(5^k,5^k) only, not on T(6,6)"
  /// @param remedy  With the nearest instances that work: "use 5x5 or 25x25"
  PreconditionError(Subject subject, const std::string& reason, std::string remedy)
      : std::invalid_argument(reason + "; " + remedy),
        subject_(subject),
        reason_(reason),
        remedy_(std::move(remedy)) {}

  Subject subject() const { return subject_; }
  const std::string& reason() const { return reason_; }
  const std::string& remedy() const { return remedy_; }

 private:
  Subject subject_;
  std::string reason_;
  std::string remedy_;
};

}  // namespace flitcast
