// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "clos/controllers/controller.h"

namespace flitcast::verify {

/// Counts how often each relevant situation has occurred.
class Coverage {
 public:
  /// Starts with the points that a controller of these parameters can reach, each with count 0;
  /// `long_run` adds a point for that number of requests without a reset.
  explicit Coverage(const clos::ControllerParams& params, std::uint64_t long_run = 0);

  /// Counts a point. Throws std::logic_error for a name that cannot occur with these parameters.
  void hit(const std::string& point);
  /// Records that `requests` requests have been taken since the last reset.
  void reach(std::uint64_t requests);

  std::size_t points() const { return hits_.size(); }
  std::vector<std::string> missed() const;
  /// "2 passes 117, ..." in alphabetical order.
  const std::map<std::string, std::uint64_t>& hits() const { return hits_; }
  /// The most requests between two resets.
  std::uint64_t longest_stretch() const { return longest_stretch_; }

 private:
  std::uint64_t long_run_;
  std::uint64_t longest_stretch_ = 0;
  std::map<std::string, std::uint64_t> hits_;
};

/// Pass counts with a separate point; larger ones share one.
constexpr std::size_t kCountedPasses = 16;

/// The name of the point of a request served in `passes` passes.
std::string passes_point(std::size_t passes);
/// The name of the point of `requests` requests without a reset.
std::string stretch_point(std::uint64_t requests);

}  // namespace flitcast::verify
