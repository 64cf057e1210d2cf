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

/// Parameters of random multirate traffic.
struct MultirateRequestParams {
  RequestParams requests{};
  /// Largest weight of a request, at least that of the network's `least`; 0: the capacity.
  Weight most_weight = 0;
};

/// The next event of random multirate traffic; valid until the next one.
struct MultirateProposal {
  bool connects = false;            ///< False: connection `ending` ends.
  const MultirateRequest& request;  ///< The request, if `connects`.
  ConnectionId ending{};
};

/// Random valid requests of random weights, as RequestGenerator makes them: first a weight,
/// uniformly distributed, then an input with space for it, and a set of output switches that have a
/// port with space, whose lowest one is taken.
/// Time of an event: O(N1 + N2).
class MultirateRequestGenerator {
 public:
  /// Throws std::invalid_argument for a percentage above 100 and for a most weight out of range.
  MultirateRequestGenerator(const Structure& structure, const WeightRange& weights,
                            const MultirateRequestParams& params);

  /// @param state  The state of a network of that structure and these weights.
  MultirateProposal next(const MultirateState& state);

 private:
  void find_space(const MultirateState& state);
  void draw_outputs();

  Random random_;
  MultirateRequestParams params_;
  WeightRange weights_;
  MultirateRequest request_;
  std::vector<InputId> open_inputs_;  // Inputs with space for the weight.
  // The lowest output with space of each switch in open_switches_.
  std::vector<OutputId> open_outputs_;
  std::vector<std::uint32_t> open_switches_;  // Output switches that have such an output.
  BitSet drawn_switches_;
};

/// Applies `events` random events to the network of `control`.
TrafficCounts run_multirate_traffic(MultirateAdmission& control,
                                    MultirateRequestGenerator& generator, std::uint64_t events);

}  // namespace flitcast::clos
