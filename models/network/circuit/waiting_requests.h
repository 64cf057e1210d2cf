// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "base/ids.h"
#include "clos/network_state.h"

namespace flitcast {

/// Cycles that requests have waited at the controller, counted when a wait ends.
struct RequestWaits {
  std::uint64_t controller = 0;  ///< Waits of valid requests while the controller serves others.
  std::uint64_t outputs = 0;     ///< Waits for outputs that other connections use.
  std::uint64_t path = 0;        ///< Waits of blocked requests for the next release.
};

/// The requests at the controller: selects the next request to serve, and counts the waits of the
/// others.
///
/// The requests that are ready when the controller becomes idle form a round, and are served in the
/// order of their inputs; requests that become ready meanwhile form the next round. So a request
/// that stays ready is served within two rounds. A request is ready while all its outputs are idle,
/// until a service finds it blocked; then it waits for the next release of any connection.
///
/// Outputs are not reserved for waiting requests: a request for many outputs can wait without bound
/// while others keep taking some of them. Packets under a PacketAdmission claim their outputs in
/// order and cannot starve. Time of an event: O(outputs * N / 64) for N inputs; memory: N^2 bits.
class WaitingRequests {
 public:
  /// @param state  Supplies the idle outputs; must outlive this object.
  explicit WaitingRequests(const clos::NetworkState& state);

  /// The outputs that an input requests. They must be set before the request arrives, and must not
  /// change until it is dropped or its connection is released.
  std::vector<clos::OutputId>& outputs(clos::InputId input) {
    return requests_[index(input)].outputs;
  }
  const std::vector<clos::OutputId>& outputs(clos::InputId input) const {
    return requests_[index(input)].outputs;
  }

  /// Adds a request that reaches the controller. The input must not have another request here.
  void arrive(clos::InputId input, Cycle now);
  /// Starts to serve the next request, if one is ready, and ends its wait for the controller.
  std::optional<clos::InputId> start_next(Cycle now);

  // After start_next() exactly one of the three functions below must be called in the same cycle.

  /// Removes the served request, which has been connected. Other requests for its outputs are no
  /// longer ready.
  void granted(clos::InputId input, Cycle now);
  /// Keeps the served request, which is blocked, for a retry.
  void blocked(clos::InputId input, Cycle now);
  /// Removes the served request, which is dropped when its verdict is known, `clocks` clocks later.
  void dropped(clos::InputId input, std::uint64_t clocks);

  /// Ends the connection of an input: its outputs and links are idle.
  void released(clos::InputId input, Cycle now);

  bool is_ready(clos::InputId input) const { return ready_.test(index(input)); }
  bool is_blocked(clos::InputId input) const { return blocked_.test(index(input)); }
  bool waits_for_outputs(clos::InputId input) const { return waiting_.test(index(input)); }
  const RequestWaits& waits() const { return waits_; }

 private:
  struct Request {
    std::vector<clos::OutputId> outputs;
    Cycle since{};  ///< Start of the current wait.
  };

  bool valid(std::size_t input) const;
  void classify(std::size_t input, Cycle now);
  void clear_ready(std::size_t input);
  void take_out(std::size_t input);
  void find_interested(const std::vector<clos::OutputId>& outputs, const BitSet& among);
  std::uint64_t waited(std::size_t input, Cycle now) const { return now - requests_[input].since; }

  const clos::NetworkState& state_;
  std::vector<Request> requests_;
  BitMatrix interest_;  // Row o: the waiting requests for output o.
  // Disjoint sets of requests, by the reason for their wait.
  BitSet ready_;
  BitSet waiting_;
  BitSet blocked_;
  std::size_t ready_count_ = 0;
  BitSet round_;
  BitSet found_;
  RequestWaits waits_;
};

}  // namespace flitcast
