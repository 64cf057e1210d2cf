// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "config/problem.h"
#include "traffic/trace.h"

namespace flitcast {

/// Gathers the faults of a file, so that the user sees all of them at once, but no more than can be
/// read: of the faults beyond the first 50 only the number is told.
class ProblemList {
 public:
  static constexpr std::size_t kShown = 50;

  void add(Problem problem) {
    if (problems_.size() < kShown) {
      problems_.push_back(std::move(problem));
    } else {
      ++hidden_;
    }
  }

  /// Throws ConfigError if there are any.
  void throw_if_any() const {
    if (problems_.empty()) return;
    std::vector<Problem> problems = problems_;
    if (hidden_ != 0) {
      problems.push_back({{problems_.front().place.file, 0, 0},
                          "",
                          std::to_string(hidden_) + " more problems are not shown",
                          "correct these first"});
    }
    throw ConfigError(std::move(problems));
  }

 private:
  std::vector<Problem> problems_;
  std::size_t hidden_ = 0;
};

/// Turns packets that name each other by the file's own ids into a Trace, and refuses dependencies
/// that no network could ever fulfil.
class TraceBuilder {
 public:
  TraceBuilder(std::string file, Trace::Unit unit);

  /// The packet that has the id already, or nothing when `packet` has been added under it.
  std::optional<TracePacket> add(std::uint64_t id, const TracePacket& packet);

  /// The packet added last waits for, or is awaited by, the packet with this id, which may be added
  /// later.
  void last_waits_for(std::uint64_t id) { mentions_.push_back({last(), id, false}); }
  void last_is_awaited_by(std::uint64_t id) { mentions_.push_back({last(), id, true}); }

  /// Ends the building. Throws ConfigError, with `key` as the place where ids are mentioned, for
  /// ids that no packet has and for packets that wait for themselves.
  Trace finish(const std::string& key);

 private:
  struct Mention {
    std::uint32_t packet;  ///< Whose entry in the file mentions the other's id.
    std::uint64_t id;
    bool downwards;  ///< The mentioned one waits, not the mentioning one.
  };

  std::uint32_t last() const { return static_cast<std::uint32_t>(trace_.packets.size() - 1); }
  Problem problem(std::uint32_t packet, const std::string& key, std::string what,
                  std::string remedy) const;
  void resolve(const std::string& key);
  void refuse_cycles(const std::string& key) const;
  /// Packets of which each waits for the next and the last for the first.
  std::vector<std::uint32_t> cycle(const std::vector<std::uint32_t>& waiting) const;

  Trace trace_;
  std::vector<std::uint64_t> ids_;  ///< By packet.
  std::unordered_map<std::uint64_t, std::uint32_t> packet_of_id_;
  std::vector<Mention> mentions_;
};

}  // namespace flitcast
