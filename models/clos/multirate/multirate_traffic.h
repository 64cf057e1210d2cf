// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "base/bit_set.h"
#include "base/random.h"
#include "clos/multirate/multirate_admission.h"
#include "clos/multirate/multirate_state.h"
#include "clos/traffic.h"

namespace flitcast::clos {

/// What random multirate traffic is like.
struct MultirateRequestParams {
  RequestParams requests{};
  Weight most_weight = 0;  ///< Of a request, at least the least of the network; 0: the capacity.
};

/// The next event of random multirate traffic; a view that is good until the next one.
struct MultirateProposal {
  bool connects = false;            ///< Else connection `ending` ends.
  const MultirateRequest& request;  ///< If it connects.
  ConnectionId ending{};
};

/// Random valid requests of random weights, in the manner of RequestGenerator: first a weight, all
/// in range with equal chance, then an input with space for it, and a set of output switches that
/// have a port with room, whose lowest one is taken.
/// Time of an event: O(N1 + N2).
class MultirateRequestGenerator {
 public:
  /// Throws std::invalid_argument for a percentage above 100 and for a most weight out of range.
  MultirateRequestGenerator(const Structure& structure, const WeightRange& weights,
                            const MultirateRequestParams& params);

  /// @param state  Of a network of that structure and these weights.
  MultirateProposal next(const MultirateState& state);

 private:
  void find_space(const MultirateState& state);
  void draw_outputs();

  Random random_;
  MultirateRequestParams params_;
  WeightRange weights_;
  MultirateRequest request_;
  std::vector<InputId> open_inputs_;          // With space for the weight.
  std::vector<OutputId> open_outputs_;        // The lowest with space of each output switch,
  std::vector<std::uint32_t> open_switches_;  // as far as these have any.
  BitSet drawn_switches_;
};

/// Lets so many random events happen to the network of `control`.
TrafficCounts run_multirate_traffic(MultirateAdmission& control,
                                    MultirateRequestGenerator& generator, std::uint64_t events);

}  // namespace flitcast::clos
