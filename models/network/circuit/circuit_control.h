// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/controllers/controller.h"
#include "clos/nested_control.h"
#include "network/circuit/circuit_params.h"

namespace flitcast {

/// What the controller answers to a request, and after how many clocks.
struct CircuitVerdict {
  bool blocked = false;
  std::uint64_t clocks = 0;
};

/// The central control of a circuit-switched network with the time that its hardware takes.
///
/// A level takes 1 + P c + 1 clocks, and 1 + P c if it finds the request blocked: c clocks a pass
/// by the design, P the most passes of a network of the level. A strategy that is hardware itself
/// tells its clocks, Selection::clocks(), which then stand for 1 + P c. The levels run one after
/// another, the networks of a level at the same time; the levels inside one that blocks do not run.
class CircuitControl {
 public:
  /// Throws std::invalid_argument for an unknown design and for what clos::NestedControl refuses.
  CircuitControl(const clos::MultistageStructure& structure, const CircuitParams& params);

  /// Who is connected to whom.
  const clos::NetworkState& state() const { return control_.state(); }
  const clos::NestedControl& nested() const { return control_; }

  /// Serves a valid request; clos::InvalidRequest for another.
  CircuitVerdict connect(clos::InputId input, const std::vector<clos::OutputId>& outputs);
  void disconnect(clos::InputId input) { control_.disconnect(input); }

 private:
  std::uint64_t clocks(const clos::NestedVerdict& verdict, std::size_t level) const;

  std::vector<std::uint64_t> pass_clocks_;  // Of each level.
  clos::NestedControl control_;
};

}  // namespace flitcast
