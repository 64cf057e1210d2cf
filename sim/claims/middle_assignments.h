// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace flitcast::claims {

/// A connection between switches.
struct SwitchConnection {
  std::size_t input_switch = 0;
  std::vector<std::size_t> outputs;  ///< Output switches.
};

/// Ways to give every output switch of every connection a middle switch so that no link carries
/// two connections.
class MiddleAssignments {
 public:
  /// @param sets  The destination sets that middle switches may have; empty: any.
  MiddleAssignments(const std::vector<SwitchConnection>& connections, std::size_t m,
                    std::vector<std::set<std::size_t>> sets = {})
      : connections_(connections), m_(m), sets_(std::move(sets)) {
    for (std::size_t c = 0; c < connections.size(); ++c) {
      for (const std::size_t k : connections[c].outputs) parts_.emplace_back(c, k);
    }
  }

  /// Calls visit(links) for each, with the first-stage links in use, until it returns false.
  /// Returns whether it never did.
  bool for_each(const std::function<bool(std::size_t)>& visit) {
    if (chosen_.size() == parts_.size()) return visit(links_);
    const auto [c, k] = parts_[chosen_.size()];
    for (std::size_t j = 0; j < m_; ++j) {
      if (!sets_.empty() && sets_[j].count(k) == 0) continue;
      bool taken = false;
      bool reached = false;
      for (std::size_t p = 0; p < chosen_.size(); ++p) {
        if (chosen_[p] != j) continue;
        const auto [other, output] = parts_[p];
        taken |= output == k ||
                 (other != c && connections_[other].input_switch == connections_[c].input_switch);
        reached |= other == c;
      }
      if (taken) continue;
      chosen_.push_back(j);
      links_ += reached ? 0 : 1;
      const bool goes_on = for_each(visit);
      links_ -= reached ? 0 : 1;
      chosen_.pop_back();
      if (!goes_on) return false;
    }
    return true;
  }

  bool any() {
    return !for_each([](std::size_t) { return false; });
  }

 private:
  const std::vector<SwitchConnection>& connections_;
  std::size_t m_;
  std::vector<std::set<std::size_t>> sets_;
  std::vector<std::pair<std::size_t, std::size_t>> parts_;  // Connection, output switch.
  std::vector<std::size_t> chosen_;                         // By part: its middle switch.
  std::size_t links_ = 0;
};

}  // namespace flitcast::claims
