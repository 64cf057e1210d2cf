// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clos/catalog.h"
#include "clos/controllers/controller.h"
#include "clos/multistage_admission.h"
#include "network/circuit/circuit_params.h"

namespace flitcast {

/// Returns a factory that makes the same strategy for every network of one MultistageAdmission,
/// with the pass limit of its level.
///
/// Random strategies draw from separate sequences: the outermost network uses the sequence of
/// `seed`, as the experiments on three stages do; the q-th network made after it uses stream q of
/// the seed.
/// @param params  One entry for each level; empty: the defaults.
clos::StrategyFactory strategy_factory(clos::StrategyMaker make,
                                       const std::vector<clos::AdmissionParams>& params,
                                       std::uint64_t seed);

/// The controller's answer to a request, and the clocks that it took.
struct TimedVerdict {
  bool blocked = false;
  std::uint64_t clocks = 0;
};

/// Admits connections to a circuit-switched network and computes the clocks that the control
/// hardware takes.
///
/// A level takes 1 + P c + 1 clocks, or 1 + P c if it finds the request blocked: the design takes c
/// clocks per pass, and P is the largest number of passes of a network of the level. A strategy
/// with a hardware model gives its own clocks, Selection::clocks(), in place of 1 + P c. The levels
/// run one after another, the networks of a level simultaneously; levels inside one that blocks do
/// not run.
class TimedAdmission {
 public:
  /// Throws std::invalid_argument for an unknown design and for arguments that
  /// clos::MultistageAdmission rejects.
  TimedAdmission(const clos::MultistageStructure& structure, const CircuitParams& params);

  /// The current connections.
  const clos::NetworkState& state() const { return control_.state(); }
  const clos::MultistageAdmission& nested() const { return control_; }
  const clos::MultistageStructure& structure() const { return control_.structure(); }

  /// Serves a valid request; throws clos::InvalidRequest for an invalid one.
  TimedVerdict connect(clos::InputId input, const std::vector<clos::OutputId>& outputs);
  void disconnect(clos::InputId input) { control_.disconnect(input); }

 private:
  std::uint64_t clocks(const clos::MultistageVerdict& verdict, std::size_t level) const;

  std::vector<std::uint64_t> pass_clocks_;  // Clocks per pass, one entry for each level.
  clos::MultistageAdmission control_;
};

}  // namespace flitcast
