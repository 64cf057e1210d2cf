// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "clos/controllers/controller.h"

namespace flitcast::verify {

/// How often each of the situations that matter has occurred.
class Coverage {
 public:
  /// The points that a controller of these parameters can meet, at 0; with `long_run` one for so
  /// many requests without a reset.
  explicit Coverage(const clos::ControllerParams& params, std::uint64_t long_run = 0);

  /// A name that the constructor leaves out cannot occur with these parameters, or is misspelt:
  /// throws std::logic_error.
  void hit(const std::string& point);
  /// That many requests have been taken since the last reset.
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

/// Passes that have a point each; more of them share one.
constexpr std::size_t kCountedPasses = 16;

/// The name of the point of a request served in so many passes,
std::string passes_point(std::size_t passes);
/// and of so many requests without a reset.
std::string stretch_point(std::uint64_t requests);

}  // namespace flitcast::verify
