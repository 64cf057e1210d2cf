// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "base/bit_matrix.h"
#include "base/bit_set.h"
#include "clos/connection_admission.h"
#include "clos/multirate/multirate_state.h"
#include "clos/strategy.h"

namespace flitcast::clos {

/// Admits connections that share ports and links by weight.
///
/// For a request of weight w a link is free if it has space for w. With avail(i, w) and M_{j,w}
/// defined this way, any strategy for whole links works unchanged. Candidates::kFirst allows the
/// first R(K (n2 - 1), r', x) + 1 available middle switches, r' the fan-out. With m of multirate(),
/// strategy S1 and a pass limit of its x, no valid request is ever blocked. With K = 1, weights
/// above half of the capacity, this is ConnectionAdmission. Time of a request: that of the
/// strategy, plus O(m r2 + ports).
class MultirateAdmission {
 public:
  /// @param strategy  Made for the pass limit of `params`.
  /// Throws std::invalid_argument for what MultirateState refuses, no strategy, and kFirst without
  /// a pass limit.
  MultirateAdmission(const Structure& structure, const WeightRange& weights,
                     std::unique_ptr<Strategy> strategy, const AdmissionParams& params = {});

  const MultirateState& state() const { return state_; }

  /// Serves a request; throws InvalidRequest if it is not valid. Returns nothing if it is blocked,
  /// which changes nothing.
  [[nodiscard]] std::optional<ConnectionId> connect(const MultirateRequest& request);
  void disconnect(ConnectionId id) { state_.disconnect(id); }
  /// The strategy's answer to the last request.
  const Selection& selection() const { return selection_; }

 private:
  MultirateState state_;
  std::unique_ptr<Strategy> strategy_;
  AdmissionParams params_;
  BitSet wanted_;
  BitSet candidates_;
  BitMatrix destination_sets_;  ///< The destination sets for the weight of the request.
  Selection selection_;
};

}  // namespace flitcast::clos
