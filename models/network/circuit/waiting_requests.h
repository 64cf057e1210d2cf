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
  std::uint64_t controller = 0;  ///< Valid requests, while others were served.
  std::uint64_t outputs = 0;     ///< Requests with an output that another had.
  std::uint64_t path = 0;        ///< Blocked requests, until the next release.
};

/// The requests at the controller: which one is served next, and what the others wait for.
///
/// The requests that are ready when the controller falls idle form a round, and are served in the
/// order of their inputs; those that become ready meanwhile form the next round. So a request
/// that stays ready is served within two rounds. A request is ready while all its outputs are idle,
/// until a service finds it blocked: then it waits for the next release of any connection.
///
/// Outputs are not kept for waiting requests: a request for many can wait without end while others
/// keep taking some of them. Packets under a PacketAdmission claim theirs in order and cannot.
/// Time of an event: O(outputs * N / 64) for N inputs; memory: N^2 bits.
class WaitingRequests {
 public:
  /// @param state  Knows the idle outputs; must outlive this.
  explicit WaitingRequests(const clos::NetworkState& state);

  /// The outputs that an input requests. Fill them in before the request arrives, and do not change
  /// them until it is dropped or its connection released.
  std::vector<clos::OutputId>& outputs(clos::InputId input) {
    return requests_[index(input)].outputs;
  }
  const std::vector<clos::OutputId>& outputs(clos::InputId input) const {
    return requests_[index(input)].outputs;
  }

  /// A request reaches the controller. Its input must have none here yet.
  void arrive(clos::InputId input, Cycle now);
  /// The request to be served next, if one is ready; ends its wait for the controller.
  std::optional<clos::InputId> start_next(Cycle now);

  // Afterwards one of these, in the same cycle.

  /// It has been connected: takes it out. Others may have lost an output.
  void granted(clos::InputId input, Cycle now);
  /// It is blocked: keeps it for a retry.
  void blocked(clos::InputId input, Cycle now);
  /// It is dropped when its verdict is known, this many clocks later: takes it out.
  void dropped(clos::InputId input, std::uint64_t clocks);

  /// The connection of an input has ended: its outputs are idle, and links with them.
  void released(clos::InputId input, Cycle now);

  bool is_ready(clos::InputId input) const { return ready_.test(index(input)); }
  bool is_blocked(clos::InputId input) const { return blocked_.test(index(input)); }
  bool waits_for_outputs(clos::InputId input) const { return waiting_.test(index(input)); }
  /// Requests here that can be served.
  bool any_ready() const { return ready_count_ != 0; }
  const RequestWaits& waits() const { return waits_; }

 private:
  struct Request {
    std::vector<clos::OutputId> outputs;
    Cycle since{};  ///< Start of its present wait.
  };

  bool valid(std::size_t input) const;
  void classify(std::size_t input, Cycle now);
  void clear_ready(std::size_t input);
  void take_out(std::size_t input);
  void find_interested(const std::vector<clos::OutputId>& outputs, const BitSet& among);
  std::uint64_t waited(std::size_t input, Cycle now) const { return now - requests_[input].since; }

  const clos::NetworkState& state_;
  std::vector<Request> requests_;
  BitMatrix interest_;  // Row o: the requests here that want output o.
  // Disjoint sets of requests, by what they wait for.
  BitSet ready_;
  BitSet waiting_;
  BitSet blocked_;
  std::size_t ready_count_ = 0;
  std::size_t blocked_count_ = 0;
  BitSet round_;
  BitSet found_;
  RequestWaits waits_;
};

}  // namespace flitcast
