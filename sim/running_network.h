// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "network/circuit/circuit_totals.h"
#include "network/deadlock_search.h"
#include "network/probe.h"
#include "network/region.h"
#include "sim/model.h"

namespace flitcast {

/// A network in SystemC time as a measurement sees it, whether packets or circuits cross it.
class RunningNetwork {
 public:
  virtual ~RunningNetwork() = default;

  virtual void run(std::uint64_t cycles) = 0;
  virtual Cycle now() const = 0;
  virtual Totals totals() const = 0;
  /// Flits that have crossed a router, ejection included.
  virtual std::uint64_t flit_hops() const = 0;
  virtual std::uint64_t channel_flits(std::size_t channel) const = 0;
  virtual std::uint64_t flits_ejected(NodeId node) const = 0;
  virtual std::uint32_t max_queue() const { return 0; }
  virtual std::uint32_t max_held() const { return 0; }
  /// Of a circuit-switched network, else null.
  virtual const CircuitTotals* circuit() const { return nullptr; }

  /// Deliveries that will never be made, of packets created in the measured window.
  virtual std::uint64_t given_up() const { return 0; }

  /// Throws InvariantError unless every flit, credit and connection is accounted for.
  virtual void audit() const = 0;
  /// Packets that wait for each other in a circle; empty if there are none.
  virtual std::vector<BlockedVc> find_deadlock() const = 0;
  /// No due packet can stand still for so many cycles unless it does for ever; kNoLimit if it can.
  virtual std::uint64_t longest_standstill() const = 0;
  static constexpr std::uint64_t kNoLimit = ~std::uint64_t{0};
};

/// Probes that the network of the model takes: one for each region.
std::size_t probe_count(const Model& model);

/// Builds the model's network. One per process: SystemC elaborates once.
/// @param probes      probe_count() of them.
/// @param begin, end  The measured window.
std::unique_ptr<RunningNetwork> build_network(Model& model, const std::vector<Probe*>& probes,
                                              Cycle begin, Cycle end);

}  // namespace flitcast
