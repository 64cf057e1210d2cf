// SPDX-License-Identifier: Apache-2.0
#include "verify_controller/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "verify_controller/golden.h"

namespace flitcast::verify {

Coverage::Coverage(const clos::ControllerParams& params, std::uint64_t long_run)
    : long_run_(long_run) {
  const std::size_t m = params.m;
  const std::size_t r = params.r;
  const std::size_t limit = most_passes(params);
  const auto add = [this](bool possible, const char* point) {
    if (possible) hits_[point] = 0;
  };
  const bool stop = params.stop_without_progress;
  const bool several = limit > 1;
  // A middle switch serves nothing more in later passes, so each serving pass uses another one.
  for (std::size_t passes = 1; passes <= std::min({limit, m, r, kCountedPasses + 1}); ++passes) {
    hits_[passes_point(passes)] = 0;
  }
  add(true, "blocked: none available");
  add(stop, "blocked: no progress");
  add(!stop || (m >= limit && r > limit), "blocked: pass limit");
  add(m > 1, "tie: first pass");
  add(m > 1 && several, "tie: later pass");
  add(m > 1, "the least of all is not available");
  add(m > 1, "available: one");
  add(true, "available: all");
  add(r > 1, "wanted: one");
  add(true, "wanted: all");
  add(true, "store: empty");
  add(true, "store: full");
  add(several, "waits: first of several beats");
  add(limit > 2 && (!stop || (m > 1 && r > 2)), "waits: middle beat");
  add(true, "waits: last beat");
  add(true, "waits: block");
  add(several, "waits: longer than a pass");
  add(true, "request: at once after another");
  add(true, "request: taken while a beat waits");
  add(true, "request: after a pause");
  add(true, "inputs change where they may");
  if (long_run > 0) hits_[stretch_point(long_run)] = 0;
  add(true, "reset: idle");
  add(true, "reset: with a request");
  add(true, "reset: first pass");
  add(several, "reset: later pass");
  add(several, "reset: beat visible");
  add(true, "reset: last beat visible");
}

void Coverage::hit(const std::string& point) {
  const auto found = hits_.find(point);
  if (found == hits_.end()) throw std::logic_error("\"" + point + "\" is no point of coverage");
  ++found->second;
}

void Coverage::reach(std::uint64_t requests) {
  longest_stretch_ = std::max(longest_stretch_, requests);
  if (long_run_ > 0 && requests == long_run_) hit(stretch_point(long_run_));
}

std::vector<std::string> Coverage::missed() const {
  std::vector<std::string> names;
  for (const auto& [name, hits] : hits_) {
    if (hits == 0) names.push_back(name);
  }
  return names;
}

std::string passes_point(std::size_t passes) {
  if (passes > kCountedPasses) return fmt::format("more than {} passes", kCountedPasses);
  return fmt::format("{} pass{}", passes, passes == 1 ? "" : "es");
}

std::string stretch_point(std::uint64_t requests) {
  return fmt::format("without a reset: {} requests", requests);
}

}  // namespace flitcast::verify
