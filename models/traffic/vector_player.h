// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "traffic/collective_player.h"
#include "traffic/vector_ledger.h"

namespace flitcast {

/// Plays a schedule in rounds whose messages carry sums of vectors, element by element.
///
/// A rank combines the sums that it has received in a round in the order of the schedule, not of
/// their arrival, so that the bits of a result depend on the schedule alone. A message with partial
/// sums of `elements` elements takes ceil(elements * combine_cycles) cycles; messages are combined
/// one after another as they arrive, and the next round begins when all ranks have finished.
class VectorPlayer : public SchedulePlayer {
 public:
  /// @param combine_cycles  Cycles per element; not negative.
  VectorPlayer(const Topology& topology, const Schedule& schedule, const Demand& demand,
               const VectorData& data, double combine_cycles, DestinationGroups* groups = nullptr,
               Placement placement = {});

  /// The number of elements whose bits differ from those of the sequential program
  /// (VectorLedger::carry_out()), plus the packets with a wrong payload.
  std::uint64_t wrong() const override;
  const VectorLedger& sums() const { return sums_; }
  /// The number of received elements that ranks have combined with their own.
  std::uint64_t combined() const { return combined_; }

 protected:
  std::uint64_t load(std::size_t message) override;
  Cycle unload(std::size_t message, const Delivery& delivery) override;
  void end_round(std::size_t round) override { sums_.receive(schedule(), round, loads_); }

 private:
  const VectorData data_;
  const double combine_cycles_;
  VectorLedger sums_;
  std::vector<std::vector<VectorSum>> loads_;  // By message in flight: its sums.
  std::vector<Cycle> busy_until_;              // By rank: the cycle until which it computes.
  std::uint64_t combined_ = 0;
  std::uint64_t lost_ = 0;  // The packets whose payload has changed in flight.
};

/// Cycles that a schedule spends on combining if all messages of a round arrive together: the sum
/// over the rounds of the time of the busiest rank.
std::uint64_t combining_time(const Schedule& schedule, const Demand& demand, const VectorData& data,
                             double combine_cycles);

}  // namespace flitcast
