// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/bit_set.h"
#include "base/random.h"
#include "clos/connection_admission.h"
#include "clos/network_state.h"
#include "clos/trace.h"
#include "topology/clos_structure.h"

namespace flitcast::clos {

/// Parameters of random traffic on a network.
struct RequestParams {
  std::uint64_t seed = 1;
  std::uint32_t most_fan_out = 0;  ///< Most output switches of a request; 0: all of them.
  /// Percentage of events that connect, while there is space; the others end a connection.
  std::uint32_t connect_percent = 75;
};

/// The parameters with the fan-out of that network as their limit if they have none.
/// Throws std::invalid_argument for a percentage above 100.
RequestParams completed(RequestParams params, const Structure& structure);

/// The next event of random traffic; valid until the next one.
struct Proposal {
  bool connects = false;  ///< False: the connection of `input` ends.
  InputId input{};
  const std::vector<OutputId>&
      outputs;  ///< If `connects`: in ascending order, one port of each output switch.
};

/// Random valid requests. The next request depends on the seed and on the idle ports, so blocked
/// requests, and thus the strategy, affect the following ones.
///
/// A new connection comes from a uniformly drawn idle input, has a uniformly drawn fan-out up to
/// the number of output switches with an idle port (at most most_fan_out), takes a uniformly drawn
/// set of these, and the lowest idle port of each. If there is no space for one, or by chance, a
/// uniformly drawn live connection ends; if there is none, a new one is made. Every draw is one
/// number of SplitMix64, so equal seeds give equal traffic on every machine.
/// Time of an event: O(N1 / 64 + r2).
class RequestGenerator {
 public:
  /// Throws std::invalid_argument for a percentage above 100.
  RequestGenerator(const Structure& structure, const RequestParams& params);

  /// @param state  The state of a network of that structure.
  Proposal next(const NetworkState& state);

 private:
  void draw_outputs(const NetworkState& state);

  Random random_;
  RequestParams params_;
  const BitSet all_inputs_;
  BitSet live_inputs_;
  // Output switches with an idle port; the drawn ones come first.
  std::vector<std::uint32_t> open_switches_;
  BitSet drawn_switches_;
  std::vector<OutputId> outputs_;
};

/// Draws a fan-out of 1 .. most and as many switches of `open`, at least one, all sets with equal
/// probability, by the first draws of a Fisher-Yates shuffle. The drawn switches are at the front
/// of `open` afterwards, and alone in `drawn`.
void draw_switches(Random& random, std::size_t most, std::vector<std::uint32_t>& open,
                   BitSet& drawn);

/// Counts of random requests.
struct TrafficCounts {
  std::uint64_t requests = 0;   ///< Requests for new connections.
  std::uint64_t blocked = 0;    ///< Requests that were blocked.
  std::size_t most_passes = 0;  ///< Most middle switches of the route of a served request.
};

/// Receives every event.
using EventSink = std::function<void(const Event& event)>;

/// Applies `events` random events to the network of `control`. Events are created as values for
/// `sink` only: without one this costs no time.
TrafficCounts run_traffic(ConnectionAdmission& control, RequestGenerator& generator,
                          std::uint64_t events, const EventSink& sink = {});

}  // namespace flitcast::clos
