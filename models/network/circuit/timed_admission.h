// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/controllers/controller.h"
#include "clos/multistage_admission.h"
#include "network/circuit/circuit_params.h"

namespace flitcast {

/// The controller's answer to a request, and its clocks.
struct TimedVerdict {
  bool blocked = false;
  std::uint64_t clocks = 0;
};

/// Admits connections to a circuit-switched network and times it: the clocks of the hardware that
/// decides.
///
/// A level takes 1 + P c + 1 clocks, and 1 + P c if it finds the request blocked: c clocks a pass
/// by the design, P the most passes of a network of the level. A strategy that is hardware itself
/// gives its clocks, Selection::clocks(), which then stand for 1 + P c. The levels run one after
/// another, the networks of a level at the same time; the levels inside one that blocks do not run.
class TimedAdmission {
 public:
  /// Throws std::invalid_argument for an unknown design and for what clos::MultistageAdmission
  /// refuses.
  TimedAdmission(const clos::MultistageStructure& structure, const CircuitParams& params);

  /// The present connections.
  const clos::NetworkState& state() const { return control_.state(); }
  const clos::MultistageAdmission& nested() const { return control_; }
  const clos::MultistageStructure& structure() const { return control_.structure(); }

  /// Serves a valid request; clos::InvalidRequest for another.
  TimedVerdict connect(clos::InputId input, const std::vector<clos::OutputId>& outputs);
  void disconnect(clos::InputId input) { control_.disconnect(input); }

 private:
  std::uint64_t clocks(const clos::MultistageVerdict& verdict, std::size_t level) const;

  std::vector<std::uint64_t> pass_clocks_;  // One for each level.
  clos::MultistageAdmission control_;
};

}  // namespace flitcast
