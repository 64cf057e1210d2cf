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
#include "clos/structure.h"
#include "clos/trace.h"

namespace flitcast::clos {

/// What random traffic on a network is like.
struct RequestParams {
  std::uint64_t seed = 1;
  std::uint32_t most_fan_out = 0;      ///< Most output switches of a request; 0: all of them.
  std::uint32_t connect_percent = 75;  ///< Of the events, while there is room; the others end one.
};

/// The next event of random traffic; a view that is good until the next one.
struct Proposal {
  bool connects = false;  ///< Else the connection of `input` ends.
  InputId input{};
  const std::vector<OutputId>&
      outputs;  ///< Rising; one port of each output switch. If it connects.
};

/// Random valid requests: who asks for what next depends on the seed and on which ports are idle,
/// so that blocked requests, and with them the strategy, change what follows.
///
/// A new connection comes from a uniformly drawn idle input, has a uniformly drawn fan-out of at
/// most that many output switches with an idle port, takes a uniformly drawn set of these, and the
/// lowest idle port of each. If there is no space for one, or by chance, a uniformly drawn live
/// connection ends; if there is none, a new one is made. Every draw is one number of SplitMix64,
/// so equal seeds give equal traffic on every machine.
/// Time of an event: O(N1 / 64 + r2).
class RequestGenerator {
 public:
  /// Throws std::invalid_argument for a percentage above 100.
  RequestGenerator(const Structure& structure, const RequestParams& params);

  /// @param state  Of a network of that structure.
  Proposal next(const NetworkState& state);

 private:
  void draw_outputs(const NetworkState& state);
  std::uint32_t below(std::size_t bound);

  Random random_;
  std::uint32_t most_fan_out_;
  std::uint32_t connect_percent_;
  const BitSet all_inputs_;
  BitSet live_inputs_;
  std::vector<std::uint32_t> open_switches_;  // With an idle port; the drawn ones are in front.
  BitSet drawn_switches_;
  std::vector<OutputId> outputs_;
};

/// Draws a fan-out of 1 .. most and as many switches of `open`, at least one, all sets of them with
/// equal chance: the first draws of a Fisher-Yates shuffle. The drawn ones are in front of `open`
/// then, and alone in `drawn`.
void draw_switches(Random& random, std::size_t most, std::vector<std::uint32_t>& open,
                   BitSet& drawn);

/// What became of random requests.
struct TrafficCounts {
  std::uint64_t requests = 0;   ///< For new connections.
  std::uint64_t blocked = 0;    ///< Of these.
  std::size_t most_passes = 0;  ///< Of a request served: the middle switches of its route.
};

/// Is told every event.
using EventSink = std::function<void(const Event& event)>;

/// Lets so many random events happen to the network of `control`. The events as values are made for
/// `sink` only: without one no time goes into them.
TrafficCounts run_traffic(ConnectionAdmission& control, RequestGenerator& generator,
                          std::uint64_t events, const EventSink& sink = {});

}  // namespace flitcast::clos
