// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "traffic/geometric.h"
#include "traffic/injection.h"

namespace flitcast {

/// Bursts: a node alternates between on, where every cycle has a packet with the same probability,
/// and off, where it is silent. Both times are geometric and at least one cycle (a two-state Markov
/// chain, the Markov-modulated process of Dally and Towles, 2004, section 24.2.2).
///
/// Silent times are skipped: a gap costs one draw plus two for every off time that it spans.
/// State: on cycles left of the present burst.
class OnOff : public Injection {
 public:
  /// All three above 0 and at most 1, else std::invalid_argument.
  /// @param probability  Of a packet in an on cycle.
  /// @param leave        Of an on cycle being the last of its burst: 1 / mean burst length.
  /// @param enter        Of an off cycle being the last before a burst.
  OnOff(double probability, double leave, double enter);

  State start(Random& random) const override;
  std::uint64_t gap(State& state, Random& random) const override;

 private:
  const Geometric idle_;
  const Geometric more_on_;   ///< On cycles after the first of a burst.
  const Geometric more_off_;  ///< The same for off.
  const double on_share_;     ///< Of all cycles.
};

}  // namespace flitcast
