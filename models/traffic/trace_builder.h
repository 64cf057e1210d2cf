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

/// Turns packets that name each other by the file's own ids into a Trace, and refuses dependencies
/// that no network could ever fulfil.
class TraceBuilder {
 public:
  TraceBuilder(std::string file, Trace::Unit unit);

  /// The packet that has the id already, or nothing when `packet` has been added under it.
  std::optional<TracePacket> add(std::uint64_t id, const TracePacket& packet);

  /// The packet added last waits for, or is awaited by, the packet with this id, which may be added
  /// later.
  /// @param column  Where the line of the packet mentions it, from 1; 0: unknown.
  void last_waits_for(std::uint64_t id, int column = 0) {
    mentions_.push_back({last(), id, column, false});
  }
  void last_is_awaited_by(std::uint64_t id) { mentions_.push_back({last(), id, 0, true}); }

  /// Ends the building. Throws ConfigError, with `key` as the place where ids are mentioned, for
  /// ids that no packet has and for packets that wait for themselves.
  Trace finish(const std::string& key);

 private:
  struct Mention {
    std::uint32_t packet;  ///< Whose entry in the file mentions the other's id.
    std::uint64_t id;
    int column;
    bool downwards;  ///< The mentioned one waits, not the mentioning one.
  };

  std::uint32_t last() const { return static_cast<std::uint32_t>(trace_.packets.size() - 1); }
  Problem problem(std::uint32_t packet, const std::string& key, std::string what,
                  std::string remedy, int column) const;
  /// Where the line of `packet` says that it waits for `before`; 0: unknown.
  int column_of(std::uint32_t packet, std::uint32_t before) const;
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
